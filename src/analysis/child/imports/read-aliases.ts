import { posix } from "node:path";
import { Fields, type Literal, Pattern, Place, readNamed } from "./read-literals.ts";

/** What an import that begins so means, as the resolver takes it: places from the root, with `*` for the rest. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

const NAMES = new Set(["alias", "moduleNameMapper"]);
/** Of one file. */
const MOST_ALIASES = 200;
const MOST_TARGETS = 10;

/**
 * Other names for files in the settings of bundlers and test runners: `resolve.alias` of Vite, Vitest and webpack, `moduleNameMapper` of Jest,
 * `alias` of Babel's module-resolver. What would only be known by running it is left out.
 * @param path of the settings, from the root
 */
export function readAliases(path: string, text: string): Aliases {
  const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
  const isData = path.endsWith("json") || posix.basename(path).endsWith("rc");
  const found = new Map<string, string[]>();
  for (const value of readNamed(text, folder, NAMES, isData)) {
    for (const [name, target] of pairsOf(value).slice(0, MOST_ALIASES)) {
      for (const place of targetsOf(target, folder)) {
        const alias = aliasOf(name, place);
        if (alias === undefined) continue;
        const [short, to] = alias;
        const known = found.get(short) ?? [];
        if (known.length < MOST_TARGETS && (known.length > 0 || found.size < MOST_ALIASES))
          found.set(short, [...known, to]);
      }
    }
  }
  return found;
}

type Name = string | Pattern;

function pairsOf(value: Literal): [Name, Literal][] {
  // Names of Jest are regular expressions: they begin or end as such, and others do not.
  if (value instanceof Fields)
    return [...value.entries].map(([name, each]) => [isPattern(name) ? new Pattern(name) : name, each]);
  const list = Array.isArray(value) ? (value as readonly Literal[]) : [];
  return list.flatMap((each) => {
    if (!(each instanceof Fields)) return [];
    const name = each.entries.get("find");
    return typeof name === "string" || name instanceof Pattern ? [[name, each.entries.get("replacement")]] : [];
  });
}

function isPattern(name: string): boolean {
  return name.startsWith("^") || name.includes("(");
}

function targetsOf(value: Literal, folder: string): string[] {
  const list = Array.isArray(value) ? (value as readonly Literal[]) : [value];
  return list.slice(0, MOST_TARGETS).flatMap((each) => {
    if (each instanceof Place) return [each.path];
    if (typeof each !== "string" || each === "") return [];
    const path = posix.join("/", folder, each.startsWith("<rootDir>") ? each.slice("<rootDir>".length) : each);
    return [path.slice(1)];
  });
}

/** A name and its place as the resolver takes them. */
function aliasOf(name: Name, place: string): [string, string] | undefined {
  if (name instanceof Pattern) {
    const wild = wildcardOf(name.source);
    if (wild === undefined) return undefined;
    if (!wild.includes("*")) return [`${wild}$`, place];
    const target = place.replace("$1", "*");
    return [wild, target.includes("*") ? target : `${target.endsWith("/") ? target : `${target}/`}*`];
  }
  const isFolder = name.endsWith("/");
  return name === "" || name === "." ? undefined : isFolder ? [`${name}*`, posix.join(place, "*")] : [name, place];
}

const SPECIAL = "\\^$.|?*+()[]{}";
const GROUPS = ["(.*)", "(.+)", "(.*?)", "(.+?)", ".*", ".+"];

/** `^@/(.*)$` and its like as `@/*`; undefined for what says more than how an import begins and ends. */
function wildcardOf(source: string): string | undefined {
  let wild = "";
  let isOpen = !source.endsWith("$");
  for (let at = source.startsWith("^") ? 1 : 0; at < source.length; at += 1) {
    const rest = source.slice(at);
    const group = GROUPS.find((each) => rest.startsWith(each));
    if (rest === "$") break;
    if (group !== undefined) {
      if (wild.includes("*")) return undefined;
      wild += "*";
      isOpen = false;
      at += group.length - 1;
    } else if (rest.startsWith("\\") && rest.length > 1 && !/[a-z0-9]/i.test(rest[1]!)) {
      wild += rest[1];
      at += 1;
    } else if (!SPECIAL.includes(rest[0]!)) wild += rest[0];
    else return undefined;
  }
  return isOpen && !wild.includes("*") ? `${wild}*` : wild;
}
