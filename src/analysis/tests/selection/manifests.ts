import { posix } from "node:path";
import { folderOfAlias, readAlias } from "../../map/package-alias.ts";
import { isSettings } from "./file-kinds.ts";

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg)$/;
/** What a manifest tells the runner of tests: files that are named there are loaded by every test. */
const RUNNER_PARTS = ["jest", "mocha", "ava", "tap", "vitest", "babel", "imports"];
const RUNNER_SCRIPTS = new Set(["pretest", "test", "posttest", "tests-only", "unit"]);
const RUNNER_SECTION = /pytest|testenv/;

/** Programs that a manifest gives a name: the names by the paths of their files, as they are written. */
export type Programs = ReadonlyMap<string, readonly string[]>;

/** Of settings, what the runner of tests loads; the whole text of any other file. */
export function loadedByText(path: string, text: string): string {
  const name = posix.basename(path);
  if (name === "package.json") return partsOfPackage(text);
  if (/^(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.(?:ini|toml))$/.test(name)) return sectionsOf(text);
  // Their own changes ask for all tests, and what they mention is compiled or installed, and not read.
  return isSettings(path) &&
    !/\.(?:[cm]?[jt]s|py)$|\.mocharc|\.babelrc|\.nuxtrc|(?:jest|babel)\.config\.json$|pom\.xml$|gradle/.test(name)
    ? ""
    : text;
}

function partsOfPackage(text: string): string {
  const manifest = parsed(text);
  const scripts = Object.entries(Object(manifest.scripts)).filter(
    (each): each is [string, string] => typeof each[1] === "string",
  );
  const own = scripts.filter(([name]) => RUNNER_SCRIPTS.has(name)).map(([, script]) => script);
  // `npm run test:unit` in the script of the tests.
  const called = scripts.filter(([name]) => name.includes(":") && own.some((script) => script.includes(name)));
  return JSON.stringify([...RUNNER_PARTS.map((part) => manifest[part]), ...own, ...called.map(([, script]) => script)]);
}

function sectionsOf(text: string): string {
  let inside = false;
  const lines = text.split("\n").filter((line) => {
    if (line.startsWith("[")) inside = RUNNER_SECTION.test(line.slice(0, 200));
    return inside;
  });
  return lines.join("\n");
}

/** Under which names the programs of these manifests are started. */
export function readPrograms(texts: Iterable<readonly [path: string, text: string]>): Programs {
  const programs = new Map<string, string[]>();
  const add = (file: string, name: string) => programs.set(file, [...(programs.get(file) ?? []), name]);
  for (const [path, text] of texts) {
    if (!MANIFEST.test(path)) continue;
    const folder = posix.dirname(path);
    if (!path.endsWith("package.json")) {
      for (const [name, module] of entryPoints(text)) {
        const file = `${module.replaceAll(".", "/")}.py`;
        for (const root of [folder, posix.join(folder, "src")]) add(posix.join(root, file), name);
      }
      continue;
    }
    const { bin, name } = parsed(text);
    const bins = typeof bin === "string" && typeof name === "string" ? { [posix.basename(name)]: bin } : Object(bin);
    for (const [each, file] of Object.entries(bins)) if (typeof file === "string") add(posix.join(folder, file), each);
  }
  return programs;
}

/** Lines such as `shop = "shop.cli:main"`, and of what is no program `cart = "shop.plugins.cart"`. */
function entryPoints(text: string): [name: string, module: string][] {
  return text.split("\n").flatMap((line): [string, string][] => {
    if (line.length > 300) return [];
    const [left = "", right = ""] = line
      .split("=", 2)
      .map((side) => side.trim().replace(/^["']/, "").replace(/["']$/, ""));
    const [module = "", called] = right.split(":");
    const isModule = called === undefined ? /^[a-z_]\w*(?:\.\w+)+$/i.test(module) : /^\w+$/.test(called);
    return /^[\w.]+$/.test(module) && isModule && /^[\w.-]+$/.test(left) ? [[left, module]] : [];
  });
}

const NEEDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** Names under which a `package.json` asks for packages. */
export function neededBy(text: string): readonly string[] {
  const manifest = parsed(text);
  return NEEDS.flatMap((list) => Object.keys(Object(manifest[list])));
}

/** Packages that come from elsewhere: what is imported from them is no file of the repository. */
export function foreignPackages(texts: Iterable<readonly [path: string, text: string]>): ReadonlySet<string> {
  const [foreign, own] = [new Set<string>(), new Set<unknown>()];
  const manifests = [...texts].filter(([path]) => posix.basename(path) === "package.json");
  const all = manifests.map(([, text]) => parsed(text));
  for (const { name } of all) own.add(name);
  for (const manifest of all) {
    // A package or a folder of the repository may be called otherwise than its own manifest says.
    for (const [name, version] of NEEDS.flatMap((list) => Object.entries(Object(manifest[list])))) {
      const alias = readAlias(version);
      const isOwn = alias !== undefined && ("folder" in alias || own.has(alias.name));
      (isOwn ? own : foreign).add(name);
    }
  }
  return new Set([...foreign].filter((name) => !own.has(name)));
}

/** Folders of the repository by the names under which its packages are asked for, where a manifest gives them one. */
export function ownFolders(texts: Iterable<readonly [path: string, text: string]>): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const [path, text] of texts) {
    if (posix.basename(path) !== "package.json") continue;
    const manifest = parsed(text);
    for (const [name, version] of NEEDS.flatMap((list) => Object.entries(Object(manifest[list])))) {
      const alias = readAlias(version);
      if (alias !== undefined && "folder" in alias) folders.set(name, folderOfAlias(alias, posix.dirname(path)));
    }
  }
  return folders;
}

/** The name by which others ask for the package of a manifest. */
export function packageName(path: string, text: string): string | undefined {
  if (path.endsWith("package.json")) {
    const { name } = parsed(text);
    return typeof name === "string" ? name : undefined;
  }
  return /^name\s{0,20}=\s{0,20}["']?([\w.-]{1,200})/m.exec(text)?.[1];
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
