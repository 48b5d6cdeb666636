import { defined } from "../../../domain/defined.ts";
import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { readYaml } from "../formats/yaml-tree.ts";
import { isRecord } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { extensionsIn, isChecksumOf } from "./pnpm-extensions.ts";
import { type Drift, type Project, type Record, wordsOf } from "./steps.ts";

/** A document of YAML by its keys. */
export type Sections = ReadonlyMap<string, YamlNode>;

/** Versions that the manifest at the root forces. */
export function writtenOverrides(root: Record): [name: string, text: string][] {
  return [...wordsOf(root.resolutions), ...wordsOf(inPnpm(root, "overrides"))];
}

/** Entries whose values are words; of the others the value is empty. */
export function wordsIn(node: YamlNode | undefined): [name: string, text: string][] {
  return [...entriesOf(node)].map(([key, value]) => [key, scalarOf(value) ?? ""]);
}

function inPnpm(root: Record, key: string): unknown {
  return isRecord(root.pnpm) ? root.pnpm[key] : undefined;
}

/**
 * Settings whose copy in the lock file differs, so that pnpm refuses to install. It reads them from the manifest of the root and from
 * `pnpm-workspace.yaml`. Empty where nobody looked for such a file.
 */
export function settingsThatDiffer(documents: readonly Sections[], { root, workspace }: Project): Drift[] {
  if (workspace === undefined) return [];
  const settings = readYaml(workspace).documents.map(entriesOf);
  return [
    ...overridesThatDiffer(documents, settings, root),
    ...catalogsThatDiffer(documents, settings),
    ...patchesThatDiffer(documents, settings, root),
    ...ignoredThatDiffer(documents, settings, root),
    ...extensionsThatDiffer(documents, settings, { root, workspace }),
  ];
}

/** @param key its key in `pnpm-workspace.yaml`; undefined for a setting of the manifest */
function settingDrift(
  name: string,
  key: string | undefined,
  sides: { readonly wanted?: string | undefined; readonly locked?: string | undefined },
): Drift {
  return { name, ...defined({ ...sides, setting: key }) };
}

/** What is forced in one of both alone. */
function overridesThatDiffer(documents: readonly Sections[], settings: readonly Sections[], root: Record): Drift[] {
  const ofFile = new Map(settings.flatMap((of) => wordsIn(of.get("overrides"))));
  const wanted = new Map([...writtenOverrides(root), ...ofFile]);
  const isInFile = ofFile.size > 0 || writtenOverrides(root).length === 0;
  const locked = new Map(documents.flatMap((of) => wordsIn(of.get("overrides"))));
  return [...new Set([...wanted.keys(), ...locked.keys()])].flatMap((key): Drift[] => {
    const [mine, its] = [wanted.get(key), locked.get(key)];
    const isSame = mine === its || (mine !== undefined && its !== undefined && /^(?:\$|catalog:)/.test(mine));
    return isSame
      ? []
      : [settingDrift(`the override of ${key}`, isInFile ? key : undefined, { wanted: mine, locked: its })];
  });
}

/** The lock file repeats of each catalog what is asked for by it. */
function catalogsThatDiffer(documents: readonly Sections[], settings: readonly Sections[]): Drift[] {
  const wanted = new Map<string, string>();
  for (const of of settings) {
    const named = [...entriesOf(of.get("catalogs"))];
    for (const [catalog, node] of [...named, ["default", of.get("catalog")] as const])
      for (const [name, text] of wordsIn(node)) wanted.set(`${catalog} ${name}`, text);
  }
  return documents.flatMap((of) =>
    [...entriesOf(of.get("catalogs"))].flatMap(([catalog, node]) =>
      [...entriesOf(node)].flatMap(([name, entry]): Drift[] => {
        const [mine, its] = [wanted.get(`${catalog} ${name}`), scalarOf(entriesOf(entry).get("specifier"))];
        const title = catalog === "default" ? "the catalog" : `the catalog ${catalog}`;
        return mine === its ? [] : [settingDrift(`${name} of ${title}`, name, { wanted: mine, locked: its })];
      }),
    ),
  );
}

