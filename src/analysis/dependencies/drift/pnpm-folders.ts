import semver from "semver";
import { defined } from "../../../domain/defined.ts";
import { entriesOf } from "../formats/yaml-node.ts";
import { aliasOf } from "../npm-words.ts";
import { isExtended, type Sections, wordsIn } from "./pnpm-settings.ts";
import { type Drift, type Project, wordsOf } from "./steps.ts";

/**
 * What the folder of a `file:` package asks for: pnpm has a copy of it among its packages, and refuses where that has other dependencies,
 * or other peers. What is optional may be missing there.
 * @returns undefined where the folder is no such package, and for formats before version 9
 */
export function folderDrifts(documents: readonly Sections[], project: Project): readonly Drift[] | undefined {
  const { folder, manifest } = project;
  const isOf = (key: string) => placeOf(key) === folder;
  const snapshots = documents.flatMap((of) => [...entriesOf(of.get("snapshots"))].filter(([key]) => isOf(key)));
  const [snapshot] = snapshots.map(([, node]) => entriesOf(node));
  if (snapshot === undefined) return undefined;
  if (documents.some((of) => of.has("pnpmfileChecksum")) || isExtended(project)) return [];
  const [entry] = documents.flatMap((of) => [...entriesOf(of.get("packages"))].filter(([key]) => isOf(key)));
  const peers = new Map(wordsOf(manifest.peerDependencies));
  const lockedPeers = new Map(wordsIn(entriesOf(entry?.[1]).get("peerDependencies")));
  const forced = new Set(documents.flatMap((of) => wordsIn(of.get("overrides")).map(([key]) => key)));
  const optional = new Map(wordsOf(manifest.optionalDependencies));
  const wanted = new Map([...wordsOf(manifest.dependencies), ...optional]);
  const locked = new Map([...wordsIn(snapshot.get("dependencies")), ...wordsIn(snapshot.get("optionalDependencies"))]);
  const isForced = (name: string) =>
    [...forced].some((key) => key === name || key.includes(`>${name}`) || key.startsWith(`${name}@`));
  return [
    ...[...wanted].flatMap(([name, range]): Drift[] => {
      const has = locked.get(name);
      if (isForced(name) || (has === undefined ? optional.has(name) : isMet(range, has))) return [];
      return [{ name, wanted: range, ...defined({ locked: has }) }];
    }),
    ...[...locked].flatMap(([name, has]) =>
      wanted.has(name) || peers.has(name) || lockedPeers.has(name) ? [] : [{ name, locked: has }],
    ),
    ...[...new Set([...peers.keys(), ...lockedPeers.keys()])].flatMap((name): Drift[] => {
      const [mine, its] = [peers.get(name), lockedPeers.get(name)];
      return mine === its ? [] : [{ name: `${name} as a peer`, ...defined({ wanted: mine, locked: its }) }];
    }),
  ];
}

/** The folder in `local@file:vendor/local(react@18.0.0)`. */
function placeOf(key: string): string | undefined {
  const [written = ""] = key.split("(", 1);
  const at = written.indexOf(FILE);
  return at === -1 ? undefined : written.slice(at + FILE.length);
}

const FILE = "@file:";

/** What comes from elsewhere is not compared. */
function isMet(wanted: string, locked: string): boolean {
  const [written = ""] = locked.split("(", 1);
  const alias = aliasOf(wanted);
  const range = alias?.wanted ?? wanted;
  if (semver.validRange(range, true) === null) return true;
  if (alias === undefined) return semver.valid(written, true) === null || satisfies(written, range);
  return written.startsWith(`${alias.name}@`) && satisfies(written.slice(alias.name.length + 1), range);
}

function satisfies(version: string, range: string): boolean {
  return semver.satisfies(version, range, { loose: true });
}
