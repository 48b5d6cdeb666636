import { posix } from "node:path";
import { satisfies } from "@renovatebot/pep440";
import { z } from "zod";
import { parseToml } from "../parse-toml.ts";
import {
  answerExtras,
  isForTests,
  isRegistry,
  type Locked,
  type Need,
  type OwnPackage,
  type PythonLock,
  plainName,
  sourceFault,
} from "./python-lock.ts";

const Wanted = z.object({
  version: z.string().default("*"),
  markers: z.string().default(""),
  python: z.string().default(""),
  extras: z.array(z.string()).default([]),
  optional: z.boolean().default(false),
});
/** A version, a table with one, or a list of those for different machines. */
const Wish = z
  .union([
    z.string().transform((version) => [Wanted.parse({ version })]),
    Wanted.transform((one) => [one]),
    z.array(Wanted),
  ])
  .catch([Wanted.parse({})]);
const Wishes = z.record(z.string(), Wish).default({});
const File = z.object({ file: z.string(), hash: z.string() });
const Entry = z.object({
  name: z.string(),
  version: z.string(),
  optional: z.boolean().default(false),
  groups: z.array(z.string()).optional(),
  markers: z.union([z.string(), z.record(z.string(), z.string())]).default(""),
  files: z.array(File).default([]),
  dependencies: Wishes,
  extras: z.record(z.string(), z.array(z.string())).default({}),
  source: z.object({ type: z.string(), url: z.string().default("") }).optional(),
});
const PoetryLock = z.object({
  package: z.array(Entry).default([]),
  extras: z.record(z.string(), z.array(z.string())).default({}),
  metadata: z.object({ "lock-version": z.string(), files: z.record(z.string(), z.array(File)).default({}) }),
});
const Group = z.object({ optional: z.boolean().default(false), dependencies: Wishes });
const Tool = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  dependencies: Wishes,
  "dev-dependencies": Wishes,
  group: z.record(z.string(), Group).default({}),
  extras: z.record(z.string(), z.array(z.string())).default({}),
});
const Manifest = z.object({
  project: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  tool: z.object({ poetry: Tool.prefault({}) }).prefault({}),
});
type Entry = z.infer<typeof Entry>;
type Tool = z.infer<typeof Tool>;
type Wanted = z.infer<typeof Wanted>;

/**
 * Reads `poetry.lock`: the packages of the groups that are installed by themselves, and of those and the extras that tests are run with.
 * @param manifest text of `pyproject.toml`: what older locks do not say, whose package it is
 * @param registries hosts that pip is let to
 * @returns the reason where it is not what its name promises
 */
export function readPoetryLock(
  text: string,
  manifest: string,
  registries: readonly string[],
): PythonLock | { readonly reason: string } {
  const lock = PoetryLock.safeParse(parseToml(text));
  const said = Manifest.safeParse(parseToml(manifest));
  if (!lock.success) return { reason: "poetry.lock is not in the form that is known here" };
  if (!said.success) return { reason: "pyproject.toml is not in the form that is known beside poetry.lock" };
  const { package: entries, metadata, extras } = lock.data;
  const { project, tool } = said.data;
  const content = (entry: Entry) => contentOf(entry, metadata.files[entry.name] ?? [], registries);
  const { name = "project", version } = project ?? tool.poetry;
  const own: OwnPackage[] = [{ folder: "", name, version: version === "0" ? undefined : version }];
  for (const { source, ...entry } of entries) {
    const folder = source?.type === "directory" ? posix.normalize(source.url).replace(/\/$/, "") : "..";
    if (!/^(?:\.\.|\/)/.test(folder)) own.push({ folder, name: entry.name, version: entry.version });
  }
  // Since version 2.1 it says itself what is needed for what.
  if (entries.every(({ groups }) => groups !== undefined)) {
    const chosen = new Set(Object.keys(extras).filter((extra) => isForTests(extra)));
    const keyed = entries.map((entry, at) => ({ entry, key: `${at}` }));
    const roots = keyed.flatMap(({ entry, key }) =>
      wantedWhen(entry, tool.poetry, chosen).map((marker) => ({ key, marker })),
    );
    return { roots, own, packages: new Map(keyed.map(({ entry, key }) => [key, { needs: [], ...content(entry) }])) };
  }
  return { own, ...followWishes(entries, tool.poetry, content) };
}

function isInstalled(group: string, { group: groups }: Tool): boolean {
  return groups[group]?.optional !== true || isForTests(group);
}

/** The markers of each group that is installed. */
function wantedWhen({ groups = [], markers }: Entry, tool: Tool, chosen: ReadonlySet<string>): string[] {
  return groups
    .filter((group) => isInstalled(group, tool))
    .map((group) => answerExtras(typeof markers === "string" ? markers : (markers[group] ?? ""), chosen));
}

