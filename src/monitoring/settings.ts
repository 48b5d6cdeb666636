import { z } from "zod";
import { Environment } from "../domain/deployments.ts";
import { QueryName } from "../domain/samples.ts";

/** A secret stands in a variable of the environment or in a file of its own, never in the sources file. */
const SecretPlace = z.union([
  z.strictObject({ variable: z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of a variable") }),
  z.strictObject({ file: z.string().min(1) }),
]);
export type SecretPlace = z.infer<typeof SecretPlace>;

/** An address that the operator names; what it holds is logged, so no password. */
const Address = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).refine(
  (url) => {
    const { username, password, hash } = new URL(url);
    return username + password + hash === "";
  },
  { error: "must not hold a user, a password or a fragment" },
);

const metricName = z.string().regex(/^[A-Za-z_:][\w:]{0,199}$/, "must be the name of a metric");
const labelName = z.string().regex(/^[A-Za-z_]\w{0,99}$/, "must be the name of a label");

/** How a service calls what every service has; the defaults are those of the usual client libraries. */
export const MetricNames = z.strictObject({
  requests: metricName.default("http_requests_total"),
  duration: metricName.default("http_request_duration_seconds"),
  /** In how many of these there are to a millisecond: a histogram in seconds has 1000. */
  duration_ms: z.number().positive().default(1000),
  version: labelName.default("version"),
  code: labelName.default("code"),
  /** Values of the code that count as errors: a regular expression of Prometheus. */
  failed: z.string().min(1).max(200).default("5.."),
  /** Labels that tell this service from others in the same Prometheus. */
  labels: z.record(labelName, z.string().max(500)).default({}),
});
export type MetricNames = z.infer<typeof MetricNames>;

const promql = z.string().min(1).max(2_000);

const PrometheusSettings = z.strictObject({
  url: Address,
  token: SecretPlace.optional(),
  /** Such as `X-Scope-OrgID` of Mimir and Thanos. */
  headers: z
    .record(
      z.string().regex(/^[A-Za-z][\w-]{0,60}$/, "must be the name of a header"),
      z.string().regex(/^[\x20-\x7e]*$/),
    )
    .default({}),
  names: MetricNames.prefault({}),
  /** PromQL for how full the service is; `$version` and `$window` are filled in. */
  saturation: promql.optional(),
  /** Queries that the repository may ask for by name (`judge.queries`): only the operator decides what is read. */
  queries: z
    .record(QueryName, z.strictObject({ query: promql, bad: z.enum(["up", "down"]).default("up") }))
    .default({}),
  timeout_seconds: z.number().min(0.1).max(60).default(10),
});
export type PrometheusSettings = z.infer<typeof PrometheusSettings>;

const HealthSettings = z.strictObject({
  url: Address,
  token: SecretPlace.optional(),
  /** Member of the answer (JSON) that says which version answers, with points between: `build.sha`. */
  version: z
    .string()
    .regex(/^[\w-]+(?:\.[\w-]+){0,5}$/)
    .optional(),
  probes: z.number().int().min(1).max(20).default(5),
  timeout_seconds: z.number().min(0.1).max(30).default(5),
});
export type HealthSettings = z.infer<typeof HealthSettings>;

const Watched = z.strictObject({
  prometheus: PrometheusSettings.optional(),
  health: z.array(HealthSettings).max(10).default([]),
});
export type Watched = z.infer<typeof Watched>;

/** `owner/name` as GitHub has it; upper and lower case are the same. */
const RepositoryName = z
  .string()
  .regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name")
  .transform((name) => name.toLowerCase());

/** What a sender's feedback is about. */
const Target = z.strictObject({ repository: RepositoryName, environment: Environment });
export type Target = z.infer<typeof Target>;

/** A project of the sender, by its slug or number, and the `forge_project` label of alerts. `*`: all that is named nowhere. */
const projects = { projects: z.record(z.string().min(1).max(200), Target), per_minute: z.number().int().positive() };

const door = <Kind extends string>(kind: Kind, perMinute: number) =>
  z.strictObject({
    kind: z.literal(kind),
    secret: SecretPlace,
    ...projects,
    per_minute: projects.per_minute.default(perMinute),
  });

/** A door for feedback, at `/api/feedback/<name>` (PROD-2). The secret is what its sender signs with, or its bearer token. */
export const DoorSettings = z.discriminatedUnion("kind", [
  door("sentry", 6_000),
  door("alertmanager", 150_000),
  door("grafana", 6_000).extend({
    /** Headers as they are set in Grafana; without the second no time is signed. */
    signature_header: z.string().default("X-Grafana-Alerting-Signature"),
    timestamp_header: z.string().optional(),
  }),
  door("plain", 6_000),
]);
export type DoorSettings = z.infer<typeof DoorSettings>;

/** The operator's file of sources (FORGE_SOURCES): which addresses Forge asks, and who may tell it of what (MON-1, PROD-2). */
export const SourceSettings = z.strictObject({
  repositories: z
    .record(RepositoryName, z.strictObject({ staging: Watched.optional(), production: Watched.optional() }))
    .default({}),
  doors: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be small letters, digits and dashes"), DoorSettings)
    .default({}),
});
export type SourceSettings = z.infer<typeof SourceSettings>;
