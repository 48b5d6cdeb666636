import type { AnalyserContext } from "./analyser.ts";
import type { RulesResult } from "./child/protocol.ts";
import { eachInTurn } from "./each-in-turn.ts";
import { runInChild } from "./run-in-child.ts";
import type { SourceFile } from "./source-file.ts";

/** Text of the files that are claimed at once: enough for a process of its own, few enough to be shared fairly. */
const SHARE_CHARACTERS = 4 * 1024 * 1024;

/**
 * What came of each file, for as long as somebody holds the file. Two analysers ask for the same files: what one of them has begun the
 * other does not do again, so that both work at the same time on different files.
 */
const begun = new WeakMap<SourceFile, Promise<RulesResult | undefined>>();

/** Reads files with the rules of both of ESLint's tables, each file once. @returns the results in the order of the files */
export async function lintOnce(
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<readonly RulesResult[]> {
  for (let share = takeShare(files); share.length > 0; share = takeShare(files)) {
    const run = lint(share, context);
    for (const [index, file] of share.entries()) {
      const own = run.then((results) => results[index]);
      // Whoever waits for it learns of the failure; nobody may be waiting.
      own.catch(() => undefined);
      begun.set(file, own);
    }
    await run;
  }
  const results = await Promise.all(files.map((file) => begun.get(file)));
  return results.map((result) => result ?? { unread: "it was not read" });
}

function takeShare(files: readonly SourceFile[]): SourceFile[] {
  const open = files.filter((file) => !begun.has(file));
  let size = 0;
  const end = open.findIndex(({ text }, index) => {
    size += text.length;
    return index > 0 && size > SHARE_CHARACTERS;
  });
  return end === -1 ? open : open.slice(0, end);
}

async function lint(files: readonly SourceFile[], context: AnalyserContext): Promise<RulesResult[]> {
  const { results, unread } = await runInChild<RulesResult>(
    "eslint",
    await eachInTurn(files, (file, id) => ({ id, text: prepare(file), dialect: file.language?.dialect ?? "js" })),
    context,
  );
  const reasons = new Map(unread.map(({ id, reason }) => [id, reason]));
  return files.map((_, id) => results.get(id) ?? { unread: reasons.get(id) ?? "the linter broke down on it" });
}

/** Equally long, and with the same lines for ESLint as for git, which knows no line separators but the line feed. */
function prepare({ text }: SourceFile): string {
  return text.replace(/\r(?!\n)|[\u2028\u2029]/g, " ");
}
