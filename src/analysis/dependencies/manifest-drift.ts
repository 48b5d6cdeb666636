import { defined } from "../../domain/defined.ts";
import { parseJson } from "./json-blocks.ts";
import { isRecord, textOf } from "./locked-package.ts";

const GROUPS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** A dependency that `package.json` asks for in one way and its lock file has in another. */
export interface Drift {
  readonly name: string;
  readonly wanted: string;
  /** Undefined when the lock file does not have it at all. */
  readonly locked?: string;
}

/** More are one mistake, and told as such by the first of them. */
const MOST_DRIFTS = 20;

/** Where a manifest and the lock file beside it disagree; empty for lock files that do not repeat the manifest. */
export function findDrift(manifestText: string, lockName: string, lockText: string): Drift[] {
  const manifest = parseJson(manifestText);
  const locked = manifest && specifiersOf(lockName, lockText);
  if (manifest === undefined || locked === undefined) return [];
  const drifts = GROUPS.flatMap((group) =>
    Object.entries(isRecord(manifest[group]) ? manifest[group] : {}).flatMap(([name, value]): Drift[] => {
      const wanted = textOf(value);
      if (wanted === undefined || LOCAL.test(wanted)) return [];
      const found = locked(name, wanted);
      if (found === wanted) return [];
      return [{ name, wanted, ...defined({ locked: found }) }];
    }),
  );
  return drifts.slice(0, MOST_DRIFTS);
}

/** Resolved by the package manager from other places than the manifest alone. */
const LOCAL = /^(?:workspace|catalog|link|portal|file|patch):/;

type Lookup = (name: string, wanted: string) => string | undefined;

function specifiersOf(lockName: string, text: string): Lookup | undefined {
  if (lockName === "yarn.lock") return yarnSpecifiers(text);
  if (lockName.startsWith("pnpm-lock")) return pnpmSpecifiers(text);
  const packages = parseJson(text)?.packages;
  const root = isRecord(packages) ? packages[""] : undefined;
  if (!isRecord(root)) return undefined;
  return (name) => GROUPS.map((group) => (isRecord(root[group]) ? textOf(root[group][name]) : undefined)).find(Boolean);
}

function yarnSpecifiers(text: string): Lookup {
  const heads = new Set(
    text
      .split("\n")
      .filter((line) => /^["\w@].*:\s*$/.test(line))
      .flatMap((line) => line.replace(/:\s*$/, "").replaceAll('"', "").split(/,\s*/)),
  );
  return (name, wanted) => (heads.has(`${name}@${wanted}`) || heads.has(`${name}@npm:${wanted}`) ? wanted : undefined);
}

/** From version 6 on pnpm repeats the specifier of each direct dependency; before, nothing is said. */
function pnpmSpecifiers(text: string): Lookup | undefined {
  const lines = text.split("\n");
  const importers = lines.findIndex((line) => /^importers:\s*$/.test(line));
  const root = lines.findIndex((line, at) => at > importers && /^ {2}['"]?\.['"]?:\s*$/.test(line));
  if (importers === -1 || root === -1) return undefined;
  const specifiers = new Map<string, string>();
  let name = "";
  for (let at = root + 1; at < lines.length && /^(?: {4}|\s*$)/.test(lines[at] ?? ""); at += 1) {
    name = /^ {6}['"]?([^\s'":]+)['"]?:\s*$/.exec(lines[at] ?? "")?.[1] ?? name;
    const specifier = /^ {8}specifier: ['"]?([^'"]+)/.exec(lines[at] ?? "")?.[1];
    if (specifier !== undefined) specifiers.set(name, specifier.trim());
  }
  return (wanted) => specifiers.get(wanted);
}
