import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { AdvisoryAddresses } from "../analysis/dependencies/choose-advisories.ts";
import {
  PUBLIC_ADDRESSES,
  REGISTRIES_FORM,
  readRegistryAddresses,
} from "../analysis/dependencies/registry-addresses.ts";
import type { RegistryAddresses } from "../analysis/dependencies/registry-source.ts";
import type { DashboardSettings } from "../dashboard/dashboard-dependencies.ts";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { isPublicAddress, PUBLIC_ADDRESS } from "../domain/public-address.ts";
import { PROVIDERS } from "../domain/repo-config.ts";
import { type GitHubUrls, githubUrls } from "../github/github-urls.ts";
import { NO_PROXIES, readTrustedProxies, type TrustedProxies } from "../github/intake/trusted-proxies.ts";
import type { ModelSettings } from "../llm/model-settings.ts";
import { OwnPrices } from "../llm/price.ts";
import { NO_SOURCES, openSources, type Sources } from "../monitoring/open-sources.ts";
import { RUN_LIMITS } from "../safety/trip-rules.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const text = z.string().trim().min(1);
const seconds = z.coerce.number().min(0);
/** Of a registry. What it holds is shown to programs and people: never a secret. */
const address = z.url({ protocol: /^https?$/ }).refine(
  (url) => {
    const { username, password } = new URL(url);
    return username + password === "";
  },
  { error: "must not hold a user or a password" },
);

/** Where people reach Forge. */
const publicAddress = z
  .url({ protocol: /^https?$/ })
  .refine((written) => URL.canParse(written) && isPublicAddress(new URL(written)), {
    error: `must be ${PUBLIC_ADDRESS}`,
  })
  .transform((written) => new URL(written).origin);

/** By number: a login can be given away. */
const people = z
  .string()
  .refine((list) => list.split(",").every((one) => /^\d{1,15}$/.test(one.trim())), {
    error: "must be numbers of people with commas between, as https://api.github.com/users/<login> says them in `id`",
  })
  .transform((list) => list.split(",").map(Number));

/** The environment as Forge reads it (CONF-2); names that Probot users know are kept. Each is explained in `.env.example`. */
const Environment = z.object({
  APP_ID: z.coerce.number({ error: "is the number on the App's settings page" }).int().positive(),
  PRIVATE_KEY: text.optional(),
  PRIVATE_KEY_PATH: text.optional(),
  WEBHOOK_SECRET: text.refine((secret) => secret !== "development", { error: "must not be `development`" }),
  WEBHOOK_SECRET_OLD: text.optional(),
  GHE_HOST: text.optional(),
  GHE_PROTOCOL: z.enum(["http", "https"]).default("https"),
  HOST: text.default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => readTrustedProxies(list))
    .refine((proxies) => proxies !== undefined, {
      error: "must be addresses or ranges with commas between, for example 127.0.0.1, 10.0.0.0/8, fd00::/8",
    })
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  LOG_FORMAT: z.enum(["json", "text"]).optional(),
  WEBHOOK_PROXY_URL: z.url().optional(),
  GITHUB_CLIENT_ID: text.optional(),
  GITHUB_CLIENT_SECRET: text.min(16, { error: "must have 16 characters or more" }).optional(),
  FORGE_URL: publicAddress.optional(),
  FORGE_OPERATORS: people.default([]),
  DATABASE_URL: text.default("file:./data/forge.db"),
  DATABASE_AUTH_TOKEN: text.optional(),
  FORGE_DATA: text.default("./data"),
  FORGE_CACHE: text.optional(),
  FORGE_PACKAGES: text.optional(),
  FORGE_REGISTRIES: text.default("registry.npmjs.org,registry.yarnpkg.com,pypi.org,files.pythonhosted.org"),
  FORGE_NPM_REGISTRY: address.optional(),
  FORGE_PYTHON_INDEX: address.optional(),
  FORGE_DEBOUNCE_SECONDS: seconds.default(30),
  FORGE_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(5),
  FORGE_DAY_USD: z.coerce.number().min(0).default(RUN_LIMITS.dayUsd),
  FORGE_INSTALLATION_DAY_USD: z.coerce.number().min(0).optional(),
  FORGE_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  FORGE_METRICS_TOKEN: z.string().min(16, { error: "must have 16 characters or more" }).optional(),
  FORGE_MACHINE_USD_PER_HOUR: z.coerce.number().min(0).default(0.1),
  FORGE_MIRROR_GB: z.coerce.number().positive().default(20),
  FORGE_PACKAGES_GB: z.coerce.number().positive().default(20),
  FORGE_SHUTDOWN_SECONDS: seconds.default(20),
  FORGE_HANG_SECONDS: seconds.max(3_600).default(30),
  FORGE_SOURCES: text.optional(),
  FORGE_DEPLOY_PROGRAM: text.optional(),
  FORGE_FORGET_ON_UNINSTALL: z.stringbool().default(false),
  FORGE_OSV_URL: z.url({ protocol: /^https?$/ }).default("https://api.osv.dev"),
  FORGE_NPM_ADVISORIES_URL: z.url({ protocol: /^https?$/ }).optional(),
  FORGE_PACKAGE_REGISTRIES: z
    .string()
    .default(PUBLIC_ADDRESSES)
    .transform((written, context) => {
      const read = readRegistryAddresses(written);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: REGISTRIES_FORM });
      return z.NEVER;
    }),
  ANTHROPIC_API_KEY: text.optional(),
  ANTHROPIC_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  FORGE_PROVIDER: z.enum(PROVIDERS).optional(),
  FORGE_MODEL: text.optional(),
  FORGE_FAST_MODEL: text.optional(),
  FORGE_FALLBACK_MODEL: text.optional(),
  FORGE_EMBEDDING_MODEL: text.optional(),
  FORGE_EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(4096).default(1024),
  FORGE_CONTEXT_WINDOW: z.coerce.number().int().min(2048).max(10_000_000).optional(),
  FORGE_MODEL_TIMEOUT_SECONDS: z.coerce.number().min(1).max(86_400).default(600),
  FORGE_TOOL_CALLING: z.enum(["native", "prompted"]).default("native"),
  FORGE_PRICES: z.string().default("{}").transform(parseJson).pipe(OwnPrices),
});

