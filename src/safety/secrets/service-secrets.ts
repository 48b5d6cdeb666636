import { trimEndOf } from "../../domain/trim-characters.ts";
import type { NamedValue } from "./named-values.ts";
import { isPlaceholder, UUID_ONLY } from "./placeholders.ts";
import { entropyOf } from "./randomness.ts";
import { type SecretKind, UUID } from "./secret-format.ts";
import { readSecretName } from "./secret-name.ts";

/** A service whose secrets have no prefix: its name stands before a value of the right shape that is called a secret. */
interface ServiceSecret extends SecretKind {
  /** Found in the characters before the value, in lower case, not inside a longer word. */
  readonly service: RegExp;
  /** What `service` is made of: alternatives of letters, some of them optional. */
  readonly words: string;
  /** Matches the whole value. */
  readonly shape: RegExp;
}

function service(rule: string, name: string, words: string, shape: string): ServiceSecret {
  const article = /^[AEIOU]/.test(name) ? "an" : "a";
  return {
    rule,
    what: `${article} ${name} secret`,
    confidence: 0.8,
    sure: true,
    mildInTests: true,
    words,
    service: new RegExp(`(?<![a-z])(?:${words})`),
    shape: new RegExp(`^(?:${shape})$`),
  };
}

const HEX32 = "[a-fA-F0-9]{32}";
const HEX40 = "[a-fA-F0-9]{40}";
const HEX64 = "[a-fA-F0-9]{64}";

