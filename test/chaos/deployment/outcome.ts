import { sql } from "drizzle-orm";
import type { Simulator } from "../../../simulator/start-simulator.ts";
import { environmentSubject } from "../../../src/domain/deployments.ts";
import { readEnvironment } from "../../../src/pipeline/deploy/work/observe-deployment.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { listRuns } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";
import { type DeployWorld, REPOSITORY } from "./deploy-world.ts";
import type { Merged } from "./tell-deployments.ts";

/** What people see of both deployments, and what their logs say, without what differs from one telling to the next. */
export type Outcome = Readonly<Record<string, readonly string[]>>;

export async function outcomeOf(world: DeployWorld, merged: Merged): Promise<Outcome> {
  const { github, read } = world.chaos;
  const plain = plainFor(merged);
  return {
    ...seenOnGitHub(github, merged, plain),
    programmed: world.programmed().map(plain),
    ...(await read(async (store) => {
      const rows = await store.read.all<{ content: string }>(sql`select content from memories order by content`);
      return {
        events: await eventsOf(store),
        environment: [plain(await environmentOf(store))],
        memories: rows.map(({ content }) => plain(content)),
      };
    })),
  };
}

function seenOnGitHub(github: Simulator, { good, bad, shas }: Merged, plain: (text: string) => string): Outcome {
  const own = ({ by }: { readonly by: string | null }) => by === "forge[bot]";
  return {
    comments: [good, bad].flatMap((number) => {
      const said = github.pullRequest(REPOSITORY, number).comments.filter(own);
      return said.map(({ body }) => `#${number} ${plain(body)}`).sort();
    }),
    reactions: [good, bad].flatMap((number) => {
      const said = github.pullRequest(REPOSITORY, number).comments.filter((comment) => !own(comment));
      return said.map(({ body, reactions }) => `#${number} ${body}: ${reactions.length}`);
    }),
    deployments: github.deployments(REPOSITORY).map(({ sha, task, environment, payload, statuses }) => {
      const { step, percentage } = markedBy(payload) ?? {};
      const words = statuses.filter(own).map(({ state, description }) => `${state} ${plain(description ?? "")}`);
      return `${task} ${plain(sha)} ${environment} ${step} ${percentage} ${words.join("; ")}`;
    }),
    runs: github
      .workflows(REPOSITORY)
      .runs()
      .map(({ event, sha, conclusion }) => `${event} ${plain(sha)} ${conclusion}`),
    checks: shas.flatMap((sha) => {
      const checks = github.checkRunsOn(REPOSITORY, sha);
      return checks
        .map((check) => `${plain(sha)} ${check.name} ${check.conclusion} ${plain(check.title ?? "")}`)
        .sort();
    }),
    opened: openedAfter(github, bad).map(plain).sort(),
  };
}

function markedBy(payload: unknown) {
  return (payload as { forge?: { readonly step?: number; readonly percentage?: number } }).forge;
}

/** Issues and pull requests that nobody but Forge can have opened. */
function openedAfter(github: Simulator, last: number): string[] {
  const found = [];
  for (let number = last + 1; ; number += 1) {
    const one = find(() => github.issue(REPOSITORY, number)) ?? find(() => github.pullRequest(REPOSITORY, number));
    if (!one) return found;
    found.push(`${one.title} ${one.by} ${one.state} ${one.comments.length}\n${one.body ?? ""}`);
  }
}

function find<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function plainFor({ shas }: Merged): (text: string) => string {
  return (text) =>
    text
      .replace(/<!--.*?-->/gs, "")
      .replace(/http:\/\/127\.0\.0\.1:\S+/g, "ADDRESS")
      .replace(/\b[0-9a-f]{7,40}\b/g, (found) => `SHA${shas.findIndex((sha) => sha.startsWith(found))}`)
      .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "RUN")
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
      .replace(/\b\d+(?:\.\d+)? ?(?:s|ms|min|h|seconds?|minutes?)\b/g, "DURATION")
      // Each look adds its requests, and after a death the window is longer: how many there were depends on the clock.
      .replace(/\b[\d,]+(?:\.\d+)?(?: (?:×|times)| requests)/g, "NUMBER")
      .replace(/\| requests a second \|.*/g, "| requests a second |")
      .trim();
}

/** What happened once, in order; looks, and what a step says of itself on its way, depend on the clock. */
const TOLD =
  /^(?:run|phase|gate)\.|^deployment\.(?:observed|verified|started|rolled_back|promoted|completed)$|^environment\./;

async function eventsOf(store: Store): Promise<string[]> {
  const runs = (await listRuns(store, { limit: 1_000 })).filter(({ kind }) => kind === "deploy");
  const oldestFirst = runs.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const told: string[] = [];
  for (const [index, { traceId }] of oldestFirst.entries()) {
    for (const { type, payload } of await readEvents(store, traceId)) {
      const what = type === "deployment.completed" ? (payload as { outcome: string }).outcome : "";
      if (TOLD.test(type)) told.push(`${index} ${type} ${what}`);
    }
  }
  return told;
}

async function environmentOf(store: Store): Promise<string> {
  const [run] = (await listRuns(store, { limit: 1_000 })).filter(({ kind }) => kind === "deploy");
  if (!run) return "nothing was deployed";
  const there = environmentSubject(run.subject.repository, "production");
  const { running, healthy, hold, next } = await readEnvironment({ store }, there);
  return `runs ${running?.sha}, healthy ${healthy}, held by ${hold?.by}, next ${next?.sha}`;
}
