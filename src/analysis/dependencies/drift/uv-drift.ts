import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { pythonName } from "../python-name.ts";
import { parseRequirement } from "../requirement.ts";
import { record } from "../wanted-package.ts";
import { type Drift, wordsOf } from "./steps.ts";

/** A requirement by its list and name, such as `dev: pytest`. */
type Requirements = ReadonlyMap<string, { readonly name: string; readonly wanted: readonly string[] }>;

/**
 * `uv lock --check` takes a lock file that repeats the requirements of each package of the workspace: those of the project, of its extras
 * and of its groups. Where the manifest names a source, the name alone is compared: the source may say the version.
 * @param folder of the manifest, from that of the lock file
 * @returns undefined for a project that the lock file does not have, or that computes its requirements
 */
export function uvDrift(folder: string, manifestText: string, { table: lock }: ParsedLock): Drift[] | undefined {
  const manifest = parseToml(manifestText);
  const project = record(manifest?.project);
  const entry = entryOf(lock, folder);
  if (manifest === undefined || entry === undefined || isComputed(project)) return undefined;
  const uv = record(record(manifest.tool).uv);
  const free = new Set(Object.keys(record(uv.sources)).map(pythonName));
  const wanted = requirementsOf(manifest, uv);
  if (wanted === undefined) return undefined;
  const locked = repeatedIn(record(entry.metadata));
  return [...new Set([...wanted.keys(), ...locked.keys()])].flatMap((key): Drift[] => {
    const [mine, its] = [wanted.get(key), locked.get(key)];
    const { name } = (mine ?? its)!;
    const isSame = mine !== undefined && its !== undefined && (free.has(name) || isEqual(mine.wanted, its.wanted));
    if (isSame) return [];
    return [
      {
        name,
        ...(mine === undefined ? {} : { wanted: worded(mine.wanted) }),
        ...(its === undefined ? {} : { locked: worded(its.wanted) }),
      },
    ];
  });
}

function entryOf(lock: ParsedLock["table"], folder: string): Readonly<Record<string, unknown>> | undefined {
  const entries = (Array.isArray(lock?.package) ? lock.package : []).filter(isRecord);
  return entries.find((entry) => {
    const source = record(entry.source);
    const place = textOf(source.editable) ?? textOf(source.virtual) ?? textOf(source.directory);
    return place === (folder === "" ? "." : folder);
  });
}

function isComputed(project: Readonly<Record<string, unknown>>): boolean {
  const dynamic = Array.isArray(project.dynamic) ? project.dynamic : [];
  return dynamic.includes("dependencies") || dynamic.includes("optional-dependencies");
}

/** @returns undefined where something is no requirement that can be read */
function requirementsOf(
  manifest: Readonly<Record<string, unknown>>,
  uv: Readonly<Record<string, unknown>>,
): Requirements | undefined {
  const project = record(manifest.project);
  const lists: [list: string, written: unknown][] = [["", project.dependencies ?? []]];
  for (const list of Object.values(record(project["optional-dependencies"]))) lists.push(["", list]);
  const groups = record(manifest["dependency-groups"]);
  for (const name of Object.keys(groups)) lists.push([pythonName(name), flat(groups, name)]);
  if (uv["dev-dependencies"] !== undefined) lists.push(["dev", uv["dev-dependencies"]]);
  const found = new Map<string, { name: string; wanted: string[] }>();
  for (const [list, written] of lists) {
    if (!Array.isArray(written)) return undefined;
    for (const one of written) {
      const requirement = typeof one === "string" ? parseRequirement(one) : undefined;
      if (requirement?.name === undefined) return undefined;
      add(found, list, requirement.name, requirement.address === undefined ? requirement.wanted : undefined);
    }
  }
  return found;
}

const DEEPEST = 20;

/** A group with those that it includes; undefined where one of them cannot be read. */
function flat(groups: Readonly<Record<string, unknown>>, name: string, depth = 0): unknown[] | undefined {
  const list = Object.entries(groups).find(([key]) => pythonName(key) === pythonName(name))?.[1];
  if (!Array.isArray(list) || depth > DEEPEST) return undefined;
  const all: unknown[] = [];
  for (const one of list.slice(0, MOST_OF_GROUP)) {
    const included = textOf(record(one)["include-group"]);
    const found = included === undefined ? [one] : flat(groups, included, depth + 1);
    if (found === undefined || all.length > MOST_OF_GROUP) return undefined;
    all.push(...found);
  }
  return all;
}

const MOST_OF_GROUP = 1_000;

function repeatedIn(metadata: Readonly<Record<string, unknown>>): Requirements {
  const found = new Map<string, { name: string; wanted: string[] }>();
  const lists: [list: string, entries: unknown][] = [["", metadata["requires-dist"]]];
  for (const [name, list] of Object.entries(record(metadata["requires-dev"]))) lists.push([pythonName(name), list]);
  for (const [list, entries] of lists) {
    for (const entry of (Array.isArray(entries) ? entries : []).filter(isRecord)) {
      const words = new Map(wordsOf(entry));
      const name = words.get("name");
      const isElsewhere = ["git", "url", "path", "directory", "editable", "virtual"].some((key) => key in entry);
      if (name !== undefined)
        add(found, list, pythonName(name), isElsewhere ? undefined : (words.get("specifier") ?? ""));
    }
  }
  return found;
}

/** @param version undefined for what comes from an address */
function add(
  found: Map<string, { name: string; wanted: string[] }>,
  list: string,
  name: string,
  version: string | undefined,
): void {
  const key = `${list}: ${name}`;
  const known = found.get(key) ?? { name, wanted: [] };
  found.set(key, known);
  known.wanted.push(version === undefined ? "an address" : clauses(version));
}

/** In one order and without spaces. */
function clauses(version: string): string {
  const parts = version.split(",").map((part) => part.replaceAll(/\s/g, ""));
  return parts
    .filter((part) => part !== "")
    .sort()
    .join(",");
}

function isEqual(mine: readonly string[], its: readonly string[]): boolean {
  return [...mine].sort().join(" ") === [...its].sort().join(" ");
}

function worded(wanted: readonly string[]): string {
  return [...new Set(wanted)].map((one) => (one === "" ? "any version" : one)).join(" and ");
}
