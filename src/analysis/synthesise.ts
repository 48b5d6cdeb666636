import { byImportance, type Observation } from "../domain/findings.ts";
import { firstWithin } from "../domain/hunks.ts";
import { SEVERITIES } from "../domain/severities.ts";
import { type Fingerprinted, fingerprint, type KnownFinding } from "./fingerprint.ts";
import type { SourceFile } from "./source-file.ts";

/** More findings than this are noise to people and megabytes to the log; the rest is counted. */
export const MOST_OBSERVATIONS = 1_000;

/** One file that breaks one rule everywhere must not push out what is wrong elsewhere. */
const MOST_OF_A_RULE = 100;

/** So many are sorted, compared and given an identity at all: what a program made is not worth more. */
const MOST_LOOKED_AT = 20_000;
const MOST_OF_A_RULE_LOOKED_AT = 500;

/**
 * Of more observations than anybody makes by hand, those that may be among the kept: of each rule in a file some hundreds, of all of them
 * the most severe. Takes time in proportion to their number.
 */
export function withoutExcess(observations: readonly Observation[], most = MOST_OBSERVATIONS): Observation[] {
  const counts = new Map<string, number>();
  const few = observations.filter(({ file, rule }) => {
    const count = (counts.get(`${file}\0${rule}`) ?? 0) + 1;
    counts.set(`${file}\0${rule}`, count);
    return count <= Math.max(MOST_OF_A_RULE_LOOKED_AT, most > MOST_OBSERVATIONS ? most : 0);
  });
  const lookedAt = Math.max(MOST_LOOKED_AT, most);
  if (few.length <= lookedAt) return few;
  const bySeverity = Map.groupBy(few, ({ severity }) => severity);
  return SEVERITIES.toReversed()
    .flatMap((severity) => bySeverity.get(severity) ?? [])
    .slice(0, lookedAt);
}

export interface Synthesis<T> {
  /** Most important first. */
  readonly kept: T[];
  /** What the limit leaves out. */
  readonly left: readonly T[];
}

/**
 * One list out of what all analysers said (REV-3): the same code reported for the same cause once, nothing quoted from a line that
 * holds a secret, in order of importance, at most `most` (a thousand), and a hundred of one rule in one file.
 */
export function synthesise<T extends Observation>(observations: readonly T[], most = MOST_OBSERVATIONS): Synthesis<T> {
  const merged = mergeDuplicates(observations);
  const clean = withoutQuotedSecrets(merged);
  // Who asks for more than is usual wants all of a rule too.
  const kept = (most > MOST_OBSERVATIONS ? clean : withoutFloods(clean)).slice(0, most);
  const isKept = new Set(kept);
  return { kept, left: kept.length === clean.length ? [] : clean.filter((each) => !isKept.has(each)) };
}

function withoutFloods<T extends Observation>(observations: readonly T[]): T[] {
  const counts = new Map<string, number>();
  return observations.filter(({ file, rule }) => {
    const count = (counts.get(`${file}\0${rule}`) ?? 0) + 1;
    counts.set(`${file}\0${rule}`, count);
    return count <= MOST_OF_A_RULE;
  });
}

/** A line may hold thousands of causes, and each would be compared with all others. */
const MOST_COMPARED = 100;

/** Sorted, so that of two reports of one cause the more important one stays. */
function mergeDuplicates<T extends Observation>(observations: readonly T[]): T[] {
  const byLine = new Map<string, T[]>();
  const kept: T[] = [];
  for (const observation of observations.toSorted(byImportance)) {
    const key = `${observation.file}\0${observation.line}`;
    const others = byLine.get(key) ?? [];
    const at = others.findIndex((other) => isSameCause(other, observation));
    const same = others[at];
    if (same !== undefined) {
      if (!tellsMore(observation, same)) continue;
      others[at] = observation;
      kept[kept.indexOf(same)] = observation;
      continue;
    }
    if (others.length < MOST_COMPARED) others.push(observation);
    byLine.set(key, others);
    kept.push(observation);
  }
  return kept.sort(byImportance);
}

