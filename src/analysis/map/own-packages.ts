import { posix } from "node:path";
import { readAlias } from "./package-alias.ts";

/** A package of the repository itself: the root, or a workspace. */
export interface OwnPackage {
  /** From the root; empty for the root. */
  readonly folder: string;
  /** Names of the packages that it asks for, others' among them. */
  readonly needs: ReadonlySet<string>;
  /** The names among these that stand for another package or a folder, with the name of that package where there is one. */
  readonly renamed: ReadonlyMap<string, string | undefined>;
}

/** By the name that they are imported by. */
export type OwnPackages = ReadonlyMap<string, OwnPackage>;

/** More workspaces whose tests import one another are not expected. */
const MOST_PACKAGES = 500;

const NEEDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** The manifests that name packages of the repository. */
export function ownManifests(paths: readonly string[]): string[] {
  const found = paths.filter((path) => /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path));
  return found.slice(0, MOST_PACKAGES);
}

/** @param texts of `ownManifests` */
export function readOwnPackages(texts: ReadonlyMap<string, Buffer>): OwnPackages {
  const packages = new Map<string, OwnPackage>();
  for (const [path, text] of texts) {
    const manifest = parsed(text.toString("utf8"));
    if (typeof manifest?.name !== "string" || manifest.name === "") continue;
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const needs = new Set(NEEDS.flatMap((list) => Object.keys(Object(manifest[list]))));
    packages.set(manifest.name, { folder, needs, renamed: renamedIn(manifest) });
  }
  return packages;
}

function renamedIn(manifest: Readonly<Record<string, unknown>>): ReadonlyMap<string, string | undefined> {
  const renamed = new Map<string, string | undefined>();
  for (const [name, version] of NEEDS.flatMap((list) => Object.entries(Object(manifest[list])))) {
    const alias = readAlias(version);
    if (alias !== undefined) renamed.set(name, "name" in alias ? alias.name : undefined);
  }
  return renamed;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
