import { defined } from "../domain/defined.ts";
import type { LearntEvent, PlacedEvent } from "../domain/events.ts";
import type { NewJob } from "../domain/jobs.ts";
import { storedPayload, type Taught } from "../domain/memories.ts";
import type { Phase, RunKind } from "../domain/phases.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import type { Lesson } from "../memory/lesson.ts";
import type { Memory } from "../memory/open-memory.ts";
import { citeNamed, refusedText } from "../pipeline/commands/read-teaching.ts";
import { KINDS } from "../pipeline/kinds.ts";
import { causeOfNote, learnFrom } from "../pipeline/runs/decision.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { elapsedMs } from "../pipeline/runs/kind.ts";
import type { PullRequestHost } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import type { Redact } from "../safety/redact.ts";
import { visibleText } from "../safety/visible-text.ts";
import { readEvents } from "../store/events/read-events.ts";
import { addJobs } from "../store/jobs/add-jobs.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { listRunsToLookBackAt } from "../store/runs/list-subjects.ts";
import type { Store } from "../store/store.ts";
import { type ReflectDependencies, reflectByModel } from "./reflect-on-run.ts";

export interface LookBackDependencies extends InputDependencies, ReflectDependencies {
  readonly host: Pick<PullRequestHost, "readFile">;
  readonly memory: Pick<Memory, "prepare">;
  readonly redact: Redact;
}

/** Episodes of one run that are counted; a model adds three at most. */
const MOST_EPISODES = 5;
/** Names and answers are of others, and may be as long as they like. */
const MOST_CHARACTERS = 300;
/** A tool that failed so often in the same way. */
const FAILED_OFTEN = 3;
/** Calls of tools before a rate says something. */
const LEAST_CALLS = 20;

type Noted = Extract<LearntEvent, { type: "run.noted" }>["payload"];
/** What should not have gone on unseen while a run was under way. */
type Note = Pick<Noted, "what" | "phase">;
type Reflected = Extract<LearntEvent, { type: "run.reflected" }>["payload"];

/** What can be counted of a run, from its events alone. */
export interface RunCounts {
  readonly notes: readonly Note[];
  /** Absent while it is under way, and for one that had nothing to do. */
  readonly ended?: Omit<Reflected, "cause" | "runId" | "episodes">;
  readonly episodes: readonly Pick<Lesson, "content" | "context" | "tags" | "metadata">[];
  readonly configuration?: RepoConfig;
}

/**
 * Looks back at a run (RUN-1): what is worth a note while it goes on, and once it ended what it came to and what may be known the next time. Each
 * is told once, in the log of its subject; what is learnt is written with it.
 */
export async function lookBack(
  dependencies: LookBackDependencies,
  { subject, runId, fence, signal }: { subject: Subject; runId: string; fence: Fence; signal: AbortSignal },
): Promise<void> {
  const { store } = dependencies;
  const counts = countRun(await readEvents(store, runId));
  const { causes } = await readFacts(store, subject);
  for (const note of counts.notes) {
    const cause = causeOfNote(runId, note);
    if (causes.has(cause)) continue;
    const event: LearntEvent = { type: "run.noted", payload: { cause, runId, ...note } };
    await submit(dependencies, { subject, fence }, { type: "learning.observed", cause, events: [event] });
  }
  const cause = `reflected:${runId}`;
  if (counts.ended === undefined || causes.has(cause)) return;
  const asked = await askModel(dependencies, { subject, runId, fence, signal }, counts);
  const episodes = [...counts.episodes.slice(0, MOST_EPISODES), ...asked.episodes];
  const learnt = await learn(dependencies, { subject, runId, signal }, { ...counts, episodes });
  const stored = learnt.map(
    (prepared): LearntEvent => ({ type: "memory.stored", payload: storedPayload(prepared, cause) }),
  );
  const cost = defined({ reflectionUsd: asked.costUsd > 0 ? asked.costUsd : undefined });
  const payload = { cause, runId, ...counts.ended, episodes: learnt.length, ...cost };
  const memories = learnt.map(({ memory }) => memory);
  await submit(
    dependencies,
    { subject, fence },
    {
      ...{ type: "learning.observed", cause, events: [{ type: "run.reflected", payload }, ...stored] },
      ...defined({ memories: memories.length > 0 ? memories : undefined }),
    },
  );
}

const DAY_MS = 86_400_000;
/** Runs that ended before are not looked back at any more. */
const BACK_DAYS = 7;
const MOST_RUNS = 200;
/** Of a run under way of which nothing happened for as long, all there was to note was noted; what was not is told at its end. */
const QUIET_MS = 3_600_000;

/**
 * Has runs looked back at that ended, and those under way of which there is something new to note: a job of low priority for each.
 * @returns how many, for the log; undefined when there is nothing to do
 */