/** A way that is followed tells more than a name that is looked for (`eval`), where neither is milder. */
function tellsMore(one: Observation, other: Observation): boolean {
  return one.severity === other.severity && toolOf(one) === "patterns" && toolOf(other) !== "patterns";
}

/** Both secrets, or of one tool, or of one rule, about code that overlaps on the line where both begin. */
function isSameCause(a: Observation, b: Observation): boolean {
  // Two secrets without a place in the line are two that the head does not hold.
  if (isSecret(a) && isSecret(b) && (a.column === undefined || b.column === undefined)) return false;
  // A model's findings are of one tool and of many causes.
  const sameTool = toolOf(a) === toolOf(b) && ((toolOf(a) !== "ai" && toolOf(a) !== "patterns") || a.rule === b.rule);
  const related = (isSecret(a) && isSecret(b)) || sameTool;
  // All of them look for insecure code, and say the same of it.
  if (IN_CODE.test(a.rule) && IN_CODE.test(b.rule) && toolOf(a) !== toolOf(b)) return overlap(a, b);
  return related && overlap(a, b) && (a.endLine === b.endLine || a.rule === b.rule);
}

const IN_CODE = /^(?:patterns|eslint-security|ruff-security|biome\/security)\//;

function overlap(a: Observation, b: Observation): boolean {
  if (a.column === undefined || b.column === undefined) return true;
  const end = (observation: Observation) =>
    observation.endLine > observation.line
      ? Number.POSITIVE_INFINITY
      : (observation.endColumn ?? (observation.column ?? 1) + 1);
  return a.column < end(b) && b.column < end(a);
}

function toolOf({ rule }: Observation): string {
  return rule.slice(0, rule.indexOf("/"));
}

function isSecret({ rule }: Observation): boolean {
  return rule.startsWith("secrets/");
}

/** A suggestion or a quotation holds whole lines: on a line with a secret it would post the secret. */
function withoutQuotedSecrets<T extends Observation>(observations: readonly T[]): T[] {
  const secrets = Map.groupBy(observations.filter(isSecret), ({ file }) => file);
  const lines = new Map([...secrets].map(([file, ofFile]) => [file, linesOf(ofFile)]));
  return observations.map((observation) => {
    const { fix, evidence, ...rest } = observation;
    if (isSecret(observation) || (fix === undefined && evidence === undefined)) return observation;
    const from = Math.min(observation.line, fix?.startLine ?? observation.line);
    const to = Math.max(observation.endLine, fix?.endLine ?? observation.endLine);
    const quoted = firstWithin(lines.get(observation.file) ?? [], from, to);
    return quoted === undefined ? observation : (rest as unknown as T);
  });
}

/** Ascending. */
function linesOf(observations: readonly Observation[]): number[] {
  const lines = new Set<number>();
  for (const { line, endLine } of observations) for (let at = line; at <= endLine; at += 1) lines.add(at);
  return [...lines].sort((a, b) => a - b);
}

interface Joined {
  readonly observations: Fingerprinted[];
  /** What the limit leaves out. */
  readonly left: readonly Observation[];
}

/**
 * What a model found beside what the analysers found (REV-3): the same cause at the same place is said once, by the one that can prove
 * it, and nothing is quoted from a line that holds a secret.
 */
export async function joinFindings(
  found: readonly Fingerprinted[],
  ai: readonly Observation[],
  context: {
    readonly sources: ReadonlyMap<string, SourceFile>;
    readonly key: Buffer;
    readonly known: readonly KnownFinding[];
    readonly mostFindings?: number;
  },
): Promise<Joined> {
  const fresh = ai.filter((claim) => !found.some((other) => isSamePlaceAndKind(claim, other)));
  const identified = await fingerprint(fresh, context.sources, context.key, context.known);
  const { kept, left } = synthesise([...found, ...identified], context.mostFindings);
  return { observations: kept, left };
}

/** What was executed stands for itself, and a warning does not swallow an error. */
function isSamePlaceAndKind(claim: Observation, other: Observation): boolean {
  if (claim.verified || SEVERITIES.indexOf(other.severity) < SEVERITIES.indexOf(claim.severity)) return false;
  return (
    claim.file === other.file &&
    claim.category === other.category &&
    claim.line <= other.endLine &&
    other.line <= claim.endLine
  );
}
