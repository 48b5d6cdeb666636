import { posix } from "node:path";
import type { ChangedFile } from "../../domain/hunks.ts";
import { type Content, isTestPath } from "../classify-file.ts";
import { isProgramText, languageAside, languageOf, languageOfText } from "../languages.ts";
import { namePath } from "../name-path.ts";
import { isCallingFile } from "../programs/calling-files.ts";
import { readsLikeCode } from "../searched-only.ts";
import { agentFileOf, speaksToAgents } from "../settings/agent-files.ts";
import { isTestName, languageOfCode } from "../tests/test-names.ts";
import { reasonByName } from "../written-claims.ts";

/** A kind of file that cannot decide what runs with whose rights. */
export type UnattendedKind = "prose" | "translation" | "source" | "test";

const FILE = "100644";
/** In bytes. To see of a larger text what it holds takes tens of milliseconds. */
const LARGEST_TEXT = 256 * 1024;
const PROSE = /\.(?:md|markdown|rst|adoc|asciidoc|txt)$/i;
/** Names without an ending that everybody writes prose in. */
const NAMED_PROSE = /^(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|AUTHORS|CONTRIBUTORS|CONTRIBUTING|THANKS|TODO)$/i;
/** Texts that programs read: lists of packages, rules for robots, what a build is made of. */
const LISTS =
  /requirements|constraints|^(?:cmakelists|robots|ads|app-ads|security|humans|llms(?:-\w{1,20})?|runtime|packages|deps|dependencies|pins?|exclude|include|manifest|version)\.(?:txt|md)$/i;
/** Folders of programs that build, test, release and install the project, and of instructions for agents. */
const WORKING_FOLDER =
  /^(?:scripts?|tools?|tooling|s?bin|builds?|ci|cd|hack|deploy(?:ment)?s?|release|infra(?:structure)?|ops|devops|docker|packaging|configs?|configuration|settings|hooks|githooks|plugins?|prompts?|agents?|skills?|rules|instructions|migrations?|node_modules|vendor|third[_-]party|dist)$/i;
/** Sources that a tool loads by their names: by what stands before the first dot, or between two. */
const LOADED_BY_STEM =
  /^(?:setup|conftest|noxfile|fabfile|manage|wsgi|asgi|sitecustomize|usercustomize|tasks|dodo|build|middleware|instrumentation|register|preload|bootstrap|(?:gulp|grunt|jake|cake|pnp|vagrant)file|(?:global-?|test-?|vitest-?|jest-?)?setup(?:-?tests?)?|global-?teardown|karma|protractor|wallaby|metro|craco|webpack|rollup|vite|vitest|jest|babel|playwright|cypress)$/i;
