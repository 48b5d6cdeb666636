import { takeTurns } from "../../workspace/files/turns.ts";
import type { AnalyserContext, AnalyserProblem, ChangeCommits, PastObservation } from "../analyser.ts";
import type { SecretMatch } from "../child/protocol.ts";
import { isTestPath } from "../classify-file.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { findLineStarts, nearestAddedLine, placeOf, type SourceFile } from "../source-file.ts";
import { reasonByName } from "../written-claims.ts";
import { describeSecret, SECRET_REMEDY } from "./describe-secret.ts";
import { textKindOf } from "./named-secrets.ts";

/** Each is compared with every text that was there before. */
const MOST_PAST_SECRETS = 200;

/** Some seconds, in turns of 10 ms. */
const MOST_SEARCHED_CHARACTERS = 10_000_000_000;
const SEARCH_TURN = { most: 1_000, unitsOfStep: 20_000 };

const SHORT_SHA = 7;

interface CommitText {
  readonly sha: string;
  readonly path: string;
  readonly text: string;
  readonly lines: readonly number[];
}

/**
 * Secrets that a commit of the change adds and the head does not hold: taken out again, they are still in the history. Each is named
 * with the commit that brought it.
 * @param files the head's: what stands in one of them is reported there, and what stands in an old text was not added by this change
 */
export async function findSecretsInCommits(
  { commits, cut }: ChangeCommits,
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<{ past: PastObservation[]; problems: AnalyserProblem[] }> {
  const texts = oldestFirst(commits);
  const { results, unread } = await runInChild<SecretMatch[]>(
    "secrets",
    texts.map(({ path, text }, id) => ({ id, text, textKind: kindOf(path) })),
    context,
  );
  const byPath = new Map(files.map((file) => [file.path, file]));
  const past = new Map<string, PastObservation>();
  const stillThere = searchIn(files);
  let isCut = false;
  for (const [id, added] of texts.entries()) {
    const lineStarts = findLineStarts(added.text);
    for (const match of results.get(id) ?? []) {
      const value = added.text.slice(match.offset, match.offset + match.length);
      const key = `${match.rule}\0${value}`;
      if (past.has(key) || past.size >= MOST_PAST_SECRETS) continue;
      const isThere = await stillThere(value);
      isCut ||= isThere === "unknown";
      if (isThere !== false) continue;
      const { line } = placeOf(lineStarts, match.offset);
      past.set(key, { observation: observe(match, value, added, line, byPath.get(added.path)), text: value });
    }
  }
  const reasons = [
    ...(cut === undefined ? [] : [cut]),
    ...(isCut ? ["They hold more of them than can be compared with the head."] : []),
    ...(unread.length === 0 ? [] : [`${unread.length} texts of the commits could not be read.`]),
  ];
  const problems = reasons.map((reason) => ({
    reason: `not every commit was searched for secrets. ${reason}`,
    gap: true,
  }));
  return { past: [...past.values()], problems };
}

/** Whether a value stands in one of these files, before or after. The change chooses how many values there are, and how long the files. */
function searchIn(files: readonly SourceFile[]): (value: string) => Promise<boolean | "unknown"> {
  const texts = files.flatMap(({ text, oldText }) => (oldText === undefined ? [text] : [text, oldText]));
  const turn = takeTurns(SEARCH_TURN);
  const known = new Map<string, boolean>();
  let left = MOST_SEARCHED_CHARACTERS;
  return async (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    if (left <= 0) return "unknown";
    for (const text of texts) {
      left -= text.length;
      await turn(text.length);
      if (!text.includes(value)) continue;
      known.set(value, true);
      return true;
    }
    known.set(value, false);
    return false;
  };
}

/** The commit that brought a secret is the one to name. A text that several commits add is searched once. */
function oldestFirst(commits: ChangeCommits["commits"]): CommitText[] {
  const seen = new Set<string>();
  return commits.toReversed().flatMap(({ sha, files }) =>
    files.flatMap(({ path, text, lines }) => {
      const key = `${path}\0${text}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ sha, path, text, lines }];
    }),
  );
}

function kindOf(path: string) {
  return textKindOf({ path, look: reasonByName(path) === undefined ? "all" : "secrets" });
}

function observe(
  match: SecretMatch,
  value: string,
  { sha, path, lines }: CommitText,
  lineOfText: number,
  file: SourceFile | undefined,
) {
  const secret = describeSecret(match, value, { test: isTestPath(path) });
  const number = lines[lineOfText - 1] ?? 1;
  const line = (file && nearestAddedLine(file, number)) ?? 1;
  const what = secret.message.replace(/^This (?:adds|looks like) /, "").replace(/( to the repository)?\.$/, "");
  const verb = secret.secret ? "adds" : "adds what looks like";
  return {
    ...secret,
    file: path,
    line,
    endLine: line,
    commit: sha,
    message: `Commit ${sha.slice(0, SHORT_SHA)} ${verb} ${what}; the head does not hold it any more, and it is still in the history.`,
    why: "Anyone who can read the repository can read that commit.",
    remedy: SECRET_REMEDY,
  };
}
