import { type Finding, guardOf, isBlocking } from "../domain/findings.ts";
import {
  type FindingClass,
  type HidingReplay,
  LEAST_DISMISSALS,
  LEAST_PEOPLE,
  type PastOutcome,
} from "../domain/hiding.ts";
import { hidingId } from "../domain/ids.ts";
import { SEVERITIES } from "../domain/severities.ts";
import type { Actor } from "../domain/subjects.ts";

/** A finding that is on record, with what became of it. */
export interface PastFinding {
  readonly finding: Finding;
  readonly pull: number;
  readonly became: PastOutcome;
  /** In the order in which they were found. */
  readonly order: number;
}

/** One that a person who may teach dismissed with a reason. `maintains`: that person may configure the repository. */
export interface TaughtFinding extends PastFinding {
  readonly by: Actor;
  readonly maintains: boolean;
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Share of words that two messages have in common, from which on they say the same; 0 to 1. */
export const ALIKE = 0.5;

/** Dismissals that a class keeps, the first of them. */
const MOST_TAUGHT = 20;

/**
 * The class that dismissals of findings like this one teach (MEM-6); undefined while there are too few, from too few people. A secret and a
 * critical security finding teach nothing, nor does what an executed test showed.
 * @param repositoryId keeps ids of repositories apart
 */
export function classOf(
  like: TaughtFinding,
  taught: readonly TaughtFinding[],
  repositoryId: number,
): FindingClass | undefined {
  if (!isTeachable(like.finding)) return undefined;
  const words = wordsOf(like.finding.message);
  const fingerprints = new Set<string>();
  const members = taught
    .filter(({ finding }) => finding.rule === like.finding.rule && isTeachable(finding))
    .filter(({ finding }) => likeness(words, wordsOf(finding.message)) >= ALIKE)
    .toSorted((a, b) => a.order - b.order)
    .filter(({ finding }) => !fingerprints.has(finding.fingerprint) && fingerprints.add(finding.fingerprint));
  const [first] = members;
  if (!first || members.length < LEAST_DISMISSALS) return undefined;
  if (new Set(members.map(({ by }) => by.id)).size < LEAST_PEOPLE) return undefined;
  const files = members.map(({ finding }) => finding.file);
  const graves = members.map(({ finding }) => SEVERITIES.indexOf(finding.severity));
  return {
    id: hidingId(repositoryId, first.finding.id),
    rule: like.finding.rule,
    folder: commonFolder(files),
    endings: [...new Set(files.map(endingOf))].sort(),
    severity: SEVERITIES[Math.max(...graves)]!,
    blocking: members.every(({ finding, maintains }) => isBlocking(finding) && maintains),
    taught: members.slice(0, MOST_TAUGHT).map(({ finding, pull, by, reason }) => {
      return { findingId: finding.id, pull, by: by.login, reason, message: finding.message };
    }),
  };
}

/** Whether learning hides a finding: one like at least three that were dismissed, and never what is guarded (MEM-6). */
export function isInClass(finding: Finding, { rule, folder, endings, severity, blocking, taught }: FindingClass) {
  if (finding.rule !== rule || !isTeachable(finding)) return false;
  if (isBlocking(finding) && !blocking) return false;
  if (SEVERITIES.indexOf(finding.severity) > SEVERITIES.indexOf(severity)) return false;
  if (folder !== "" && !finding.file.startsWith(`${folder}/`)) return false;
  if (!endings.includes(endingOf(finding.file))) return false;
  const words = wordsOf(finding.message);
  return taught.filter(({ message }) => likeness(words, wordsOf(message)) >= ALIKE).length >= LEAST_DISMISSALS;
}

function isTeachable(finding: Finding): boolean {
  return guardOf(finding) === undefined && finding.verified === undefined;
}

/** Those of the past that a class would have hidden, the latest first; people who taught it are no evidence against it. */
export function replayClass(it: FindingClass, past: readonly PastFinding[], most: number): HidingReplay {
  const inIt = past.filter(({ finding }) => isInClass(finding, it)).toSorted((a, b) => b.order - a.order);
  const counts = { dismissed: 0, fixed: 0, ignored: 0, open: 0 };
  for (const { became } of inIt) counts[became] += 1;
  const listed = inIt.slice(0, most).map(({ finding: { id, file, line, message }, pull, became }) => {
    return { findingId: id, pull, file, line, message, became };
  });
  return { findings: past.length, counts, listed };
}

/** Whether people fixed one of the class that was found after the first dismissed one: then they do not agree. */
export function isContradicted(it: FindingClass, past: readonly PastFinding[]): boolean {
  const taught = new Set(it.taught.map(({ findingId }) => findingId));
  const first = Math.min(...past.filter(({ finding }) => taught.has(finding.id)).map(({ order }) => order));
  return past.some(({ finding, became, order }) => became === "fixed" && order > first && isInClass(finding, it));
}

/** The folder of all of these files, without a slash at its end; empty for the root. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const differs = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return first.slice(0, differs === -1 ? first.length : differs).join("/");
}

/** ".ts"; of what a dot begins (".gitignore") and of "Makefile" nothing. */
function endingOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot).toLowerCase() : "";
}

/** Words that say nothing of what is wrong. */
const EMPTY_WORDS = new Set(
  "the and that this with for are but not its was were has have had from into here there which when where will would can could should may might than then them they you your also".split(
    " ",
  ),
);

/** What a message says without what is only there: names in quotes or code marks, numbers, endings of words. */
export function wordsOf(message: string): ReadonlySet<string> {
  const plain = message.replace(/`[^`]*`|"[^"]*"|'[^'\s]*'/g, " ").toLowerCase();
  const words = plain.match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")));
}

/** Twice what both have, of all that they have (Dice); of two that say nothing it is all. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1;
  return (2 * one.intersection(other).size) / (one.size + other.size);
}
