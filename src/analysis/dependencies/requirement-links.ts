import { posix } from "node:path";
import type { AnalyserContext } from "../analyser.ts";
import { dependencyName } from "./lock-files.ts";
import { isRequirements } from "./read-manifests.ts";
import { requirementLines } from "./read-requirements.ts";
import { isListPath, readRequirementOption } from "./requirement-options.ts";

const MOST_LISTS = 300;
/** Of all lists of requirements together. What those beyond it name is not followed. */
const MOST_CHARACTERS = 1_000_000;
/** Files that people give to `-r`: nobody gives it a program. */
const LIST_NAME = /(?:^|\/)[^/.]+$|\.(?:txt|in|pip|lst|list|reqs?|lock|cfg|conf|constraints)$/i;

/** Which lists of requirements lead to which files. */
export interface ListLinks {
  /** Lists by another one's word: their own names say nothing. */
  readonly named: ReadonlySet<string>;
  /** All that a list leads to, with whether only its versions bind. */
  readonly of: (list: string) => readonly LinkedList[];
  /** Links of changed lists that lead to no file of the repository. */
  readonly lost: readonly ListLink[];
  /** Links that the change adds to lists that it leaves alone and that are known by no other link. */
  readonly joined: readonly ListLink[];
}

export interface ListLink {
  readonly from: string;
  readonly to: string;
}

export interface LinkedList {
  readonly path: string;
  readonly isConstraints: boolean;
}

interface ChangedList {
  readonly path: string;
  readonly text: string;
  readonly oldText?: string | undefined;
}

const NO_LINKS: ListLinks = { named: new Set(), of: () => [], lost: [], joined: [] };

/** Whether a file of this name may be a list of requirements, once another one names it. */
export function mayBeListed(path: string): boolean {
  return LIST_NAME.test(path);
}

/** Follows `-r` and `-c` from every list that is known by its name, as pip does: from the folder of the list. */
export async function followLists(
  files: readonly ChangedList[],
  { tree, signal }: Pick<AnalyserContext, "tree" | "signal">,
): Promise<ListLinks> {
  const changed = new Map(files.map((file) => [file.path, file]));
  if (!files.some(({ path }) => isList(path) || mayBeListed(path))) return NO_LINKS;
  const paths = new Set([...(tree?.paths ?? []), ...changed.keys()]);
  const links = new Map<string, readonly LinkedList[]>();
  let left = MOST_CHARACTERS;
  let open = [...paths].filter(isList);
  while (open.length > 0 && links.size < MOST_LISTS && left > 0) {
    const unread = open.slice(0, MOST_LISTS - links.size);
    const others = unread.filter((path) => !changed.has(path));
    const read = others.length === 0 ? undefined : await tree?.readMany(others, signal);
    for (const path of unread) {
      const text = changed.get(path)?.text ?? read?.get(path)?.toString("utf8") ?? "";
      left -= text.length;
      links.set(path, left < 0 ? [] : linksOf(path, text));
    }
    const next = new Set(unread.flatMap((path) => links.get(path)!.map((link) => link.path)));
    open = [...next].filter((path) => paths.has(path) && !links.has(path));
  }
  const all = [...links].flatMap(([from, of]) => of.map(({ path }) => ({ from, to: path })));
  const named = new Set(all.flatMap(({ to }) => (paths.has(to) && !isList(to) ? [to] : [])));
  const fresh = files.flatMap(({ path, text, oldText }) => {
    const before = new Set(oldText === undefined ? [] : linksOf(path, oldText).map((link) => link.path));
    if (!isList(path) && !named.has(path)) return [];
    return linksOf(path, text).flatMap((link) => (before.has(link.path) ? [] : [{ from: path, to: link.path }]));
  });
  const added = new Set(fresh.map(keyOf));
  const known = new Set(all.flatMap((link) => (added.has(keyOf(link)) ? [] : [link.to])));
  return {
    named,
    of: (list) => reach(list, links, paths),
    lost: tree === undefined ? [] : fresh.filter(({ to }) => !paths.has(to)),
    joined: fresh.filter(({ to }) => named.has(to) && !changed.has(to) && !known.has(to)),
  };
}

function keyOf({ from, to }: ListLink): string {
  return `${from}\0${to}`;
}

function isList(path: string): boolean {
  return isRequirements(dependencyName(path));
}

/** From one list over all that it names. What is reached by `-c` alone only binds. */
function reach(
  list: string,
  links: ReadonlyMap<string, readonly LinkedList[]>,
  paths: ReadonlySet<string>,
): LinkedList[] {
  const found = new Map<string, boolean>();
  const open: LinkedList[] = [...(links.get(list) ?? [])];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const known = found.get(one.path);
    if (one.path === list || !paths.has(one.path) || known === false || known === one.isConstraints) continue;
    found.set(one.path, one.isConstraints);
    const { isConstraints } = one;
    open.push(
      ...(links.get(one.path) ?? []).map((next) => ({ ...next, isConstraints: isConstraints || next.isConstraints })),
    );
  }
  return [...found].map(([path, isConstraints]) => ({ path, isConstraints }));
}

function linksOf(list: string, text: string): LinkedList[] {
  const folder = posix.dirname(list);
  return requirementLines(text).flatMap(({ text: entry }) => {
    const option = entry.startsWith("-") ? readRequirementOption(entry) : undefined;
    if ((option?.kind !== "list" && option?.kind !== "constraints") || !isListPath(option.path)) return [];
    const path = posix.normalize(posix.join(folder, option.path));
    return path.startsWith("../") ? [] : [{ path, isConstraints: option.kind === "constraints" }];
  });
}

/** Links that are named one by one; the others are counted. */
const MOST_NAMED = 5;

/** What of these links nobody looked at, each as the end of "not checked". */
export function noteLinks({ lost, joined }: Pick<ListLinks, "lost" | "joined">): string[] {
  return [
    ...(lost.length === 0 ? [] : [`not checked: ${listed(lost)}, which the repository does not have`]),
    ...(joined.length === 0 ? [] : [`not checked: ${listed(joined)}, whose packages were not listed before`]),
  ];
}

function listed(links: readonly ListLink[]): string {
  const named = links.slice(0, MOST_NAMED).map(({ from, to }) => `\`${to}\` (named by \`${from}\`)`);
  const rest = links.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
