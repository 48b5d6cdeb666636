import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pino } from "pino";
import type { Examination } from "../cli/doctor.ts";
import { type AppClient, createAppClient } from "../github/app-client.ts";
import { readApp, readWebhook } from "../github/identity.ts";
import { APP_USES, lackingFor, usedFor } from "../github/permissions.ts";
import { createRedactor } from "../safety/redact.ts";
import { countJobs } from "../store/jobs/read-jobs.ts";
import { missingFile } from "../store/missing-file.ts";
import { closeStore, openStoreReadOnly } from "../store/open-store.ts";
import { calledAs } from "../workspace/called-as.ts";
import { runProgram } from "../workspace/run-program.ts";
import { type Config, readConfig, secretsOf } from "./config.ts";
import { messageOf, wrong } from "./examination.ts";
import { examineProgram, examineSources } from "./examine-deploying.ts";
import { examineModels } from "./examine-models.ts";
import { examineSandbox } from "./examine-sandbox.ts";
import { withKeptApp } from "./kept-app.ts";

/** The checks of `forge doctor`, in order; nothing is written anywhere, and no secret is in what they say (SEC-6). */
export async function* examine(
  environment: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<Examination, void, void> {
  yield await examineGit();
  yield await examineSandbox();
  yield* examineModels(await withKeptApp(environment).catch(() => environment));
  let config: Config;
  try {
    config = readConfig(await withKeptApp(environment));
    yield { what: "configuration", state: "ok", detail: `App ${config.app.id} on ${config.github.origin}` };
  } catch (error) {
    yield* withoutSecrets([], [wrong("configuration", error, adviceFor(environment))]);
    return;
  }
  yield* withoutSecrets(secretsOf(config), examineServer(config));
}

/** The same examinations, with every secret in what they found taken out. */
export async function* withoutSecrets(
  secrets: readonly string[],
  examinations: AsyncIterable<Examination> | Iterable<Examination>,
): AsyncGenerator<Examination, void, void> {
  const redact = createRedactor(secrets);
  for await (const each of examinations) yield { ...each, detail: redact(each.detail) };
}

async function* examineServer(config: Config): AsyncGenerator<Examination, void, void> {
  yield await examineDisk(config);
  yield await examineDatabase(config);
  yield await examineProgram(config);
  const client = createAppClient({
    appId: config.app.id,
    privateKey: config.app.privateKey,
    webhookSecret: config.webhookSecrets[0]!,
    apiUrl: config.github.apiUrl,
    log: pino({ level: "silent" }),
  });
  yield* examineApp(client);
  yield await examineWebhook(client);
  yield* examineSources(config);
}

/** A Forge that has an App has another fault, which its own message names. */
function adviceFor({ APP_ID }: Readonly<Record<string, string | undefined>>): string {
  return APP_ID ? "see .env.example" : `where there is no App yet, \`${calledAs()} start\` registers one`;
}

async function examineGit(): Promise<Examination> {
  try {
    const { stdout } = await runProgram({ command: "git", args: ["--version"], timeoutMs: 5000, maxOutputBytes: 1000 });
    const version = stdout.toString("utf8").trim().replace("git version ", "");
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const recent = major > 2 || (major === 2 && minor >= 38);
    const advice = "install git 2.38 or newer";
    return { what: "git", state: recent ? "ok" : "wrong", detail: version, advice };
  } catch (error) {
    return wrong("git", error, "install git 2.38 or newer");
  }
}

async function examineDisk({ dataDirectory, mirrorBytes }: Config): Promise<Examination> {
  try {
    const { bavail, bsize } = await statfs(dirname(resolve(dataDirectory)));
    const free = bavail * bsize;
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
    const detail = `${gigabytes(free)} free beside ${dataDirectory}, mirrors may take ${gigabytes(mirrorBytes)}`;
    const advice = "free some space, or lower FORGE_MIRROR_GB";
    return { what: "disk", state: free < mirrorBytes ? "warning" : "ok", detail, advice };
  } catch (error) {
    return wrong("disk", error, "set FORGE_DATA to a folder that can be made");
  }
}

async function examineDatabase({ database }: Config): Promise<Examination> {
  const missing = missingFile(database.url);
  if (missing !== undefined)
    return { what: "database", state: "off", detail: `${missing} does not exist yet; the first start creates it` };
  try {
    const store = await openStoreReadOnly(database.url, database.authToken);
    const { queued, running, dead } = await countJobs(store).finally(() => closeStore(store));
    const detail = `${queued} ${queued === 1 ? "job" : "jobs"} waiting, ${running} running, ${dead} given up`;
    return { what: "database", state: "ok", detail };
  } catch (error) {
    const detail = `cannot be read: ${messageOf(error)}`;
    return { what: "database", state: "warning", detail, advice: "check DATABASE_URL" };
  }
}

/** The App, its permissions and its events, as GitHub knows them. */
export async function* examineApp(client: AppClient): AsyncGenerator<Examination> {
  try {
    const { slug, permissions, events, installations_count: count } = await readApp(client);
    const installed = count === undefined ? "" : `, ${count} ${count === 1 ? "installation" : "installations"}`;
    yield { what: "App", state: "ok", detail: `${slug}, its key is accepted${installed}` };
    yield examinePermissions(permissions, events);
  } catch (error) {
    yield wrong("App", error, "check APP_ID, the private key, and GHE_HOST; is GitHub reachable from here?");
  }
}

/** What the App is registered for, and what it lacks for more. */
function examinePermissions(permissions: Readonly<Record<string, string>>, events: readonly string[]): Examination {
  const use = usedFor(permissions, events);
  const next = use === undefined ? APP_USES[0] : APP_USES[APP_USES.indexOf(use) + 1];
  const lacking = next === undefined ? "" : lackingFor(next, permissions, events).join(", ");
  if (use === undefined) {
    const advice = "grant them in the App's settings, then accept the change in each installation";
    return { what: "permissions", state: "wrong", detail: `the App cannot review without ${lacking}`, advice };
  }
  const detail =
    next === undefined ? "all there" : `enough to ${USE_WORDS[use]}; to ${USE_WORDS[next]} too: ${lacking}`;
  return { what: "permissions", state: "ok", detail };
}

const USE_WORDS = { review: "review", implement: "implement issues", deploy: "deploy" } as const;

/** Where GitHub sends webhooks. */
export async function examineWebhook(client: AppClient): Promise<Examination> {
  try {
    const { url, content_type } = await readWebhook(client);
    if (!url)
      return { what: "webhook", state: "wrong", detail: "has no address", advice: "set it in the App's settings" };
    if (content_type !== "json") {
      const advice = "set the content type to application/json";
      return { what: "webhook", state: "wrong", detail: `sends ${content_type ?? "forms"} to ${url}`, advice };
    }
    return { what: "webhook", state: "ok", detail: url };
  } catch (error) {
    return { what: "webhook", state: "warning", detail: `could not be read: ${messageOf(error)}` };
  }
}
