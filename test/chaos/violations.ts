import { numberOf } from "../../src/domain/subjects.ts";
import { listEffectsOfRun } from "../../src/store/effects/read-effects.ts";
import { readEvents, verifyRun } from "../../src/store/events/read-events.ts";
import { readDelivery } from "../../src/store/inbox/read-delivery.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import type { Store } from "../../src/store/store.ts";
import { type DeadJob, listDeadJobs } from "../store/list-dead-jobs.ts";
import type { ChaosWorld, OpenedPull } from "./chaos-world.ts";

/** What people see of a review, without ids that differ from pull request to pull request. */
export interface Outcome {
  readonly conclusion: string | null;
  readonly annotations: readonly string[];
  readonly comments: readonly string[];
}

/** What a story allows. */
export interface Allowed {
  /** Whether the head changed on the way. */
  readonly pushed?: boolean;
  /** Whether Forge was killed more than once: what it was at work on both times is set aside, and says so (PIPE-7). */
  readonly diedTwice?: boolean;
  /** Ids of the dead letters that were there before the story; they stay. */
  readonly deadBefore?: ReadonlySet<string>;
}

type PullView = ReturnType<ChaosWorld["github"]["pullRequest"]>;

export function outcomeOf(world: ChaosWorld, { repository, number }: OpenedPull): Outcome {
  const view = world.github.pullRequest(repository, number);
  const annotations = view.checkRuns.flatMap((run) => run.annotations);
  return {
    conclusion: view.checkRuns[0]?.conclusion ?? null,
    annotations: annotations
      .map(({ path, start_line, title }) => `${path}:${start_line} ${withoutIds(title ?? "")}`)
      .sort(),
    comments: view.reviewComments.map(({ path, line, body }) => `${path}:${line} ${withoutIds(body)}`).sort(),
  };
}

function withoutIds(text: string): string {
  return text
    .replace(/F-[0-9A-Z]{4,}/g, "F")
    .replace(/<!--.*?-->/gs, "")
    .trim();
}

/** Everything that is not as it has to be after a review, whatever happened meanwhile; empty when all is well. */
export async function violations(
  world: ChaosWorld,
  pull: OpenedPull,
  expected: Outcome,
  allowed: Allowed = {},
): Promise<string[]> {
  const view = world.github.pullRequest(pull.repository, pull.number);
  const seen = outcomeOf(world, pull);
  const dead = await world.read((store) => deadSince(store, allowed.deadBefore));
  return [
    ...differences("annotation", expected.annotations, seen.annotations),
    ...differences("comment", expected.comments, seen.comments),
    ...(seen.conclusion === expected.conclusion ? [] : [`conclusion ${seen.conclusion}, not ${expected.conclusion}`]),
    ...checkRunFaults(view, dead, allowed),
    ...reviewFaults(view, seen),
    ...world.github.referee.findings.map(({ detail }) => `referee: ${detail}`),
    ...deadFaults(dead, allowed),
    ...(await world.read((store) => storeFaults(store, pull))),
    ...(await world.read((store) => deliveryFaults(store, world))),
  ];
}

/**
 * One check-run a head, completed: an older head's is not left hanging either. Where pushes are told in the wrong order a review of the new
 * head may have been cancelled before the one that counts. Tests appear only where they were set aside.
 */
export function checkRunFaults(
  { allCheckRuns, headSha }: Pick<PullView, "allCheckRuns" | "headSha">,
  dead: readonly DeadJob[],
  { pushed = false, diedTwice = false }: Allowed,
): string[] {
  const ofHead = allCheckRuns.filter((run) => run.headSha === headSha);
  const isOfTests = ({ name }: { readonly name: string }) => diedTwice && name === "forge/tests";
  const onHead = ofHead.filter((run) => !isOfTests(run) && !(pushed && run.conclusion === "cancelled"));
  const told = ofHead.filter((run) => isOfTests(run) && run.conclusion === "action_required");
  const lost = dead.filter(({ kind, error }) => kind === "test" && isSetAside(error));
  const hanging = allCheckRuns.filter(({ status }) => status !== "completed");
  return [
    ...(onHead.length === 1 ? [] : [`${onHead.length} check-runs on the head`]),
    ...(told.length === lost.length ? [] : [`${told.length} checks say that ${lost.length} tests were set aside`]),
    ...hanging.map(({ id, status }) => `check-run ${id} is ${status}`),
  ];
}

/** Dead letters of this story. */
export async function deadSince(store: Store, before: ReadonlySet<string> = new Set()): Promise<DeadJob[]> {
  return (await listDeadJobs(store)).filter(({ id }) => !before.has(id));
}

