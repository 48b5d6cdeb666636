import { defined } from "../domain/defined.ts";
import { patternId } from "../domain/ids.ts";
import type { NewMemory, Pattern, PatternKind, PatternReplay } from "../domain/memories.ts";
import type { StoredRecall } from "../store/memories/consolidation.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { FIRST_CONFIDENCE } from "./confidence.ts";
import { dotProduct } from "./scope-vectors.ts";

/** MEM-4: seen so often, in so many runs, it may be a pattern. */
const SEEN_OFTEN = 3;
/** One that lost a replay is looked at again when it was seen so many times more. */
const SEEN_AGAIN = 3;
/** Recalls that have to tell something of it. */
const LEAST_HELD = 3;
/** As of a lesson. */
const MOST_WORDS = 12;

export interface Episode {
  readonly memory: StoredMemory;
  /** Today's. */
  readonly confidence: number;
}

/**
 * A pattern of episodes that say the same, where they were seen in enough runs; undefined where they were not, or where it was judged or is
 * standing already. Its words are those of the episode that is believed most: nothing is written anew.
 * @param group of one scope, in the order they were learnt
 * @param sightings runs in which each was seen, by id
 * @param known the patterns of the scope
 */
export function patternOf(
  group: readonly Episode[],
  sightings: ReadonlyMap<string, ReadonlySet<string>>,
  known: readonly Pattern[],
): Pattern | undefined {
  const runs = new Set(
    group.flatMap(({ memory: { id, sourceEvent } }) => [
      ...(sightings.get(id) ?? []),
      ...(sourceEvent ? [sourceEvent] : []),
    ]),
  );
  const ids = new Set(group.map(({ memory }) => memory.id));
  const before = known.filter(({ episodes }) => episodes.some((episode) => ids.has(episode)));
  if (runs.size < SEEN_OFTEN || !before.every((pattern) => isAskedAgain(pattern, runs.size))) return undefined;
  const [first] = group.toSorted((a, b) => b.confidence - a.confidence || a.memory.sequence - b.memory.sequence);
  if (first === undefined) return undefined;
  const { scope, content, context, metadata } = first.memory;
  const id = patternId(scope.installationId, scope.repositoryId ?? 0, content);
  if (known.some((pattern) => pattern.id === id && pattern.state === "forgotten")) return undefined;
  const ends = group.flatMap(({ memory }) => outcomeOf(memory) ?? []);
  return {
    ...{ id, scope, state: "proposed", kind: kindOf(ends), trigger: context, pattern: content, frequency: runs.size },
    resolution: typeof metadata.resolution === "string" ? metadata.resolution : "",
    ...defined({
      successRate: ends.length === 0 ? undefined : ends.filter((end) => end === "success").length / ends.length,
    }),
    // A pattern may doubt what its episodes say, not vouch for it.
    confidence: Math.min(FIRST_CONFIDENCE.model, mean(group.map(({ confidence }) => confidence))),
    lastSeenAt: group
      .map(({ memory }) => memory.updatedAt)
      .toSorted()
      .at(-1)!,
    episodes: [first.memory.id, ...group.map(({ memory }) => memory.id).filter((each) => each !== first.memory.id)],
  };
}

function isAskedAgain({ state, frequency }: Pattern, seen: number): boolean {
  return state === "refused" && seen >= frequency + SEEN_AGAIN;
}

/** How the run of an episode ended, where whoever stored it knew. */
function outcomeOf({ metadata: { outcome } }: StoredMemory): string | undefined {
  return typeof outcome === "string" ? outcome : undefined;
}

function kindOf(ends: readonly string[]): PatternKind {
  const good = ends.filter((end) => end === "success").length;
  if (good * 2 > ends.length) return "success";
  return ends.filter((end) => end === "failure").length * 2 > ends.length ? "failure" : "approach";
}

