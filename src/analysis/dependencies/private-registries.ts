import type { AnalyserContext } from "../analyser.ts";
import type { SourceFile } from "../source-file.ts";
import type { Tree } from "../tree.ts";
import type { Ecosystem } from "./advisory-source.ts";
import { isPublic } from "./package-address.ts";

interface Settings {
  /** Files in the folder of a manifest or above it that may name a registry. */
  readonly isSettings: (name: string) => boolean;
  /** Whether a line, trimmed and in lower case, says from where packages come. */
  readonly tells: (line: string) => boolean;
}

/** Lock files of npm that say from where each package comes: who has some from a registry of their own has others there. */
const NPM_LOCKS = ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock"];
/** Of JSON, and of Yarn 1. What comes from git says nothing of registries. */
const RESOLVED = /^(?:"resolved": |resolved )"https?:\/\/([^"#]{1,1000})/;
/** Bytes of one; of longer ones nothing is known. */
const LARGEST_LOCK = 8_000_000;

const named =
  (...names: readonly string[]) =>
  (name: string) =>
    names.includes(name);
const begins =
  (...starts: readonly string[]) =>
  (line: string) =>
    starts.some((start) => line.startsWith(start));

const SETTINGS: Readonly<Partial<Record<Ecosystem, Settings>>> = {
  npm: {
    isSettings: named(".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml", "pnpm-workspace.yaml"),
    tells: (line) => line.includes("//") || line.includes("registr"),
  },
  PyPI: {
    isSettings: (name) =>
      ["pyproject.toml", "pipfile", "pip.conf", "pip.ini", "uv.toml"].includes(name) || /(?:\.txt|\.in)$/.test(name),
    tells: namesPythonSource,
  },
  "crates.io": {
    isSettings: named("cargo.toml", "config.toml", "config"),
    tells: (line) => line.includes("registr") || line.startsWith("replace-with") || line.startsWith("[source"),
  },
  RubyGems: {
    isSettings: (name) => name === "gemfile" || name === "gems.rb" || name === "config",
    tells: namesGemSource,
  },
  Packagist: { isSettings: named("composer.json"), tells: (line) => line.includes('"repositories"') },
  NuGet: {
    isSettings: (name) => name === "nuget.config" || name.endsWith("proj") || name.endsWith(".props"),
    tells: (line) => (line.startsWith("<add ") && line.includes("//")) || line.includes("restoresources"),
  },
  Pub: { isSettings: named("pubspec.yaml"), tells: (line) => line.includes("hosted") },
};

/** Gems from repositories and folders count too. The line with which Bundler begins each Gemfile says only what `github` means. */
function namesGemSource(line: string): boolean {
  if (line.startsWith("git_source(:github)")) return false;
  const words = ["source:", ":source", "git:", ":git", "github:", "gist:", "gitlab:", "bitbucket:", "path:", ":path"];
  return begins("source", "bundle_mirror", "git", "path")(line) || words.some((word) => line.includes(word));
}

const INDEX_STARTS = [
  ...["url", "-i", "-f", "--index", "--extra-index", "--find-links", "--no-index", "index", "extra-index"],
  ...["find-links", "no-index", "[tool.uv.sources", "dependency_links"],
];

function namesPythonSource(line: string): boolean {
  return begins(...INDEX_STARTS)(line) || (line.includes("{") && /url ?=/.test(line));
}

/** Bytes of one file, files near a manifest, and folders with manifests: where there is more, any of them may be named. */
const LARGEST = 1_000_000;
const MOST_FILES = 100;
const MOST_FOLDERS = 50;

export type ReadPrivate = (path: string, ecosystems: ReadonlySet<Ecosystem>) => Promise<ReadonlySet<Ecosystem>>;

