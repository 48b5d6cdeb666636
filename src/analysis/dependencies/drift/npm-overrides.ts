import semver from "semver";
import { isRecord, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { askedOf, type Drift, type Record, wordsOf } from "./steps.ts";

/** Ends each folder of installed packages. */
export const MODULES = "node_modules/";

/** An object is about the packages of that package; its own version stands under a dot. */
export function isForced(override: unknown): boolean {
  return typeof override === "string" || recordOf(override)?.["."] !== undefined;
}

/** Overrides of a package wherever it is installed; those for some of its places alone are judged by `needsNotMet`. */
export function overridesNotMet(packages: Record, overrides: Record, root: Record): Drift[] {
  const asked = askedOf(root);
  const forced = new Map(
    wordsOf(overrides).flatMap(([name, text]) => {
      const wanted = text.startsWith("$") ? (asked.get(text.slice(1))?.wanted ?? "") : text;
      return wanted !== "" && semver.validRange(wanted, true) !== null ? [[name, wanted] as const] : [];
    }),
  );
  const unmet = new Map<string, Drift>();
  for (const [path, value] of Object.entries(forced.size === 0 ? {} : packages)) {
    const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    const [wanted, entry] = [path.includes(MODULES) ? forced.get(name) : undefined, recordOf(value)];
    const version = textOf(entry?.version);
    const isOther = entry?.link === true || entry?.inBundle === true || textOf(entry?.name) !== undefined;
    if (wanted === undefined || version === undefined || isOther || semver.valid(version, true) === null) continue;
    if (!semver.satisfies(version, wanted, { loose: true }))
      unmet.set(name, { name, wanted: `${wanted} by an override`, locked: version });
  }
  return [...unmet.values()];
}

/**
 * What packages need and have in another version: left behind by an override that is gone or that names another version now. A need that
 * several overrides are about is not judged.
 * @param isLockKept a manifest alone that changes may have lost its last override
 */
export function needsNotMet(packages: Record, overrides: Record, isLockKept: boolean): Drift[] {
  // Nearly no project has any, and to compare all needs takes longer than to read the file.
  if (!isLockKept && Object.keys(overrides).length === 0) return [];
  const { names, nested } = nestedOverrides(overrides);
  const unmet = new Map<string, Drift>();
  const folders = new Set(
    Object.keys(packages).map((path) => path.slice(0, path.lastIndexOf(MODULES) + MODULES.length)),
  );
  for (const [path, value] of Object.entries(packages)) {
    const entry = recordOf(value);
    if (!path.includes(MODULES) || entry === undefined || entry.inBundle === true) continue;
    if (path.length > LONGEST_PLACE) continue;
    const around = foldersAround(path, folders);
    if (around.length > MOST_FOLDERS) continue;
    const parent = textOf(entry.name) ?? path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    for (const [name, written] of wordsOf(entry.dependencies)) {
      const forced = nested.get(`${parent} ${name}`);
      if (forced === undefined && names.has(name)) continue;
      const place = around.find((folder) => packages[`${folder}${name}`] !== undefined);
      const found = place === undefined ? undefined : recordOf(packages[`${place}${name}`]);
      const version = found?.link === true || textOf(found?.name) !== undefined ? undefined : textOf(found?.version);
      const wanted = forced ?? written;
      if (version === undefined || semver.validRange(wanted, true) === null || semver.valid(version, true) === null)
        continue;
      if (semver.satisfies(version, wanted, { loose: true })) continue;
      unmet.set(name, {
        name,
        wanted: `${wanted} by ${forced === undefined ? parent : `an override for ${parent}`}`,
        locked: version,
      });
    }
  }
  return [...unmet.values()];
}

/** Characters. */
const LONGEST_PLACE = 300;
/** What is needed in a folder is looked for in each of those around it. */
const MOST_FOLDERS = 12;

/** Folders of packages around a package, the nearest first. Its own comes before all of them. */
function foldersAround(path: string, folders: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const folder = `${at}${at === "" ? "" : "/"}${MODULES}`;
    if (folders.has(folder)) found.push(folder);
    if (at === "") return found;
  }
}

/** Names that any override is about, and the versions of those that are for the packages of one package alone. */
function nestedOverrides(overrides: Record): { names: ReadonlySet<string>; nested: ReadonlyMap<string, string> } {
  const names = new Set<string>();
  const nested = new Map<string, string>();
  for (const [parent, value] of Object.entries(overrides)) {
    const inner = recordOf(value);
    if (inner === undefined || isForced(value)) names.add(splitReference(parent)?.[0] ?? parent);
    for (const [name, wanted] of Object.entries(inner ?? {})) {
      const isPlain = typeof wanted === "string" && !wanted.startsWith("$") && splitReference(parent) === undefined;
      const of = splitReference(name)?.[0] ?? name;
      if (isPlain && of === name && !names.has(name)) nested.set(`${parent} ${name}`, wanted);
      names.add(of);
    }
  }
  return { names, nested };
}

function recordOf(value: unknown): Record | undefined {
  return isRecord(value) ? value : undefined;
}
