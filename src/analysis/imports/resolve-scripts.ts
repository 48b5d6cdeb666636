import { mkdtemp } from "node:fs/promises";
import { join, posix } from "node:path";
import { takeTurns } from "../../workspace/files/turns.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import { foldersAround } from "../child/imports/module-names.ts";
import type { ChildFile, ImportsResult } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { openReaderPlace } from "../reader/start-reader.ts";
import type { Importable } from "./import-settings.ts";
import { aliasTest, isByPath } from "./may-be-own.ts";
import { nearPaths } from "./near-paths.ts";
import { folderAround } from "./python-files.ts";
import type { ResolvedImports, ResolvePlace } from "./resolved-imports.ts";

/** A script with the modules that it asks for. */
export interface Script {
  readonly path: string;
  readonly modules: readonly string[];
}

/** An import takes 5 µs: some 5 ms. */
const TURN = { most: 1_000 };
/** Each costs up to the time of a file, and laying the names out again. */
const MOST_CULPRITS = 3;

type Settings = readonly (readonly [path: string, text: string])[];

/**
 * What imports of scripts mean, looked up in a child process, which is given the names of the files and the texts of the settings. Where
 * settings break the child or take too long, it is asked once more without any, so that paths still lead to files.
 */
export async function resolveScripts(
  scripts: readonly Script[],
  { paths, settings, unreadSettings = [] }: Importable,
  { scratch, signal }: ResolvePlace,
): Promise<Map<string, ResolvedImports>> {
  const resolved = new Map<string, ResolvedImports>();
  const turn = takeTurns(TURN);
  const { listed, isCut } = nearPaths(paths, scripts);
  const requests = scripts.map(({ path, modules }, id): ChildFile => ({ id, path, text: modules.join("\n") }));
  // In the sandbox a child has a folder of its own to lay names into.
  const isBeside = "beside" in (await openReaderPlace());
  const folder = isBeside ? await mkdtemp(join(scratch, "imports-")) : undefined;

  const ask = async (files: readonly ChildFile[], texts: Settings, culprits: number) => {
    const given = { folder, paths: listed, settings: texts, culprits };
    const { results } = await runInChild<ImportsResult>("imports", files, { signal }, given);
    return results;
  };
  const targetsOf = async ({ modules }: Script, { found }: ImportsResult) => {
    const targets = new Map<string, readonly string[]>();
    for (const [at = -1, ...places] of found) {
      const files = places.flatMap((place) => listed[place] ?? []);
      targets.set(modules[at] ?? "", files);
      await turn();
    }
    return targets;
  };

  try {
    const texts = [...settings].map(([path, text]) => [path, text.toString("utf8")] as const);
    // The settings are laid out before the first file: they break every child alike.
    const whole = await ask(requests, texts, texts.length > 0 ? 1 : MOST_CULPRITS);
    const mayBeAlias = aliasTest(settings);
    const mayBeNamed = namesUnread(unreadSettings, mayBeAlias);
    for (const [id, result] of whole) {
      const script = scripts[id]!;
      const targets = await targetsOf(script, result);
      const found = result.lost.flatMap((at) => script.modules[at] ?? []);
      const unknown = script.modules.filter((each) => !targets.has(each) && mayBeNamed(script.path, each));
      const lost = [...new Set([...found, ...unknown])];
      const cut = (isCut && lost.length > 0) || unknown.length > 0 ? { isCut: true } : {};
      resolved.set(script.path, { targets, lost, ...cut });
    }
    const rest = requests.filter(({ id }) => !whole.has(id));
    if (rest.length === 0) return resolved;
    const plain = texts.length > 0 && !signal.aborted ? await ask(rest, [], MOST_CULPRITS) : undefined;
    for (const { id } of rest) {
      const script = scripts[id]!;
      const result = plain?.get(id);
      const targets = result === undefined ? new Map<string, readonly string[]>() : await targetsOf(script, result);
      const lost = script.modules.filter((each) => !targets.has(each) && (isByPath(each) || mayBeAlias(each)));
      resolved.set(script.path, { targets, lost, ...(lost.length > 0 ? { isCut: true } : {}) });
    }
    return resolved;
  } finally {
    if (folder !== undefined) await removeFolder(folder);
  }
}

/** Tells which modules settings may give to files that were not read, of a file below their folder. A manifest gives only names with `#`. */
function namesUnread(
  unread: readonly string[],
  mayBeAlias: (module: string) => boolean,
): (importer: string, module: string) => boolean {
  if (unread.length === 0) return () => false;
  const isManifest = (path: string) => posix.basename(path) === "package.json";
  const foldersOf = (paths: readonly string[]) => new Set(paths.map(folderAround));
  const manifests = foldersOf(unread.filter(isManifest));
  const others = foldersOf(unread.filter((path) => !isManifest(path)));
  const either = manifests.union(others);
  return (importer, module) => {
    const folders = module.startsWith("#") ? either : others;
    return mayBeAlias(module) && foldersAround(folderAround(importer)).some((folder) => folders.has(folder));
  };
}
