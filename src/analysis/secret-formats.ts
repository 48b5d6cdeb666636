/** What a kind of secret looks like, and what a person should know about it. */
export interface SecretFormat {
  /** After `secrets/`. */
  readonly rule: string;
  /** With its article: "an AWS access key id". */
  readonly what: string;
  /**
   * Global and linear: no quantifier inside a quantified group, every repetition bounded or followed by what it cannot match itself.
   * Group 1, where there is one, is the secret itself; it is what placeholders are judged by.
   */
  readonly pattern: RegExp;
  readonly confidence: number;
  /** False for kinds that are often harmless (test keys, tokens that browsers see): they warn and do not block. */
  readonly sure: boolean;
  /** True where tests use such values of their own so often that they only warn there. */
  readonly mildInTests?: boolean;
  /** A plain text that every match contains: most files are done after looking for it. */
  readonly hint: string;
}

/** Known by its vendor's prefix: hardly ever anything else. */
function vendor(rule: string, what: string, hint: string, pattern: RegExp, confidence = 0.95): SecretFormat {
  return { rule, what, hint, pattern, confidence, sure: true };
}

function doubtful(rule: string, what: string, hint: string, pattern: RegExp, confidence: number): SecretFormat {
  return { rule, what, hint, pattern, confidence, sure: false };
}

/** Secrets by shape rather than by vendor. */
const STRUCTURES: readonly SecretFormat[] = [
  {
    rule: "private-key",
    what: "a private key",
    hint: "PRIVATE KEY",
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\sA-Za-z0-9+/=:,.\-"'`])([A-Za-z0-9+/=]{20})/g,
    confidence: 0.97,
    sure: true,
    mildInTests: true,
  },
  {
    rule: "url-credentials",
    what: "a password inside a URL",
    hint: "://",
    pattern:
      /\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s:@/?#"'`<>()[\]{}]{0,80}:([^\s:@/?#"'`<>()[\]{}]{3,120})@[^\s:@/?#"'`<>()[\]{}]{1,200}/g,
    confidence: 0.8,
    sure: true,
    mildInTests: true,
  },
  doubtful(
    "jwt",
    "a signed token (JWT)",
    "eyJ",
    /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/g,
    0.6,
  ),
];

