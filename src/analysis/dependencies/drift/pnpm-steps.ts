import semver from "semver";
import { defined } from "../../../domain/defined.ts";
import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { folderDrifts } from "./pnpm-folders.ts";
import { isExtended, type Sections, settingsThatDiffer, wordsIn, writtenOverrides } from "./pnpm-settings.ts";
import { type Asked, askedOf, type Drift, GROUPS, type Group, type Judge, type Record, wordsOf } from "./steps.ts";
import { isMember } from "./workspace-members.ts";

/**
 * pnpm repeats each direct dependency in its group, after it applied `overrides`, and refuses one that the manifest does not name.
 * Overrides are in the manifest of the root or in a file of the workspace, and the lock file repeats them too.
 */
export function pnpmSteps({ documents: read = [] }: ParsedLock): Judge | undefined {
  const documents = read.map(entriesOf);
  const projects = documents.filter(holdsRoot);
  if (projects.length === 0) return undefined;
  const repeated = overridesIn(documents.flatMap((of) => wordsIn(of.get("overrides"))));
  const ignored = new Set(
    documents.flatMap((sections) => itemsOf(sections.get("ignoredOptionalDependencies")).map((item) => scalarOf(item))),
  );
  const says = (key: string) => documents.some((of) => of.has(key));
  return (project) => {
    const { folder, manifest, root } = project;
    // A program of the repository may put other dependencies in their place, and so may settings that name the package itself.
    const isChanged = says("pnpmfileChecksum") || (says("packageExtensionsChecksum") && isExtended(project));
    const sections = projects.find((of) => importerOf(of, folder) !== undefined);
    const importer = sections && importerOf(sections, folder);
    const asked = askedOf(manifest);
    const forgotten = folder === "" && !says("pnpmfileChecksum") ? settingsThatDiffer(documents, project) : [];
    if (importer === undefined) {
      const ofFolder = folder === "" ? undefined : folderDrifts(documents, project);
      if (ofFolder !== undefined) return ofFolder;
      if (folder === "" ? asked.size === 0 : !isMember(project)) return forgotten.length > 0 ? forgotten : undefined;
      return [...forgotten, ...[...asked.values()].map(({ name, wanted }) => ({ name, wanted }))];
    }
    const written = overridesIn(writtenOverrides(root));
    const places = placesOf(importer);
    const judge = ({ name, wanted, group }: Asked): Drift[] => {
      const locked = places.get(name);
      const forced =
        [written, repeated].map((of) => valuesFor(of, name, wanted)).find((values) => values.length > 0) ?? [];
      const values = [...forced.map((value) => referenceIn(value, root)), ...(forced.length === 0 ? [wanted] : [])];
      if (locked === undefined) {
        const isLeft = values.includes("-") || ignored.has(name) || /^(?:link|file):/.test(wanted);
        return isLeft ? [] : [{ name, wanted }];
      }
      if (locked.specifier !== undefined && ![...values, wanted].includes(locked.specifier))
        return [{ name, wanted, locked: locked.specifier }];
      const isMoved = locked.group !== undefined && locked.group !== group && !isChanged;
      return isMoved ? [{ name, wanted: `${wanted} in ${group}`, locked: `${wanted} in ${locked.group}` }] : [];
    };
    const peers =
      scalarOf(entriesOf(sections?.get("settings")).get("autoInstallPeers")) === "true" ? peersOf(manifest) : [];
    const named = new Set([...asked.keys(), ...wordsOf(manifest.peerDependencies).map(([name]) => name)]);
    const extra = [...places].filter(([name]) => !named.has(name) && !isChanged);
    return [
      ...forgotten,
      ...[...asked.values(), ...peers].flatMap(judge),
      ...extra.map(([name, { specifier }]) => ({ name, ...defined({ locked: specifier }) })),
    ];
  };
}

/** Peers of a package of the project are dependencies of it where pnpm installs them by itself. */
function peersOf(manifest: Record): Asked[] {
  const asked = askedOf(manifest);
  return wordsOf(manifest.peerDependencies).flatMap(([name, wanted]) =>
    asked.has(name) || wanted.startsWith("workspace:") ? [] : [{ name, wanted, group: "dependencies" }],
  );
}

/** A project by its folder; the one at the root is alone in the file where there is no workspace. */
function importerOf(sections: Sections, folder: string): Sections | undefined {
  if (!sections.has("importers")) return folder === "" && holdsRoot(sections) ? sections : undefined;
  const importers = entriesOf(sections.get("importers"));
  const importer = importers.get(folder === "" ? "." : folder);
  return importer && entriesOf(importer);
}

/** A document about pnpm itself has no dependencies of the project. */
function holdsRoot(sections: Sections): boolean {
  const importers = entriesOf(sections.get("importers"));
  const root = sections.has("importers") ? entriesOf(importers.get(".")) : sections;
  return root.has("specifiers") || GROUPS.some((group) => root.has(group)) || (root.size === 0 && importers.size > 0);
}

interface Place {
  readonly specifier: string | undefined;
  readonly group: Group | undefined;
}

/** Up to version 5 the specifiers are one list; later ones are next to their versions. */
function placesOf(importer: Sections): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  for (const [name, node] of entriesOf(importer.get("specifiers")))
    found.set(name, { specifier: scalarOf(node) ?? "", group: undefined });
  for (const group of GROUPS) {
    for (const [name, node] of entriesOf(importer.get(group))) {
      const specifier = scalarOf(entriesOf(node).get("specifier")) ?? found.get(name)?.specifier;
      found.set(name, { specifier, group });
    }
  }
  return found;
}

interface Override {
  readonly range: string | undefined;
  readonly value: string;
}

/** By the name of the package. What is forced on the packages of one package alone says nothing of a direct dependency. */
function overridesIn(
  entries: readonly (readonly [selector: string, value: string])[],
): ReadonlyMap<string, readonly Override[]> {
  const found = new Map<string, Override[]>();
  for (const [selector, value] of entries) {
    if (value === "" || /[^ |@]>/.test(selector)) continue;
    const [name, range] = splitReference(selector) ?? [selector, undefined];
    found.set(name, [...(found.get(name) ?? []), { range, value }]);
  }
  return found;
}

function valuesFor(overrides: ReadonlyMap<string, readonly Override[]>, name: string, wanted: string): string[] {
  const meets = ({ range }: Override) =>
    range === undefined ||
    semver.validRange(range) === null ||
    semver.validRange(wanted) === null ||
    semver.intersects(wanted, range);
  return (overrides.get(name) ?? []).filter(meets).map(({ value }) => value);
}

/** `$name` stands for what the manifest asks for under that name. */
function referenceIn(value: string, manifest: Record): string {
  if (!value.startsWith("$")) return value;
  const groups = GROUPS.map((group) => (isRecord(manifest[group]) ? manifest[group] : {}));
  return groups.map((group) => textOf(group[value.slice(1)])).find((text) => text !== undefined) ?? value;
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return Array.isArray(node?.value) ? node.value : [];
}