function hostsIn(list: string): string[] {
  return list
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
}

/** A registry of the operator's own is among the hosts that are reached, and each package manager is told of it in its own word. */
function registriesFrom({
  FORGE_REGISTRIES,
  FORGE_NPM_REGISTRY: npm,
  FORGE_PYTHON_INDEX: python,
}: Pick<z.infer<typeof Environment>, "FORGE_REGISTRIES" | "FORGE_NPM_REGISTRY" | "FORGE_PYTHON_INDEX">) {
  const own = [npm, python].flatMap((each) => (each === undefined ? [] : [new URL(each)]));
  const hosts = own.map(({ host, port, protocol }) => (protocol === "http:" && port === "" ? `${host}:80` : host));
  const settings = { npm_config_registry: npm, YARN_NPM_REGISTRY_SERVER: npm, BUN_CONFIG_REGISTRY: npm };
  return {
    registries: [...new Set([...hostsIn(FORGE_REGISTRIES), ...hosts])],
    packageSettings: defined({ ...settings, PIP_INDEX_URL: python }) as Record<string, string>,
  };
}

/** JSON, or something that no schema takes. */
function parseJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Everything the process was told, checked once and handed down as a value. */
export interface Config {
  readonly app: { readonly id: number; readonly privateKey: string };
  /** The current secret first, then the one that is being rotated out. */
  readonly webhookSecrets: readonly string[];
  readonly github: GitHubUrls;
  readonly http: { readonly host: string; readonly port: number };
  /** The reverse proxies whose word on the address of a client counts. */
  readonly trustedProxies: TrustedProxies;
  /** Where metrics are served: on a port of their own, or with a token beside the webhooks; nowhere without either. */
  readonly metrics: { readonly port?: number; readonly token?: string };
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Without it: text on a terminal, and JSON elsewhere. */
  readonly logFormat?: "json" | "text";
  readonly webhookProxyUrl?: string;
  readonly database: { readonly url: string; readonly authToken?: string };
  /** The pages for people; absent where nobody can sign in. */
  readonly dashboard?: DashboardSettings;
  /** Folder for mirrors and scratch space. */
  readonly dataDirectory: string;
  /** Folder for what analysers said of files before. */
  readonly cacheDirectory: string;
  readonly debounceMs: number;
  readonly concurrency: number;
  readonly mirrorBytes: number;
  /** Folder for installed packages of repositories. */
  readonly packageDirectory: string;
  /** For all of them. */
  readonly packageBytes: number;
  readonly shutdownGraceMs: number;
  /** Seconds that the main loop may hang before the process ends (OPS-7); with 0 a hang ends nothing. */
  readonly hangSeconds: number;
  /** Whether what is stored of an installation goes when the App is uninstalled (GH-9). */
  readonly forgetOnUninstall: boolean;
  /** Where known vulnerabilities of packages are asked for; with neither, no service is asked. */
  readonly advisories: AdvisoryAddresses;
  /** Hosts that packages of repositories may be installed from, and what package managers are told of them. */
  readonly registries: readonly string[];
  readonly packageSettings: Readonly<Record<string, string>>;
  /** Whom Forge asks about deployed versions, and who may tell it of errors (MON-1, PROD-2). */
  readonly sources: Sources;
  /** The operator's program that deploys; absent where there is none. */
  readonly deployProgram?: string;
  /** Which models work here; perhaps none. */
  readonly models: ModelSettings;
  /** USD that models may cost in a day (UTC), over all repositories. */
  readonly dayLimitUsd: number;
  /** The same over the repositories of one installation; absent where there is no other limit than the one above. */
  readonly installationDayUsd?: number;
}