export async function takeUpLookingBack({ store, now }: Pick<InputDependencies, "store" | "now">) {
  const at = now();
  const before = (ms: number) => new Date(Date.parse(at) - ms).toISOString();
  const requests = Object.values(KINDS).flatMap(({ name, request }) => (request ? [name] : []));
  const range = { endedSince: before(BACK_DAYS * DAY_MS), activeSince: before(QUIET_MS), requests, limit: MOST_RUNS };
  const jobs: NewJob[] = [];
  for (const { runId, subject, ended } of await listRunsToLookBackAt(store, range)) {
    if (!ended && !(await hasNews(store, runId, subject))) continue;
    jobs.push({ ...learnFrom(subject, at), kind: "learn", payload: { subject, run: runId } });
  }
  if (jobs.length === 0) return undefined;
  await addJobs(store, jobs);
  return { runs: jobs.length };
}

async function hasNews(store: Store, runId: string, subject: Subject): Promise<boolean> {
  const { notes } = countRun(await readEvents(store, runId));
  if (notes.length === 0) return false;
  const { causes } = await readFacts(store, subject);
  return notes.some((note) => !causes.has(causeOfNote(runId, note)));
}

/**
 * What the fast model makes of work on an issue that failed or cost something; never after a limit of money ended it. It sees no words of people:
 * theirs teach only by the ways that ask who they are.
 */
async function askModel(
  dependencies: LookBackDependencies,
  about: { readonly subject: Subject; readonly runId: string; readonly fence: Fence; readonly signal: AbortSignal },
  { ended, episodes, configuration }: RunCounts,
): Promise<{ readonly episodes: RunCounts["episodes"]; readonly costUsd: number }> {
  const nothing = { episodes: [], costUsd: 0 };
  if (ended === undefined || !KINDS[ended.kind].request) return nothing;
  if (!configuration?.memory.enabled || ended.breakers.includes("cost")) return nothing;
  const { from_usd: leastUsd } = configuration.loop.reflection;
  if (ended.outcome === "success" && ended.costUsd < leastUsd) return nothing;
  const { task: _of, ...counted } = ended;
  const record = [JSON.stringify(counted), ...episodes.map(({ content, context }) => `${content} (${context})`)];
  const { learnings, costUsd } = await reflectByModel(dependencies, { ...about, configuration }, record);
  const { kind, outcome } = ended;
  return {
    episodes: learnings.map((one) => ({ ...one, tags: [kind, "reflection"], metadata: { outcome } })),
    costUsd,
  };
}

type Prepared = Pick<Taught, "memory" | "provenance">;

/** Prepares the episodes that may be remembered: no orders, no secrets, nothing hidden, and in the words of the run. */
async function learn(
  { memory, host, redact }: LookBackDependencies,
  { subject, runId, signal }: { readonly subject: Subject; readonly runId: string; readonly signal: AbortSignal },
  { episodes, configuration }: RunCounts,
): Promise<Prepared[]> {
  if (!configuration?.memory.enabled) return [];
  const { repository } = subject;
  const scope = { installationId: repository.installationId, repositoryId: repository.id };
  const learnt = new Map<string, Prepared>();
  for (const { content, context = "", metadata, ...episode } of episodes) {
    const said = [content, context, ...Object.values(metadata ?? {})].map((text) => redact(String(text)));
    if (said.some((text) => refusedText(text) !== undefined)) continue;
    const prepared = await memory.prepare(
      {
        ...{ ...episode, scope, type: "episodic", origin: "model", sourceEvent: runId },
        ...{ content: said[0]!, context: said[1]!, metadata: { ...metadata, subject: subjectKey(subject) } },
        cites: await citeNamed(host, repository, content, signal),
      },
      signal,
    );
    learnt.set(prepared.memory.id, prepared);
  }
  return [...learnt.values()];
}

/** What the events of a run say, without a model. */
export function countRun(events: readonly PlacedEvent[]): RunCounts {
  const seen = startCounting();
  for (const event of events) seen.add(event);
  return seen.result();
}

