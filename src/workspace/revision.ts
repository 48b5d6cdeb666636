import { ForgeError } from "../domain/errors.ts";

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** @throws ForgeError `invalid_revision` unless it is a full object id in lower case */
export function requireObjectId(text: string): string {
  if (!OBJECT_ID.test(text)) throw invalid("object id", text);
  return text;
}

// Space, control characters and what git reserves in names of references.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const FORBIDDEN_IN_REFERENCE = /[\u0000- \u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.\/|\.lock(?:\/|$)|[./]$/;

/** @throws ForgeError `invalid_revision` unless it is a full reference name (`refs/...`) that git itself would accept */
export function requireReference(text: string): string {
  if (!isReference(text)) throw invalid("reference", text);
  return text;
}

/** Whether git itself would take it as a full reference name (`refs/...`). */
export function isReference(text: string): boolean {
  const wellFormed = text.startsWith("refs/") && text.length <= 1024 && text.isWellFormed();
  return wellFormed && !FORBIDDEN_IN_REFERENCE.test(text);
}

/**
 * Paths that are not UTF-8 (see `pathFromBytes`) cannot be arguments of a program; such files are asked for by their blob id.
 * @throws ForgeError `invalid_path` unless it is relative to the root of the repository, without `.`, `..` and empty parts
 */
export function requireRepositoryPath(text: string): string {
  const parts = text.split("/");
  const representable = text.isWellFormed() && !text.includes("\0") && !text.startsWith('"');
  if (!representable || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new ForgeError("invalid_path", `Not a path inside a repository: ${quoted(text)}.`, validation(text));
  }
  return text;
}

function invalid(what: string, text: string): ForgeError {
  return new ForgeError("invalid_revision", `Not a full ${what}: ${quoted(text)}.`, validation(text));
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function validation(text: string) {
  return { source: "validation", recoverability: "none", context: { given: text.slice(0, 100) } } as const;
}
