import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import type { NewEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import type { MemoryScope, Pattern } from "../domain/memories.ts";
import { appendFacts } from "../store/events/append-events.ts";
import {
  archiveMemories,
  consolidatedAt,
  guardScope,
  linkMemories,
  memoryLog,
  putPattern,
  readActive,
  readPatterns,
  readRecalls,
  readSightings,
  restoreMemory,
} from "../store/memories/consolidation.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { portions, type Statement } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { FADING_PER_WEEK, FIRST_CONFIDENCE, fadedConfidence } from "./confidence.ts";
import { linkAlike } from "./near-duplicates.ts";
import { type Case, judgeReplay, memoryOfPattern, patternOf, replayPattern } from "./patterns.ts";
import { listOf, type Pruned, planPruning } from "./plan-pruning.ts";
import type { Embedder } from "./ports.ts";
import { MOST_RECALLED } from "./recall.ts";
import { embeddedText } from "./remember.ts";
import { createBreathing } from "./scope-vectors.ts";
import { opposed, statementOf } from "./usable.ts";

export interface ConsolidateDependencies {
  readonly store: Store;
  readonly embedder: Embedder;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
  readonly makeId: MakeId;
}

/** What tidying came to, in memories and patterns. */
export interface Consolidated {
  readonly looked: number;
  readonly linked: number;
  /** For what they say, or for want of room. */
  readonly pruned: number;
  /** For their age. */
  readonly archived: number;
  readonly proposed: number;
  readonly promoted: number;
  readonly refused: number;
}

const ROWS_PER_READ = 100;
/** One transaction holds the event loop: so many memories take about 20 ms. */
const MEMORIES_PER_WRITE = 50;
const MOST_RUNS = 200;

type Work = ConsolidateDependencies & { readonly scope: MemoryScope; readonly at: string };

/**
 * Tidies the memories of a scope (MEM-4): archives, links what says the same, proposes patterns and judges them by a replay. Each step is one
 * transaction with the event that tells it, and changes nothing that is so already: after a crash the next turn goes on.
 * @param signal ends it between two steps
 * @throws ForgeError of the store
 */
export async function consolidate(
  dependencies: ConsolidateDependencies,
  scope: MemoryScope,
  signal: AbortSignal,
): Promise<Consolidated> {
  const work = { ...dependencies, scope, at: dependencies.now() };
  const { store, at } = work;
  const active = await readAll(store, scope, signal);
  const statements = await eachOf(active, ({ content }) => statementOf(content));
  const held = await eachOf(active, (memory) => ({ ...memory, confidence: beliefToday(memory, at) }));
  const away = await putAway(work, active, await planPruning(held, statements, at), signal);
  const left = active.map((_, place) => place).filter((place) => !away.has(active[place]!.id));
  const kept = left.map((place) => active[place]!);
  const vectors = kept.map(({ embedding }) =>
    embedding?.method === work.embedder.method ? embedding.vector : undefined,
  );
  const links = await linkAlike(vectors, (one, other) => opposed(statements[left[one]!]!, statements[left[other]!]!));
  const linked = await writeLinks(work, { kept, vectors, links }, signal);
  const patterns = await promote(work, kept, links, signal);
  signal.throwIfAborted();
  await store.queue.together([consolidatedAt(scope, at)]);
  const reasons = [...away.values()];
  const archived = reasons.filter((why) => why === "faded" || why === "unused").length;
  return { looked: active.length, linked, pruned: reasons.length - archived, archived, ...patterns };
}

/** Gives way to others meanwhile. */
async function eachOf<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const breathe = createBreathing();
  const made: Made[] = [];
  for (const item of items) {
    await breathe();
    made.push(make(item));
  }
  return made;
}

function beliefToday({ confidence, lastUsedAt }: StoredMemory, now: string): number {
  return fadedConfidence(confidence, lastUsedAt, now);
}

/**
 * Brings back what was archived (MEM-4), with the event that says so.
 * @throws ForgeError `memory_not_archived`
 */
