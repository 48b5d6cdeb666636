import semver from "semver";
import { parseJson } from "../json-blocks.ts";
import { type ParsedLock, textOf } from "../locked-package.ts";
import { record } from "../wanted-package.ts";
import type { Drift } from "./steps.ts";

const LONGEST_SPECIFIER = 1_000;

/**
 * `deno install --frozen` takes a lock file that repeats what `deno.json` imports from npm and JSR. Deno writes ranges in its own way: `1`
 * for `^1.0.0`. Of two ranges that mean the same in different words nothing is said.
 * @returns undefined for a lock file of versions that do not repeat it
 */
export function denoDrift(manifestText: string, { table: lock }: ParsedLock): readonly Drift[] | undefined {
  const manifest = parseJson(manifestText);
  if (manifest === undefined || Number(lock?.version) < 4) return undefined;
  const repeated = record(lock?.workspace).dependencies;
  const locked = Map.groupBy((Array.isArray(repeated) ? repeated : []).flatMap(readSpecifier), ({ name }) => name);
  const maps = [manifest.imports, ...Object.values(record(manifest.scopes))];
  const wanted = maps.flatMap((map) =>
    Object.entries(record(map)).flatMap(([key, value]) =>
      readSpecifier(value).map((specifier) => ({ key, ...specifier })),
    ),
  );
  const missing = wanted.flatMap(({ key, name, range, text }): Drift[] => {
    const found = locked.get(name) ?? [];
    if (found.some((one) => isSame(one.range, range))) return [];
    const [first] = found;
    return [{ name: key, wanted: text, ...(first === undefined ? {} : { locked: first.text }) }];
  });
  // Other settings name packages too.
  const isWhole = Object.keys(manifest).every((key) => !OTHERS.has(key));
  const asked = Map.groupBy(wanted, ({ name }) => name);
  const told = new Set(missing.map((one) => one.locked));
  const left = isWhole ? [...locked.values()].flat() : [];
  const extra = left.filter(
    ({ name, range, text }) => !told.has(text) && !asked.get(name)?.some((one) => isSame(one.range, range)),
  );
  return [...missing, ...extra.map(({ name, text }) => ({ name: name.slice("npm:".length), locked: text }))];
}

const OTHERS: ReadonlySet<string> = new Set([
  ...["compilerOptions", "workspace", "catalog", "catalogs", "links", "patch", "importMap"],
]);

interface Specifier {
  /** With the registry before it. */
  readonly name: string;
  readonly range: string;
  readonly text: string;
}

/** `npm:name@range/path` and `jsr:@scope/name@range`; nothing for an address or a folder. */
function readSpecifier(written: unknown): Specifier[] {
  const text = (textOf(written) ?? "").slice(0, LONGEST_SPECIFIER);
  const [, from, name, range = ""] = /^(npm|jsr):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]*))?/.exec(text) ?? [];
  return name === undefined ? [] : [{ name: `${from}:${name}`, range, text }];
}

function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [a, b].map((range) => semver.validRange(range === "" ? "*" : range));
  return left !== null && left === right;
}
