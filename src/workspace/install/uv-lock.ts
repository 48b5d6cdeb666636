import { posix } from "node:path";
import { z } from "zod";
import { parseToml } from "../parse-toml.ts";
import {
  type Archive,
  answerExtras,
  isForTests,
  isRegistry,
  type Locked,
  type Need,
  type OwnPackage,
  type PythonLock,
  sourceFault,
} from "./python-lock.ts";

const Source = z.record(z.string(), z.unknown());
const Dependency = z.object({
  name: z.string(),
  version: z.string().optional(),
  source: Source.optional(),
  extra: z.array(z.string()).default([]),
  marker: z.string().default(""),
});
const Groups = z.record(z.string(), z.array(Dependency)).default({});
const Entry = z.object({
  name: z.string(),
  version: z.string().optional(),
  source: Source,
  dependencies: z.array(Dependency).default([]),
  "optional-dependencies": Groups,
  "dev-dependencies": Groups,
  wheels: z.array(z.object({ hash: z.string().default("") })).default([]),
  sdist: z.object({ hash: z.string().default("") }).optional(),
});
const Conflict = z.object({
  package: z.string().optional(),
  extra: z.string().optional(),
  group: z.string().optional(),
});
const UvLock = z.object({
  version: z.literal(1),
  package: z.array(Entry).default([]),
  conflicts: z.array(z.array(Conflict)).default([]),
  manifest: z.object({ "dependency-groups": Groups }).default({ "dependency-groups": {} }),
});
const MOST_OF_ONE = 100;
type Dependency = z.infer<typeof Dependency>;
type Entry = z.infer<typeof Entry>;

/**
 * Reads `uv.lock`: the packages of the project and its workspace, with the groups and extras that its tests are run with.
 * @param manifest text of `pyproject.toml`, for the groups that are installed by themselves
 * @param registries hosts that pip is let to
 * @returns the reason where it is not what its name promises
 */
export function readUvLock(
  text: string,
  manifest: string,
  registries: readonly string[],
): PythonLock | { readonly reason: string } {
  const parsed = UvLock.safeParse(parseToml(text));
  if (!parsed.success) return { reason: "uv.lock is not in the form that is known here" };
  const { package: entries, conflicts, manifest: root } = parsed.data;
  const isChosen = choiceOf(manifest);
  const chosen = (one: z.infer<typeof Conflict>) => isChosen(one.extra ?? one.group ?? "");
  const clash = conflicts.map((set) => set.filter(chosen)).find(({ length }) => length > 1);
  if (clash !== undefined) {
    const names = clash.map(({ extra, group }) => JSON.stringify(extra ?? group));
    return { reason: `uv.lock says that ${names.join(" and ")} exclude each other` };
  }
  const byName = Map.groupBy(entries, ({ name }) => name);
  // In what excludes each other uv writes which package an extra or a group is of.
  const extras = new Set(
    conflicts.flat().flatMap((one) => {
      const { package: name = "", extra, group } = one;
      if (!chosen(one)) return [];
      return [`${extra === undefined ? "group" : "extra"}-${name.length}-${name}-${extra ?? group}`];
    }),
  );
  const needsOf = (dependency: Dependency): Need[] => {
    const { name, version, source, extra } = dependency;
    const same = (byName.get(name) ?? []).filter(
      (each) => (version === undefined || each.version === version) && (!source || isSame(each.source, source)),
    );
    const marker = answerExtras(dependency.marker, extras);
    // Versions for other machines or extras: so many are not real, and each need would need all of them.
    if (same.length === 0 || same.length > MOST_OF_ONE) return [{ key: name, marker }];
    return same.flatMap((each) => ["", ...extra].map((one) => ({ key: keyOf(each, one), marker })));
  };
  const packages = new Map<string, Locked>();
  for (const entry of entries) {
    packages.set(keyOf(entry, ""), { needs: entry.dependencies.flatMap(needsOf), ...contentOf(entry, registries) });
    for (const [extra, needs] of Object.entries(entry["optional-dependencies"]))
      packages.set(keyOf(entry, extra), { needs: needs.flatMap(needsOf) });
  }
  const ours = entries.filter(({ source }) => folderOf(source) !== undefined);
  const groups = [root["dependency-groups"], ...ours.map((entry) => entry["dev-dependencies"])];
  const roots = [
    ...ours.flatMap((entry) => {
      const names = Object.keys(entry["optional-dependencies"]).filter((name) => isForTests(name));
      return ["", ...names].map((extra) => ({ key: keyOf(entry, extra), marker: "" }));
    }),
    ...groups.flatMap((each) =>
      Object.entries(each).flatMap(([name, needs]) => (isChosen(name) ? needs.flatMap(needsOf) : [])),
    ),
  ];
  const own = ours.map(({ name, version, source }): OwnPackage => ({ name, version, folder: folderOf(source) ?? "" }));
  return { roots, packages, own };
}

const Settings = z.object({
  tool: z.object({ uv: z.object({ "default-groups": z.union([z.literal("all"), z.array(z.string())]) }) }),
});

function choiceOf(manifest: string): (group: string) => boolean {
  const settings = Settings.safeParse(parseToml(manifest));
  const groups = settings.success ? settings.data.tool.uv["default-groups"] : [];
  return (group) => groups === "all" || groups.includes(group) || isForTests(group);
}

function keyOf({ name, version, source }: Entry, extra: string): string {
  return JSON.stringify([name, version, source, extra]);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Of a package that the repository holds itself: empty for its root. */
function folderOf({ editable, virtual, directory }: Entry["source"]): string | undefined {
  const path = [editable, virtual, directory].find((each) => typeof each === "string");
  if (path === undefined) return undefined;
  const clean = posix.normalize(path);
  return clean.startsWith("..") || clean.startsWith("/") ? undefined : clean.replace(/^\.\/?|\/$/g, "");
}

function contentOf(entry: Entry, registries: readonly string[]): { archive: Archive } | { fault: string } | object {
  const { name, version, source, wheels, sdist } = entry;
  if (folderOf(source) !== undefined) return {};
  const [kind = "", address = ""] = Object.entries(source)[0] ?? [];
  if (kind !== "registry" || !isRegistry(String(address), registries) || version === undefined)
    return { fault: sourceFault(name, kind, String(address)) };
  const files = [
    ...wheels.map(({ hash }) => ({ hash, isWheel: true })),
    ...(sdist === undefined ? [] : [{ hash: sdist.hash, isWheel: false }]),
  ];
  return { archive: { name, version, files } };
}