const LOADED_BY_PART = /^(?:config|conf|setup|workspace|rc|preset|plugin)$/i;
const TRANSLATIONS = /(?:^|\/)(?:locales?|i18n|l10n|lang|langs|languages?|translations?|messages)\//i;
const TRANSLATED = /\.(?:json|ya?ml|po|xlf|xliff|arb|strings|properties|ftl|resx)$/i;
/** In a translated text: markup with attributes, addresses that run, tags of YAML, and what templates evaluate. */
const MORE_THAN_WORDS: readonly RegExp[] = [
  /<\s{0,9}(?:script|iframe|object|embed|form|link|meta|base|svg|img|style)/i,
  /<[a-z][^<>=]{0,200}=/i,
  /javascript:|data:text|constructor|__proto__|\$\{|<%|#\{|\{%/i,
  /(?:^|\s)!!?\w/,
  /\{\{[^{}]{0,200}[^\w{}.\s-]/,
];

/**
 * Of which kind a changed file is that may be merged or approved without a person (SAFE-4), by its path, its mode and what it holds; undefined for
 * every other one, which waits for a person. Sources and tests have to be looked at further: whether tests reach them, and were weakened.
 * @param old what it was before, where it was there
 */
export function unattendedKind(
  file: ChangedFile,
  content: Content | undefined,
  old?: Content,
): UnattendedKind | undefined {
  const { path, oldPath, status, mode, oldMode, binary } = file;
  if (status === "type_changed" || binary || mode !== FILE || (oldMode !== undefined && oldMode !== FILE))
    return undefined;
  const deleted = status === "deleted";
  const kinds = new Set([path, oldPath ?? path].map(kindByPath));
  const [kind] = kinds;
  if (kinds.size > 1 || kind === undefined) return undefined;
  // What is gone tests nothing and runs nothing: of code that is a decision.
  if (deleted) return kind === "prose" || kind === "translation" ? kind : undefined;
  if (!Buffer.isBuffer(content) || content.includes(0) || languageOfText(content) !== undefined) return undefined;
  // A test that was not there says nothing of what was there, and runs with the rights of CI.
  if (kind === "test") return status === "modified" && Buffer.isBuffer(old) ? kind : undefined;
  if (kind === "source") return kind;
  if (content.length > LARGEST_TEXT) return undefined;
  const text = content.toString("utf8");
  if (kind === "prose") return isProse(path, text) ? kind : undefined;
  return isTranslation(path, text) ? kind : undefined;
}

function kindByPath(written: string): UnattendedKind | undefined {
  const path = namePath(written);
  const name = posix.basename(path);
  if (path !== written || isWorkingFolder(posix.dirname(path)) || reasonByName(path) !== undefined) return undefined;
  if (isCallingFile(path) || agentFileOf(path) !== undefined) return undefined;
  if (PROSE.test(name) ? !LISTS.test(name) && languageAside(path, undefined) === undefined : NAMED_PROSE.test(name))
    return languageOf(path) === undefined ? "prose" : undefined;
  if (TRANSLATIONS.test(path) && TRANSLATED.test(name)) return "translation";
  if (!isProgramText(languageOf(path)) || !["script", "python", "go"].includes(languageOfCode(path) ?? ""))
    return undefined;
  const [stem = "", ...parts] = name.split(".");
  if (LOADED_BY_STEM.test(stem) || parts.some((part) => LOADED_BY_PART.test(part))) return undefined;
  if (isTestName(path)) return "test";
  // Fixtures, doubles and helpers decide what tests say, and no test looks at them.
  return isTestPath(path) || name === "__init__.py" ? undefined : "source";
}

function isWorkingFolder(folder: string): boolean {
  return folder !== "." && folder.split("/").some((name) => name.startsWith(".") || WORKING_FOLDER.test(name));
}

/** Most lines of a text for people are made of words. */
const MOSTLY = 0.5;
const WORDS_OF_A_LINE = 3;

function isProse(path: string, text: string): boolean {
  if (speaksToAgents(text) || readsLikeCode({ path, text })) return false;
  if (!/\.txt$/i.test(path)) return true;
  const lines = text.split("\n").filter((line) => /\S/.test(line));
  const worded = lines.filter(
    (line) =>
      line
        .slice(0, 1_000)
        .split(/\s+/)
        .filter((word) => /^[\p{L}"'(]/u.test(word)).length >= WORDS_OF_A_LINE,
  );
  return lines.length === 0 || worded.length / lines.length >= MOSTLY;
}

function isTranslation(path: string, text: string): boolean {
  if (text.split("\n").some((line) => line.length > 5_000 || MORE_THAN_WORDS.some((pattern) => pattern.test(line))))
    return false;
  if (!/\.json$/i.test(path)) return !readsLikeCode({ path, text });
  try {
    return holdsTextsOnly(JSON.parse(text));
  } catch {
    return false;
  }
}

function holdsTextsOnly(value: unknown): boolean {
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each === "object" && each !== null) open.push(...Object.values(each));
    else if (typeof each !== "string") return false;
  }
  return typeof value === "object" && value !== null;
}
