import { createHash } from "node:crypto";
import { parseJson } from "../json-blocks.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";

/** What Composer puts into the hash. */
const FIELDS = [
  ...["name", "version", "require", "require-dev", "conflict", "replace", "provide", "minimum-stability"],
  ...["prefer-stable", "repositories", "extra"],
];

/**
 * Composer repeats a hash of the fields of `composer.json` that count.
 * @returns whether the lock file is in step; undefined where that cannot be judged
 */
export function composerIsInStep(manifestText: string, { table: lock }: ParsedLock): boolean | undefined {
  const manifest = parseJson(manifestText);
  const locked = textOf(lock?.["content-hash"]);
  if (manifest === undefined || locked === undefined) return undefined;
  const config = isRecord(manifest.config) ? manifest.config : {};
  const known = FIELDS.filter((field) => field in manifest).map((field) => [field, manifest[field]] as const);
  const all = "platform" in config ? [...known, ["config", { platform: config.platform }] as const] : known;
  const parts = all.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, value]) => [printed(field), printed(value)]);
  if (parts.flat().includes(undefined)) return undefined;
  const text = parts.length === 0 ? "[]" : `{${parts.map((part) => part.join(":")).join(",")}}`;
  return createHash("md5").update(text).digest("hex") === locked;
}

/** Deeper nesting is nobody's, and PHP's printer stops as well. */
const DEEPEST = 100;

/** As PHP prints JSON that it has read before; undefined where the two may differ. */
function printed(value: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === "string") return ascii(JSON.stringify(value).replaceAll("/", "\\/"));
  if (value === null || typeof value === "boolean") return `${value}`;
  if (typeof value === "number") return Number.isSafeInteger(value) && !Object.is(value, -0) ? `${value}` : undefined;
  if (Array.isArray(value))
    return enclosed(
      "[",
      value.map((item) => printed(item, depth + 1)),
      "]",
    );
  const entries = Object.entries(isRecord(value) ? value : {});
  // An object without a name is a list to PHP, and numbers as names have an order of their own here.
  if (entries.length === 0) return "[]";
  if (entries.some(([name]) => name === "" || /^\d+$/.test(name))) return undefined;
  const parts = entries.map(([name, item]) => {
    const text = printed(item, depth + 1);
    return text === undefined ? undefined : `${printed(name)}:${text}`;
  });
  return enclosed("{", parts, "}");
}

function enclosed(start: string, parts: readonly (string | undefined)[], end: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${start}${parts.join(",")}${end}`;
}

/** Every other letter by its number, as both PHP and Python print JSON. */
export function ascii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