export const SERVICE_SECRETS: readonly ServiceSecret[] = [
  service("adafruit", "Adafruit", "adafruit", "[A-Za-z0-9_-]{32}"),
  service("adobe", "Adobe", "adobe", HEX32),
  service("airtable", "Airtable", "airtable", "key[A-Za-z0-9]{14}|[A-Za-z0-9]{17}"),
  service("alchemy", "Alchemy", "alchemy", "[A-Za-z0-9_-]{32}"),
  service("algolia", "Algolia", "algolia", "[a-z0-9]{32}"),
  service("alibaba", "Alibaba Cloud", "alibaba|aliyun|alicloud", "[A-Za-z0-9]{30}"),
  service("amplitude", "Amplitude", "amplitude", HEX32),
  service("asana", "Asana", "asana", "[A-Za-z0-9]{32}"),
  service("assemblyai", "AssemblyAI", "assembly_?ai", HEX32),
  service("atlassian", "Atlassian", "atlassian|confluence|jira", "[A-Za-z0-9]{24}"),
  service("auth0", "Auth0", "auth0", "[A-Za-z0-9_-]{64}"),
  service("azure-devops", "Azure DevOps", "azure|azdo|ado_|vsts|devops", "[a-z2-7]{52}"),
  service("azure-ai", "Azure", "azure|cognitive|openai", HEX32),
  service("binance", "Binance", "binance", "[A-Za-z0-9]{64}"),
  service("bitbucket", "Bitbucket", "bitbucket", "[A-Za-z0-9_=-]{64}|[A-Za-z0-9]{32}"),
  service("bitly", "Bitly", "bitly", HEX40),
  service("bittrex", "Bittrex", "bittrex", "[A-Za-z0-9]{32}"),
  service("braintree", "Braintree", "braintree", HEX32),
  service("braze", "Braze", "braze", UUID),
  service("bugsnag", "Bugsnag", "bugsnag", HEX32),
  service("circleci", "CircleCI", "circle_?ci|circle", HEX40),
  service("cisco-meraki", "Meraki", "meraki", HEX40),
  service("cloudflare", "Cloudflare", "cloudflare|cf_", "[A-Za-z0-9_-]{40}|[a-f0-9]{37}"),
  service("cloudsmith", "Cloudsmith", "cloudsmith", HEX40),
  service("codecov", "Codecov", "codecov", `[A-Za-z0-9]{32}|${UUID}`),
  service("cohere", "Cohere", "cohere|co_api_key", "[A-Za-z0-9]{40}"),
  service("coinbase", "Coinbase", "coinbase", "[A-Za-z0-9_-]{64}"),
  service("coinmarketcap", "CoinMarketCap", "coinmarketcap|cmc_", UUID),
  service("confluent", "Confluent", "confluent", "[A-Za-z0-9/+]{64}|[A-Za-z0-9]{16}"),
  service("contentful", "Contentful", "contentful", "[A-Za-z0-9_=-]{43}"),
  service("datadog", "Datadog", "data_?dog|dd_", "[a-f0-9]{32}|[A-Za-z0-9]{40}"),
  service("deepgram", "Deepgram", "deepgram", HEX40),
  service("discord", "Discord", "discord", `[A-Za-z0-9_=-]{32}|${HEX64}`),
  service("docker-hub", "Docker Hub", "docker", UUID),
  service("drone", "Drone", "drone", "[A-Za-z0-9]{32}"),
  service("dropbox", "Dropbox", "dropbox", "[a-z0-9]{15}"),
  service("elastic", "Elastic", "elastic", "[A-Za-z0-9_+/-]{50,60}={1,2}"),
  service("etherscan", "Etherscan", "etherscan", "[A-Z0-9]{34}"),
  service("etsy", "Etsy", "etsy", "[A-Za-z0-9]{24}"),
  service("facebook", "Facebook", "facebook|fb_|meta_", HEX32),
  service("fastly", "Fastly", "fastly", "[A-Za-z0-9_=-]{32}"),
  service("finicity", "Finicity", "finicity", `${HEX32}|[A-Za-z0-9]{20}`),
  service("finnhub", "Finnhub", "finnhub", "[A-Za-z0-9]{20}"),
  service("flickr", "Flickr", "flickr", "[A-Za-z0-9]{32}"),
  service("freshbooks", "FreshBooks", "freshbooks", "[A-Za-z0-9]{64}"),
  service("freshdesk", "Freshdesk", "freshdesk", "[A-Za-z0-9]{20}"),
  service("gitea", "Gitea", "gitea|forgejo|codeberg", HEX40),
  service("github", "GitHub", "github|gh_", HEX40),
  service("gitlab", "GitLab", "gitlab", "[A-Za-z0-9_-]{20}"),
  service("gitter", "Gitter", "gitter", "[A-Za-z0-9_-]{40}"),
  service("gocardless", "GoCardless", "gocardless", "(?:live|sandbox)_[A-Za-z0-9_=-]{40}"),
  service("heroku", "Heroku", "heroku", UUID),
  service("hetzner", "Hetzner", "hetzner|hcloud", "[A-Za-z0-9]{64}"),
  service("hubspot", "HubSpot", "hubspot|hapi", UUID),
  service("ibm-cloud", "IBM Cloud", "ibm|bluemix|watson", "[A-Za-z0-9_-]{44}"),
  service("infura", "Infura", "infura", HEX32),
  service("intercom", "Intercom", "intercom", "[A-Za-z0-9_=-]{60}"),
  service("jenkins", "Jenkins", "jenkins", "11[a-f0-9]{32}"),
  service("jfrog", "JFrog", "jfrog|artifactory|bintray|xray", "[A-Za-z0-9]{73}|[A-Za-z0-9]{64}"),
  service("kraken", "Kraken", "kraken", "[A-Za-z0-9/=_+-]{80,90}"),
  service("kucoin", "KuCoin", "kucoin", `[a-f0-9]{24}|${UUID}`),
  service("launchdarkly", "LaunchDarkly", "launch_?darkly", "[A-Za-z0-9_=-]{40}"),
  service("linear", "Linear", "linear", HEX32),
  service("linkedin", "LinkedIn", "linked_?in", "[A-Za-z0-9]{16}"),
  service("linode", "Linode", "linode", HEX64),
  service("looker", "Looker", "looker", "[A-Za-z0-9]{24}"),
  service("mailgun", "Mailgun", "mailgun", "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}|[a-f0-9]{32}"),
  service("mailjet", "Mailjet", "mailjet", HEX32),
  service("mattermost", "Mattermost", "mattermost", "[a-z0-9]{26}"),
  service("maxmind", "MaxMind", "maxmind|geoip", "[A-Za-z0-9]{16}"),
  service("messagebird", "MessageBird", "message_?bird", "[A-Za-z0-9]{25}"),
  service("mistral", "Mistral", "mistral", "[A-Za-z0-9]{32}"),
  service("mixpanel", "Mixpanel", "mixpanel", HEX32),
  service("netlify", "Netlify", "netlify", "[A-Za-z0-9_=-]{40,46}"),
  service("new-relic", "New Relic", "new_?-?relic", "[A-Za-z0-9]{64}|[A-Za-z0-9]{40}"),
  service("nuget", "NuGet", "nuget|myget|proget", `${UUID}|${HEX40}`),
  service("npm-legacy", "npm", "npm", UUID),
  service("nytimes", "New York Times", "nytimes|new-?york-?times", "[A-Za-z0-9_=-]{32}"),
  service("okta", "Okta", "okta", "[A-Za-z0-9_=-]{42}"),
  service("openweather", "OpenWeather", "open_?weather|owm", HEX32),
  service("opsgenie", "Opsgenie", "opsgenie", UUID),
  service("pagerduty", "PagerDuty", "pager_?duty", "[A-Za-z0-9_+-]{20}|[a-f0-9]{32}"),
  service("paypal", "PayPal", "paypal", "[A-Za-z0-9_-]{80}"),
  service("plaid", "Plaid", "plaid", "[a-z0-9]{30}"),
  service("postmark", "Postmark", "postmark", UUID),
  service("privateai", "Private AI", "private_?-?ai", "[a-z0-9]{32}"),
  service("pusher", "Pusher", "pusher", "[a-f0-9]{20}"),
  service("railway", "Railway", "railway", UUID),
  service("rapidapi", "RapidAPI", "rapid_?-?api", "[A-Za-z0-9_-]{50}"),
  service("rollbar", "Rollbar", "rollbar", HEX32),
  service("scaleway", "Scaleway", "scaleway|scw", UUID),
  service("segment", "Segment", "segment", "[A-Za-z0-9]{32}"),
  service("semgrep", "Semgrep", "semgrep", HEX64),
  service("sendbird", "Sendbird", "send_?bird", `${HEX40}|${UUID}`),
  service("sentry", "Sentry", "sentry", HEX64),
  service("shortcut", "Shortcut", "shortcut|clubhouse", UUID),
  service("slack-signing", "Slack signing", "slack", HEX32),
  service("snyk", "Snyk", "snyk", UUID),
  service("sonar", "Sonar", "sonar", "(?:sq[apu]_)?[A-Za-z0-9_=-]{40}"),
  service("sourcegraph", "Sourcegraph", "sourcegraph|src_access", HEX40),
  service("spotify", "Spotify", "spotify", HEX32),
  service("squarespace", "Squarespace", "squarespace", UUID),
  service("sumologic", "Sumo Logic", "sumo", "[A-Za-z0-9]{64}|su[A-Za-z0-9]{12}"),
  service("tencent", "Tencent Cloud", "tencent|qcloud", "[A-Za-z0-9]{32}"),
  service("todoist", "Todoist", "todoist", HEX40),
  service("travis", "Travis CI", "travis", "[A-Za-z0-9_-]{22}"),
  service("trello", "Trello", "trello", "[A-Za-z0-9-]{32}|[a-f0-9]{64}"),
  service("twilio", "Twilio", "twilio", HEX32),
  service("twitch", "Twitch", "twitch", "[a-z0-9]{30}"),
  service(
    "twitter",
    "X (Twitter)",
    "twitter|tw_|x_api",
    "[A-Za-z0-9]{25}|[A-Za-z0-9]{45}|[A-Za-z0-9]{50}|[0-9]{15,25}-[A-Za-z0-9]{20,40}",
  ),
  service("unsplash", "Unsplash", "unsplash", "[A-Za-z0-9_-]{43}"),
  service("vault-legacy", "HashiCorp Vault", "vault", "s\\.[A-Za-z0-9]{24}"),
  service("vercel", "Vercel", "vercel|zeit|now_", "[A-Za-z0-9]{24}"),
  service("vonage", "Vonage", "vonage|nexmo", "[A-Za-z0-9]{16}"),
  service("vultr", "Vultr", "vultr", "[A-Z0-9]{36}"),
  service("wandb", "Weights & Biases", "wandb|weights", HEX40),
  service("webflow", "Webflow", "webflow", HEX64),
  service("yandex", "Yandex", "yandex", "[A-Za-z0-9_-]{39,60}"),
  service("zendesk", "Zendesk", "zendesk", "[A-Za-z0-9]{40}"),
];