/** Sorts the files of the repository once, for the questions of all manifests of a change. */
export function openPrivateRegistries(
  changed: ReadonlyMap<string, SourceFile>,
  { tree, signal }: Pick<AnalyserContext, "tree" | "signal">,
): ReadPrivate {
  const byFolder = Map.groupBy(new Set([...(tree?.paths ?? []), ...changed.keys()]), folderOf);
  const seen = new Set<string>();
  return async (path, ecosystems) => {
    seen.add(folderOf(path));
    // Where nobody can look, any of them may be named.
    if (tree === undefined || seen.size > MOST_FOLDERS) return ecosystems;
    const near = [...foldersOf(path)].flatMap((folder) => byFolder.get(folder) ?? []);
    return readPrivateRegistries(near, ecosystems, changed, { tree, signal });
  };
}

/**
 * Ecosystems for which something in the folder of a file, or above it, names a registry that is not public: a name from there is nobody's
 * business, and may be unknown to everyone else.
 */
async function readPrivateRegistries(
  near: readonly string[],
  ecosystems: ReadonlySet<Ecosystem>,
  changed: ReadonlyMap<string, SourceFile>,
  { tree, signal }: { readonly tree: Tree; readonly signal: AbortSignal },
): Promise<ReadonlySet<Ecosystem>> {
  const wanted = [...ecosystems].flatMap((ecosystem) => {
    const settings = SETTINGS[ecosystem];
    if (settings === undefined) return [];
    const files = near.filter((one) => settings.isSettings(nameOf(one)));
    return [{ ecosystem, settings, files }];
  });
  if (wanted.some(({ files }) => files.length > MOST_FILES)) return ecosystems;
  const others = [...new Set(wanted.flatMap(({ files }) => files))].filter((one) => !changed.has(one));
  const read =
    (others.length === 0 ? undefined : await tree.readMany(others, signal, LARGEST)) ?? new Map<string, Buffer>();
  const textOf = (one: string) => changed.get(one)?.text ?? read.get(one)?.toString("utf8");
  const isPrivate = ({ ecosystem, settings, files }: (typeof wanted)[number]) =>
    // A file that could not be read may name one.
    files.some((one) => namesPrivate(ecosystem, textOf(one), settings));
  const found = new Set(wanted.filter(isPrivate).map(({ ecosystem }) => ecosystem));
  if (found.has("npm") || !ecosystems.has("npm")) return found;
  const locks = near.filter((one) => NPM_LOCKS.includes(nameOf(one)));
  const unread = locks.filter((one) => !changed.has(one));
  const texts = unread.length === 0 ? undefined : await tree.readMany(unread, signal, LARGEST_LOCK);
  const isOurs = (one: string) => locksPrivate(changed.get(one)?.text ?? texts?.get(one)?.toString("utf8") ?? "");
  return locks.some(isOurs) ? found.add("npm") : found;
}

/** Whether a lock file has a package from a registry that is not public. */
function locksPrivate(text: string): boolean {
  return text.split("\n").some((line) => {
    const [, address] = RESOLVED.exec(line.trimStart()) ?? [];
    // Archives of other servers lie under other paths than those of a registry.
    return address?.includes("/-/") && !isPublic("npm", address.split("/", 1).join());
  });
}

function namesPrivate(ecosystem: Ecosystem, text: string | undefined, { tells }: Settings): boolean {
  if (text === undefined || text.length > LARGEST) return true;
  return text.split("\n").some((written) => {
    const line = written.trim().toLowerCase();
    if (!tells(line)) return false;
    const hosts = hostsIn(line);
    return hosts.length === 0 || hosts.some((host) => !isPublic(ecosystem, host));
  });
}

/** What follows each `//`, to the sign that ends a host. */
function hostsIn(line: string): string[] {
  return line
    .split("//")
    .slice(1)
    .map((rest) => rest.slice(0, /[^\w.@-]|$/.exec(rest)!.index));
}

/** The folder of a path and those above it, with the folders that keep settings in them. */
function foldersOf(path: string): ReadonlySet<string> {
  const folders = new Set<string>();
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const inside = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    for (const one of [folder, ...[".cargo", ".bundle", "requirements"].map(inside)]) folders.add(one);
    if (folder === "") return folders;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}
