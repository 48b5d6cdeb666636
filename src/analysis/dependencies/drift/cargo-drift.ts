import semver from "semver";
import { defined } from "../../../domain/defined.ts";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { record } from "../wanted-package.ts";
import type { Drift } from "./steps.ts";
import { isAmong } from "./workspace-members.ts";

type Table = Readonly<Record<string, unknown>>;

const GROUPS = ["dependencies", "dev-dependencies", "build-dependencies"] as const;

/** A dependency by the name of its crate, with the key that it is written under. */
interface Wanted {
  readonly key: string;
  readonly crate: string;
  /** Undefined where any version of the crate will do. */
  readonly version: string | undefined;
}

/**
 * `cargo --locked` takes a lock file that has each package of the workspace in its version, and every dependency of it in one that meets
 * it, and none that nobody asks for. Of patches nothing is said.
 * @param folder of the manifest, from that of the lock file
 * @param rootText the manifest in the folder of the lock file, from which the others inherit
 * @returns undefined where that cannot be judged, or the manifest belongs to no package of the lock file
 */
export function cargoDrift(
  folder: string,
  manifestText: string,
  { table: lock }: ParsedLock,
  rootText: string | undefined,
): readonly Drift[] | undefined {
  const manifest = parseToml(manifestText);
  const root = folder === "" ? manifest : parseToml(rootText ?? "");
  if (manifest === undefined || root === undefined || lock === undefined || lock.root !== undefined) return undefined;
  const workspace = record(root.workspace);
  const name = textOf(record(manifest.package).name);
  // A workspace without a package at its root.
  if (name === undefined) return folder === "" && isRecord(root.workspace) ? [] : undefined;
  const entries = (Array.isArray(lock.package) ? lock.package : []).filter(isRecord);
  const own = entries.find((entry) => entry.name === name && entry.source === undefined);
  const isMember = folder === "" || isTaken(folder, workspace);
  if (own === undefined) return isMember ? [{ name, wanted: "a package of the workspace" }] : undefined;
  const locked = (Array.isArray(own.dependencies) ? own.dependencies : []).flatMap((written) => {
    const [crate = "", version] = (textOf(written) ?? "").split(" ", 2);
    return [{ crate, version: version ?? textOf(entries.find((entry) => entry.name === crate)?.version) ?? "" }];
  });
  // What only the development of another workspace needs is not in this one.
  const groups = isMember || isIn(folder, workspace) ? GROUPS : GROUPS.filter((group) => group !== "dev-dependencies");
  const wanted = wantedBy(manifest, workspace, groups);
  const version = versionOf(manifest, workspace);
  return [
    ...(version === undefined || version === own.version
      ? []
      : [{ name, wanted: version, ...defined({ locked: textOf(own.version) }) }]),
    ...wanted.flatMap((one): Drift[] => {
      const found = locked.filter(({ crate }) => crate === one.crate);
      if (found.some((each) => meets(each.version, one.version))) return [];
      return [{ name: one.key, wanted: one.version ?? "any version", ...defined({ locked: found[0]?.version }) }];
    }),
    ...locked.flatMap(({ crate, version: has }): Drift[] => {
      const askers = wanted.filter((one) => one.crate === crate);
      // What is wanted in another version than there is stands above.
      const isTold = askers.some(
        (one) => !locked.some((other) => other.crate === crate && meets(other.version, one.version)),
      );
      return isTold || askers.some((one) => meets(has, one.version)) ? [] : [{ name: crate, locked: has }];
    }),
  ];
}

function wantedBy(manifest: Table, workspace: Table, groups: readonly string[]): Wanted[] {
  const places = [manifest, ...Object.values(record(manifest.target)).map(record)];
  const shared = record(workspace.dependencies);
  return places.flatMap((place) =>
    groups.flatMap((group) =>
      Object.entries(record(place[group])).map(([key, value]): Wanted => {
        const written = record(value).workspace === true ? shared[key] : value;
        const of = record(written);
        return { key, crate: textOf(of.package) ?? key, version: textOf(written) ?? textOf(of.version) };
      }),
    ),
  );
}

function versionOf(manifest: Table, workspace: Table): string | undefined {
  const { version } = record(manifest.package);
  return textOf(record(version).workspace === true ? record(workspace.package).version : version);
}

/** Whether the workspace names the folder as one of its packages. */
function isTaken(folder: string, workspace: Table): boolean {
  return isAmong(folder, wordsOf(workspace.members)) && !isAmong(folder, wordsOf(workspace.exclude));
}

/** Cargo takes each folder that a dependency leads to for a package of the workspace, unless it is excluded. */
function isIn(folder: string, workspace: Table): boolean {
  return Object.keys(workspace).length > 0 && !isAmong(folder, wordsOf(workspace.exclude));
}

function wordsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((word) => typeof word === "string");
}

/** What is no range here is met. */
function meets(version: string, wanted: string | undefined): boolean {
  const range = wanted === undefined ? null : rangeOf(wanted);
  return range === null || semver.satisfies(version, range);
}

/** A version without a sign stands for all that are compatible with it; null for what is no range here. */
function rangeOf(wanted: string): string | null {
  const parts = wanted.split(",").map((part) => part.trim());
  return semver.validRange(
    parts.map((part) => (/^\d/.test(part) && !part.includes("*") ? `^${part}` : part)).join(" "),
  );
}