const ANY_SERVICE = new RegExp(SERVICE_SECRETS.map(({ service: { source } }) => source).join("|"));
const ANY_SHAPE = /^[A-Za-z0-9_+/=.-]{14,90}$/;

/** The service whose secret this can be; `context` is what stands before the value. */
function findService(context: string, value: string): ServiceSecret | undefined {
  if (!ANY_SHAPE.test(value)) return undefined;
  // Also where a capital begins its name, or an option of Java: `registryPasswordJfrog`, `-Dsonar.login`.
  const names = `${context} ${context.replace(/(?<=[a-z])(?=[A-Z])|(?<=-D)(?=[a-z])/g, " ")}`.toLowerCase();
  if (!ANY_SERVICE.test(names)) return undefined;
  return SERVICE_SECRETS.find((kind) => kind.shape.test(value) && kind.service.test(names));
}

/** The rule of the service whose secret a named value is, by the name of the service before it and the shape of the value. */
export function serviceRuleOf({ name, value, quoted, context }: NamedValue): string | undefined {
  if (readSecretName(name) === "public") return undefined;
  const bare = quoted ? value : trimEndOf(value, ".,:!");
  const service = findService(context, bare);
  return service !== undefined && isKeyLike(bare) && !isPlaceholder(service.rule, bare, bare)
    ? service.rule
    : undefined;
}

function isKeyLike(value: string): boolean {
  if (UUID_ONLY.test(value)) return true;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= Math.min(3, Math.log2(value.length) - 1.2);
}
