import type { LockedPackage } from "./locked-package.ts";
import {
  archiveOf,
  isArchiveOf,
  isPlain,
  isPublic,
  originOf,
  placeOf,
  type RegistryArchive,
  registryOf,
} from "./package-address.ts";
import { type Hashes, hashesOf, strengthOf } from "./package-hashes.ts";

/** What a change of a lock file does. Entries that the old file had just so are in none of the lists. */
export interface LockChange {
  /** Packages of the registry in versions that the old file did not have from there, each once: advisories may know them. */
  readonly lookUp: readonly LockedPackage[];
  /** Packages from elsewhere in versions that the old file did not have from there, each once: no advisory knows them. */
  readonly elsewhere: readonly LockedPackage[];
  /** Versions that did not run a program at installation, of a package of which no version in the old file did. */
  readonly scripts: readonly LockedPackage[];
  /** Packages from elsewhere than the registry that did not come from there before. */
  readonly foreign: readonly LockedPackage[];
  /** Packages that are fetched over plain HTTP now. */
  readonly plain: readonly LockedPackage[];
  /** The same version with another hash of the same kind: what was published under it is not what was reviewed. */
  readonly rehashed: readonly LockedPackage[];
  /** The same version, of whose several hashes some are gone and others came: an archive may have been replaced. */
  readonly exchanged: readonly LockedPackage[];
  /** The same version without a hash, or with one of a weaker kind. */
  readonly weaker: readonly LockedPackage[];
  /** The same version from another place. */
  readonly moved: readonly MovedPackage[];
  /** Entries whose address names another package or version than they do. */
  readonly misnamed: readonly { readonly package: LockedPackage; readonly archive: RegistryArchive }[];
  /** The first package from each registry that is not public and that nothing came from before. */
  readonly newRegistries: readonly { readonly package: LockedPackage; readonly registry: string }[];
}

export interface MovedPackage {
  readonly package: LockedPackage;
  readonly before: LockedPackage;
  /** Whether the hash says that the content is the same; undefined where there is none to compare. */
  readonly isSame?: boolean | undefined;
}

/** What the old file has of one name and version. */
interface KnownVersion {
  readonly first: LockedPackage;
  readonly places: Set<string>;
  readonly sources: Set<string>;
  readonly hashes: Map<string, Set<string>>;
  /** Of the entry with the weakest hash. */
  strength: number;
  plain: boolean;
  entries: number;
}

