import { parseToml } from "../../workspace/parse-toml.ts";
import { parseJson } from "./json-blocks.ts";
import { isRecord, textOf } from "./locked-package.ts";
import { pythonName } from "./python-name.ts";
import { readCatalog, readGradle } from "./read-gradle.ts";
import { readComposer, readDeno, readPnpmWorkspace, readPubspec } from "./read-plain-manifests.ts";
import { pinned, readRequirement } from "./read-requirement.ts";
import { requirementLines } from "./read-requirements.ts";
import { readGemfile, readGemspec } from "./read-ruby-manifests.ts";
import { readSetupPy } from "./read-setup-py.ts";
import { readNuget, readPom } from "./read-xml-manifests.ts";
import { exact, type ManifestReader, record, type WantedPackage, wantedPackage } from "./wanted-package.ts";

/** Files in which people write what they want, by name. What is locked is read by `lock-files.ts`. */
const MANIFESTS: readonly { readonly name: RegExp; readonly read: ManifestReader }[] = [
  { name: /^package\.json$/, read: readPackageJson },
  { name: /^pnpm-workspace\.yaml$/, read: readPnpmWorkspace },
  { name: /^pyproject\.toml$/, read: readPyproject },
  { name: /^Pipfile$/, read: readPipfile },
  { name: /^setup\.cfg$/, read: readSetupCfg },
  { name: /^Cargo\.toml$/, read: readCargo },
  { name: /^setup\.py$/, read: readSetupPy },
  { name: /^(?:Gemfile|gems\.rb)$/, read: readGemfile },
  { name: /^[\w.-]*\.gemspec$/, read: readGemspec },
  { name: /^[\w.-]*\.gradle(?:\.kts)?$/, read: readGradle },
  { name: /^[\w.-]*\.versions\.toml$/, read: readCatalog },
  { name: /^composer\.json$/, read: readComposer },
  { name: /^pom\.xml$/, read: readPom },
  {
    name: /^(?:[^/]+\.(?:cs|fs|vb)proj|packages\.config|Directory\.(?:Packages\.props|Build\.(?:props|targets)))$/,
    read: readNuget,
  },
  { name: /^pubspec(?:_overrides)?\.yaml$/, read: readPubspec },
  { name: /^(?:deno|import_map)\.json$/, read: readDeno },
];

/** How the manifest of this name is read, without its folder; undefined for other files. */
export function manifestReader(name: string): ManifestReader | undefined {
  if (isRequirements(name)) return readRequirementLines;
  return MANIFESTS.find((manifest) => manifest.name.test(name))?.read;
}

/** Whether a file of this name is a list of requirements, without its folder. */
export function isRequirements(name: string): boolean {
  return name === "constraints.txt" || (name.includes("requirements") && /\.(?:txt|in)$/.test(name));
}

/** Made from files of the repository itself, or named by another manifest of it. */
const LOCAL = /^(?:workspace|catalog|link|portal|file|patch):|^\.{1,2}\//;

/** Real ones are shorter, and patterns on a longer one would take their time. */
const LONGEST_LINE = 1_000;

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
}

const NPM_GROUPS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
/** Versions that are forced on packages of packages. */
const NPM_FORCED = ["overrides", "resolutions"] as const;

function readPackageJson(text: string): WantedPackage[] | undefined {
  const manifest = parseJson(text);
  if (manifest === undefined) return undefined;
  const of = (group: string) => Object.entries(isRecord(manifest[group]) ? manifest[group] : {});
  const direct = NPM_GROUPS.flatMap(of);
  // `a/b` and `**/b` are b where a asks for it.
  const forced = NPM_FORCED.flatMap(of).map(([path, value]) => [lastName(path), value] as const);
  return [...direct, ...forced].flatMap(([key = "", value]) => {
    const written = textOf(value) ?? "";
    if (typeof value !== "string" || LOCAL.test(written) || written.startsWith("$")) return [];
    const [name, version] = ofAlias(key, written);
    return [wantedPackage("npm", name, version, exact(version))];
  });
}

