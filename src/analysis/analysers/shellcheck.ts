import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { Observation } from "../../domain/findings.ts";
import { findProgram } from "../../workspace/find-program.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import { isolateCrashes } from "../isolate-crashes.ts";
import { startReader } from "../reader/start-reader.ts";
import { SHELL_RULES } from "../shellcheck-rules.ts";
import type { SourceFile } from "../source-file.ts";
import { blankHashSuppressions } from "../suppressions.ts";

const MEBI = 1024 * 1024;

const SHELLCHECK_LIMITS = {
  /** 1,000 lines take 0.2 s; its memory grows with the square of nesting. */
  timeoutMs: 20_000,
  memoryBytes: 1024 * MEBI,
  outputBytes: 16 * MEBI,
  /** Files larger than this are data with a shell around it. */
  characters: 200_000,
} as const;

/** What the sandbox answers for a program that it does not have, or not all parts of. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** What we read of shellcheck's `json1` report; columns count code points. */
const Report = z.object({
  comments: z.array(
    z.object({
      file: z.string(),
      line: z.number().int().positive(),
      endLine: z.number().int().positive(),
      column: z.number().int().positive(),
      endColumn: z.number().int().positive(),
      code: z.number().int(),
    }),
  ),
});
type Comment = z.infer<typeof Report>["comments"][number];

/** Shell scripts, where shellcheck is installed on this machine: without it they are searched for secrets only, and a note says so. */
export const shellcheck: Analyser = {
  name: "shellcheck",
  version: "installed",
  layer: "static",
  appliesTo: ({ language, text }) => language?.dialect === "sh" && text.length <= SHELLCHECK_LIMITS.characters,
  analyse: (files, context) => checkScripts(files, context, "shellcheck"),
};

/** @param command name or path of the program; another one in tests */
export async function checkScripts(
  files: readonly SourceFile[],
  context: AnalyserContext,
  command: string,
): Promise<AnalyserResult> {
  const found = await findProgram(command);
  if (found === undefined) {
    const note = "Shell scripts were searched for secrets only: shellcheck is not installed on this machine.";
    return { observations: [], filesRead: 0, problems: [], notes: [note] };
  }
  const program = await realpath(found);
  const ofTheSystem = program.startsWith("/usr/");
  const { results, culprits } = await isolateCrashes(files, async (part, attempt) => {
    const folder = join(context.scratch, `scripts-${attempt}`);
    await mkdir(folder);
    const names = part.map((_, index) => `f${index}.sh`);
    await Promise.all(part.map((file, index) => writeFile(join(folder, names[index] ?? ""), prepare(file))));
    const run = await startReader({
      program,
      args: ["--norc", "--format=json1", ...names],
      shown: ofTheSystem ? [] : [program],
      folder,
      // Names and messages are Unicode; without a locale its output fails on them.
      env: { LC_ALL: "C.UTF-8" },
      timeoutMs: SHELLCHECK_LIMITS.timeoutMs,
      memoryBytes: SHELLCHECK_LIMITS.memoryBytes,
      maxOutputBytes: SHELLCHECK_LIMITS.outputBytes,
      signal: context.signal,
      okCodes: [0, 1],
    });
    if (run.aborted) return { failure: "the review was stopped" };
    if (run.code === NOT_EXECUTABLE || run.code === NOT_FOUND) throw cannotStart(program);
    if (run.timedOut) return { failure: "shellcheck took too long on it" };
    if (!run.ok) return { failure: "shellcheck broke down on it" };
    const { comments } = Report.parse(JSON.parse(run.stdout.toString("utf8")));
    return { result: comments.flatMap((comment) => observe(part, comment)) };
  });
  return {
    observations: results.flat(),
    filesRead: files.length - culprits.length,
    problems: culprits.map(({ file, reason }) => ({ file: file.path, reason: `not linted: ${reason}`, gap: true })),
  };
}

function cannotStart(program: string): ForgeError {
  const message = "shellcheck cannot be started in the sandbox: install it as a package of the system.";
  return new ForgeError("analyser_unavailable", message, {
    source: "resource",
    severity: "low",
    recoverability: "manual",
    context: { program },
  });
}

/** Without carriage returns, which shellcheck reports on every line; git ends lines at line feeds only. */
function prepare({ text, addedLines }: SourceFile): string {
  return blankHashSuppressions(text, addedLines).replace(/\r(?=\n|$)/g, "");
}

function observe(files: readonly SourceFile[], comment: Comment): Observation[] {
  const file = files[Number(/^f(\d+)\.sh$/.exec(comment.file)?.[1] ?? Number.NaN)];
  const rule = SHELL_RULES.get(comment.code);
  if (file === undefined || rule === undefined) return [];
  return [
    {
      source: "static",
      rule: `shellcheck/SC${rule.code}-${rule.name}`,
      severity: rule.severity,
      category: rule.category,
      file: file.path,
      line: comment.line,
      column: comment.column,
      endLine: comment.endLine,
      endColumn: comment.endColumn,
      message: rule.message,
      why: rule.why,
      confidence: rule.confidence,
    },
  ];
}
