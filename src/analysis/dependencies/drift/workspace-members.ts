import { entriesOf, scalarOf } from "../formats/yaml-node.ts";
import { readYaml } from "../formats/yaml-tree.ts";
import { isRecord } from "../locked-package.ts";
import type { Project, Record } from "./steps.ts";

/**
 * Whether the workspace takes the folder of a manifest for one of its packages. False for patterns with more than stars, so that
 * nothing is said of what is not understood.
 */
export function isMember({ folder, root, workspace = "" }: Project): boolean {
  const patterns = workspace === "" ? patternsIn(root) : patternsOfPnpm(workspace);
  const left = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const taken = patterns.filter((pattern) => !pattern.startsWith("!"));
  return patterns.every(isPlain) && isAmong(folder, taken) && !isAmong(folder, left);
}

/** Whether one of these patterns of folders, of which only stars have a meaning here, is about a folder. */
export function isAmong(folder: string, patterns: readonly string[]): boolean {
  const plain = patterns.slice(0, MOST_PATTERNS).filter(isPlain);
  return plain.some((pattern) => matches(partsOf(pattern), partsOf(folder)));
}

function isPlain(pattern: string): boolean {
  return !/[{}[\]()?+@]/.test(pattern);
}

function patternsIn({ workspaces }: Record): string[] {
  const list = isRecord(workspaces) ? workspaces.packages : workspaces;
  return (Array.isArray(list) ? list : []).filter((pattern) => typeof pattern === "string").slice(0, MOST_PATTERNS);
}

function patternsOfPnpm(text: string): string[] {
  const list = entriesOf(readYaml(text).documents[0]).get("packages")?.value;
  const items = Array.isArray(list) ? list : [];
  return items.flatMap((item) => scalarOf(item) ?? []).slice(0, MOST_PATTERNS);
}

const MOST_PATTERNS = 200;
const MOST_PARTS = 20;

function partsOf(path: string): string[] {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .slice(0, MOST_PARTS);
}

/** Part by part; two stars stand for any number of folders. Takes the product of both numbers of parts, which are bounded. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= path.length; to += 1) next.add(to);
      else if (at < path.length && matchesPart(part, path[at]!)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(path.length);
}

/** The name has to have the words between the stars in their order. */
function matchesPart(pattern: string, name: string): boolean {
  const [first = "", ...words] = pattern.split("*");
  const last = words.pop();
  if (last === undefined) return first === name;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const word of words) {
    const found = name.indexOf(word, at);
    if (found === -1) return false;
    at = found + word.length;
  }
  return at <= name.length - last.length;
}