/** By the packages that are patched; what a patch holds is a file of the change itself. */
function patchesThatDiffer(documents: readonly Sections[], settings: readonly Sections[], root: Record): Drift[] {
  const ofFile = settings.flatMap((of) => [...entriesOf(of.get("patchedDependencies")).keys()]);
  const ofRoot = wordsOf(inPnpm(root, "patchedDependencies")).map(([key]) => key);
  const wanted = new Set([...ofFile, ...ofRoot]);
  const locked = new Set(documents.flatMap((of) => [...entriesOf(of.get("patchedDependencies")).keys()]));
  const isInFile = ofRoot.length === 0;
  return [
    ...[...wanted.difference(locked)].map((key) =>
      settingDrift(`the patch of ${key}`, isInFile ? key : undefined, { wanted: "a patch" }),
    ),
    ...[...locked.difference(wanted)].map((key) =>
      settingDrift(`the patch of ${key}`, isInFile ? key : undefined, { locked: "a patch" }),
    ),
  ];
}

/** Before version 9 of its format pnpm does not repeat them. */
function ignoredThatDiffer(documents: readonly Sections[], settings: readonly Sections[], root: Record): Drift[] {
  if (documents.some((of) => Number(scalarOf(of.get("lockfileVersion"))) < 9)) return [];
  const ofFile = settings.flatMap((of) => wordsOfList(of.get("ignoredOptionalDependencies")));
  const list = inPnpm(root, "ignoredOptionalDependencies");
  const ofRoot = (Array.isArray(list) ? list : []).filter((name) => typeof name === "string");
  const wanted = new Set([...ofFile, ...ofRoot]);
  const locked = new Set(documents.flatMap((of) => wordsOfList(of.get("ignoredOptionalDependencies"))));
  const isInFile = ofRoot.length === 0;
  const named = (name: string) => `${name} of ignoredOptionalDependencies`;
  return [
    ...[...wanted.difference(locked)].map((name) =>
      settingDrift(named(name), isInFile ? name : undefined, { wanted: "ignored" }),
    ),
    ...[...locked.difference(wanted)].map((name) =>
      settingDrift(named(name), isInFile ? name : undefined, { locked: "ignored" }),
    ),
  ];
}

/** The lock file has a checksum of them alone. */
function extensionsThatDiffer(
  documents: readonly Sections[],
  settings: readonly Sections[],
  { root, workspace }: { readonly root: Record; readonly workspace: string },
): Drift[] {
  const ofRoot = Object.keys(extensionsOf(root)).length > 0;
  const ofFile = settings.some((of) => entriesOf(of.get("packageExtensions")).size > 0);
  const [checksum] = documents.flatMap((of) => scalarOf(of.get("packageExtensionsChecksum")) ?? []);
  const key = ofRoot ? undefined : "packageExtensions";
  if ((ofRoot || ofFile) !== (checksum !== undefined))
    return [
      settingDrift(
        "packageExtensions",
        key,
        checksum === undefined ? { wanted: "a setting" } : { locked: "a setting" },
      ),
    ];
  // Which of both counts depends on the version of pnpm.
  if (checksum === undefined || (ofRoot && ofFile)) return [];
  if (isChecksumOf(ofRoot ? extensionsOf(root) : extensionsIn(workspace), checksum) !== false) return [];
  return [
    settingDrift("packageExtensions", key, {
      wanted: "the settings give it",
      locked: "something else (by its checksum)",
    }),
  ];
}

function extensionsOf(root: Record): Record {
  const value = inPnpm(root, "packageExtensions");
  return isRecord(value) ? value : {};
}

function wordsOfList(node: YamlNode | undefined): string[] {
  const items: readonly YamlNode[] = Array.isArray(node?.value) ? node.value : [];
  return items.flatMap((item) => scalarOf(item) ?? []);
}

/** Whether settings add dependencies to this package of the project itself. */
export function isExtended({ manifest, root, workspace }: Project): boolean {
  if (workspace === undefined) return true;
  const keys = [
    ...readYaml(workspace).documents.flatMap((document) => [
      ...entriesOf(entriesOf(document).get("packageExtensions")).keys(),
    ]),
    ...Object.keys(extensionsOf(root)),
  ];
  return keys.some((key) => (splitReference(key)?.[0] ?? key) === manifest.name);
}
