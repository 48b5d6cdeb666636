import { posix } from "node:path";
import { defined } from "../../../domain/defined.ts";
import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { textOf } from "../locked-package.ts";
import { patternsOf } from "../read-yarn-lock.ts";
import { peersThatDiffer, withoutProtocol, wordsIn } from "./berry-words.ts";
import { type Drift, type Project, wordsOf } from "./steps.ts";

/** Folders that folders name. */
const DEEPEST = 5;
/** In characters: each level of folders is written out, and encoded, in the next. */
const LONGEST_PATTERN = 10_000;
const LOCATOR = "locator=";
const WORKSPACE = "@workspace:";

/** Entries of folders that are packages, by the folder, seen from that of the lock file. */
export type BerryFolders = ReadonlyMap<string, { readonly kind: string; readonly node: YamlNode }>;

export function foldersIn(entries: ReadonlyMap<string, YamlNode>): BerryFolders {
  const found = new Map<string, { kind: string; node: YamlNode }>();
  for (const [head, node] of entries) {
    if (!head.includes("::")) continue;
    for (const pattern of patternsOf(head)) {
      const place = folderIn(pattern);
      if (place !== undefined) found.set(place.folder, { kind: place.kind, node });
    }
  }
  return found;
}

/**
 * What the folder of a `file:` or `portal:` package asks for. Yarn reads its manifest at each installation, and refuses where the lock file
 * has other dependencies or peers of it; of `file:`, which is copied, another version as well. Of what else lies in the folder, whose hash Yarn
 * compares too, nothing is said.
 * @returns undefined where the folder is no such package
 */
export function folderDrifts(folders: BerryFolders, project: Project): readonly Drift[] | undefined {
  const { folder, manifest, root } = project;
  const entry = folders.get(folder);
  if (entry === undefined) return undefined;
  const { kind, node } = entry;
  const wanted = new Map([...wordsOf(manifest.dependencies), ...wordsOf(manifest.optionalDependencies)]);
  const locked = wordsIn(node, "dependencies");
  const forced = wordsOf(root.resolutions).map(([selector]) => selector);
  const isForced = (name: string) => forced.some((selector) => selector === name || selector.includes(`/${name}`));
  const [version, has] = [textOf(manifest.version), scalarOf(entriesOf(node).get("version"))];
  const isOther = kind === "file" && version !== undefined && has !== undefined && version !== has;
  return [
    ...(isOther ? [{ name: textOf(manifest.name) ?? folder, wanted: version, locked: has }] : []),
    ...[...new Set([...wanted.keys(), ...locked.keys()])].flatMap((name): Drift[] => {
      const [mine, its] = [wanted.get(name), locked.get(name)].map((each) => each && withoutProtocol(each));
      return mine === its || isForced(name) ? [] : [{ name, ...defined({ wanted: mine, locked: its }) }];
    }),
    ...peersThatDiffer(manifest, wordsIn(node, "peerDependencies")),
  ];
}

/**
 * The folder that a pattern means, from that of the lock file: `local@file:./vendor/local::locator=…`, where the locator is the package that
 * names it.
 */
function folderIn(pattern: string, depth = 0): { readonly kind: string; readonly folder: string } | undefined {
  if (depth > DEEPEST || pattern.length > LONGEST_PATTERN) return undefined;
  const at = pattern.indexOf("::");
  const [head, bindings] = [pattern.slice(0, Math.max(at, 0)), pattern.slice(at + 2).split("&")];
  const kind = ["file", "portal"].find((each) => head.includes(`@${each}:`));
  const locator = bindings.find((each) => each.startsWith(LOCATOR))?.slice(LOCATOR.length);
  if (kind === undefined || locator === undefined) return undefined;
  const place = head.slice(head.indexOf(`@${kind}:`) + kind.length + 2);
  const by = decoded(locator);
  const workspace = by.indexOf(WORKSPACE);
  const isWorkspace = workspace > 0 && !by.includes("::");
  const from = isWorkspace ? by.slice(workspace + WORKSPACE.length) : folderIn(by, depth + 1)?.folder;
  return from === undefined ? undefined : { kind, folder: posix.resolve("/", from, written(place)).slice(1) };
}

/** A resolved package repeats its folder behind `#`. */
function written(place: string): string {
  const [folder = ""] = decoded(place).split("#", 1);
  return folder;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
