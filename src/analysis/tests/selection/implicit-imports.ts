import { posix } from "node:path";
import { spread } from "../../map/spread.ts";
import { babelSettings, changesImports, hasFolderlessBabelPlugin } from "./babel-plugins.ts";
import type { FileMentions } from "./file-mentions.ts";
import { hasFolderlessHook, hasFolderlessPlugin } from "./folderless-plugins.ts";
import { hasUnknownTransform } from "./jest-transforms.ts";
import type { Repository } from "./packed-repository.ts";
import { nameOf, type PathNames } from "./path-names.ts";
import { withoutKnownParts } from "./settings-parts.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** Settings that take plugins, as code or as data. */
const TAKES_PLUGINS =
  /(?:^|\/)(?:[\w.-]{1,100}\.(?:config|workspace|projects|shared)(?:\.[\w-]{1,40})?\.[cm]?[jt]s(?:on)?|\.babelrc(?:\.\w{1,5})?|\.nuxtrc)$/;
/** No runner of tests loads these, unless they add imports by the word of their text. */
const NOT_OF_TESTS = new Set(
  "webpack rollup rolldown rspack tsup tsdown esbuild unbuild postcss tailwind eslint prettier stylelint commitlint lint-staged playwright cypress drizzle knip typedoc svgo release-it jsconfig tsconfig".split(
    " ",
  ),
);
/** These load code from folders that their settings do not name. */
const FRAMEWORKS = new Set("nuxt wxt nitro quasar".split(" "));
/** What a module that is named without its ending, or by that of its result, may be called. */
const ENDING = /\.[cm]?[jt]s$/;
const ENDINGS = [".js", ".ts", ".mjs", ".mts", ".cjs", ".cts", "/index.js", "/index.ts"];
/** A pattern that begins nowhere takes every folder. */
const EVERYWHERE = /["'`](?:\.?\/)?\*\*?\/?[*\w.{},-]{0,40}["'`]/;

/** Folders whose code is imported although no text says so. */
export interface ImplicitFolders {
  /** Names of folders in lower case. */
  readonly names: ReadonlySet<string>;
  /** All of the package. */
  readonly everything: boolean;
  /** Every test is run with the plugins. */
  readonly isForAll: boolean;
}

/** Whether every test is run with this file's plugins. */
function takesPlugins(path: string): boolean {
  return TAKES_PLUGINS.test(path);
}

/**
 * By the files that name them: folders that settings with plugins name, in any way, and what those import or read names. A plugin
 * that is not known may import any file of such a folder where a name is used. @param mentions of every text
 */
export function implicitFolders(
  { graph, texts }: Repository,
  mentions: ReadonlyMap<string, FileMentions>,
  known: PathNames,
): ReadonlyMap<string, ImplicitFolders> {
  const plugs = (path: string) => mentions.get(path)?.plugs ?? false;
  const babel = new Map<string, string>();
  for (const [path, text] of texts()) {
    const settings = babelSettings(path, text);
    if (settings !== undefined && changesImports(path, settings)) babel.set(path, settings);
  }
  const sources = graph.paths.filter(
    (path) => babel.has(path) || mentions.get(path)?.addsImports || isLoadedSetting(path),
  );
  const taking = new Set<string>();
  const byName = filesByName(graph.paths);
  for (const source of sources) {
    const behind = spread([source], (path) => [
      ...(graph.imports.get(path) ?? []),
      ...namedBy(path, mentions.get(path), byName),
      ...(babel.has(path) ? ownPlugins(mentions.get(path)) : []),
    ]);
    const isTaking = babel.has(source) || FRAMEWORKS.has(programOf(source)) || [...behind].some(plugs);
    if (isTaking) for (const path of behind) taking.add(path);
  }
  const found = new Map<string, ImplicitFolders>();
  for (const [path, text] of texts()) {
    if (hasUnknownTransform(path, text)) found.set(path, { names: new Set(), everything: true, isForAll: true });
    if (!taking.has(path)) continue;
    const settings = babel.get(path);
    const isForAll = settings !== undefined || takesPlugins(path);
    const folders = foldersOf(settings ?? (isForAll ? withoutKnownParts(text) : text), known, isForAll);
    const mayBringAll =
      settings === undefined
        ? isCode(path) && bringsAll(text, isForAll, (part) => namesFolder(part, known))
        : hasFolderlessBabelPlugin(path, settings, (part) => namesFolder(part, known));
    found.set(path, { ...folders, everything: folders.everything || mayBringAll || found.has(path) });
  }
  return found;
}

/** Of a file that only settings load, what it imports is no plugin unless it says so. */
function bringsAll(text: string, isForAll: boolean, names: (part: string) => boolean): boolean {
  return ((isForAll || /plugin/i.test(text)) && hasFolderlessPlugin(text, names)) || hasFolderlessHook(text, names);
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

function namesFolder(part: string, known: PathNames): boolean {
  const { names, everything } = foldersOf(part, known, false);
  return names.size > 0 || everything;
}

function isLoadedSetting(path: string): boolean {
  return takesPlugins(path) && !NOT_OF_TESTS.has(programOf(path));
}

function programOf(path: string): string {
  const [first = "", second = ""] = nameOf(path).split(".", 2);
  return first === "" ? second.replace(/rc$/, "") : first;
}

function filesByName(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const path of paths) {
    if (!/\.(?:json[5c]?|ya?ml|toml)$/.test(path)) continue;
    const name = nameOf(path);
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  return named;
}

/** What settings of Babel name as plugins, presets and settings to go on from, none of which they need to import. */
function ownPlugins(facts: FileMentions | undefined): readonly string[] {
  return (facts?.mentions ?? []).flatMap(({ exact }) =>
    exact === undefined ? [] : [exact, ...ENDINGS.map((ending) => exact.replace(ENDING, "") + ending)],
  );
}

/** Modules and data that settings name: manifests have settings of many programs. */
function namedBy(path: string, facts: FileMentions | undefined, byName: ReadonlyMap<string, readonly string[]>) {
  if (facts === undefined || !isCode(path)) return [];
  return facts.mentions.flatMap(({ key, imported, exact }) => {
    const name = key.startsWith("name ") ? key.slice(5) : "";
    const modules = imported && exact !== undefined ? ENDINGS.map((ending) => exact.replace(ENDING, "") + ending) : [];
    const isOfOthers = /^(?:package(?:-lock)?|tsconfig.{0,200})\.json$/.test(name);
    return isOfOthers ? modules : [...modules, ...(byName.get(name) ?? [])];
  });
}

function foldersOf(text: string, known: PathNames, isForAll: boolean): ImplicitFolders {
  const names = new Set<string>();
  for (const token of tokenize(text, { words: false, wants: () => false }))
    for (const name of partsOf(token)) if (known.folderNames.has(name)) names.add(name);
  return { names, everything: EVERYWHERE.test(text), isForAll };
}

/** The last folder of a path, be a file behind it or not; of a module that is imported none. */
function partsOf({ text, imported }: Token): readonly string[] {
  if (imported) return [];
  const parts = posix.normalize(text).toLowerCase().split("/").filter(Boolean);
  return parts.slice(-2);
}
