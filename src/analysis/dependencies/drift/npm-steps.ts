import { posix } from "node:path";
import semver from "semver";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { aliasOf, splitReference } from "../npm-words.ts";
import { type Installed, meetsRange } from "./meets-range.ts";
import {
  askedOf,
  type Drift,
  driftOf,
  GROUPS,
  type Judge,
  type Project,
  type Record,
  unknownMember,
  wordsOf,
} from "./steps.ts";
import { isMember } from "./workspace-members.ts";

/**
 * `npm ci` asks whether the locked version is within the range of the manifest, not whether the lock file repeats that range, and takes
 * the nearest folder of packages. What the lock file has beyond that is no reason to refuse.
 */
export function npmSteps({ table: lock }: ParsedLock): Judge | undefined {
  const packages = recordOf(lock?.packages);
  const nested = recordOf(lock?.dependencies);
  if (packages !== undefined)
    return packages[""] === undefined ? undefined : (project) => ofPackages(packages, project);
  return nested && ((project) => (project.folder === "" ? ofFirstVersion(nested, project) : undefined));
}

function ofPackages(packages: Record, project: Project): readonly Drift[] | undefined {
  const { folder, manifest, root, own } = project;
  const entry = recordOf(packages[folder]);
  if (entry === undefined) return isMember(project) ? [unknownMember(project)] : undefined;
  const overrides = recordOf(root.overrides);
  const versions = new Map(own?.map(({ folder: at, version }) => [at, version]));
  const asked = [...askedOf(manifest).values(), ...peersOf(manifest)];
  const forced =
    folder === ""
      ? [...overridesNotMet(packages, overrides ?? {}, root), ...needsNotMet(packages, overrides ?? {})]
      : [];
  const drifts = asked.flatMap(({ name, wanted }) => {
    const repeated = [...GROUPS, "peerDependencies"]
      .map((group) => textOf(recordOf(entry[group])?.[name]))
      .find(Boolean);
    const found = nearest(packages, folder, name);
    // An override counts for a direct dependency too.
    if (found !== undefined && isForced(overrides?.[name])) return [];
    if (found?.link === true) {
      const place = textOf(found.resolved) ?? "";
      if (wanted.startsWith("file:"))
        return isPlace(folder, wanted, place) ? [] : [{ name, wanted, locked: `file:${place}` }];
      // The root has each package of its workspace, whatever range it names.
      if (folder === "" && own?.some((one) => one.folder === place && isMember({ ...project, folder: place })))
        return [];
      const version = versions.get(place) ?? textOf(recordOf(packages[place])?.version);
      return driftOf(name, wanted, meetsOwn(wanted, version) || (version ?? ""));
    }
    const installed = found && { name: textOf(found.name), version: textOf(found.version) };
    return driftOf(name, wanted, meetsRange({ name, wanted, repeated }, installed));
  });
  return [...forced, ...drifts];
}

/** An object is about the packages of that package; its own version stands under a dot. */
function isForced(override: unknown): boolean {
  return typeof override === "string" || recordOf(override)?.["."] !== undefined;
}

/** Whether `file:` and a path lead from one folder to the other. */
function isPlace(folder: string, wanted: string, place: string): boolean {
  return posix.join(folder, wanted.slice("file:".length)).replace(/\/$/, "") === posix.normalize(place);
}

/** Overrides of a package wherever it is installed; those for some of its places alone are judged by `needsNotMet`. */
function overridesNotMet(packages: Record, overrides: Record, root: Record): Drift[] {
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
 * several overrides are about is not judged, nor is a project whose last override is gone.
 */
function needsNotMet(packages: Record, overrides: Record): Drift[] {
  // Nearly no project has any, and to compare all needs takes longer than to read the file.
  if (Object.keys(overrides).length === 0) return [];
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

const MODULES = "node_modules/";

/** A package of the workspace stands in for one of the registry where its version is in the range. */
function meetsOwn(wanted: string, version: string | undefined): boolean {
  if (semver.validRange(wanted, true) === null || semver.valid(version, true) === null) return true;
  return semver.satisfies(version ?? "", wanted, { loose: true });
}

/** What npm installs for the peers of packages of the project. */
function peersOf(manifest: Record): { name: string; wanted: string }[] {
  const asked = askedOf(manifest);
  const details = recordOf(manifest.peerDependenciesMeta) ?? {};
  return wordsOf(manifest.peerDependencies).flatMap(([name, wanted]) =>
    asked.has(name) || recordOf(details[name])?.optional === true ? [] : [{ name, wanted }],
  );
}

/** A path has few folders: no manifest lies deeper than that. */
function nearest(packages: Record, folder: string, name: string): Record | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const found = recordOf(packages[`${at}${at === "" ? "" : "/"}node_modules/${name}`]);
    if (found !== undefined || at === "") return found;
  }
}

/** Version 1 of the format knows no workspace, and writes into the version where a package comes from. */
function ofFirstVersion(nested: Record, { manifest, root }: Project): readonly Drift[] {
  const overrides = recordOf(root.overrides);
  return [...askedOf(manifest).values()].flatMap(({ name, wanted }) => {
    const installed = installedAs(nested[name]);
    if (installed !== undefined && isForced(overrides?.[name])) return [];
    return driftOf(name, wanted, meetsRange({ name, wanted, repeated: undefined }, installed));
  });
}

function installedAs(value: unknown): Installed | undefined {
  const written = textOf(recordOf(value)?.version);
  if (written === undefined) return undefined;
  const alias = aliasOf(written);
  if (alias !== undefined) return { name: alias.name, version: alias.wanted };
  return written.startsWith("file:") ? { isOwn: true } : { version: written, from: written };
}

function recordOf(value: unknown): Record | undefined {
  return isRecord(value) ? value : undefined;
}