export async function restore(
  { store, now, makeId }: Omit<ConsolidateDependencies, "embedder">,
  { id: memoryId, scope }: Pick<StoredMemory, "id" | "scope">,
): Promise<void> {
  const at = now();
  const event: NewEvent = { type: "memory.restored", payload: { memoryId } };
  const facts = { traceId: memoryLog(scope), events: [event], at, makeId, source: "memory" };
  await appendFacts(
    store,
    facts,
    restoreMemory(memoryId, { at, perWeek: FADING_PER_WEEK, least: FIRST_CONFIDENCE.model }),
  );
}

async function readAll(store: Store, scope: MemoryScope, signal: AbortSignal): Promise<StoredMemory[]> {
  const all: StoredMemory[] = [];
  const breathe = createBreathing();
  for (;;) {
    const after = all.at(-1)?.sequence ?? 0;
    const some = await readActive(store, scope, { after, limit: ROWS_PER_READ });
    all.push(...some);
    if (some.length < ROWS_PER_READ) return all;
    signal.throwIfAborted();
    await breathe();
  }
}

/** Archives what the plan says; what was used or changed since it was read stays. Gives those that are archived, with the reason. */
async function putAway(
  work: Work,
  active: readonly StoredMemory[],
  plan: readonly Pruned[],
  signal: AbortSignal,
): Promise<Map<string, Pruned["why"]>> {
  const byId = new Map(active.map((memory) => [memory.id, memory]));
  const done = new Map<string, Pruned["why"]>();
  const write = async (some: readonly Pruned[]): Promise<void> => {
    signal.throwIfAborted();
    const put = some.map(({ id, ...why }) => ({ memory: byId.get(id)!, away: { ...why, at: work.at } }));
    const memories = some.map(({ id: memoryId, why, by }) => ({ memoryId, why, ...defined({ by }) }));
    const event: NewEvent = { type: "memory.pruned", payload: { cause: causeOf(work), memories } };
    if (await told(work, event, archiveMemories(put))) for (const { id, why } of some) done.set(id, why);
    else if (some.length > 1) for (const half of portions(some, Math.ceil(some.length / 2))) await write(half);
  };
  for (const some of portions(plan, MEMORIES_PER_WRITE)) await write(some);
  return done;
}

interface Alike {
  readonly kept: readonly StoredMemory[];
  readonly vectors: readonly (Float32Array | undefined)[];
  readonly links: Int32Array;
}

/** Gives how many say what an earlier one says and were not known to. */
async function writeLinks(work: Work, { kept, vectors, links }: Alike, signal: AbortSignal): Promise<number> {
  const changes = kept.flatMap((memory, at) => {
    const first = kept[links[at]!]!;
    // Of one that cannot be compared now nothing is known anew.
    return vectors[at] === undefined || memory.group === first.sequence
      ? []
      : [{ memory, first: first.sequence === memory.sequence ? undefined : first }];
  });
  let linked = 0;
  for (const some of portions(changes, MEMORIES_PER_WRITE)) {
    signal.throwIfAborted();
    const to = some.flatMap(({ memory, first }) => (first ? [{ memoryId: memory.id, to: first.id }] : []));
    const unlinked = some.flatMap(({ memory, first }) => (first ? [] : [memory.id]));
    const payload = {
      cause: causeOf(work),
      ...defined({ linked: to.length > 0 ? to : undefined, unlinked: unlinked.length > 0 ? unlinked : undefined }),
    };
    const rows = some.map(({ memory, first }) => ({ sequence: memory.sequence, to: first?.sequence }));
    if (await told(work, { type: "memory.consolidated", payload }, linkMemories(rows))) linked += to.length;
  }
  return linked;
}

