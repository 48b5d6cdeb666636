import { mildToken, type SecretFormat, token, UUID } from "./secret-format.ts";

/** Logs, metrics, errors and analytics. */
export const MONITORING: readonly SecretFormat[] = [
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
  token("statsig-secret", "a Statsig secret", "secret-", "secret-[A-Za-z0-9]{43,45}", { confidence: 0.8 }),
  token("logfire-token", "a Logfire token", "pylf_v", "pylf_v\\d_[a-z]{2}_[A-Za-z0-9]{40,60}"),
];