/** After two deaths tests may be set aside; after one nothing may. */
export function deadFaults(dead: readonly DeadJob[], { diedTwice = false }: Allowed): string[] {
  const faults = dead.filter(({ kind, error }) => !(diedTwice && kind === "test" && isSetAside(error)));
  return faults.map(({ kind, error }) => `dead ${kind}: ${error}`);
}

/** One review a head at most, and none without a word. */
function reviewFaults({ reviews, pendingReviews, comments }: PullView, seen: Outcome): string[] {
  const empty = reviews.filter((review) => review.comments.length === 0);
  return [
    ...repeated(reviews.map(({ commitId }) => commitId)).map((sha) => `two reviews of ${sha}`),
    ...(empty.length === 0
      ? []
      : [`${empty.length} reviews without a comment beside ${seen.comments.length} comments`]),
    ...(pendingReviews.length === 0 ? [] : [`${pendingReviews.length} pending reviews were left behind`]),
    ...(comments.length === 0 ? [] : [`${comments.length} comments in the conversation`]),
  ];
}

const AT_WORK = ["queued", "running"] as const;

/** Nothing half done, nothing told twice, every log intact. */
async function storeFaults(store: Store, pull: OpenedPull): Promise<string[]> {
  const faults: string[] = [];
  const jobs = await countJobs(store);
  for (const state of AT_WORK) if (jobs[state] > 0) faults.push(`${jobs[state]} jobs are ${state}`);
  for (const { traceId, status, subject } of await listRuns(store, { limit: 10_000 })) {
    const { owner, name } = subject.repository;
    if (`${owner}/${name}` !== pull.repository || numberOf(subject) !== pull.number) continue;
    if (status === "pending" || status === "running" || status === "failed") faults.push(`a run is ${status}`);
    const { brokenAt } = await verifyRun(store, traceId);
    if (brokenAt !== undefined) faults.push(`the log of ${traceId} is broken at ${brokenAt}`);
    for (const { key, state, error } of await listEffectsOfRun(store, traceId)) {
      if (state !== "done" && state !== "obsolete") faults.push(`${key} is ${state}: ${error ?? ""}`);
    }
    const facts = (await readEvents(store, traceId)).filter(({ type }) => ONCE.has(type));
    const texts = facts.map(({ type, payload }) => `${type} ${JSON.stringify(payload)}`);
    faults.push(...repeated(texts).map((text) => `told twice: ${text}`));
  }
  return faults;
}

/** Facts that are true once, however often Forge was interrupted while it wrote them down. */
const ONCE = new Set([
  "run.started",
  "phase.entered",
  "finding.detected",
  "finding.posted",
  "check.settled",
  "review.completed",
]);

/** One that failed once is asked for when it is a minute old, later ones after longer pauses; milliseconds. */
const ASKED_FOR_AFTER_MS = [60_000, 240_000, 480_000];

/**
 * What GitHub could not deliver was asked for again, and what arrived was handled. Forge asks when it begins: what was old enough by then
 * has to be there, and what failed since may still come.
 */
export async function deliveryFaults(store: Store, { github, launchedAt }: ChaosWorld): Promise<string[]> {
  const faults: string[] = [];
  const happenings = Map.groupBy(github.deliveries, ({ guid }) => guid);
  for (const [guid, attempts] of happenings) {
    const { event } = attempts[0]!;
    const latest = Math.max(...attempts.map(({ deliveredAt }) => Date.parse(deliveredAt)));
    const isDue = latest < launchedAt - (ASKED_FOR_AFTER_MS[attempts.length - 1] ?? ASKED_FOR_AFTER_MS.at(-1)!);
    const stored = await readDelivery(store, guid);
    if (!stored && isDue) faults.push(`a delivery was lost: ${event}, sent ${attempts.length} times`);
    else if (!stored) continue;
    else if (stored.state === "received" || (stored.state === "failed" && !isSetAside(stored.reason)))
      faults.push(`a delivery is ${stored.state}: ${event}`);
  }
  return faults;
}

/** The process was killed twice while it was at work on it: then people read that, or nobody waited for it. */
export function isSetAside(error: string | null | undefined): boolean {
  return /^Forge ended \w+(?: times)? while at work on this: set aside$/.test(error ?? "");
}

export function differences(what: string, expected: readonly string[], seen: readonly string[]): string[] {
  const lost = expected.filter((text) => !seen.includes(text)).map((text) => `${what} lost: ${text}`);
  const foreign = seen.filter((text) => !expected.includes(text)).map((text) => `${what} nobody expects: ${text}`);
  return [...lost, ...foreign, ...repeated(seen).map((text) => `${what} twice: ${text}`)];
}

export function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
