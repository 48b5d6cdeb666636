import { defined } from "../domain/defined.ts";
import type { CitedCode, MemoryLeftOut } from "../domain/memories.ts";
import type { CheckCitation } from "./citations.ts";
import { wordsOf } from "./find-candidates.ts";

/** What is asked of a memory before it is used. */
interface Candidate {
  readonly id: string;
  readonly content: string;
  readonly cites: readonly CitedCode[];
  /** Today's. */
  readonly confidence: number;
  readonly createdAt: string;
  readonly learntOn?: string | undefined;
}

interface Room {
  /** Memories at most. */
  readonly limit: number;
  readonly tokens: number;
}

interface Usable<Item> {
  readonly taken: readonly Item[];
  readonly tokens: number;
  /** How many more would have been taken but for the tokens. */
  readonly beyondBudget: number;
  readonly leftOut: readonly MemoryLeftOut[];
}

/**
 * Takes what may be used of a ranked list, in its order, inside a budget; something shorter further down may fit where a longer one did not.
 * Left out is what rests on code that is gone, and of two that contradict each other the one that is believed less (MEM-6).
 * @param check without it citations are not looked at
 */
export async function takeUsable<Item>(
  ranked: readonly Item[],
  { limit, tokens }: Room,
  {
    candidateOf,
    groupOf,
    tokensOf,
    check,
  }: {
    readonly candidateOf: (item: Item) => Candidate;
    /** Those of a group say the same: one of them is taken. */
    readonly groupOf: (item: Item) => number;
    readonly tokensOf: (item: Item) => number;
    readonly check: CheckCitation | undefined;
  },
): Promise<Usable<Item>> {
  const candidates = ranked.map(candidateOf);
  const statements = candidates.map(({ content }) => statementOf(content));
  const checked = new Map<number, Promise<MemoryLeftOut | undefined>>();
  const faultOf = (at: number) => {
    const known = checked.get(at) ?? citationFault(candidates[at]!, check);
    checked.set(at, known);
    return known;
  };
  const rivalOf = async (at: number): Promise<Candidate | undefined> => {
    for (const [other, candidate] of candidates.entries()) {
      if (other === at || !opposed(statements[at]!, statements[other]!)) continue;
      if (isBelievedMore(candidate, candidates[at]!) && !(await faultOf(other))) return candidate;
    }
    return undefined;
  };
  const taken: Item[] = [];
  const groups = new Set<number>();
  const leftOut: MemoryLeftOut[] = [];
  let used = 0;
  let beyondBudget = 0;
  for (const [at, item] of ranked.entries()) {
    if (taken.length === limit) break;
    if (groups.has(groupOf(item))) continue;
    const cost = tokensOf(item);
    if (used + cost > tokens) {
      beyondBudget += 1;
      continue;
    }
    const fault = await faultOf(at);
    const rival = fault ? undefined : await rivalOf(at);
    if (fault) leftOut.push(fault);
    else if (rival) leftOut.push({ memoryId: candidates[at]!.id, why: "contradicted", by: rival.id });
    else {
      taken.push(item);
      groups.add(groupOf(item));
      used += cost;
    }
  }
  return { taken, tokens: used, beyondBudget: Math.min(beyondBudget, limit), leftOut };
}

async function citationFault(
  { id, cites, learntOn }: Candidate,
  check: CheckCitation | undefined,
): Promise<MemoryLeftOut | undefined> {
  for (const cited of check ? cites : []) {
    const is = await check?.(cited, learntOn);
    if (is === "gone" || is === "unread") return { memoryId: id, why: is, ...defined({ path: cited.path }) };
  }
  return undefined;
}

/** Of two that are believed the same the newer one counts. */
export function isBelievedMore(
  one: Pick<Candidate, "id" | "confidence" | "createdAt">,
  other: Pick<Candidate, "id" | "confidence" | "createdAt">,
): boolean {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence;
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

/** What is compared of two sentences. */
export interface Statement {
  readonly words: ReadonlySet<string>;
  /** Each number by its unit: "5 seconds", "50 %". */
  readonly measures: ReadonlyMap<string, string>;
  readonly negative: boolean;
}

const NEGATION =
  /\b(?:no|not|never|none|cannot|without|avoid(?:s|ed)?|forbid(?:s|den)?|disallow(?:s|ed)?|disable[sd]?|(?<![\p{L}\w])\p{L}+n['’]?t)\b/giu;

export function statementOf(content: string): Statement {
  const plain = content.toLowerCase();
  const words = wordsOf(
    plain.replace(NEGATION, " ").replace(/\b(?:always|do|does|allow(?:s|ed)?|enable[sd]?)\b/g, " "),
  );
  return {
    words: new Set(words.filter((word) => !/\d/.test(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, ""))),
    measures: measuresOf(plain),
    negative: (plain.match(NEGATION)?.length ?? 0) % 2 === 1,
  };
}

function measuresOf(text: string): Map<string, string> {
  const found = text.matchAll(/(?<![\p{L}\d.])(\d{1,12}(?:\.\d{1,6})?)\s{0,2}(%|\p{L}{1,30})/gu);
  return new Map(
    [...found].flatMap(([, number = "", unit = ""]) =>
      unit === "%" || wordsOf(unit).length > 0 ? [[unit, number] as const] : [],
    ),
  );
}

/** Words that two sentences share before they can be about the same. */
const SHARED = 2;
const SAME_WORDS = 0.5;
/** Where numbers alone differ, nearly all else has to be the same. */
const SAME_BUT_NUMBERS = 0.75;

/**
 * Whether two sentences say the opposite of the same: one says no where the other says yes, or they give other numbers. Told by words alone,
 * so that what is put in other words is missed.
 */
export function opposed(one: Statement, other: Statement): boolean {
  const byMeasure = [...one.measures].some(
    ([unit, number]) => other.measures.has(unit) && other.measures.get(unit) !== number,
  );
  if (one.negative === other.negative && !byMeasure) return false;
  let shared = 0;
  for (const word of one.words) if (other.words.has(word)) shared += 1;
  const share = shared / (one.words.size + other.words.size - shared);
  if (one.negative !== other.negative) return shared >= SHARED && share >= SAME_WORDS;
  return share >= SAME_BUT_NUMBERS;
}
