import { posix } from "node:path";
import { defined } from "../domain/defined.ts";
import type { ChangedFile } from "../domain/hunks.ts";
import { assetOf } from "./asset-of.ts";
import { lockFileOf } from "./dependencies/lock-files.ts";
import { findForeignLine } from "./dependencies/lock-text.ts";
import { odditiesOfPath } from "./disguises/path-disguises.ts";
import { isProgramText, type Language, languageAside, languageOf, languageOfText } from "./languages.ts";
import { namePath } from "./name-path.ts";
import { isMadeExecutable, type Program } from "./programs/program.ts";
import { wakesCode } from "./woken-code.ts";
import { reasonByContent, reasonByName } from "./written-claims.ts";

/** Parsers need ten to fifty times a file's size in memory, and a megabyte of source is not written by hand. */
export const LARGEST_SOURCE_BYTES = 1_000_000;

export interface Classification {
  readonly language?: Language;
  /** By its name it is a copy or a template of a file of that language: its dangers count, its faults are what they are meant to be. */
  readonly aside?: true;
  /** Code that tests other code: some findings weigh less there. */
  readonly test: boolean;
  /** `all` analysers, `secrets`: only those of the security layer that read any text, or `none`. */
  readonly look: "all" | "secrets" | "none";
  /** Why not everything looks at it, in words that follow the path: "binary", "larger than 1 MB". */
  readonly reason?: string;
  /** Whether it should have been looked at (GH-11a). */
  readonly gap: boolean;
  /** It is not read line by line, but its packages are compared: that is all there is to look at. */
  readonly compared?: boolean;
  /** What it says of itself, or its path does: "generated", "minified", "vendored". It is looked at all the same, for all but style. */
  readonly claims?: string;
  /** No line of it was read as what it is now, so that all of them count as added. */
  readonly whole?: boolean;
}

export type Content = Buffer | { readonly skipped: string };

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|testdata|mocks?|__mocks__)\/|[._-](?:test|spec|e2e)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs)$/i;

/** What git stores in place of a file that lies elsewhere. */
const POINTER = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//;

/** What is known of a text that is called a lock file: the first line that is not of one, 1-based. */
export interface LockVerdict {
  readonly foreign?: number;
}

/**
 * Decides what may look at a changed file. Reads its name, mode and bytes, never the disk. The author of a pull request chooses all of
 * them, so nothing that a file says of itself takes it out of review; what is truly not looked at is a gap.
 * @param old what the change found: output that a program wrote anew is still output
 * @param unread that it was not looked at where it stood before
 * @param program what runs it, where its own name does not say that it is one
 * @param lock of a lock file that was read before, so that it is not read again
 */
export function classifyFile(
  file: ChangedFile,
  content: Content | undefined,
  old?: Content,
  unread = false,
  program?: Program,
  lock?: LockVerdict,
): Classification {
  const bytes = Buffer.isBuffer(content) ? content : undefined;
  const made = isMadeExecutable(file, content);
  const told = languageOf(file.path) ?? (bytes && (languageOfText(bytes) ?? languageByUse(file, program, made)));
  const language = told ?? languageAside(file.path, bytes);
  const aside = told === undefined && language !== undefined;
  const base = {
    ...defined({ language, aside: aside || undefined }),
    test: isTestPath(file.path),
  };
  const leave = (reason: string, gap: boolean): Classification => ({ ...base, look: "none", reason, gap });

  if (file.status === "deleted") return leave("deleted", false);
  if (file.mode === "120000") {
    const link = linkOf(file.path, bytes);
    if (link.gap || !(unread || isDisguised(file.path))) return { ...base, look: "none", ...link };
    return leave("a symbolic link whose name is not what it looks like", true);
  }
  if (file.mode === "160000") return leave("a submodule", true);
  const isProgramNow = program?.anew === true || (file.mode === "100755" && file.oldMode !== undefined);
  const moved = unread || isProgramNow || isReadAnew(file) || isWoken(file, content, old, language?.name);
  if (file.addedLines === 0 && !file.binary && !moved) return { ...base, look: "none", gap: false };
  if (content === undefined) return leave("its content is not at hand", true);
  if (!Buffer.isBuffer(content)) return leave(content.skipped, true);
  // Git looks among the first 8,000 bytes alone. A zero byte further on is passed over by a shell, and ends what other programs read.
  if (file.binary || content.includes(0)) {
    const asset = file.mode === "100644" ? assetOf(file.path, content) : undefined;
    return { ...base, look: "secrets", reason: asset ?? "binary", gap: asset === undefined, whole: true };
  }
  if (file.hunks.length === 0 && !moved) return leave("its diff could not be read", true);
  const whole = moved ? { whole: true } : {};
  // What it holds is looked at as the text that it is; the file that it stands for is not there.
  if (POINTER.test(content.toString("latin1", 0, 200)))
    return { ...base, ...whole, look: "all", reason: "kept in Git LFS, its content is not at hand", gap: true };
  const locks = lockFileOf(file.path) !== undefined && reasonByName(file.path) === "a lock file";
  if (locks && languageOfText(content) === undefined) {
    const foreign = lock ? lock.foreign : findForeignLine(file.path, content.toString("utf8"));
    if (foreign === undefined)
      return { ...base, ...whole, look: "secrets", reason: "a lock file", gap: false, compared: true };
    return {
      ...base,
      ...whole,
      look: "all",
      reason: `called a lock file, and line ${foreign} is not of one`,
      gap: true,
    };
  }
  const claims = reasonByName(file.path) ?? reasonByContent(file, content, Buffer.isBuffer(old) ? old : undefined);
  const said = { ...whole, ...defined({ claims }) };
  if (content.length > LARGEST_SOURCE_BYTES)
    return { ...base, ...said, look: "secrets", reason: "larger than 1 MB", gap: isProgramText(language) };
  return { ...base, ...said, look: "all", gap: false };
}

