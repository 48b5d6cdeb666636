import { defined } from "../../domain/defined.ts";
import type { AnalyserContext } from "../analyser.ts";
import { ownManifests, readOwnPackages } from "../map/own-packages.ts";
import type { SourceFile } from "../source-file.ts";
import { isUnsaid } from "./ask-about.ts";
import type { LockText, Wanted } from "./compare-manifest.ts";
import { dependencyName, lockFileOf } from "./lock-files.ts";
import { manifestReader } from "./read-manifests.ts";
import type { ListLinks } from "./requirement-links.ts";

/** All of it goes to another process: beyond this, what a manifest asks for counts as held by no lock file. */
const MOST_CHARACTERS = 32_000_000;

/** As what a list of requirements is read that another one names, whatever its own name is. */
export const LIST = "requirements.txt";

/** The lock files that may hold what a manifest asks for: of its folder and of those above it, as the whole repository has them. */
export async function readLocks(
  files: readonly Pick<SourceFile, "path" | "text" | "oldText">[],
  { tree, signal }: Pick<AnalyserContext, "tree" | "signal">,
  lists: ListLinks,
): Promise<RepositoryLocks> {
  const changed = new Map(files.map(({ path, text }) => [path, text]));
  const old = new Map(files.map(({ path, oldText }) => [path, oldText ?? ""]));
  const manifests = new Map(
    files.flatMap(({ path }) =>
      lists.named.has(path) || manifestReader(dependencyName(path))
        ? [[path, new Map(lists.of(path).map((link) => [link.path, link]))] as const]
        : [],
    ),
  );
  const paths = new Set([...(tree?.paths ?? []), ...changed.keys()]);
  const linked = new Set([...manifests.values()].flatMap((links) => [...links.keys()]));
  const needed = [...paths].filter(
    (path) => linked.has(path) || (lockFileOf(path) && [...manifests.keys()].some((each) => mayHold(path, each))),
  );
  const others = needed.filter((path) => !changed.has(path));
  const read = others.length === 0 ? undefined : await tree?.readMany(others, signal);
  const texts = needed.map((path) => ({ path, text: changed.get(path) ?? read?.get(path)?.toString("utf8") ?? "" }));
  let characters = 0;
  return {
    textOf: (lock) => texts.find(({ path }) => path === lock)?.text,
    of: (manifest) =>
      texts.flatMap(({ path, text }) => {
        const link = manifests.get(manifest)?.get(path);
        if (!(link || mayHold(path, manifest)) || characters + text.length > MOST_CHARACTERS) return [];
        characters += text.length;
        const binds = link?.isConstraints || dependencyName(path) === "constraints.txt";
        return [
          {
            name: link ? LIST : dependencyName(path),
            text,
            ...defined({ oldPins: binds ? (old.get(path) ?? text) : undefined }),
          },
        ];
      }),
  };
}

export interface RepositoryLocks {
  /** Those that may hold what a manifest asks for. */
  readonly of: (manifest: string) => readonly LockText[];
  /** Of one that was read for a manifest, by its path. */
  readonly textOf: (lock: string) => string | undefined;
}

/** A list of requirements holds what it pins itself, and may be pinned by others. */
function mayHold(lock: string, manifest: string): boolean {
  const names = lockFileOf(lock)?.manifests ?? [];
  const isOfLanguage =
    names.includes(nameOf(manifest)) || (isRequirements(manifest) && names.includes("requirements.in"));
  return isOfLanguage && manifest.startsWith(lock.slice(0, lock.lastIndexOf("/") + 1));
}

function isRequirements(path: string): boolean {
  return /\.(?:txt|in)$/.test(path);
}

/** Which packages are the repository's own: they come from nowhere else, and nobody is asked about them. */
export async function readOwn(
  files: readonly SourceFile[],
  { tree, signal }: Pick<AnalyserContext, "tree" | "signal">,
): Promise<(one: Pick<Wanted, "ecosystem" | "name">) => boolean> {
  const changed = new Map(files.map(({ path, text }) => [path, Buffer.from(text)]));
  const manifests = ownManifests([...new Set([...(tree?.paths ?? []), ...changed.keys()])]);
  const others = manifests.filter((path) => !changed.has(path));
  const read = (others.length === 0 ? undefined : await tree?.readMany(others, signal)) ?? new Map<string, Buffer>();
  const texts = manifests.flatMap((path) => {
    const text = changed.get(path) ?? read.get(path);
    return text === undefined ? [] : [[path, text] as const];
  });
  const own = readOwnPackages(new Map(texts));
  return ({ ecosystem, name }) => ecosystem === "npm" && own.has(name);
}

/** Dependencies that are named one by one; the others are counted. */
const MOST_NAMED = 5;

/** "not checked: `lodash ^4`, `left *`: no lock file that Forge reads has them". There is at least one. */
export function noteUnlocked(unlocked: readonly Wanted[]): string {
  const managed = unlocked.filter(isUnsaid);
  const others = unlocked.filter((one) => !isUnsaid(one));
  const [it, their] = managed.length === 1 ? ["it", "its version"] : ["them", "their versions"];
  return `not checked: ${[
    ...(others.length > 0
      ? [`${listed(others)}: no lock file that Forge reads has ${others.length === 1 ? "it" : "them"}`]
      : []),
    ...(managed.length > 0 ? [`${listed(managed)}: what asks for ${it} does not say ${their}`] : []),
  ].join("; ")}`;
}

function listed(unlocked: readonly Wanted[]): string {
  const named = unlocked.slice(0, MOST_NAMED).map(({ name, wanted }) => `\`${`${name} ${wanted}`.trim()}\``);
  const rest = unlocked.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
