import type { ChangedFile } from "../domain/hunks.ts";
import { isProgramText, languageOf } from "./languages.ts";
import { namePath } from "./name-path.ts";

/** No line that a person wrote is this long; most such lines are bundles or embedded data. */
const LONGEST_WRITTEN_LINE = 5_000;

/** Mean length of a line above which a file with such a line is taken for the output of a minifier: written code has 30 to 60. */
const MINIFIED_MEAN_LINE = 300;

const MINIFIED_LANGUAGES: ReadonlySet<string> = new Set(["JavaScript", "CSS", "HTML", "JSON"]);

/** The last line of what compilers and bundlers write. */
const SOURCE_MAP = /(?<![^\n])(?:\/\/|\/\*)[#@] sourceMappingURL=[^\s*]{1,150}\.map(?: \*\/)?\s{0,9}$/;
const SOURCE_MAP_CHARACTERS = 250;

/** Where generators put their notice. */
const NOTICE_CHARACTERS = 2_000;

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|composer\.lock|Gemfile\.lock|gems\.locked|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|pylock(?:\.[^./]+)?\.toml|Pipfile\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|\.terraform\.lock\.hcl|gradle\.lockfile)$/;
const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|Pods|Carthage)\/|(?:^|\/)\.yarn\/(?:releases|plugins|sdks|cache)\//;
const GENERATED_PATH =
  /(?:^|\/)(?:dist|\.next|\.nuxt|\.svelte-kit|coverage|__generated__|__snapshots__)\/|(?:\.(?:generated|gen)\.[a-z]{1,20}|\.pb\.[a-z]{1,20}|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.designer\.cs|\.snap|\.map)$/i;
const MINIFIED_PATH = /[.-]min\.(?:js|mjs|cjs|css)$/;
const GENERATED_NOTICE =
  /@generated\b|\b(?:code|file) (?:is |was )?(?:auto-?matically )?generated\b|\bauto-?generated (?:file|code|by)\b/i;

/**
 * Why nobody is taken to have written a file by this path; undefined for others. It is what the path says of itself, and whoever opens a
 * pull request chooses it: no reason to look away.
 */
export function reasonByName(path: string): string | undefined {
  const name = namePath(path);
  if (LOCK_FILE.test(name)) return "a lock file";
  if (VENDORED.test(name)) return "vendored";
  if (MINIFIED_PATH.test(name)) return "minified";
  if (GENERATED_PATH.test(name)) return "generated";
  return undefined;
}

/** The same of its content, where the change did not put that into code that was there before. */
export function reasonByContent(file: ChangedFile, content: Buffer, old: Buffer | undefined): string | undefined {
  const notice = findNotice(content);
  if (
    notice !== undefined &&
    (file.status === "added" || !wasAdded(file, lineOf(content, notice)) || (old && findNotice(old) !== undefined))
  )
    return "generated";
  const minified = canBeMinified(file.path) ? findMinifiedLine(content) : undefined;
  if (minified !== undefined && (file.status === "added" || !wasAdded(file, minified) || wasMinified(old)))
    return "minified";
  return undefined;
}

/** Where a file says that a program wrote it: at its beginning, or at its end by naming the map to its sources. */
function findNotice(content: Buffer): number | undefined {
  const start = GENERATED_NOTICE.exec(content.toString("latin1", 0, NOTICE_CHARACTERS))?.index;
  if (start !== undefined) return start;
  const end = Math.max(0, content.length - SOURCE_MAP_CHARACTERS);
  const map = SOURCE_MAP.exec(content.toString("latin1", end))?.index;
  return map === undefined ? undefined : end + map;
}

function wasMinified(old: Buffer | undefined): boolean {
  return old !== undefined && findMinifiedLine(old) !== undefined;
}

/** No minifier writes TypeScript, Python or Go: a long line in it is data most often. */
function canBeMinified(path: string): boolean {
  const language = languageOf(path);
  return !isProgramText(language) || MINIFIED_LANGUAGES.has(language?.name ?? "");
}

function wasAdded(file: ChangedFile, line: number): boolean {
  return file.hunks.some((hunk) => hunk.added.includes(line));
}

function lineOf(content: Buffer, offset: number): number {
  let line = 1;
  for (let at = content.indexOf(10); at !== -1 && at < offset; at = content.indexOf(10, at + 1)) line += 1;
  return line;
}

/** The longest line of a file that reads like the output of a minifier, undefined for any other file. */
function findMinifiedLine(content: Buffer): number | undefined {
  let lines = 0;
  let longest = 0;
  let longestLine = 0;
  for (let start = 0; start <= content.length; ) {
    const feed = content.indexOf(10, start);
    const end = feed === -1 ? content.length : feed;
    lines += 1;
    if (end - start > longest) {
      longest = end - start;
      longestLine = lines;
    }
    start = end + 1;
  }
  return longest > LONGEST_WRITTEN_LINE && content.length / lines > MINIFIED_MEAN_LINE ? longestLine : undefined;
}