/** Older locks say what packages need, and the manifest what the project does. */
function followWishes(
  entries: readonly Entry[],
  tool: Tool,
  content: (entry: Entry) => Omit<Locked, "needs">,
): Pick<PythonLock, "roots" | "packages"> {
  const byName = Map.groupBy(entries, ({ name }) => plainName(name));
  const packages = new Map<string, Locked>();
  const needOf = (name: string, wish: Wanted, chosen: ReadonlySet<string>): Need[] => {
    const { version, extras, markers } = wish;
    const all = byName.get(plainName(name)) ?? [];
    const matching = all.length === 1 ? all : all.filter((each) => satisfies(each.version, version));
    const python = markerOfPython(wish.python);
    if (matching.length !== 1 || python === undefined) {
      packages.set(name, { needs: [], fault: `does not say which version of ${name} is needed where` });
      return [{ key: name, marker: "" }];
    }
    const parts = [answerExtras(markers, chosen), python].filter((part) => part !== "");
    const marker = parts.length > 1 ? parts.map((part) => `(${part})`).join(" and ") : (parts[0] ?? "");
    return ["", ...extras].map((extra) => ({ key: keyOf(matching[0]!, extra), marker }));
  };
  const NONE = new Set<string>();
  const wishesOf = (wishes: Entry["dependencies"], isMeant: (name: string, wish: Wanted) => boolean, chosen = NONE) =>
    Object.entries(wishes).flatMap(([name, list]) =>
      list.flatMap((wish) => (isMeant(name, wish) ? needOf(name, wish, chosen) : [])),
    );
  for (const entry of entries) {
    const needs = wishesOf(entry.dependencies, (_, { optional }) => !optional);
    packages.set(keyOf(entry, ""), { needs, ...content(entry) });
    for (const [extra, lines] of Object.entries(entry.extras)) {
      const names = new Set(lines.map(nameIn));
      const meant = wishesOf(entry.dependencies, (name) => names.has(plainName(name)), new Set([extra]));
      packages.set(keyOf(entry, extra), { needs: meant });
    }
  }
  const chosen = new Set(Object.keys(tool.extras).filter((extra) => isForTests(extra)));
  const inExtras = new Set([...chosen].flatMap((extra) => tool.extras[extra] ?? []).map(nameIn));
  const isMeant = (name: string, { optional }: Wanted) =>
    name !== "python" && (!optional || inExtras.has(plainName(name)));
  const groups = Object.entries(tool.group).filter(([name]) => isInstalled(name, tool));
  const wishes = [tool.dependencies, tool["dev-dependencies"], ...groups.map(([, { dependencies }]) => dependencies)];
  return { roots: wishes.flatMap((each) => wishesOf(each, isMeant, chosen)), packages };
}

function keyOf({ name, version }: Entry, extra: string): string {
  return JSON.stringify([plainName(name), version, extra]);
}

/** Of a requirement such as `socks[x] (>=1.0) ; marker`. */
function nameIn(requirement: string): string {
  return plainName(/^[\w.-]*/.exec(requirement.trim())?.[0] ?? "");
}

/** In characters. */
const LONGEST_VERSIONS = 200;

/** Versions of Python as Poetry writes them, as a marker: `^3.8`, `~3.8`, `>=3.8,<4`, several with `||`. Undefined where it is none. */
function markerOfPython(versions: string): string | undefined {
  if (versions === "" || versions === "*") return "";
  if (versions.length > LONGEST_VERSIONS) return undefined;
  const ways = versions.split("||").map((way) => {
    const parts = way
      .trim()
      .split(/[,\s]+(?=[<>=!~^\d])/)
      .map((part) => markersOfOne(part.trim()));
    return parts.includes(undefined) ? undefined : parts.join(" and ");
  });
  if (ways.includes(undefined)) return undefined;
  return ways.length === 1 ? ways[0] : ways.map((way) => `(${way})`).join(" or ");
}

function markersOfOne(part: string): string | undefined {
  const [, how = "", major = "", minor = "", rest = ""] =
    /^(>=|<=|==|!=|<|>|\^|~)?\s*(\d+)(?:\.(\d+))?((?:\.\d+)*(?:\.\*)?)$/.exec(part) ?? [];
  if (major === "") return undefined;
  const version = `${major}${minor === "" ? "" : `.${minor}`}${rest}`;
  const says = (operator: string, value: string) => `python_full_version ${operator} '${value}'`;
  if (how === "^" || (how === "~" && minor === ""))
    return `${says(">=", version)} and ${says("<", `${Number(major) + 1}`)}`;
  if (how === "~") return `${says(">=", version)} and ${says("<", `${major}.${Number(minor) + 1}`)}`;
  return says(how === "" ? "==" : how, how === "" && rest === "" ? `${version}.*` : version);
}

function contentOf({ name, version, files, source }: Entry, older: Entry["files"], registries: readonly string[]) {
  if (source?.type === "directory") return {};
  if (source !== undefined && (source.type !== "legacy" || !isRegistry(source.url, registries)))
    return { fault: sourceFault(name, source.type, source.url) };
  const all = files.length > 0 ? files : older;
  return { archive: { name, version, files: all.map(({ file, hash }) => ({ hash, isWheel: file.endsWith(".whl") })) } };
}