/** Takes a time that grows with the number of entries, however many of them have one name. */
export function compareLocks(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockChange {
  const fresh = freshEntries(old, now);
  // Most entries of a long lock file are as they were, and addresses take their time.
  const names = new Set(fresh.map(({ name }) => name));
  const related = old.filter(({ name }) => names.has(name));
  const known = knowVersions(related);
  const scripted = new Set(related.flatMap(({ name, installScript }) => (installScript ? [name] : [])));
  const origins = new Set(related.map((one) => `${one.name} ${originOf(one)}`));
  const asked = new Set<string>();
  const told = new Set<string>();
  const change = {
    ...{
      lookUp: [] as LockedPackage[],
      elsewhere: [] as LockedPackage[],
      scripts: [] as LockedPackage[],
      foreign: [] as LockedPackage[],
    },
    ...{
      plain: [] as LockedPackage[],
      rehashed: [] as LockedPackage[],
      exchanged: [] as LockedPackage[],
      weaker: [] as LockedPackage[],
    },
    ...{ moved: [] as MovedPackage[], misnamed: [] as { package: LockedPackage; archive: RegistryArchive }[] },
  };
  for (const one of fresh) {
    const key = versionKey(one);
    const before = known.get(key);
    const question = `${key}\0${one.source}`;
    if (!before?.sources.has(one.source) && !asked.has(question)) {
      asked.add(question);
      (one.source === "registry" ? change.lookUp : change.elsewhere).push(one);
    }
    if (one.source === "link") continue;
    if (isPlain(one) && !before?.plain) change.plain.push(one);
    const archive = archiveOf(one);
    if (archive !== undefined && !isArchiveOf(archive, one)) change.misnamed.push({ package: one, archive });
    else if (before !== undefined) compareVersion(one, before, change);
    if (before !== undefined) continue;
    if (one.installScript && !scripted.has(one.name) && !told.has(key)) {
      told.add(key);
      change.scripts.push(one);
    }
    const origin = `${one.name} ${originOf(one)}`;
    // A package over plain HTTP already has a signal.
    if (one.source === "registry" || origins.has(origin) || isPlain(one)) continue;
    if (!told.has(origin)) change.foreign.push(one);
    told.add(origin);
  }
  return { ...change, newRegistries: newRegistries(old, fresh) };
}

/** Entries that the old file does not have just so, each once. */
function freshEntries(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockedPackage[] {
  // Most names have one entry, which is compared as it is; keys are made of the others only.
  const seen = new Map<string, LockedPackage | Set<string>>();
  const isNew = (one: LockedPackage) => {
    const known = seen.get(one.name);
    if (known === undefined) return seen.set(one.name, one) !== undefined;
    if (!(known instanceof Set)) {
      if (isSameEntry(known, one)) return false;
      return seen.set(one.name, new Set([entryKey(known), entryKey(one)])) !== undefined;
    }
    const { size } = known;
    return known.add(entryKey(one)).size > size;
  };
  for (const one of old) isNew(one);
  return now.filter(isNew);
}

function isSameEntry(a: LockedPackage, b: LockedPackage): boolean {
  return a.version === b.version && a.integrity === b.integrity && a.source === b.source && a.address === b.address;
}

function compareVersion(
  one: LockedPackage,
  before: KnownVersion,
  change: { moved: MovedPackage[]; rehashed: LockedPackage[]; exchanged: LockedPackage[]; weaker: LockedPackage[] },
): void {
  const hashes = hashesOf(one);
  const isSame = compareHashes(one, hashes, before);
  if (!before.places.has(`${one.source} ${placeOf(one)}`))
    change.moved.push({ package: one, before: before.first, isSame });
  // Commits are their own hash, and files of the repository are in the change themselves.
  else if (one.source === "git" || one.source === "file") return;
  else if (isSame === false) change.rehashed.push(one);
  else if (isExchanged(one, hashes, before)) change.exchanged.push(one);
  else if (strengthOf(hashes) < before.strength && !(one.bundled && one.address === undefined)) change.weaker.push(one);
}

/** @returns undefined where the two have no kind of hash in common */
function compareHashes(one: LockedPackage, hashes: Hashes, before: KnownVersion): boolean | undefined {
  const common = [...hashes].filter(([kind]) => before.hashes.has(kind));
  if (common.length === 0) return undefined;
  return common.every(([kind, values]) => {
    const known = before.hashes.get(kind)!;
    // A client of npm accepts each hash of a list; elsewhere a list has the archives of several platforms, and may grow.
    return one.ecosystem === "npm" ? values.every((hash) => known.has(hash)) : values.some((hash) => known.has(hash));
  });
}

/**
 * Whether some hashes of a list are gone and others came. A list may grow, and a client may leave platforms out: both at once is no
 * update. Of RubyGems the list follows the platforms of the lock file, and npm is compared hash by hash above.
 */
function isExchanged({ ecosystem }: LockedPackage, hashes: Hashes, before: KnownVersion): boolean {
  if (ecosystem === "npm" || ecosystem === "RubyGems" || before.entries > 1) return false;
  return [...hashes].some(([kind, values]) => {
    const [known, now] = [before.hashes.get(kind), new Set(values)];
    return known !== undefined && !known.isSubsetOf(now) && !now.isSubsetOf(known);
  });
}

function knowVersions(old: readonly LockedPackage[]): ReadonlyMap<string, KnownVersion> {
  const known = new Map<string, KnownVersion>();
  for (const one of old) {
    const key = versionKey(one);
    const hashes = hashesOf(one);
    const strength = strengthOf(hashes);
    const found: KnownVersion = known.get(key) ?? {
      ...{ first: one, places: new Set(), sources: new Set(), hashes: new Map(), strength, plain: false, entries: 0 },
    };
    known.set(key, found);
    found.places.add(`${one.source} ${placeOf(one)}`);
    found.sources.add(one.source);
    for (const [kind, values] of hashes) {
      const kept = found.hashes.get(kind) ?? new Set();
      found.hashes.set(kind, kept);
      for (const hash of values) kept.add(hash);
    }
    found.strength = Math.min(found.strength, strength);
    found.plain ||= isPlain(one);
    found.entries += 1;
  }
  return known;
}

function newRegistries(old: readonly LockedPackage[], fresh: readonly LockedPackage[]): LockChange["newRegistries"] {
  const named = fresh.flatMap((one) => {
    const registry = registryOf(one);
    return registry === undefined || isPublic(one.ecosystem, registry) ? [] : [{ package: one, registry }];
  });
  if (named.length === 0) return [];
  const known = new Set(old.flatMap((one) => registryOf(one) ?? []));
  return named.filter(({ registry }) => {
    const { size } = known;
    return known.add(registry).size > size;
  });
}

function versionKey({ name, version }: LockedPackage): string {
  return `${name}\0${version}`;
}

function entryKey({ name, version, source, address = "", integrity = "" }: LockedPackage): string {
  return `${name}\0${version}\0${source}\0${address}\0${integrity}`;
}