const VENDORS: readonly SecretFormat[] = [
  vendor("aws-access-key", "an AWS access key id", "A", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g),
  vendor(
    "aws-secret-key",
    "an AWS secret access key",
    "ecret",
    /\baws[\w .-]{0,20}secret[\w .-]{0,20}["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    0.9,
  ),
  vendor("github-token", "a GitHub token", "gh", /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/g),
  vendor(
    "github-fine-grained-token",
    "a GitHub token",
    "github_pat_",
    /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/g,
  ),
  vendor("gitlab-token", "a GitLab token", "gl", /\bgl(?:pat|dt|rt|ptt|soat|cbt|ft)-[\w-]{20,64}/g),
  vendor("slack-token", "a Slack token", "xox", /\bxox[abeoprs](?:\.xox[bp])?-[0-9A-Za-z-]{20,250}/g),
  vendor("slack-app-token", "a Slack app token", "xapp-", /\bxapp-\d-[A-Z0-9]{8,14}-\d{8,16}-[a-z0-9]{40,80}\b/gi),
  vendor(
    "slack-webhook",
    "a Slack webhook",
    "hooks.slack.com",
    /\bhooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,14}\/[AB][A-Z0-9]{6,14}\/([A-Za-z0-9]{17,30})/g,
  ),
  vendor(
    "discord-webhook",
    "a Discord webhook",
    "/api/webhooks/",
    /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([\w-]{60,80})/g,
  ),
  vendor("telegram-token", "a Telegram bot token", ":AA", /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g),
  vendor("stripe-key", "a live Stripe key", "k_live_", /\b[rs]k_live_[0-9a-zA-Z]{20,247}\b/g),
  doubtful("stripe-test-key", "a Stripe test key", "k_test_", /\b[rs]k_test_[0-9a-zA-Z]{20,247}\b/g, 0.8),
  vendor("stripe-webhook-secret", "a Stripe webhook secret", "whsec_", /\bwhsec_[0-9a-zA-Z]{32,64}\b/g, 0.85),
  doubtful("google-api-key", "a Google API key", "AIza", /\bAIza[\w-]{35}(?![\w-])/g, 0.8),
  vendor("google-oauth-secret", "a Google OAuth client secret", "GOCSPX-", /\bGOCSPX-[\w-]{28}(?![\w-])/g),
  vendor("google-refresh-token", "a Google refresh token", "1//0", /(?<![\w/])1\/\/0[\w-]{40,120}(?![\w-])/g, 0.85),
  vendor("npm-token", "an npm token", "npm_", /\bnpm_[A-Za-z0-9]{36}\b/g),
  vendor("pypi-token", "a PyPI token", "pypi-AgE", /\bpypi-AgE[\w-]{50,1000}/g),
  vendor("rubygems-token", "a RubyGems token", "rubygems_", /\brubygems_[a-f0-9]{48}\b/g),
  vendor("docker-token", "a Docker Hub token", "dckr_", /\bdckr_[po]at_[\w-]{27,40}/g),
  vendor(
    "openai-key",
    "an OpenAI key",
    "T3BlbkFJ",
    /\bsk-(?:(?:proj|svcacct|admin)-)?[\w-]{20,100}T3BlbkFJ[\w-]{20,100}/g,
  ),
  vendor("anthropic-key", "an Anthropic key", "sk-ant-", /\bsk-ant-(?:api|admin|oat)\d\d-[\w-]{80,120}/g),
  vendor("hugging-face-token", "a Hugging Face token", "hf_", /\bhf_[a-zA-Z]{34}\b/g),
  vendor("sendgrid-key", "a SendGrid key", "SG.", /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g),
  vendor("mailgun-key", "a Mailgun key", "key-", /\bkey-[0-9a-f]{32}\b/g, 0.85),
  vendor("twilio-key", "a Twilio key", "SK", /\bSK[0-9a-f]{32}\b/g, 0.85),
  vendor("shopify-token", "a Shopify token", "shp", /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g),
  vendor("square-token", "a Square token", "sq0", /\bsq0(?:atp|csp)-[\w-]{22,43}(?![\w-])/g),
  vendor("digitalocean-token", "a DigitalOcean token", "_v1_", /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  vendor("azure-storage-key", "an Azure storage key", "AccountKey=", /\bAccountKey=([A-Za-z0-9+/]{86}==)/g),
  vendor("databricks-token", "a Databricks token", "dapi", /\bdapi[a-f0-9]{32}(?:-\d)?\b/g),
  vendor("vault-token", "a HashiCorp Vault token", "hv", /\bhv[sbr]\.[\w-]{24,300}/g),
  vendor("terraform-token", "a Terraform Cloud token", ".atlasv1.", /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80}/g),
  vendor("atlassian-token", "an Atlassian token", "ATATT3", /\bATATT3[\w=-]{100,250}/g),
  vendor("linear-key", "a Linear key", "lin_api_", /\blin_api_[a-zA-Z0-9]{40}\b/g),
  vendor("notion-token", "a Notion token", "ntn_", /\bntn_[0-9]{11}[A-Za-z0-9]{35}\b/g),
  vendor("figma-token", "a Figma token", "figd_", /\bfigd_[\w-]{40}(?![\w-])/g),
  vendor("postman-key", "a Postman key", "PMAK-", /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g),
  vendor("grafana-token", "a Grafana token", "glsa_", /\bglsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b/g),
  vendor("sentry-token", "a Sentry token", "sntry", /\bsntry[su]_[\w=+/-]{60,300}/g),
  vendor("new-relic-key", "a New Relic key", "NRAK-", /\bNRAK-[A-Z0-9]{27}\b/g),
  vendor("doppler-token", "a Doppler token", "dp.", /\bdp\.(?:pt|st|sa|ct)\.[\w.-]{40,60}/g),
  vendor("supabase-token", "a Supabase token", "sbp_", /\bsbp_[a-f0-9]{40}\b/g),
  vendor("planetscale-token", "a PlanetScale secret", "pscale_", /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}/g),
  vendor("age-key", "an age key", "AGE-SECRET-KEY-1", /\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b/g),
  vendor("fly-token", "a Fly.io token", "FlyV1 ", /\bFlyV1 fm\d_[\w+/=,-]{100,2000}/g),
];

export const SECRET_FORMATS: readonly SecretFormat[] = [...VENDORS, ...STRUCTURES];