/**
 * Reads the environment.
 * @throws ForgeError `configuration_invalid` with one message that names every missing or wrong variable.
 */
export function readConfig(environment: Variables): Config {
  const env = read(Environment, environment, ({ PRIVATE_KEY, PRIVATE_KEY_PATH }) =>
    PRIVATE_KEY === undefined && PRIVATE_KEY_PATH === undefined ? [NO_KEY] : [],
  );
  return {
    app: { id: env.APP_ID, privateKey: readPrivateKey(env.PRIVATE_KEY, env.PRIVATE_KEY_PATH) },
    webhookSecrets: [env.WEBHOOK_SECRET, ...(env.WEBHOOK_SECRET_OLD ? [env.WEBHOOK_SECRET_OLD] : [])],
    github: githubUrls(env.GHE_HOST, env.GHE_PROTOCOL),
    http: { host: env.HOST, port: env.PORT },
    trustedProxies: env.TRUSTED_PROXIES ?? NO_PROXIES,
    metrics: defined({ port: env.FORGE_METRICS_PORT, token: env.FORGE_METRICS_TOKEN }),
    logLevel: env.LOG_LEVEL,
    ...defined({ logFormat: env.LOG_FORMAT }),
    ...defined({ webhookProxyUrl: env.WEBHOOK_PROXY_URL || undefined }),
    ...defined({ dashboard: dashboardFrom(env) }),
    database: databaseFrom(env),
    dataDirectory: resolve(env.FORGE_DATA),
    cacheDirectory: resolve(env.FORGE_CACHE ?? join(env.FORGE_DATA, "cache")),
    packageDirectory: resolve(env.FORGE_PACKAGES ?? join(env.FORGE_DATA, "packages")),
    debounceMs: env.FORGE_DEBOUNCE_SECONDS * 1000,
    concurrency: env.FORGE_CONCURRENCY,
    mirrorBytes: env.FORGE_MIRROR_GB * 1e9,
    packageBytes: env.FORGE_PACKAGES_GB * 1e9,
    shutdownGraceMs: env.FORGE_SHUTDOWN_SECONDS * 1000,
    hangSeconds: env.FORGE_HANG_SECONDS,
    forgetOnUninstall: env.FORGE_FORGET_ON_UNINSTALL,
    advisories: advisoriesFrom(env, environment),
    ...registriesFrom(env),
    sources: env.FORGE_SOURCES ? openSources(resolve(env.FORGE_SOURCES), environment) : NO_SOURCES,
    ...(env.FORGE_DEPLOY_PROGRAM ? { deployProgram: resolve(env.FORGE_DEPLOY_PROGRAM) } : {}),
    models: modelsFrom(env),
    dayLimitUsd: env.FORGE_DAY_USD,
    ...defined({ installationDayUsd: env.FORGE_INSTALLATION_DAY_USD }),
  };
}

/** Everything in it that must never be logged, stored, posted or sent to a model (SEC-6). */
export function secretsOf({ app, webhookSecrets, database, dashboard, metrics, models, sources }: Config): string[] {
  const all = [
    ...[app.privateKey, ...webhookSecrets, database.authToken, dashboard?.clientSecret, metrics.token],
    ...secretsOfModels(models),
  ];
  return [...all.filter((secret) => secret !== undefined), ...sources.secrets];
}

/** The same of the models alone. */
export function secretsOfModels({ anthropic, openai }: ModelSettings): string[] {
  return [anthropic?.apiKey, openai?.apiKey].filter((secret) => secret !== undefined);
}

/** Where the database is, for commands that need nothing else. */
export function readDatabaseConfig(environment: Variables): Config["database"] {
  return databaseFrom(read(Environment.pick({ DATABASE_URL: true, DATABASE_AUTH_TOKEN: true }), environment));
}

