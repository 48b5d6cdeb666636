import { lockFileOf } from "./lock-files.ts";
import type { LockFileFault } from "./locked-package.ts";
import { manifestReader } from "./read-manifests.ts";
import type { WantedPackage } from "./wanted-package.ts";

/** A lock file that may hold what a manifest asks for. */
export interface LockText {
  /** Without its folder. */
  readonly name: string;
  readonly text: string;
  /** Of constraints, which install nothing but bind what is installed: their text before the change. */
  readonly oldPins?: string;
}

/** A dependency of which nobody can say what is installed. */
export type Wanted = Pick<WantedPackage, "ecosystem" | "name" | "wanted"> & {
  /** On which it stands, 1-based. */
  readonly line: number;
};

/** Dependencies that a change adds to a manifest and that no lock file holds. */
export interface Unlocked {
  /** With the line on which it stands, 1-based. */
  readonly exact: readonly (WantedPackage & { readonly version: string; readonly line: number })[];
  readonly ranges: readonly Wanted[];
}

/**
 * What a manifest asks for that it did not ask for before, and that no lock file holds (REV-8): what a lock file holds is looked up there.
 * @param locks those of the manifest's folder and of the folders above it
 */
export function compareManifest(
  { name, text, oldText }: { readonly name: string; readonly text: string; readonly oldText?: string | undefined },
  locks: readonly LockText[],
): Unlocked | LockFileFault {
  const read = manifestReader(name);
  if (read === undefined) throw new Error("a manifest is read by its name");
  const now = read(text);
  if (now === undefined) return { fault: `it is no ${formOf(name)}` };
  const before = new Set((oldText === undefined ? [] : (read(oldText) ?? [])).map(keyOf));
  const fresh = new Map(now.map((wanted) => [keyOf(wanted), wanted]));
  const held = new Set(locks.flatMap(packagesOf));
  const bound = boundVersions(locks);
  const added = [...fresh.values()].filter((wanted) => !before.has(keyOf(wanted)));
  const open = [
    ...added.filter((wanted) => !held.has(placeOf(wanted))),
    ...added.flatMap((wanted) =>
      wanted.version === undefined ? (bound.get(placeOf(wanted)) ?? []).map((version) => ({ ...wanted, version })) : [],
    ),
  ];
  const lines = linesOf(text);
  return {
    exact: open.flatMap((wanted) =>
      wanted.version === undefined ? [] : [{ ...wanted, version: wanted.version, line: lineOf(wanted.name, lines) }],
    ),
    ranges: open.flatMap((wanted) =>
      wanted.version === undefined ? [{ ...wanted, line: lineOf(wanted.name, lines) }] : [],
    ),
  };
}

/** The versions that constraints gave before and give now: nobody looks these up where they stand, and what they bind is new. */
function boundVersions(locks: readonly LockText[]): ReadonlyMap<string, readonly string[]> {
  const constraints = locks.flatMap(({ name, text, oldPins }) => {
    if (oldPins === undefined) return [];
    const old = new Set(pinsOf(name, oldPins).map(([place, version]) => `${place} ${version}`));
    return pinsOf(name, text).filter(([place, version]) => old.has(`${place} ${version}`));
  });
  const bound = Map.groupBy(constraints, ([place]) => place);
  return new Map([...bound].map(([place, pins]) => [place, [...new Set(pins.map(([, version]) => version))]]));
}

function pinsOf(name: string, text: string): (readonly [place: string, version: string])[] {
  const reading = lockFileOf(name)?.read(text) ?? { packages: [] };
  const packages = "fault" in reading ? [] : reading.packages;
  return packages.flatMap((one) => (one.source === "registry" ? [[placeOf(one), one.version] as const] : []));
}

function formOf(name: string): string {
  if (/\.jsonc?$/.test(name)) return "JSON";
  if (name.endsWith(".yaml")) return "YAML";
  return /\.(?:toml|in)$|^Pipfile$/.test(name) ? "TOML" : "XML";
}

function packagesOf({ name, text }: LockText): string[] {
  const lock = lockFileOf(name);
  const reading = lock === undefined || lock.hashesOnly ? { packages: [] } : lock.read(text);
  return "fault" in reading ? [] : reading.packages.map(placeOf);
}

function placeOf({ ecosystem, name }: Pick<WantedPackage, "ecosystem" | "name">): string {
  return `${ecosystem} ${name}`;
}

function keyOf(wanted: WantedPackage): string {
  return `${placeOf(wanted)} ${wanted.wanted}`;
}

/** The first line of each word, as it may be the name of a package. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [at, line] of text.split("\n").entries()) {
    for (const [word] of line.matchAll(/@?[\w./-]{1,300}/g)) {
      const name = spelled(word);
      if (!first.has(name)) first.set(name, at + 1);
    }
  }
  return first;
}

/** The first line that has the name; line 1 where none has. Maven writes the group on a line of its own. */
function lineOf(name: string, lines: ReadonlyMap<string, number>): number {
  return lines.get(spelled(name)) ?? lines.get(spelled(name.slice(name.lastIndexOf(":") + 1))) ?? 1;
}

/** Python takes these signs for one another. */
function spelled(text: string): string {
  return text.toLowerCase().replace(/[-_.]+/g, "-");
}
