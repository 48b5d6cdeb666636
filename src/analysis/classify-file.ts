import { isUtf8 } from "node:buffer";
import type { ChangedFile } from "../domain/hunks.ts";
import { lockFileOf } from "./dependencies/lock-files.ts";
import { isProgramText, type Language, languageOf } from "./languages.ts";

/** Parsers need ten to fifty times a file's size in memory, and nobody writes a megabyte of source by hand. */
const LARGEST_SOURCE_BYTES = 1_000_000;

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

/** How git itself tells binary from text: a zero byte among the first 8,000. */
const BINARY_PROBE_BYTES = 8_000;

export interface Classification {
  readonly language?: Language;
  /** Code that tests other code: some findings weigh less there. */
  readonly test: boolean;
  /** `all` analysers, `secrets`: only those of the security layer, or `none`. */
  readonly look: "all" | "secrets" | "none";
  /** Why not everything looks at it, in words that follow the path: "generated", "larger than 1 MB". */
  readonly reason?: string;
  /** Whether it should have been looked at (GH-11a). */
  readonly gap: boolean;
  /** Nobody reads it line by line, but its packages are compared: that is all there is to look at. */
  readonly compared?: boolean;
}

export type Content = Buffer | { readonly skipped: string };

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|\.terraform\.lock\.hcl|gradle\.lockfile)$/;
const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|Pods|Carthage)\/|(?:^|\/)\.yarn\/(?:releases|plugins|sdks|cache)\//;
const GENERATED_PATH =
  /(?:^|\/)(?:dist|\.next|\.nuxt|\.svelte-kit|coverage|__generated__|__snapshots__)\/|(?:\.(?:generated|gen)\.[a-z]+|\.pb\.[a-z]+|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.designer\.cs|\.snap|\.map)$/i;
const MINIFIED_PATH = /[.-]min\.(?:js|mjs|cjs|css)$/;
const GENERATED_NOTICE =
  /@generated\b|\b(?:code|file) (?:is |was )?(?:auto-?matically )?generated\b|\bauto-?generated (?:file|code|by)\b/i;
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|testdata|mocks?|__mocks__)\/|[._-](?:test|spec|e2e)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs)$/i;

/**
 * Decides what may look at a changed file. Reads its name, mode and bytes, never the disk.
 * @param old what the change found: output that a program wrote anew is still output
 */
export function classifyFile(file: ChangedFile, content: Content | undefined, old?: Content): Classification {
  const language = languageOf(file.path);
  const base = { ...(language === undefined ? {} : { language }), test: isTestPath(file.path) };
  const leave = (reason: string, gap: boolean): Classification => ({ ...base, look: "none", reason, gap });
  const secretsOnly = (reason: string, gap: boolean): Classification => ({ ...base, look: "secrets", reason, gap });

  if (file.status === "deleted") return leave("deleted", false);
  if (file.mode === "120000") return leave("a symbolic link", false);
  if (file.mode === "160000") return leave("a submodule", false);
  // One zero byte in a comment makes git call a script binary: that must not take it out of review unnoticed.
  const binary = () => leave("binary", isProgramText(language) || lockFileOf(file.path) !== undefined);
  if (file.binary) return binary();
  if (file.addedLines === 0) return { ...base, look: "none", gap: false };
  const byName = reasonByName(file.path);
  if (content === undefined) return leave("its content is not at hand", byName === undefined);
  // What is skipped for its size is mostly pictures and data; code and packages among it are missed.
  if (!Buffer.isBuffer(content)) {
    const missed = lockFileOf(file.path) !== undefined || (byName === undefined && isProgramText(language));
    return leave(content.skipped, missed);
  }
  if (file.hunks.length === 0) return leave("its diff could not be read", byName === undefined);
  if (content.subarray(0, BINARY_PROBE_BYTES).includes(0)) return binary();

  const intended = byName ?? reasonByContent(file, content, Buffer.isBuffer(old) ? old : undefined);
  if (intended !== undefined) {
    const compared = intended === "a lock file" && lockFileOf(file.path) !== undefined;
    return { ...secretsOnly(intended, false), ...(compared ? { compared } : {}) };
  }
  if (content.length > LARGEST_SOURCE_BYTES) return secretsOnly("larger than 1 MB", isProgramText(language));
  if (!isUtf8(content)) return secretsOnly("not UTF-8", isProgramText(language));
  return { ...base, look: "all", gap: false };
}

export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}

/** Why nobody is taken to have written a file by this path; undefined for others. */
export function reasonByName(path: string): string | undefined {
  if (LOCK_FILE.test(path)) return "a lock file";
  if (VENDORED.test(path)) return "vendored";
  if (MINIFIED_PATH.test(path)) return "minified";
  if (GENERATED_PATH.test(path)) return "generated";
  return undefined;
}

function reasonByContent(file: ChangedFile, content: Buffer, old: Buffer | undefined): string | undefined {
  const notice = findNotice(content);
  // A notice or a long line that this very change puts into code that was there before must not take the code out of review.
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

/** No minifier writes TypeScript, Python or Go: one long line in it, data most often, must not take the rest out of review. */
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