function lastName(path: string): string {
  const parts = path.split("/");
  return parts.slice(parts.at(-2)?.startsWith("@") ? -2 : -1).join("/");
}

/** `npm:real@1.2.3` is the package `real` under another name. */
function ofAlias(key: string, written: string): readonly [name: string, wanted: string] {
  if (!written.startsWith("npm:")) return [key, written];
  const at = written.lastIndexOf("@");
  return at > "npm:".length
    ? [written.slice("npm:".length, at), written.slice(at + 1)]
    : [written.slice("npm:".length), ""];
}

function readRequirementLines(text: string): WantedPackage[] {
  return requirementLines(text).flatMap(({ text: entry }) => (entry.startsWith("-") ? [] : readRequirement(entry)));
}

function readPyproject(text: string): WantedPackage[] | undefined {
  const root = parseToml(text);
  if (root === undefined) return undefined;
  const [project, tool, build] = [root.project, root.tool, root["build-system"]].map(record);
  const poetry = record(tool?.poetry);
  const lists = [
    project?.dependencies,
    build?.requires,
    ...[project?.["optional-dependencies"], root["dependency-groups"]].flatMap((groups) =>
      Object.values(record(groups)),
    ),
  ];
  const tables = [
    poetry.dependencies,
    poetry["dev-dependencies"],
    ...Object.values(record(poetry.group)).map((group) => record(group).dependencies),
  ];
  return [
    ...lists
      .flatMap((list) => (Array.isArray(list) ? list : []))
      .flatMap((entry) => readRequirement(textOf(entry) ?? "")),
    ...tables.flatMap((table) => readPythonTable(table, exact)),
  ];
}

function readPipfile(text: string): WantedPackage[] | undefined {
  const root = parseToml(text);
  if (root === undefined) return undefined;
  return [root.packages, root["dev-packages"]].flatMap((table) => readPythonTable(table));
}

/** @param bare what a version without a sign has to look like to be the only one: Poetry has it so */
function readPythonTable(table: unknown, bare?: typeof exact): WantedPackage[] {
  return Object.entries(record(table)).flatMap(([name, value]) => {
    if (name === "python" || record(value).path !== undefined) return [];
    const wanted =
      textOf(value) ?? textOf(record(value).version) ?? (record(value).git === undefined ? "" : "from git");
    return [wantedPackage("PyPI", pythonName(name), wanted, pinned(wanted) ?? bare?.(wanted))];
  });
}

/** `install_requires`, `setup_requires` and the extras: a line each. */
function readSetupCfg(text: string): WantedPackage[] {
  let isList = false;
  let isExtras = false;
  return linesOf(text).flatMap((line) => {
    if (/^\[/.test(line)) [isExtras, isList] = [line.startsWith("[options.extras_require]"), false];
    const [, key, rest] = /^([\w.-]+)\s*=(.*)$/.exec(line) ?? [];
    if (key === undefined) return isList && /^\s/.test(line) ? readRequirement(line) : [];
    isList = isExtras || /^(?:install|setup|tests)_requires$/.test(key);
    return isList ? readRequirement(rest ?? "") : [];
  });
}

function readCargo(text: string): WantedPackage[] | undefined {
  const root = parseToml(text);
  if (root === undefined) return undefined;
  const places = [root, record(root.workspace), ...Object.values(record(root.target)).map(record)];
  const tables = places.flatMap((place) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].map((group) => record(place[group])),
  );
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([key, value]) => {
      const of = record(value);
      if (of.path !== undefined || of.workspace === true) return [];
      const wanted = textOf(value) ?? textOf(of.version) ?? (of.git === undefined ? "" : "from git");
      // A version without a sign stands for all that are compatible with it.
      const version = /^\s*=/.test(wanted) ? exact(wanted) : undefined;
      return [wantedPackage("crates.io", textOf(of.package) ?? key, wanted, version)];
    }),
  );
}
