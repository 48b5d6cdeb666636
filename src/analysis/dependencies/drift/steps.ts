import { defined } from "../../../domain/defined.ts";
import type { ParsedLock } from "../locked-package.ts";

export type Record = Readonly<{ [key: string]: unknown }>;

/** Groups of a manifest whose packages a lock file has to hold. */
export const GROUPS = ["dependencies", "devDependencies", "optionalDependencies"] as const;
export type Group = (typeof GROUPS)[number];

/** Something that a manifest asks for in one way and its lock file has in another. */
export interface Drift {
  readonly name: string;
  /** Undefined when the manifest does not ask for it. */
  readonly wanted?: string;
  /** Undefined when the lock file does not have it at all. */
  readonly locked?: string;
  /** The folder of the package that asks for it, where that is not the manifest's own. */
  readonly by?: string;
  /** Its key, for a setting in `pnpm-workspace.yaml`. */
  readonly setting?: string;
}

/** A package of the repository itself. */
export interface OwnManifest {
  /** From the folder of the lock file; empty for that folder. */
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
  /** What it asks for of the other packages of the repository, by their names. */
  readonly needs?: Readonly<{ [name: string]: string }>;
}

/** A manifest that a lock file is compared with. */
export interface Project {
  /** From the folder of the lock file; empty for that folder. */
  readonly folder: string;
  readonly manifest: Record;
  /** The manifest in the folder of the lock file; that one alone says what is forced. */
  readonly root: Record;
  /** All manifests of the repository below the lock file; undefined where they are not at hand. */
  readonly own?: readonly OwnManifest[] | undefined;
  /** `pnpm-workspace.yaml` in the same folder; empty without such a file, and undefined where that is not known. */
  readonly workspace?: string | undefined;
  /** Whether the change leaves the lock file as it was. */
  readonly isLockKept?: true | undefined;
}

/** Where a lock file is out of step with a manifest; undefined where the lock file is not about that manifest. */
export type Judge = (project: Project) => readonly Drift[] | undefined;
/** Undefined for a lock file that does not repeat enough to tell. */
export type Steps = (parsed: ParsedLock) => Judge | undefined;

/** A dependency of a manifest and the group that counts for it. */
export interface Asked {
  readonly name: string;
  readonly wanted: string;
  readonly group: Group;
}

/** What a manifest asks for by name. A package in several groups is optional first and of development last. */
export function askedOf(manifest: Record): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const group of ["devDependencies", "dependencies", "optionalDependencies"] as const)
    for (const [name, wanted] of wordsOf(manifest[group])) asked.set(name, { name, wanted, group });
  return asked;
}

/** Entries of an object whose values are texts. */
export function wordsOf(value: unknown): [name: string, text: string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Resolved from other places than the manifest and the lock file alone. */
const LOCAL = /^(?:workspace|catalog|link|portal|file|patch):/;

/** @param found true where the lock file is in step, otherwise what it has instead, or undefined where it has nothing */
export function driftOf(name: string, wanted: string, found: true | string | undefined): Drift[] {
  return found === true || LOCAL.test(wanted) ? [] : [{ name, wanted, ...defined({ locked: found }) }];
}

/** A member of the workspace that the lock file does not know at all. */
export function unknownMember({ folder, manifest }: Project): Drift {
  return { name: typeof manifest.name === "string" ? manifest.name : folder, wanted: "a package of the workspace" };
}
