import semver from "semver";
import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { readYaml } from "../formats/yaml-tree.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { GROUPS, type Record, type Steps } from "./steps.ts";

/**
 * pnpm repeats the specifier of each direct dependency, after it applied `overrides`. Those are in the manifest or in a file of the
 * workspace, and the lock file repeats them too.
 */
export function pnpmSteps(manifest: Record, text: string): Steps | undefined {
  const documents = readYaml(text).documents.map(entriesOf);
  const specifiers = new Map(documents.flatMap((sections) => [...specifiersOf(sections)]));
  if (!documents.some((sections) => holdsRoot(sections))) return undefined;
  const pnpm = isRecord(manifest.pnpm) ? manifest.pnpm : {};
  const written = overridesIn(
    [pnpm.overrides, manifest.resolutions].flatMap((of) => Object.entries(isRecord(of) ? of : {})),
  );
  const repeated = overridesIn(
    documents.flatMap((sections) =>
      [...entriesOf(sections.get("overrides"))].map(([key, node]) => [key, scalarOf(node)]),
    ),
  );
  const ignored = new Set(
    documents.flatMap((sections) => itemsOf(sections.get("ignoredOptionalDependencies")).map((item) => scalarOf(item))),
  );
  return (name, wanted) => {
    const locked = specifiers.get(name);
    if (locked === wanted) return true;
    const forced =
      [written, repeated].map((of) => valuesFor(of, name, wanted)).find((values) => values.length > 0) ?? [];
    const values = forced.map((value) => referenceIn(value, manifest));
    if (locked === undefined) return values.includes("-") || ignored.has(name) ? true : undefined;
    return values.includes(locked) || locked;
  };
}

type Sections = ReadonlyMap<string, YamlNode>;

/** The project at the root: alone in the file, or first among those of a workspace. */
function rootOf(sections: Sections): Sections {
  return sections.has("importers") ? entriesOf(entriesOf(sections.get("importers")).get(".")) : sections;
}

/** A document about pnpm itself has no dependencies of the project. */
function holdsRoot(sections: Sections): boolean {
  const root = rootOf(sections);
  return root.has("specifiers") || GROUPS.some((group) => root.has(group)) || (root.size === 0 && isProject(sections));
}

/** Whether a project without dependencies is what a document is about. */
function isProject(sections: Sections): boolean {
  return entriesOf(sections.get("importers")).has(".");
}

/** Up to version 5 they are one list; later ones are next to their versions. */
function specifiersOf(sections: Sections): Map<string, string> {
  const root = rootOf(sections);
  const found = new Map<string, string>();
  for (const [name, node] of entriesOf(root.get("specifiers"))) found.set(name, scalarOf(node) ?? "");
  for (const group of GROUPS) {
    for (const [name, node] of entriesOf(root.get(group))) {
      const specifier = scalarOf(entriesOf(node).get("specifier"));
      if (specifier !== undefined) found.set(name, specifier);
    }
  }
  return found;
}

interface Override {
  readonly range: string | undefined;
  readonly value: string;
}

/** By the name of the package. What is forced on the packages of one package alone says nothing of a direct dependency. */
function overridesIn(entries: readonly (readonly unknown[])[]): ReadonlyMap<string, readonly Override[]> {
  const found = new Map<string, Override[]>();
  for (const [selector, written] of entries) {
    const value = textOf(written);
    if (value === undefined || /[^ |@]>/.test(`${selector}`)) continue;
    const [name, range] = splitReference(`${selector}`) ?? [`${selector}`, undefined];
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
