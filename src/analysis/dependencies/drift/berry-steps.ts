import semver from "semver";
import type { YamlNode } from "../formats/yaml-node.ts";
import { textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { patternsOf } from "../read-yarn-lock.ts";
import { type BerryFolders, folderDrifts } from "./berry-folders.ts";
import { peersThatDiffer, withoutProtocol, wordsIn } from "./berry-words.ts";
import {
  type Asked,
  askedOf,
  type Drift,
  driftOf,
  type Project,
  type Record,
  unknownMember,
  wordsOf,
} from "./steps.ts";
import { isMember } from "./workspace-members.ts";

/** References of entries by the name that they are asked for under. */
export type References = ReadonlyMap<string, ReadonlySet<string>>;

const WORKSPACE = "@workspace:";

/**
 * Later versions of Yarn repeat the dependencies and peers of each package of the workspace as they are, and look for the pattern that
 * `resolutions` of the root put in the place of each.
 */
export function berryDrifts(
  entries: ReadonlyMap<string, YamlNode>,
  { references, folders }: { readonly references: References; readonly folders: BerryFolders },
  project: Project,
): readonly Drift[] | undefined {
  const { folder, manifest, root, own } = project;
  const projects = projectsIn(entries);
  const entry = projects.get(folder === "" ? "." : folder);
  const forced = resolutionsOf(root);
  const isFound = ({ name, wanted }: Pick<Asked, "name" | "wanted">): boolean => {
    const [known, others] = [references.get(name), forced.get(name) ?? []];
    const choices = [wanted, ...others];
    // What is patched or comes from elsewhere is written in another way there.
    if (others.some((other) => other.includes(":") && !other.startsWith("npm:"))) return true;
    return choices.some((choice) => known?.has(choice) || known?.has(`npm:${choice}`));
  };
  if (entry === undefined) {
    if (folder !== "") return isMember(project) ? [unknownMember(project)] : folderDrifts(folders, project);
    const missing = [...askedOf(manifest).values()].filter((one) => !isFound(one));
    return missing.flatMap(({ name, wanted }) => driftOf(name, wanted, undefined));
  }
  const dependencies = wordsIn(entry.node, "dependencies");
  const asked = askedOf(manifest);
  const drifts = [...asked.values()].flatMap(({ name, wanted }): Drift[] => {
    const locked = dependencies.get(name);
    if (locked === undefined) return [{ name, wanted }];
    // What else is there is written in another way, or says where it comes from.
    const isAsWritten = !/^(?:patch|catalog|exec):/.test(wanted);
    if (isAsWritten && withoutProtocol(locked) !== withoutProtocol(wanted))
      return [{ name, wanted, locked: withoutProtocol(locked) }];
    if (semver.validRange(wanted) === null) return [];
    return isFound({ name, wanted }) ? [] : [{ name, wanted }];
  });
  const extra = [...dependencies].filter(([name]) => !asked.has(name));
  const gone =
    folder !== "" || own === undefined
      ? []
      : [...projects].filter(([at]) => at !== "." && !own.some((one) => one.folder === at));
  const ownName = textOf(manifest.name);
  const renamed =
    ownName === undefined || ownName === entry.name
      ? []
      : [{ name: ownName, wanted: "the name of the package", locked: entry.name }];
  return [
    ...renamed,
    ...(folder === "" ? forcedInNeeds(entries, references, root) : []),
    ...drifts,
    ...extra.map(([name, locked]) => ({ name, locked: withoutProtocol(locked) })),
    ...peersThatDiffer(manifest, wordsIn(entry.node, "peerDependencies")),
    ...gone.map(([at, { name }]) => ({ name, locked: `a package of the workspace in ${at}` })),
  ];
}

/** The packages of the workspace by their folders. */
function projectsIn(entries: ReadonlyMap<string, YamlNode>): ReadonlyMap<string, { name: string; node: YamlNode }> {
  const found = new Map<string, { name: string; node: YamlNode }>();
  for (const [head, node] of entries) {
    if (!head.includes(WORKSPACE)) continue;
    for (const pattern of patternsOf(head)) {
      const at = pattern.indexOf(WORKSPACE);
      const place = pattern.slice(at + WORKSPACE.length);
      // `workspace:*` and `workspace:^1.0.0` are ranges.
      const isRange = semver.validRange(place) !== null || ["^", "~"].includes(place);
      if (at > 0 && !isRange) found.set(place, { name: pattern.slice(0, at), node });
    }
  }
  return found;
}

/** What `resolutions` puts in place, by the name of the package. A selector is a path whose last part is that name, perhaps with a range. */
function resolutionsOf(root: Record): ReadonlyMap<string, readonly string[]> {
  const forced = new Map<string, string[]>();
  for (const [selector, text] of wordsOf(root.resolutions)) {
    const name = lastOf(selector);
    forced.set(name, [...(forced.get(name) ?? []), text]);
  }
  return forced;
}

/** Versions that `resolutions` give to the packages of one package: Yarn has an entry under each of them that anything needs. */
function forcedInNeeds(entries: ReadonlyMap<string, YamlNode>, references: References, root: Record): Drift[] {
  const needs = new Set<string>();
  for (const [head, node] of entries) {
    const parents = new Set(patternsOf(head).flatMap((pattern) => splitReference(pattern)?.[0] ?? []));
    for (const parent of parents)
      for (const name of wordsIn(node, "dependencies").keys()) needs.add(`${parent} ${name}`);
  }
  return wordsOf(root.resolutions).flatMap(([selector, wanted]): Drift[] => {
    const [, parent, name] =
      /^((?:@[^/@]+\/)?[^/@]+)\/((?:@[^/@]+\/)?[^/@]+)$/.exec(selector.slice(0, LONGEST_SELECTOR)) ?? [];
    if (parent === undefined || name === undefined || !needs.has(`${parent} ${name}`)) return [];
    const known = references.get(name);
    if (semver.validRange(wanted) === null || known?.has(wanted) || known?.has(`npm:${wanted}`)) return [];
    return [{ name, wanted: `${wanted} by a resolution for ${parent}` }];
  });
}

const LONGEST_SELECTOR = 500;

function lastOf(selector: string): string {
  const parts = selector.split("/");
  const last = parts.slice(parts.at(-2)?.startsWith("@") ? -2 : -1).join("/");
  return splitReference(last)?.[0] ?? last;
}