/** What the set-up page needs, before there is an App. */
export function readSetUpConfig(environment: Variables) {
  const wanted = { HOST: true, PORT: true, GHE_HOST: true, GHE_PROTOCOL: true, FORGE_DATA: true } as const;
  const env = read(Environment.pick({ ...wanted, FORGE_URL: true, WEBHOOK_PROXY_URL: true }), environment);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDirectory: env.FORGE_DATA,
    known: {
      ...{ host: env.GHE_HOST, protocol: env.GHE_PROTOCOL, forwarder: env.WEBHOOK_PROXY_URL },
      address: env.FORGE_URL,
    },
  };
}

/** Where known vulnerabilities are asked for, for commands that need nothing else. */
export function readAdvisoriesConfig(environment: Variables): Config["advisories"] {
  const pick = Environment.pick({
    FORGE_OSV_URL: true,
    FORGE_NPM_ADVISORIES_URL: true,
    FORGE_PACKAGE_REGISTRIES: true,
  });
  return advisoriesFrom(read(pick, environment), environment);
}

/** How a command reaches GitHub, with the token of the person who runs it; undefined without one. */
export function readPersonConfig(environment: Variables): Config["github"] & { readonly token: string | undefined } {
  const env = read(Environment.pick({ GHE_HOST: true, GHE_PROTOCOL: true }), environment);
  // The names that GitHub's own command line and its Actions use.
  return {
    ...githubUrls(env.GHE_HOST, env.GHE_PROTOCOL),
    token: environment.GH_TOKEN || environment.GITHUB_TOKEN || undefined,
  };
}

/** The environment for work on a checkout of this machine, without an App. */
export function readWorkConfig(
  environment: Variables,
): Pick<Config, "models" | "dayLimitUsd" | "registries" | "packageSettings" | "packageBytes" | "advisories"> {
  const pick = Environment.pick({
    ...MODEL_VARIABLES,
    FORGE_DAY_USD: true,
    FORGE_REGISTRIES: true,
    FORGE_NPM_REGISTRY: true,
    FORGE_PYTHON_INDEX: true,
    FORGE_PACKAGES_GB: true,
  });
  const env = read(pick, environment);
  return {
    models: modelsFrom(env),
    dayLimitUsd: env.FORGE_DAY_USD,
    ...registriesFrom(env),
    packageBytes: env.FORGE_PACKAGES_GB * 1e9,
    advisories: readAdvisoriesConfig(environment),
  };
}

/** Which models there are, for commands that need nothing else. */
export function readModelsConfig(environment: Variables): ModelSettings {
  return modelsFrom(read(Environment.pick(MODEL_VARIABLES), environment));
}

/** Whether the environment names a provider of models: a key or an address. */
export function hasModels(environment: Variables): boolean {
  return [
    environment.ANTHROPIC_API_KEY,
    environment.ANTHROPIC_BASE_URL,
    environment.OPENAI_API_KEY,
    environment.OPENAI_BASE_URL,
  ].some(Boolean);
}

/** The variables of one schema; an empty one counts as not given. */
function read<Schema extends z.ZodType>(
  schema: Schema,
  environment: Variables,
  more: (given: Variables) => readonly string[] = () => [],
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalid([...parsed.error.issues.map((issue) => describe(issue, given)), ...more(given)]);
}

const MODEL_VARIABLES = {
  ANTHROPIC_API_KEY: true,
  ANTHROPIC_BASE_URL: true,
  OPENAI_API_KEY: true,
  OPENAI_BASE_URL: true,
  FORGE_PROVIDER: true,
  FORGE_MODEL: true,
  FORGE_FAST_MODEL: true,
  FORGE_FALLBACK_MODEL: true,
  FORGE_EMBEDDING_MODEL: true,
  FORGE_EMBEDDING_DIMENSIONS: true,
  FORGE_CONTEXT_WINDOW: true,
  FORGE_MODEL_TIMEOUT_SECONDS: true,
  FORGE_TOOL_CALLING: true,
  FORGE_PRICES: true,
  FORGE_MACHINE_USD_PER_HOUR: true,
} as const;

