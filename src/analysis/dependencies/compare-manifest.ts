import { lockFileOf } from "./lock-files.ts";
import type { LockFileFault } from "./locked-package.ts";
import { manifestReader } from "./read-manifests.ts";
import type { WantedPackage } from "./wanted-package.ts";

/** A lock file that may hold what a manifest asks for. */
export interface LockText {
  /** Without its folder. */
  readonly name: string;
  readonly text: string;
}

/** A dependency of which nobody can say what is installed. */
export type Wanted = Pick<WantedPackage, "ecosystem" | "name" | "wanted">;

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
  const open = [...fresh.values()].filter((wanted) => !before.has(keyOf(wanted)) && !held.has(placeOf(wanted)));
  const lines = text.split("\n").map(spelled);
  return {
    exact: open.flatMap((wanted) =>
      wanted.version === undefined ? [] : [{ ...wanted, version: wanted.version, line: lineOf(wanted.name, lines) }],
    ),
    ranges: open.filter(({ version }) => version === undefined),
  };
}

function formOf(name: string): string {
  if (/\.jsonc?$/.test(name)) return "JSON";
  if (name.endsWith(".yaml")) return "YAML";
  return /\.(?:toml|in)$|^Pipfile$/.test(name) ? "TOML" : "XML";
}

function packagesOf({ name, text }: LockText): string[] {
  const lock = lockFileOf(name);
  const packages = lock === undefined || lock.hashesOnly ? [] : lock.read(text);
  return "fault" in packages ? [] : packages.map(placeOf);
}

function placeOf({ ecosystem, name }: Pick<WantedPackage, "ecosystem" | "name">): string {
  return `${ecosystem} ${name}`;
}

function keyOf(wanted: WantedPackage): string {
  return `${placeOf(wanted)} ${wanted.wanted}`;
}

/** The first line that has the name, as a word of its own; line 1 where none has. */
function lineOf(name: string, lines: readonly string[]): number {
  // Maven writes the group on a line of its own.
  const wanted = spelled(name.slice(name.lastIndexOf(":") + 1));
  const isWord = (line: string) => {
    for (let at = line.indexOf(wanted); at !== -1; at = line.indexOf(wanted, at + 1)) {
      if (!/[\w.-]/.test(line.charAt(at - 1)) && !/[\w.-]/.test(line.charAt(at + wanted.length))) return true;
    }
    return false;
  };
  return Math.max(0, lines.findIndex(isWord)) + 1;
}

/** Python takes these signs for one another. */
function spelled(text: string): string {
  return text.toLowerCase().replace(/[-_.]+/g, "-");
}