function startCounting() {
  const notes = new Map<string, Note>();
  const bounces = new Map<Phase, number>();
  const tools = new Map<string, { name: string; code: string; times: number }>();
  const breakers = new Set<string>();
  const phases = new Set<Phase>();
  /** What came up, by the id under which it is answered. */
  const raised = new Map<string, { readonly said: string; readonly phase: Phase }>();
  const mended = new Map<string, string>();
  const total = { calls: 0, failed: 0, bounces: 0, costUsd: 0 };
  let started: Extract<PlacedEvent, { type: "run.started" }> | undefined;
  let configuration: RepoConfig | undefined;
  let end: { readonly outcome: Reflected["outcome"]; readonly at: string } | undefined;
  const note = (what: Note["what"], phase?: Phase) => notes.set(`${what} ${phase}`, { what, ...defined({ phase }) });

  function add(event: PlacedEvent): void {
    switch (event.type) {
      case "run.started":
        started = event;
        return;
      case "run.completed": {
        const { outcome, totals } = event.payload;
        end = { outcome: OUTCOMES[outcome], at: event.at };
        total.costUsd = Math.max(total.costUsd, totals.costUsd);
        return;
      }
      case "run.failed":
        end = { outcome: "failure", at: event.at };
        return;
      case "run.cancelled":
        end = { outcome: event.payload.reason === "rejected" ? "failure" : "partial", at: event.at };
        return;
      case "phase.entered":
        phases.add(event.payload.phase);
        if ("configuration" in event.payload) configuration = event.payload.configuration;
        return;
      case "work.observed":
        configuration = event.payload.configuration;
        return;
      case "phase.bounced": {
        const { from, feedback } = event.payload;
        total.bounces += 1;
        bounces.set(from, (bounces.get(from) ?? 0) + 1);
        if (bounces.get(from) === 2) note("bounced_twice", from);
        for (const one of feedback) {
          const said = saidOf(one);
          if (said !== undefined) raised.set(one.id, { said, phase: from });
        }
        return;
      }
      case "work.completed":
        if ("answers" in event.payload)
          for (const { id, done, answer } of event.payload.answers) if (done) mended.set(id, short(answer));
        return;
      case "agent.reasoned":
        total.costUsd += event.payload.costUsd;
        if (started && configuration && total.costUsd > KINDS[started.payload.kind].ceilingUsd(configuration) / 2)
          note("half_spent");
        return;
      case "tool.completed":
        total.calls += 1;
        return;
      case "tool.failed": {
        const { tool, code } = event.payload;
        total.calls += 1;
        total.failed += 1;
        if (total.calls >= LEAST_CALLS && total.failed * 10 > total.calls) note("errors");
        const key = `${tool} ${code}`;
        tools.set(key, { name: tool, code, times: (tools.get(key)?.times ?? 0) + 1 });
        return;
      }
      case "breaker.tripped":
        breakers.add(event.payload.breaker);
        return;
      case "gate.rejected":
        note("overridden");
        return;
      case "tool.approval_resolved":
        if (event.payload.verdict !== "approved") note("overridden");
        return;
    }
  }

  function result(): RunCounts {
    const told = { notes: [...notes.values()], ...defined({ configuration }) };
    if (started === undefined || end === undefined) return { ...told, episodes: [] };
    const { kind, task } = started.payload;
    const { outcome } = end;
    const ended = {
      ...{ task: short(task), kind, outcome, phases: [...phases], bounces: total.bounces, costUsd: total.costUsd },
      ...{ durationMs: Math.max(0, Math.round(elapsedMs(started.at, end.at))), breakers: [...breakers] },
      tools: { calls: total.calls, failed: total.failed },
      raised: { all: raised.size, mended: [...raised.keys()].filter((id) => mended.has(id)).length },
    };
    return { ...told, ended, episodes: episodesOf(kind, outcome) };
  }

  function episodesOf(kind: RunKind, outcome: Reflected["outcome"]): RunCounts["episodes"] {
    const work = KINDS[kind].called;
    const of = (content: string, tag: string, resolution = "") => ({
      ...{ content, tags: [kind, tag], metadata: { outcome, ...(resolution === "" ? {} : { resolution }) } },
      context: resolution === "" ? `in ${work}` : `in ${work}, mended: ${resolution}`,
    });
    return [
      ...[...raised].map(([id, { said, phase }]) => of(`In ${phase} came up: ${said}`, phase, mended.get(id))),
      ...[...tools.values()]
        .filter(({ times }) => times >= FAILED_OFTEN)
        .map(({ name, code }) => of(`The tool ${short(name)} failed again and again by ${short(code)}.`, "tools")),
      ...[...breakers].map((breaker) => of(`The limit ${short(breaker)} ended the work of an agent.`, "limits")),
    ];
  }

  return { add, result };
}

type RunOutcome = Extract<PlacedEvent, { type: "run.completed" }>["payload"]["outcome"];

/** What a run came to, of what was wanted of it. */
const OUTCOMES: Readonly<Record<RunOutcome, Reflected["outcome"]>> = {
  ...{ approved: "success", advisory: "success", changes_requested: "success" },
  ...{ human_required: "partial", needs_look: "partial", incomplete: "partial", skipped: "partial" },
  ...{ merged: "success", planned: "success", nothing_to_do: "partial" },
  ...{
    healthy: "success",
    unwatched: "partial",
    degraded: "partial",
    rolled_back: "failure",
    rollback_failed: "failure",
  },
  ...{ refused: "partial", failed: "failure", rejected: "failure", superseded: "partial", held: "partial" },
};

/** What programs and Forge's own review said of its work; what people say is theirs to teach. */
function saidOf(
  one: Extract<PlacedEvent, { type: "phase.bounced" }>["payload"]["feedback"][number],
): string | undefined {
  switch (one.from) {
    case "tests":
      return short(`the test ${one.name} failed${one.file === undefined ? "" : ` in ${one.file}`}`);
    case "ci":
      return short(`the project's own check ${one.name} failed`);
    case "review":
      return short(`${one.message} (${one.file})`);
    case "coverage":
    case "person":
    case "instruction":
    case "conflict":
      return undefined;
    default:
      return one satisfies never;
  }
}

/** On one line, visible, and no longer than is read. */
function short(text: string): string {
  return visibleText(text.slice(0, 4 * MOST_CHARACTERS))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MOST_CHARACTERS);
}