function modelsFrom(env: Pick<z.infer<typeof Environment>, keyof typeof MODEL_VARIABLES>): ModelSettings {
  const anthropic = endpoint(env.ANTHROPIC_API_KEY, env.ANTHROPIC_BASE_URL);
  const openai = endpoint(env.OPENAI_API_KEY, env.OPENAI_BASE_URL);
  return {
    ...defined({
      anthropic,
      openai,
      provider: env.FORGE_PROVIDER,
      model: env.FORGE_MODEL || undefined,
      fastModel: env.FORGE_FAST_MODEL || undefined,
      fallbackModel: env.FORGE_FALLBACK_MODEL || undefined,
    }),
    ...(env.FORGE_EMBEDDING_MODEL
      ? { embeddings: { model: env.FORGE_EMBEDDING_MODEL, dimensions: env.FORGE_EMBEDDING_DIMENSIONS } }
      : {}),
    ...defined({ contextWindow: env.FORGE_CONTEXT_WINDOW || undefined }),
    timeoutMs: env.FORGE_MODEL_TIMEOUT_SECONDS * 1000,
    toolCalling: env.FORGE_TOOL_CALLING,
    prices: env.FORGE_PRICES,
    machineUsdPerHour: env.FORGE_MACHINE_USD_PER_HOUR,
  };
}

/** A key or an address is enough: endpoints on one's own machine want no key. */
function endpoint(apiKey: string | undefined, baseUrl: string | undefined): ModelSettings["anthropic"] {
  if (!apiKey && !baseUrl) return undefined;
  return { ...defined({ apiKey: apiKey || undefined, baseUrl: baseUrl || undefined }) };
}

function advisoriesFrom(
  env: {
    FORGE_OSV_URL: string;
    FORGE_NPM_ADVISORIES_URL?: string | undefined;
    FORGE_PACKAGE_REGISTRIES: RegistryAddresses;
  },
  environment: Variables,
): Config["advisories"] {
  return {
    // Empty is not unset here: it switches the question off.
    ...(environment.FORGE_OSV_URL === "" ? {} : { osvUrl: env.FORGE_OSV_URL }),
    ...defined({ npmRegistryUrl: env.FORGE_NPM_ADVISORIES_URL || undefined }),
    registries: environment.FORGE_PACKAGE_REGISTRIES === "" ? {} : env.FORGE_PACKAGE_REGISTRIES,
  };
}

function databaseFrom(env: { DATABASE_URL: string; DATABASE_AUTH_TOKEN?: string | undefined }): Config["database"] {
  return { url: env.DATABASE_URL, ...defined({ authToken: env.DATABASE_AUTH_TOKEN || undefined }) };
}

/** The three go together: with one or two of them somebody meant to have pages. */
function dashboardFrom(
  env: Pick<z.infer<typeof Environment>, "GITHUB_CLIENT_ID" | "GITHUB_CLIENT_SECRET" | "FORGE_URL" | "FORGE_OPERATORS">,
): DashboardSettings | undefined {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret, FORGE_URL: url } = env;
  if (clientId && clientSecret && url) return { clientId, clientSecret, url, operators: env.FORGE_OPERATORS };
  const named = Object.entries({ GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret, FORGE_URL: url });
  const missing = named.filter(([, value]) => !value).map(([name]) => name);
  if (missing.length === named.length) return undefined;
  throw invalid(
    missing.map((name) => `${name} is missing: people sign in with all of ${named.map(([each]) => each).join(", ")}`),
  );
}

const NO_KEY = "PRIVATE_KEY or PRIVATE_KEY_PATH is missing: the App's private key, a PEM file";

function readPrivateKey(inline: string | undefined, path: string | undefined): string {
  if (inline) {
    // One line in an env file: either with \n written out, or the whole PEM in base64, as Probot takes it.
    const pem = inline.includes("-----BEGIN") ? inline : Buffer.from(inline, "base64").toString("utf8");
    return checkKey(pem.replaceAll("\\n", "\n"), "PRIVATE_KEY");
  }
  if (!path) throw invalid([NO_KEY]);
  if (!existsSync(path)) throw invalid([`PRIVATE_KEY_PATH names ${path}, and there is no such file`]);
  return checkKey(readFileSync(path, "utf8"), "PRIVATE_KEY_PATH");
}

function checkKey(pem: string, name: string): string {
  if (!/-----BEGIN (?:RSA )?PRIVATE KEY-----/.test(pem)) {
    throw invalid([`${name} is not a PEM private key: it should begin with a BEGIN PRIVATE KEY line`]);
  }
  return pem;
}

function describe(issue: z.core.$ZodIssue, given: Variables): string {
  const name = `${String(issue.path[0])}`;
  return given[name] === undefined ? `${name} is missing` : `${name}: ${issue.message}`;
}

function invalid(problems: readonly string[]): ForgeError {
  const message = `The environment is not complete:\n${problems.map((it) => `  - ${it}`).join("\n")}\nSee .env.example.`;
  return new ForgeError("configuration_invalid", message, {
    source: "validation",
    severity: "critical",
    recoverability: "manual",
  });
}
