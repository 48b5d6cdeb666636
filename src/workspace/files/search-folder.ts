import { runProgram } from "../run-program.ts";
import {
  type FileRefusal,
  type FoundLine,
  refuseFile,
  type SearchOutcome,
  type SearchQuery,
} from "./repository-files.ts";

export const SEARCH_LIMITS = {
  timeMs: 15_000,
  outputBytes: 8 * 1024 * 1024,
  memoryBytes: 512 * 1024 * 1024,
  fileBytes: "4M",
  /** In one file: a generated table must not crowd out the others. */
  matchesPerFile: 200,
  patternCharacters: 1_000,
} as const;

/** Folders that no question about a repository means; a repository's own ignore files are not asked, as they could hide what is tracked. */
const LEFT_OUT = ["node_modules", ".hg", ".svn", ".venv", "__pycache__"];

/** Searches a folder with ripgrep, without any configuration, links, archives or helper programs. The caller holds the folder's lock. */
export async function searchFolder(
  root: string,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchOutcome | FileRefusal> {
  const program = await ripgrep();
  if (program === undefined) return refuseFile("unavailable", "Search is not installed on this machine (ripgrep).");
  const result = await runProgram({
    command: program,
    args: ripgrepArguments(query),
    cwd: root,
    timeoutMs: SEARCH_LIMITS.timeMs,
    maxOutputBytes: SEARCH_LIMITS.outputBytes,
    memoryBytes: SEARCH_LIMITS.memoryBytes,
    okCodes: [0, 1],
    signal,
  });
  if (result.aborted) return refuseFile("unavailable", "The search was stopped.");
  // 2 stands for a pattern that does not parse, and also for one unreadable file among many good ones.
  const complaint =
    /regex parse error:|error parsing (?:glob|regex)|regex could not be compiled|exceeds size limit|is not allowed in a regex/.exec(
      result.stderr.toString(),
    );
  if (complaint !== null) return refuseFile("invalid path", explain(result.stderr.toString()));
  return readMatches(result.stdout, query, result.timedOut ? "time" : result.truncated ? "output" : undefined);
}

async function ripgrep(): Promise<string | undefined> {
  // The package throws where there is no binary for the platform.
  return import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
}

/** Values stand behind their option's equals sign and the place behind `--`: nothing of a query can become an option. */
function ripgrepArguments(query: SearchQuery): string[] {
  return [
    ...["--no-config", "--json", "--no-follow", "--hidden", "--no-ignore", "--no-messages", "--sort=path", "--crlf"],
    ...["--no-search-zip", "--no-pre", "--engine=default", "--no-mmap", "--threads=1"],
    `--max-filesize=${SEARCH_LIMITS.fileBytes}`,
    `--max-count=${SEARCH_LIMITS.matchesPerFile}`,
    `--context=${query.contextLines}`,
    ...(query.literal ? ["--fixed-strings"] : []),
    ...(query.wholeWord ? ["--word-regexp"] : []),
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...query.globs.map((glob) => `--glob=${glob}`),
    // The last matching glob decides, so what is never searched stands last.
    ...LEFT_OUT.filter((name) => !query.within.split("/").includes(name)).map((name) => `--glob=!**/${name}/**`),
    "--iglob=!**/.git",
    `--regexp=${query.pattern}`,
    "--",
    query.within === "" ? "." : `./${query.within}`,
  ];
}

interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}
interface RipgrepLine {
  readonly type: string;
  readonly data: { readonly path: RipgrepText; readonly lines: RipgrepText; readonly line_number: number | null };
}

function readMatches(
  output: Buffer,
  { maxMatches, isShown }: SearchQuery,
  stopped: SearchOutcome["cut"],
): SearchOutcome {
  const lines: FoundLine[] = [];
  let matches = 0;
  // The last piece is empty, or a line that was cut off.
  for (const record of output.toString("utf8").split("\n").slice(0, -1)) {
    const { type, data } = JSON.parse(record) as RipgrepLine;
    if (type !== "match" && type !== "context") continue;
    const path = textOf(data.path).replace(/^\.\//, "");
    // Before it is counted: what is not shown must not use up what may be.
    if (isShown?.(path) === false) continue;
    if (type === "match") matches += 1;
    if (matches > maxMatches) return { ok: true, lines, matches: maxMatches, cut: "matches" };
    lines.push({
      path,
      line: data.line_number ?? 0,
      text: textOf(data.lines).replace(/\r?\n$/, ""),
      match: type === "match",
    });
  }
  return { ok: true, lines, matches, cut: stopped };
}

function textOf({ text, bytes }: RipgrepText): string {
  return text ?? Buffer.from(bytes ?? "", "base64").toString("latin1");
}

function explain(stderr: string): string {
  const said = stderr.replace(/^rg: /, "").trim().split("\n").slice(0, 6).join(" ").replace(/\s+/g, " ").slice(0, 300);
  return `The search was not understood: ${said}. Look-around and back references are not known; set literal to search plain text.`;
}
