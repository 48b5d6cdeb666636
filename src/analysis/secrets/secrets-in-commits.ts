import type { AnalyserContext, AnalyserProblem, ChangeCommits, PastObservation } from "../analyser.ts";
import type { SecretMatch } from "../child/protocol.ts";
import { isTestPath } from "../classify-file.ts";
import { runInChild } from "../run-in-child.ts";
import { findLineStarts, nearestAddedLine, placeOf, type SourceFile } from "../source-file.ts";
import { reasonByName } from "../written-claims.ts";
import { describeSecret } from "./describe-secret.ts";
import { textKindOf } from "./text-kind.ts";

/** Each is compared with every text that was there before. */
const MOST_PAST_SECRETS = 200;

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
  texts.forEach((added, id) => {
    for (const match of results.get(id) ?? []) {
      const value = added.text.slice(match.offset, match.offset + match.length);
      const key = `${match.rule}\0${value}`;
      if (past.has(key) || past.size >= MOST_PAST_SECRETS) continue;
      if (files.some(({ text, oldText }) => text.includes(value) || oldText?.includes(value))) continue;
      past.set(key, { observation: observe(match, value, added, byPath.get(added.path)), text: value });
    }
  });
  const reasons = [
    ...(cut === undefined ? [] : [cut]),
    ...(unread.length === 0 ? [] : [`${unread.length} texts of the commits could not be read.`]),
  ];
  const problems = reasons.map((reason) => ({
    reason: `not every commit was searched for secrets. ${reason}`,
    gap: true,
  }));
  return { past: [...past.values()], problems };
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

function observe(match: SecretMatch, value: string, added: CommitText, file: SourceFile | undefined) {
  const { sha, path, text, lines } = added;
  const secret = describeSecret(match, value, { test: isTestPath(path) });
  const number = lines[placeOf(findLineStarts(text), match.offset).line - 1] ?? 1;
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
    why: "Whoever can read the repository can read that commit: rotate it, then remove it from the branch's history.",
  };
}
