import { declaresEntities, parseXml } from "../reports/safe-xml.ts";
import { isRecord, textOf } from "./locked-package.ts";
import { exact, type ManifestReader, record, type WantedPackage, wantedPackage } from "./wanted-package.ts";

const NUGET_ELEMENTS = ["PackageReference", "PackageVersion", "GlobalPackageReference", "package"] as const;
const MAVEN_ELEMENTS = ["dependency", "plugin", "extension", "parent"] as const;
const LISTS: ReadonlySet<string> = new Set([...NUGET_ELEMENTS, ...MAVEN_ELEMENTS, "Import"]);

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  // What declares entities may say another thing than it shows.
  const root = declaresEntities(text) ? undefined : parseXml(text, LISTS);
  return isRecord(root) && Object.keys(root).length > 0 ? root : undefined;
}

/** All elements of these names, at any depth, in the order of the text. */
function elementsOf(root: unknown, names: readonly string[]): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...node.toReversed());
    if (!isRecord(node)) continue;
    for (const [name, child] of Object.entries(node)) {
      if (names.includes(name) && Array.isArray(child)) found.push(...child.map(record));
    }
    open.push(...Object.values(node).toReversed());
  }
  return found;
}

function wordOf(value: unknown): string {
  return (textOf(value) ?? textOf(record(value)["#text"]) ?? "").trim();
}

/** One version of three or four numbers; `[1.2.3]` is the same said strictly. */
function oneVersion(wanted: string): string | undefined {
  const version = /^\[?([^[\](),]{1,100})\]?$/.exec(wanted)?.[1] ?? "";
  return /^\d+(?:\.\d+){0,3}(?:[-.+][\w.+-]+)?$/.test(version) ? (exact(version) ?? version) : undefined;
}

/** `pom.xml`: dependencies, managed ones, plugins and the parent. Properties of the same file, and versions that it manages, are put in. */
export const readPom: ManifestReader = (text) => {
  const root = parse(text);
  if (root === undefined) return undefined;
  const project = record(root.project);
  const [parent] = elementsOf({ parent: project.parent }, ["parent"]);
  const properties = {
    ...record(project.properties),
    "project.version": textOf(project.version) ?? parent?.version,
    "project.groupId": textOf(project.groupId) ?? parent?.groupId,
  };
  const fill = (written: string) =>
    written.replace(/\$\{([\w.-]{1,200})\}/g, (whole, name: string) => {
      const value = Object.hasOwn(properties, name) ? wordOf(properties[name as keyof typeof properties]) : "";
      return value === "" ? whole : value;
    });
  const all = elementsOf(project, MAVEN_ELEMENTS).flatMap((of): WantedPackage[] => {
    const group = fill(wordOf(of.groupId)) || "org.apache.maven.plugins";
    const artifact = fill(wordOf(of.artifactId));
    // A file of the machine is no package of a registry.
    if (artifact === "" || wordOf(of.scope) === "system") return [];
    const wanted = fill(wordOf(of.version));
    return [wantedPackage("Maven", `${group}:${artifact}`, wanted, oneVersion(wanted))];
  });
  // Without a version it has the one that the same file manages.
  const versioned = new Set(all.flatMap(({ name, wanted }) => (wanted === "" ? [] : [name])));
  return all.filter(({ name, wanted }) => wanted !== "" || !versioned.has(name));
};

/** Project files of .NET, `packages.config` and `Directory.Packages.props`. A version without a sign is the one that is installed. */
export const readNuget: ManifestReader = (text) => {
  const root = parse(text);
  if (root === undefined) return undefined;
  return elementsOf(root, NUGET_ELEMENTS).flatMap((of): WantedPackage[] => {
    const name = wordOf(of["@Include"]) || wordOf(of["@Update"]) || wordOf(of["@id"]);
    if (name === "") return [];
    const written = ["@Version", "@VersionOverride", "@version", "Version", "VersionOverride"];
    const wanted = written.map((key) => wordOf(of[key])).find((version) => version !== "") ?? "";
    return [wantedPackage("NuGet", name, wanted, oneVersion(wanted))];
  });
};