/** Proposes patterns of what was seen often, and judges proposals by a replay over the repository's stored runs. */
async function promote(work: Work, kept: readonly StoredMemory[], links: Int32Array, signal: AbortSignal) {
  const { store, scope, at } = work;
  const groups = new Map<number, StoredMemory[]>();
  for (const [place, memory] of kept.entries()) {
    if (memory.type === "episodic") listOf(groups, links[place]!).push(memory);
  }
  const episodes = [...groups.values()];
  const sightings = await readSightings(
    store,
    episodes.flat().map(({ id }) => id),
  );
  const known = await readPatterns(store, scope);
  const byId = new Map(kept.map((memory) => [memory.id, memory]));
  const counts = { proposed: 0, promoted: 0, refused: 0 };
  const cases = casesOf(work);
  for (const group of episodes) {
    signal.throwIfAborted();
    await joinStanding(work, group, known, byId);
    const fresh = patternOf(
      group.map((memory) => ({ memory, confidence: beliefToday(memory, at) })),
      sightings,
      known,
    );
    if (fresh && (await tellPattern(work, fresh))) {
      counts.proposed += 1;
      known.splice(0, known.length, ...known.filter(({ id }) => id !== fresh.id), fresh);
    }
  }
  for (const proposal of known.filter(({ state }) => state === "proposed")) {
    signal.throwIfAborted();
    const own = proposal.episodes.flatMap((id) => byId.get(id) ?? []);
    const is = own.length === 0 ? "proposed" : await judge(work, proposal, own, await cases());
    if (is === "standing") counts.promoted += 1;
    if (is === "refused") counts.refused += 1;
  }
  return counts;
}

/** What was seen again belongs to the pattern that stands for it. */
async function joinStanding(
  work: Work,
  group: readonly StoredMemory[],
  known: readonly Pattern[],
  active: ReadonlyMap<string, StoredMemory>,
): Promise<void> {
  const fresh = group.filter(({ replacedBy }) => replacedBy === undefined).map(({ id }) => id);
  const ids = new Set(group.map(({ id }) => id));
  const standing = known.find(
    ({ id, state, episodes }) => state === "standing" && active.has(id) && episodes.some((each) => ids.has(each)),
  );
  if (!standing || fresh.length === 0) return;
  const episodes = [...new Set([...standing.episodes, ...fresh])];
  const added = episodes.length - standing.episodes.length;
  await tellPattern(work, { ...standing, episodes, frequency: standing.frequency + added, lastSeenAt: work.at });
}

async function judge(
  work: Work,
  proposal: Pattern,
  episodes: readonly StoredMemory[],
  cases: readonly Case[],
): Promise<Pattern["state"]> {
  const bare = memoryOfPattern(proposal, episodes);
  const [vector] = await work.embedder.embed([embeddedText(bare)]).catch(() => []);
  if (vector === undefined) return "proposed";
  const { method, noise } = work.embedder;
  const own = episodes.map(({ id, embedding }) => ({
    id,
    vector: embedding?.method === method ? embedding.vector : undefined,
  }));
  const replay = replayPattern({ id: proposal.id, vector }, own, cases, { most: MOST_RECALLED, noise });
  const state = judgeReplay(replay);
  if (state === "proposed") return state;
  const memory = state === "standing" ? { ...bare, embedding: { method, vector } } : undefined;
  return (await tellPattern(work, { ...proposal, state, replay }, memory)) ? state : "proposed";
}

/** The stored recalls, read and embedded when they are asked for first; none where questions cannot be embedded. */
function casesOf({ store, scope, embedder }: Work): () => Promise<readonly Case[]> {
  const read = async () => {
    if (scope.repositoryId === undefined) return [];
    const recalls = await readRecalls(store, scope.repositoryId, MOST_RUNS);
    const vectors = await embedder.embed(recalls.map(({ query }) => query)).catch(() => []);
    return recalls.flatMap((recall, at) => (vectors[at] ? [{ ...recall, vector: vectors[at] }] : []));
  };
  let known: Promise<readonly Case[]> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

function tellPattern(work: Work, pattern: Pattern, memory?: Parameters<typeof putPattern>[2]): Promise<boolean> {
  const { id: patternId, state, kind, frequency, episodes, replay } = pattern;
  const about = { patternId, state, kind, frequency, episodes: [...episodes], ...defined({ replay }) };
  const event: NewEvent = { type: "memory.consolidated", payload: { cause: causeOf(work), pattern: about } };
  return told(work, event, putPattern(pattern, work.at, memory));
}

function causeOf({ at }: Work): string {
  return `consolidation:${at}`;
}

/** Writes a change with the event that tells it; false where something moved on since it was read. */
async function told(
  { store, scope, at, makeId }: Work,
  event: NewEvent,
  change: readonly Statement[],
): Promise<boolean> {
  try {
    const facts = { traceId: memoryLog(scope), events: [event], at, makeId, source: "memory" };
    await appendFacts(store, facts, [guardScope(scope), ...change]);
    return true;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "memories_moved_on") return false;
    throw error;
  }
}
