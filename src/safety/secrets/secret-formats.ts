import { APPLICATIONS, MESSAGING, PAYMENTS } from "./applications.ts";
import { CLOUDS } from "./clouds.ts";
import { CODE_HOSTS } from "./code-hosts.ts";
import { mildToken, type SecretFormat, token, UUID } from "./secret-format.ts";
import { STRUCTURES } from "./structures.ts";

/** Logs, metrics, errors and analytics. */
const MONITORING: readonly SecretFormat[] = [
  token("grafana-token", "a Grafana token", "glsa_", "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
  token("grafana-cloud-token", "a Grafana Cloud token", "glc_", "glc_[A-Za-z0-9+/]{32,400}={0,3}"),
  token("grafana-key", "a Grafana key", "eyJrIjoi", "eyJrIjoi[A-Za-z0-9]{70,400}={0,3}"),
  token("sentry-token", "a Sentry token", "sntry", "sntry[su]_[\\w=+/-]{60,400}"),
  token("new-relic-key", "a New Relic key", "NRAK-", "NRAK-[A-Za-z0-9]{27}"),
  token("new-relic-insert-key", "a New Relic insert key", "NRI", "NRI[IQ]-[A-Za-z0-9_-]{32}"),
  mildToken("new-relic-browser-key", "a New Relic browser key", "NRJS-", "NRJS-[a-f0-9]{19}"),
  token("new-relic-license-key", "a New Relic licence key", "NRAL", "[a-f0-9]{36}NRAL", { inside: 38 }),
  token("dynatrace-token", "a Dynatrace token", "dt0", "dt0[a-z]\\d{2}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}"),
  token("honeycomb-key", "a Honeycomb key", ["hca", "hcb", "hcx"], "hc[abx][il]k_[A-Za-z0-9]{26,60}"),
  token("posthog-key", "a PostHog personal key", "phx_", "phx_[A-Za-z0-9]{43,48}"),
  mildToken("posthog-project-key", "a PostHog project key", "phc_", "phc_[A-Za-z0-9]{43,48}"),
  token("axiom-token", "an Axiom token", ["xaat-", "xapt-"], `xa[ap]t-${UUID}`),
  token("checkly-key", "a Checkly key", "cu_", "cu_[a-f0-9]{32}"),
  token("segment-token", "a Segment token", "sgp_", "sgp_[A-Za-z0-9]{64}"),
  token("statsig-secret", "a Statsig secret", "secret-", "secret-[A-Za-z0-9]{43,45}", { confidence: 0.8 }),
  token("logfire-token", "a Logfire token", "pylf_v", "pylf_v\\d_[a-z]{2}_[A-Za-z0-9]{40,60}"),
];

/** Keepers of secrets and of identities. */
const VAULTS: readonly SecretFormat[] = [
  token("vault-token", "a HashiCorp Vault token", ["hvs.", "hvb.", "hvr."], "hv[sbr]\\.[\\w-]{24,300}"),
  token("doppler-token", "a Doppler token", "dp.", "dp\\.(?:pt|st|sa|ct|scim|audit)\\.[\\w.-]{40,70}"),
  token("infisical-token", "an Infisical token", "st.", "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}"),
  token("onepassword-token", "a 1Password service account token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{200,2000}"),
  token(
    "onepassword-secret-key",
    "a 1Password secret key",
    "A3-",
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ),
  token(
    "age-key",
    "an age key",
    ["AGE-SECRET-KEY-", "age-secret-key-", "AGE-PLUGIN-"],
    "(?:AGE-(?:SECRET-KEY-(?:PQ-)?|PLUGIN-[A-Z0-9]{1,30}-)1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{20,4000}|age-secret-key-(?:pq-)?1[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{58,4000})",
  ),
  token(
    "bitwarden-token",
    "a Bitwarden Secrets Manager token",
    "0.",
    `0\\.${UUID}\\.[A-Za-z0-9]{20,40}:[A-Za-z0-9+/]{20,30}={0,2}`,
  ),
  token("stackhawk-key", "a StackHawk key", "hawk.", "hawk\\.[\\w-]{20}\\.[\\w-]{20}"),
  token("socket-key", "a Socket key", "sktsec_", "sktsec_[\\w-]{30,80}"),
  token(
    "authress-key",
    "an Authress key",
    ".acc",
    "(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}",
    { inside: 56 },
  ),
  token("stytch-secret", "a Stytch secret", "secret-", "secret-(?:live|test)-[\\w=-]{36}"),
  token("keygen-token", "a Keygen token", "prod-", "prod-[a-f0-9]{60,70}v3", { confidence: 0.85 }),
  token("intra42-secret", "a 42 API secret", "s-s4t2", "s-s4t2(?:ud|af)-[a-f0-9]{64}"),
  token("settlemint-token", "a SettleMint token", "sm_", "sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
];

/** Services that run models, and those around them. */
const AI_SERVICES: readonly SecretFormat[] = [
  token(
    "openai-key",
    "an OpenAI key",
    "T3BlbkFJ",
    "sk-(?:(?:proj|svcacct|admin|None)-)?[\\w-]{20,100}T3BlbkFJ[\\w-]{20,100}",
    { inside: 116 },
  ),
  token("openai-legacy-key", "an OpenAI key", "sk-", "sk-[A-Za-z0-9]{48}(?![\\w-])", { confidence: 0.85 }),
  token("openai-project-key", "an OpenAI key", "sk-proj-", "sk-proj-[\\w-]{48,160}(?![\\w-])", { confidence: 0.9 }),
  token("anthropic-key", "an Anthropic key", "sk-ant-", "sk-ant-(?:api|admin|oat|ort|sid)\\d\\d-[\\w-]{80,120}"),
  token("hugging-face-token", "a Hugging Face token", "hf_", "hf_[A-Za-z0-9]{34,40}"),
  token("hugging-face-organisation-token", "a Hugging Face token", "api_org_", "api_org_[A-Za-z]{34}"),
  token("groq-key", "a Groq key", "gsk_", "gsk_[A-Za-z0-9]{52}"),
  token("replicate-token", "a Replicate token", "r8_", "r8_[A-Za-z0-9]{37}"),
  token("perplexity-key", "a Perplexity key", "pplx-", "pplx-[A-Za-z0-9]{48}"),
  token("xai-key", "an xAI key", "xai-", "xai-[A-Za-z0-9]{80}"),
  token("nvidia-key", "an NVIDIA key", "nvapi-", "nvapi-[\\w-]{60,70}"),
  token("openrouter-key", "an OpenRouter key", "sk-or-v1-", "sk-or-v1-[a-f0-9]{64}"),
  token("deepseek-key", "a DeepSeek key", "sk-", "sk-[a-f0-9]{32}", { confidence: 0.75 }),
  token("together-key", "a Together key", "tgp_v1_", "tgp_v1_[\\w-]{43}"),
  token("fireworks-key", "a Fireworks key", "fw_", "fw_[A-Za-z0-9]{22,24}", { confidence: 0.75 }),
  token("elevenlabs-key", "an ElevenLabs key", "sk_", "sk_[a-f0-9]{48}", { confidence: 0.9 }),
  token("langsmith-key", "a LangSmith key", "lsv2_", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
  token("langfuse-key", "a Langfuse key", "sk-lf-", `sk-lf-${UUID}`),
  token("pinecone-key", "a Pinecone key", "pcsk_", "pcsk_[A-Za-z0-9_]{60,80}"),
  token("voyage-key", "a Voyage key", "pa-", "pa-[\\w-]{43}(?![\\w-])", { confidence: 0.7 }),
  token("jina-key", "a Jina key", "jina_", "jina_[A-Za-z0-9_-]{50,70}"),
  token("tavily-key", "a Tavily key", "tvly-", "tvly-(?:(?:dev|prod)-)?[A-Za-z0-9]{32}"),
  token("firecrawl-key", "a Firecrawl key", "fc-", "fc-[a-f0-9]{32}", { confidence: 0.85 }),
  token("runpod-key", "a RunPod key", "rpa_", "rpa_[A-Za-z0-9]{40,50}"),
  token("anyscale-key", "an Anyscale key", "esecret_", "esecret_[a-z0-9]{24,40}"),
  token("llama-cloud-key", "a LlamaCloud key", "llx-", "llx-[A-Za-z0-9]{48}"),
  token("e2b-key", "an E2B key", "e2b_", "e2b_[a-f0-9]{40}"),
  token("cerebras-key", "a Cerebras key", "csk-", "csk-[a-z0-9]{48}"),
  token("helicone-key", "a Helicone key", "sk-helicone-", "sk-helicone-[a-z0-9-]{20,60}"),
];

/** Everything that is known by what it looks like, for the scanner and for redaction; the first to match a place names it. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  ...CODE_HOSTS,
  ...CLOUDS,
  ...VAULTS,
  ...AI_SERVICES,
  ...PAYMENTS,
  ...MESSAGING,
  ...MONITORING,
  ...APPLICATIONS,
  ...STRUCTURES,
];