/** Texts for people and data that some people keep executable, as they keep every file. */
const NO_SCRIPT = /\.\w{1,12}$/;

/** What a text is to whatever runs it: without a first line that names a program a shell runs it. */
function languageByUse({ path, mode }: ChangedFile, program: Program | undefined, made: boolean): Language | undefined {
  if (program !== undefined) return program.language;
  const runs = made || (mode === "100755" && (!NO_SCRIPT.test(nameOf(path)) || /\.txt$/i.test(path)));
  return runs ? { name: "Shell", dialect: "sh" } : undefined;
}

/** Whether lines that stayed as they were became code, as a comment around them ended. */
function isWoken(
  file: ChangedFile,
  content: Content | undefined,
  old: Content | undefined,
  language: string | undefined,
) {
  if (!Buffer.isBuffer(content) || !Buffer.isBuffer(old)) return false;
  if (Math.max(content.length, old.length) > LARGEST_SOURCE_BYTES) return false;
  const added = new Set(file.hunks.flatMap((hunk) => hunk.added));
  return wakesCode(old.toString("latin1"), content.toString("latin1"), language, added);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isDisguised(path: string): boolean {
  return odditiesOfPath(path).length > 0;
}

export function isTestPath(path: string): boolean {
  return TEST_PATH.test(namePath(path));
}

/** Where programs look for what they are to run, load, install or obey: data anywhere else. */
const PLACES: readonly RegExp[] = [
  /^\.github\/workflows\/[^/]+\.ya?ml$/i,
  /(?:^|\/)action\.ya?ml$/i,
  /(?:^|\/)(?:package|composer)\.json$/i,
  /(?:^|\/)(?:dockerfile|makefile)$/i,
  /^(?:\.gitlab-ci|\.travis|\.drone|azure-pipelines|bitbucket-pipelines)\.ya?ml$|^\.(?:circleci|buildkite)\//i,
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|bunfig\.toml|\.pypirc|pip\.(?:conf|ini))$/i,
  /(?:^|\/)(?:\.vscode\/[^/]+\.json|\.?devcontainer\.json|deno\.jsonc?|turbo\.json)$/i,
  /(?:^|\/)(?:\.pre-commit-(?:config|hooks)|\.?lefthook|taskfile|(?:docker-)?compose(?:\.[\w-]+)?|serverless)\.ya?ml$/i,
  /(?:^|\/)(?:agents|claude|gemini|skill|copilot-instructions)\.md$|(?:^|\/)\.cursorrules$/i,
  /(?:^|\/)(?:CODEOWNERS|\.gitattributes|\.gitmodules)$|^\.github\/(?:dependabot|settings)\.ya?ml$/i,
];

/** Whether a file was moved to where it is, or looks like, something else than before: its unchanged lines were never read as that. */
function isReadAnew({ path, oldPath }: ChangedFile): boolean {
  if (oldPath === undefined) return false;
  const kind = (of: string) => {
    const name = namePath(of);
    const hidden = /(?:^|\/)\.[^/]/.test(name);
    const place = PLACES.findIndex((pattern) => pattern.test(name));
    return [languageOf(of)?.name, reasonByName(of), isTestPath(of), lockFileOf(of)?.name, hidden, place].join("\0");
  };
  return kind(path) !== kind(oldPath) || (isDisguised(path) && path !== oldPath);
}

/** What a symbolic link comes to. It is never followed: where it leads is read off its text. */
function linkOf(path: string, target: Buffer | undefined): { readonly reason: string; readonly gap: boolean } {
  if (target === undefined) return { reason: "a symbolic link", gap: true };
  const text = target.toString("utf8");
  const led = posix.normalize(posix.join(posix.dirname(path), text));
  const outside = posix.isAbsolute(text) || led === ".." || led.startsWith("../") || /[\\\0\n]|^[a-z]:/i.test(text);
  // As file systems read it that leave out what is invisible (HFS+), or give short names (NTFS).
  if (outside || /(?:^|\/)(?:\.git|git~\d)[. ]*(?:\/|$)/i.test(led.replace(/[\p{Cf}\p{DI}]/gu, "")))
    return { reason: "a symbolic link to outside", gap: true };
  const language = languageOf(path);
  // By its name the link is code, and what it leads to was never read as such.
  const renames = language !== undefined && languageOf(led)?.name !== language.name;
  return renames
    ? { reason: `a symbolic link that makes ${language.name} of it`, gap: true }
    : { reason: "a symbolic link", gap: false };
}
