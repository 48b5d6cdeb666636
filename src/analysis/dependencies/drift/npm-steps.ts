import { posix } from "node:path";
import semver from "semver";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { aliasOf } from "../npm-words.ts";
import { type Installed, meetsRange } from "./meets-range.ts";
import { isForced, MODULES, needsNotMet, overridesNotMet } from "./npm-overrides.ts";
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
  if (packages !== undefined) {
    const links = linkedNames(packages);
    return packages[""] === undefined ? undefined : (project) => ofPackages(packages, links, project);
  }
  return nested && ((project) => (project.folder === "" ? ofFirstVersion(nested, project) : undefined));
}

/** The names under which folders are installed, by folder. */
function linkedNames(packages: Record): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [path, value] of Object.entries(packages)) {
    const entry = recordOf(value);
    const folder = entry?.link === true ? textOf(entry.resolved) : undefined;
    if (folder === undefined) continue;
    found.set(folder, [...(found.get(folder) ?? []), path.slice(path.lastIndexOf(MODULES) + MODULES.length)]);
  }
  return found;
}

/** What others know of a package of the workspace: its name, and whether its version is the one that they ask for. */
function knownAs(links: ReadonlyMap<string, readonly string[]>, { folder, manifest, own = [] }: Project): Drift[] {
  const [name, version] = [textOf(manifest.name), textOf(manifest.version)];
  const known = links.get(folder) ?? [];
  if (name === undefined || known.length === 0) return [];
  if (!known.includes(name)) return [{ name, wanted: "the name of the package", locked: known[0]! }];
  // The root has each package of its workspace, whatever range it names.
  return own.flatMap(({ folder: by, needs }): Drift[] => {
    const wanted = needs?.[name];
    if (by === "" || by === folder || wanted === undefined || meetsOwn(wanted, version)) return [];
    return [{ name, wanted, locked: `the folder ${folder} in version ${version}`, by }];
  });
}

function ofPackages(
  packages: Record,
  links: ReadonlyMap<string, readonly string[]>,
  project: Project,
): readonly Drift[] | undefined {
  const { folder, manifest, root, own } = project;
  const entry = recordOf(packages[folder]);
  if (entry === undefined) return isMember(project) ? [unknownMember(project)] : undefined;
  const overrides = recordOf(root.overrides);
  const versions = new Map(own?.map(({ folder: at, version }) => [at, version]));
  const asked = [...askedOf(manifest).values(), ...peersOf(manifest)];
  const forced =
    folder === ""
      ? [
          ...overridesNotMet(packages, overrides ?? {}, root),
          ...needsNotMet(packages, overrides ?? {}, project.isLockKept ?? false),
        ]
      : [];
  const others = project.isLockKept && folder !== "" && isMember(project) ? knownAs(links, project) : [];
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
  return [...forced, ...drifts, ...others];
}

/** Whether `file:` and a path lead from one folder to the other. */
function isPlace(folder: string, wanted: string, place: string): boolean {
  return posix.join(folder, wanted.slice("file:".length)).replace(/\/$/, "") === posix.normalize(place);
}

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
