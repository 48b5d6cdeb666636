import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createIdMaker } from "../src/domain/ids.ts";
import type { Input } from "../src/domain/inputs.ts";
import { feedbackRoute } from "../src/github/intake/feedback-doors.ts";
import { startHttpServer } from "../src/github/intake/http-server.ts";
import { createClean } from "../src/monitoring/doors/clean-text.ts";
import { readMessages } from "../src/monitoring/doors/read-messages.ts";
import { NO_SOURCES } from "../src/monitoring/open-sources.ts";
import { SourceSettings } from "../src/monitoring/settings.ts";
import { receiveFeedback } from "../src/pipeline/deploy/feedback/receive-feedback.ts";
import { handleInput } from "../src/pipeline/runs/handle-input.ts";
import { createRedactor } from "../src/safety/redact.ts";
import { acceptDelivery } from "../src/store/inbox/accept-delivery.ts";
import { readDelivery } from "../src/store/inbox/read-delivery.ts";
import { closeStore, openStore } from "../src/store/open-store.ts";
import { measureBesideReviews } from "./feedback/beside-reviews.ts";
import type { Answered, Storm } from "./feedback/send-alerts.ts";
import { median, report } from "./report.ts";

/**
 * A storm at the doors for feedback: alerts from loopback at a given rate, server and worker in this one process, the load in a thread of its own. `--seconds <n>` (30)
 * and `--rate <n>` (2,000 a second) set how much; it repeats ten things. Then the whole program gets a storm of different errors
 * and a pull request at the same time, `--pairs <n>` (3) times; 0 leaves it out.
 */
function numberAfter(flag: string, fallback: number): number {
  const at = process.argv.indexOf(flag);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
}
const [seconds, rate, things] = [numberAfter("--seconds", 30), numberAfter("--rate", 2_000), 10];
const pairs = numberAfter("--pairs", 3);
const secret = "a secret of thirty-two characters";
const target = { repository: "acme/shop", environment: "production" };
const door = { kind: "sentry", secret: { variable: "S" }, projects: { "*": target }, per_minute: 1_000_000 };
const sources = { ...NO_SOURCES, ...SourceSettings.parse({ doors: { sentry: door } }), secretAt: () => secret };
const repository = { id: 3, owner: "acme", name: "shop", installationId: 7 };
const folder = mkdtempSync(join(tmpdir(), "forge-bench-"));
const store = await openStore({ url: `file:${join(folder, "forge.db")}` });
const stored: string[] = [];
const log = { info() {}, warn() {}, error: (fields: object) => console.error(fields) };
const accept: typeof acceptDelivery extends (_: never, delivery: infer D) => infer R ? (delivery: D) => R : never = (
  delivery,
) => {
  stored.push(delivery.guid);
  return acceptDelivery(store, delivery);
};
const server = await startHttpServer({
  ...{ host: "127.0.0.1", port: 0, secrets: [secret], ready: () => true, log, accept },
  routes: [feedbackRoute({ sources, accept, log, now: () => new Date() })],
});
const clean = createClean(createRedactor([]));

const dependencies = {
  store,
  now: () => new Date().toISOString(),
  makeId: createIdMaker(),
  suspect: async () => undefined,
};

let isOver = false;
let handled = 0;
/** What a worker does with each delivery, one after the other. */
async function work(): Promise<void> {
  for (let at = 0; !isOver || at < stored.length; ) {
    const guid = stored[at];
    const delivery = guid === undefined ? undefined : await readDelivery(store, guid);
    if (delivery === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    at += 1;
    for (const { feedback } of await readMessages(delivery.body, sources, clean)) {
      await receiveFeedback(dependencies, repository, "production", feedback);
      handled += feedback.length;
    }
  }
}
const worker = work();

/** What decides about pull requests of others meanwhile, as reviews do at each of their steps: milliseconds of one that a push begins. */
async function decideOnce(number: number): Promise<number> {
  const other = { ...repository, id: 4, name: "other" };
  const by = { login: "ana", id: 2, kind: "user" } as const;
  const headSha = String(number).padStart(40, "0");
  const input: Input = {
    ...{ type: "head.changed", at: dependencies.now(), newRunId: dependencies.makeId(), by, title: "A change" },
    subject: { kind: "pull_request", repository: other, number },
    ends: { baseSha: "a".repeat(40), baseRef: "main", headSha, headRef: "f", headRepositoryId: 4 },
    ...{ request: { id: `${number}`, reason: "opened", automatic: true }, debounceMs: 0 },
  };
  const before = performance.now();
  await handleInput(dependencies, input);
  return performance.now() - before;
}
let pulls = 0;
async function decideFor(isEnough: () => boolean): Promise<number> {
  const durations: number[] = [];
  while (!isEnough()) {
    pulls += 1;
    durations.push(await decideOnce(pulls));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return median(durations);
}
const quiet = await decideFor(() => pulls >= 50);

const began = performance.now();
const storm: Storm = { port: server.port, seconds, rate, things, secret };
const thread = new Worker(new URL("./feedback/send-alerts.ts", import.meta.url), { workerData: storm });
let answered: Answered | undefined;
thread.once("message", (all: Answered) => {
  answered = all;
});
const during = await decideFor(() => answered !== undefined);
if (!answered) throw new Error("nothing was sent");
const { took, refused, seconds: sentSeconds } = answered as Answered;
isOver = true;
await worker;
const behindSeconds = (performance.now() - began) / 1000 - sentSeconds;
const rows = await store.read.all<{ effects: number }>(
  "select count(distinct run_id) as effects from effects where kind = 'feedback.show'",
);
await server.stop(1_000);
await closeStore(store);
rmSync(folder, { recursive: true });
const worst = took.at(-1) ?? 0;
const issues = rows[0]?.effects ?? 0;
report("feedback", [
  {
    name: "messages a second, on disk before 202",
    value: took.length / sentSeconds,
    unit: "/s",
    goal: `${rate}, none refused`,
    met: refused === 0 && took.length / sentSeconds > rate * 0.95,
  },
  { name: "answered, the slowest", value: worst, unit: "ms", goal: "under 1,000 ms", met: worst < 1_000 },
  { name: "answered, p99", value: took[Math.floor(took.length * 0.99)] ?? 0, unit: "ms" },
  { name: "deliveries that they became", value: stored.length, unit: "" },
  { name: "counted", value: handled, unit: "", goal: "all", met: handled === took.length },
  { name: "issues", value: issues, unit: "", goal: `one for each of ${things}`, met: issues === things },
  {
    name: "a decision on another's pull request, beside none",
    value: during,
    unit: "ms, median",
    goal: `at most 1.5 times ${quiet.toFixed(1)} ms`,
    met: during <= 1.5 * quiet,
  },
  { name: "the worker was behind at the end", value: behindSeconds, unit: "s" },
  ...(pairs > 0 ? await measureBesideReviews(pairs) : []),
]);