function mean(values: readonly number[]): number {
  return Math.round((10_000 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10_000;
}

/** The memory that a pattern becomes: how something is done, for whoever the episodes were for. */
export function memoryOfPattern(pattern: Pattern, episodes: readonly StoredMemory[]): NewMemory {
  const first = episodes.find(({ id }) => id === pattern.episodes[0]) ?? episodes[0]!;
  const { scope, frequency, kind, resolution } = pattern;
  const context = [pattern.trigger, resolution].filter((part) => part !== "").join(" · ");
  const readers = new Set(episodes.map(({ agentType }) => agentType));
  const [reader] = readers;
  const words = (of: (memory: StoredMemory) => readonly string[]) =>
    [...new Set(episodes.flatMap(of))].slice(0, MOST_WORDS);
  const subject = typeof first.metadata.subject === "string" ? { subject: first.metadata.subject } : {};
  return {
    ...{ id: pattern.id, scope, type: "procedural", content: pattern.pattern, context, confidence: pattern.confidence },
    ...{ tags: words(({ tags }) => tags), keywords: words(({ keywords }) => keywords), origin: "model" },
    cites: first.cites,
    metadata: { ...subject, pattern: { kind, frequency, episodes: pattern.episodes.slice(0, MOST_WORDS) } },
    ...defined({ agentType: readers.size === 1 ? reader : undefined, sourceEvent: first.sourceEvent }),
  };
}

/** A stored recall with the vector of what was asked. */
export type Case = StoredRecall & { readonly vector: Float32Array };

/**
 * Asks stored recalls what a pattern would do to them (MEM-4), by likeness: it would be recalled where it is as near to the question as what was
 * recalled last, or nearer than by chance where there was room.
 * @param most memories of a recall, @param noise the likeness that texts have by chance
 */
export function replayPattern(
  { id, vector }: { readonly id: string; readonly vector: Float32Array },
  episodes: readonly { readonly id: string; readonly vector: Float32Array | undefined }[],
  cases: readonly Case[],
  { most, noise }: { readonly most: number; readonly noise: number },
): PatternReplay {
  const own = new Set(episodes.map((episode) => episode.id));
  const replay = { cases: cases.length, held: 0, kept: 0, beyond: 0, lost: 0, displaced: 0, wrong: 0 };
  for (const { vector: question, items, helped, dismissed } of cases) {
    const last = items.reduce<(typeof items)[number] | undefined>(
      (least, item) => (least === undefined || item.similarity < least.similarity ? item : least),
      undefined,
    );
    const isFull = items.length >= most && last !== undefined;
    const least = isFull ? Math.max(noise, last.similarity) : noise;
    const among = items.filter(({ memoryId }) => own.has(memoryId));
    const isHeld =
      among.length > 0 ||
      episodes.some((episode) => episode.vector !== undefined && likeness(question, episode.vector) >= least);
    const isThere = items.some(({ memoryId }) => memoryId === id) || likeness(question, vector) >= least;
    if (isHeld) replay.held += 1;
    if (isHeld && isThere) replay.kept += 1;
    if (!isHeld && isThere) replay.beyond += 1;
    if (!isThere && among.some(({ memoryId }) => helped.has(memoryId))) replay.lost += 1;
    if (isThere && isFull && among.length === 0 && helped.has(last.memoryId)) replay.displaced += 1;
    if (isThere && [...dismissed].some((each) => own.has(each)) && ![...helped].some((each) => own.has(each)))
      replay.wrong += 1;
  }
  return replay;
}

/**
 * What a replay decides: it stands where no recall that helped is lost or pushed aside, it is nowhere that people dismissed what its episodes led
 * to, it is found in all but one of ten recalls that had an episode, and it does not reach further than that again. With too few recalls it
 * stays a proposal.
 */
export function judgeReplay({
  held,
  kept,
  beyond,
  lost,
  displaced,
  wrong,
}: PatternReplay): "proposed" | "standing" | "refused" {
  if (lost > 0 || displaced > 0 || wrong > 0) return "refused";
  if (held < LEAST_HELD) return "proposed";
  return kept * 10 >= held * 9 && beyond <= held ? "standing" : "refused";
}

/** Cosine of vectors of length 1; 0 where they are of different methods. */
function likeness(one: Float32Array, other: Float32Array): number {
  return one.length === other.length ? dotProduct(one, other, 0) : 0;
}
