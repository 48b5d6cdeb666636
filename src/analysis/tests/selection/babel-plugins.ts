import { posix } from "node:path";
import { Fields, type Literal, Place, readNamed } from "../../child/imports/read-literals.ts";
import { settingsIn } from "./settings-in.ts";

const SETTINGS = /^(?:babel\.config\.(?:[cm]?[jt]s|json)|\.babelrc(?:\.(?:[cm]?[jt]s|json))?)$/;
const LISTS = new Set(["plugins", "presets"]);
/** Lists that grow after they were written. */
const GROWS = /\.(?:push|unshift|splice|concat)\s{0,20}\(/;
/** Where the code comes from that JSX stands for: it may be a module of the repository. */
const BRINGS_IN = /\b(?:importSource|moduleName|pragma)\b/;
/** Members of module-resolver by which imports lead to more than its aliases say. */
const RESOLVES = /["'`]?\b(?:root|cwd|resolvePath|transformFunctions)\b["'`]?\s{0,20}[:(,]/;
/** None of these changes what an import leads to. */
const KNOWN = new Set(
  "react-app next/babel expo istanbul babel-plugin-istanbul dynamic-import-node babel-plugin-dynamic-import-node macros babel-plugin-macros styled-components babel-plugin-styled-components".split(
    " ",
  ),
);
const RESOLVER = new Set(["module-resolver", "babel-plugin-module-resolver"]);

/** What a text says to Babel, which takes plugins by their names: the part of a `package.json`, and settings of its own; otherwise undefined. */
export function babelSettings(path: string, text: string): string | undefined {
  return settingsIn(path, text, { file: SETTINGS, member: "babel" });
}

/** Whether plugins may lead imports elsewhere: one that nobody knows by its name may, and what only a run would name. */
export function changesImports(path: string, settings: string): boolean {
  if (BRINGS_IN.test(settings)) return true;
  const lists = readNamed(settings, "", LISTS, isData(path));
  // What could not be parsed may name any.
  if (lists.length === 0) return /\b(?:plugins|presets)\b/.test(settings);
  return GROWS.test(settings) || lists.some((list) => !isList(list) || list.some((each) => mayChange(each, settings)));
}

/**
 * Whether a plugin that is not known, or that only a run would name, is given no folder: it may lead any import anywhere.
 * @param namesFolder whether a part of the text names a folder of the repository
 */
export function hasFolderlessBabelPlugin(
  path: string,
  settings: string,
  namesFolder: (part: string) => boolean,
): boolean {
  const lists = readNamed(settings, "", LISTS, isData(path));
  if (lists.length === 0) return /\b(?:plugins|presets)\b/.test(settings);
  return lists.some(
    (list) =>
      !isList(list) ||
      list.some((entry) => {
        if (!mayChange(entry, settings)) return false;
        const options = isList(entry) ? textsIn(entry.slice(1)) : [];
        return !options.some((text) => namesFolder(JSON.stringify(text)));
      }),
  );
}

/** The texts in a value, however deep. */
function textsIn(value: Literal): string[] {
  if (typeof value === "string") return [value];
  if (value instanceof Place) return [value.path];
  if (value instanceof Fields) return [...value.entries.values()].flatMap(textsIn);
  return isList(value) ? value.flatMap(textsIn) : [];
}

function isData(path: string): boolean {
  const name = posix.basename(path);
  return name === ".babelrc" || name.endsWith(".json");
}

function isList(value: Literal): value is readonly Literal[] {
  return Array.isArray(value);
}

function mayChange(entry: Literal, settings: string): boolean {
  const name = isList(entry) ? entry[0] : entry;
  if (typeof name !== "string") return true;
  const plain = name.replace(/^module:/, "");
  if (RESOLVER.has(plain)) return RESOLVES.test(settings);
  return !KNOWN.has(plain) && !/^@babel\/(?:(?:plugin|preset)-)?[\w-]{1,100}$/.test(plain);
}
