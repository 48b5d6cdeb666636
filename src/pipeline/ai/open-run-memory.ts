import { defined } from "../../domain/defined.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { Phase } from "../../domain/phases.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { type CheckCitation, type Citation, findCited } from "../../memory/citations.ts";
import { memoryOfRun, type RunMemory } from "../../memory/memory-of-run.ts";
import type { Memory } from "../../memory/open-memory.ts";
import { worksWithoutMemory } from "../../safety/held-out.ts";
import type { Redact } from "../../safety/redact.ts";
import { appendFacts } from "../../store/events/append-events.ts";
import { readEvents } from "../../store/events/read-events.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Store } from "../../store/store.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";
import type { MemoryPort } from "../../tools/ports.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import type { Mirror } from "../../workspace/mirror.ts";
import { readFileAt } from "../../workspace/read-file-at.ts";
import type { AgentMemory } from "./run-agent.ts";

/** Whose memory it is, and the change that it is asked about. */
export interface MemoryRequest {
  readonly store: Store;
  readonly subject: Subject;
  readonly runId: string;
  readonly fence: Fence;
  readonly now: () => string;
  readonly makeId: MakeId;
  readonly title: string;
  readonly configuration: Pick<RepoConfig, "memory">;
  readonly change: { readonly files: readonly { readonly path: string }[] };
  /** Where memories' citations are looked up; without it they are not checked. */
  readonly code?: CodeNow;
}

/** The code as it stands where a run works. */
export interface CodeNow {
  readonly mirror: Mirror;
  /** Of the branch that the work starts from, or is to be merged into. */
  readonly base: string;
  /** Of the change, whose own lines its memories may rest on before it is merged. */
  readonly head?: string;
  readonly signal: AbortSignal;
}

export interface OpenedMemory {
  /** For the tools `recall` and `remember`; undefined where the repository wants no memory. */
  readonly port: MemoryPort | undefined;
  /** For the first message and for reflection. */
  readonly agent: AgentMemory | undefined;
}

/** The memory of this repository for the reviewers of a change (MEM-2). */
export function openRunMemory(memory: Memory, request: MemoryRequest, redact: Redact): OpenedMemory {
  const { title, change, configuration } = request;
  const question = [title, ...change.files.map(({ path }) => path).slice(0, 50)].join("\n");
  const use = { settings: configuration.memory, agentType: "reviewer", phase: "review", question } as const;
  return openMemoryFor(memory, request, use, redact);
}

/** Who uses a memory, and what for. */
interface MemoryUse {
  readonly settings: RepoConfig["memory"];
  readonly agentType: string;
  readonly phase: Phase;
  /** What the first message is to be given. */
  readonly question: string;
}

/** The memory of a repository for the agents of one run (MEM-2): every use of it stands in the log of the run. One in ten has none. */
export function openMemoryFor(
  memory: Memory,
  run: Omit<MemoryRequest, "title" | "configuration" | "change">,
  { settings: { enabled, recalled }, agentType, phase, question }: MemoryUse,
  redact: Redact,
): OpenedMemory {
  const { store, subject, runId, fence, now, makeId } = run;
  if (!enabled || worksWithoutMemory(subject)) return { port: undefined, agent: undefined };
  const { installationId, id: repositoryId } = subject.repository;
  const own = memoryOfRun({
    memory,
    scope: { installationId, repositoryId },
    agentType,
    source: runId,
    most: recalled,
    ...defined({ check: run.code && citationsIn(run.code, subject) }),
    record: (event) =>
      appendFacts(store, {
        ...{ traceId: runId, at: now(), makeId, fence, source: "memory" },
        events: [{ phase, ...event }],
      }),
  });
  return {
    port: own,
    agent: {
      bearingOn: async (tokens) =>
        Array.fromAsync(await own.bearingOn(question, tokens), (memory) => asPiece(memory, redact)),
      learn: (learnings) => own.learn(learnings),
    },
  };
}

/** Files that one run looks into for citations. */
const MOST_READS = 60;

/**
 * Looks for cited code on the base, and for what was learnt from this very change on its head too (MEM-6). What was looked at once is not
 * looked at again: commits do not change.
 */
export function citationsIn({ mirror, base, head, signal }: CodeNow, subject: Subject): CheckCitation {
  const own = subjectKey(subject);
  const texts = new Map<string, Promise<string | undefined | "unread">>();
  const textAt = (commit: string, path: string) => {
    const key = `${commit}:${path}`;
    const known = texts.get(key);
    if (known || texts.size >= MOST_READS) return known ?? Promise.resolve("unread" as const);
    const text = readText(mirror, commit, path, signal);
    texts.set(key, text);
    return text;
  };
  return async (cited, learntOn) => {
    const commits = head !== undefined && learntOn === own ? [base, head] : [base];
    let last: Citation = "gone";
    for (const commit of commits) {
      const text = await textAt(commit, cited.path);
      const is = text === "unread" ? "unread" : findCited(cited, text);
      if (is === "holds" || is === "changed") return is;
      if (last !== "unread") last = is;
    }
    return last;
  };
}

/** Larger files are generated. */
const MOST_BYTES = 512 * 1024;

async function readText(mirror: Mirror, commit: string, path: string, signal: AbortSignal) {
  if (!cleanPath(path).ok) return undefined;
  const read = await readFileAt(mirror, commit, path, { maxBytes: MOST_BYTES, signal });
  if (read === undefined) return undefined;
  return read.ok ? read.content.toString("utf8") : "unread";
}

/** A memory is data as anything else that others wrote: who taught it stands beside it, and it gives no orders (SEC-5). */
async function asPiece(
  { label, content, context }: Awaited<ReturnType<RunMemory["bearingOn"]>>[number],
  redact: Redact,
) {
  const text = context === "" ? content : `${content}\n(${context})`;
  const { lines, leftOut } = await cleanText(text, { redact, prose: true, names: "none" });
  const fenced = fenceData(`memory, ${label}`, lines.join("\n"));
  return { text: leftOut === undefined ? fenced : `${fenced}\n${leftOut}` };
}

/**
 * What a model made, with the ids of memories that it names, of those that the agents of its run were shown: it may name these and no others,
 * as what becomes of its work changes how far they are believed (MEM-3).
 */
export async function memoriesShown(store: Store, runId: string) {
  const events = await readEvents(store, runId);
  const shown = new Set(
    events.flatMap((event) =>
      event.type === "memory.recalled" ? event.payload.items.map(({ memoryId }) => memoryId) : [],
    ),
  );
  return <T extends { memories?: string[] | undefined }>({
    memories,
    ...made
  }: T): Omit<T, "memories"> & { memories?: string[] } => {
    const known = [...new Set(memories)].filter((id) => shown.has(id));
    return known.length > 0 ? { ...made, memories: known } : made;
  };
}
