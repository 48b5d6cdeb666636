import { posix } from "node:path";
import { defined } from "../../../domain/defined.ts";
import type { AnalyserContext } from "../../analyser.ts";
import { ownManifests } from "../../map/own-packages.ts";
import { parseJson } from "../json-blocks.ts";
import { dependencyName, lockFileOf } from "../lock-files.ts";
import { textOf } from "../locked-package.ts";
import { type LockPlace, type LockSteps, manifestOf } from "./manifest-drift.ts";
import { askedOf } from "./steps.ts";

/** Characters of all manifests of a repository. Of those beyond it nothing is said. */
const MOST_CHARACTERS = 8_000_000;
/** Manifests of which those in other folders may belong to the same lock file. */
const OF_WORKSPACES = new Set(["package.json", "pyproject.toml", "Cargo.toml"]);

/**
 * The manifests that each lock file is about, by the path of the lock file: of a changed lock file all, of another those that changed.
 * A manifest belongs to the nearest lock file of its kind, in its folder or above it.
 */
export async function judgedManifests(
  changed: ReadonlyMap<string, string>,
  { tree, signal }: Pick<AnalyserContext, "tree" | "signal">,
): Promise<ReadonlyMap<string, LockSteps>> {
  const paths = [...new Set([...(tree?.paths ?? []), ...changed.keys()])];
  const known = new Set(paths);
  const locks = paths.filter((path) => {
    const manifest = lockFileOf(path) && manifestOf(dependencyName(path));
    // In a workspace of Go the hashes of all modules count together.
    if (manifest === "go.mod" && foldersAbove(folderOf(path)).some((folder) => known.has(`${folder}go.work`)))
      return false;
    // Most lists of requirements are made of nothing.
    return manifest !== undefined && (!manifest.endsWith(".in") || known.has(`${folderOf(path)}${manifest}`));
  });
  const touched = locks.filter((lock) => changed.has(lock));
  const kinds = new Set(locks.map((lock) => manifestOf(dependencyName(lock))));
  const others = paths.filter((path) => kinds.has(nameOf(path)) && !/(?:^|\/)node_modules\//.test(path));
  // Most changes touch no manifest and no lock file.
  const isSet = (lock: string) => isOfPnpm(lock) && changed.has(`${folderOf(lock)}${WORKSPACE}`);
  if (touched.length === 0 && !others.some((path) => changed.has(path)) && !locks.some(isSet)) return new Map();
  const own = ownManifests(paths);
  const manifests = [
    ...new Set([...own, ...others.filter((path) => !path.endsWith("package.json")).slice(0, own.length + MOST_OTHERS)]),
  ];
  const settings = locks.flatMap((lock) => (isOfPnpm(lock) ? [`${folderOf(lock)}${WORKSPACE}`] : []));
  const wanted = [...manifests, ...settings].filter((path) => known.has(path));
  const unread = wanted.filter((path) => !changed.has(path));
  const read = unread.length === 0 ? undefined : await tree?.readMany(unread, signal);
  const texts = withinBounds(wanted, (path) => changed.get(path) ?? read?.get(path)?.toString("utf8"));
  const judged = new Map<string, LockSteps>();
  for (const lock of locks) {
    const folder = folderOf(lock);
    const of = manifests.filter(
      (path) =>
        texts.has(path) &&
        (changed.has(path) ||
          changed.has(lock) ||
          (isSet(lock) && folderOf(path) === folder) ||
          // Its members inherit from the manifest at the root.
          (isOfCargo(lock) && changed.has(`${folder}${nameOf(path)}`))) &&
        isOf(lock, path, locks),
    );
    if (of.length === 0) continue;
    const workspace = texts.get(`${folder}${WORKSPACE}`) ?? (tree === undefined ? undefined : "");
    judged.set(lock, {
      manifests: of.map((path) => ({ folder: placeBelow(folder, path), text: texts.get(path)! })),
      place: defined({
        root: texts.get(`${folder}${manifestOf(dependencyName(lock))}`),
        own: tree && ownBelow(folder, own, texts),
        workspace,
        isLockKept: changed.has(lock) ? undefined : (true as const),
      }),
    });
  }
  return judged;
}

const WORKSPACE = "pnpm-workspace.yaml";

function isOfCargo(lock: string): boolean {
  return nameOf(lock) === "Cargo.lock";
}

function isOfPnpm(lock: string): boolean {
  return nameOf(lock).startsWith("pnpm-lock");
}

const MOST_OTHERS = 500;

function withinBounds(
  paths: readonly string[],
  read: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let characters = 0;
  for (const path of paths) {
    const text = read(path);
    if (text === undefined || characters + text.length > MOST_CHARACTERS) continue;
    characters += text.length;
    texts.set(path, text);
  }
  return texts;
}

/** Whether this is the nearest lock file of the kind of a manifest. */
function isOf(lock: string, manifest: string, locks: readonly string[]): boolean {
  const [kind, folder] = [manifestOf(dependencyName(lock)), folderOf(lock)];
  if (kind !== nameOf(manifest) || !manifest.startsWith(folder)) return false;
  if (folderOf(manifest) === folder) return true;
  if (!OF_WORKSPACES.has(kind)) return false;
  return !locks.some((other) => {
    const isNearer = folderOf(other).length > folder.length && manifest.startsWith(folderOf(other));
    return isNearer && manifestOf(dependencyName(other)) === kind;
  });
}

function ownBelow(folder: string, own: readonly string[], texts: ReadonlyMap<string, string>): LockPlace["own"] {
  const below = own.flatMap((path) => {
    const manifest = parseJson(texts.get(path) ?? "");
    return path.startsWith(folder) ? [{ folder: placeBelow(folder, path), manifest }] : [];
  });
  const names = new Set(below.map(({ manifest }) => textOf(manifest?.name)));
  return below.map(({ folder: place, manifest }) => {
    const asked = [...askedOf(manifest ?? {}).values()].filter(({ name }) => names.has(name));
    const needs = asked.length === 0 ? undefined : Object.fromEntries(asked.map(({ name, wanted }) => [name, wanted]));
    return { folder: place, ...defined({ name: textOf(manifest?.name), version: textOf(manifest?.version), needs }) };
  });
}

/** The folder of a file, seen from another folder above it. */
function placeBelow(folder: string, path: string): string {
  const place = posix.dirname(path.slice(folder.length));
  return place === "." ? "" : place;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A folder and those above it, each with its slash. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split("/").slice(0, -1);
  return Array.from({ length: parts.length + 1 }, (_, count) =>
    parts
      .slice(0, count)
      .map((part) => `${part}/`)
      .join(""),
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
