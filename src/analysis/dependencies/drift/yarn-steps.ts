import semver from "semver";
import { isRecord, type ParsedLock } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { patternsOf } from "../read-yarn-lock.ts";
import { foldersIn } from "./berry-folders.ts";
import { berryDrifts, type References } from "./berry-steps.ts";
import { askedOf, type Drift, driftOf, type Judge, type Project, wordsOf } from "./steps.ts";
import { isMember } from "./workspace-members.ts";

/** Yarn looks for the pattern of each dependency in the heads of the entries. */
export function yarnSteps({ entries }: ParsedLock): Judge | undefined {
  if (entries === undefined) return undefined;
  const references = new Map<string, Set<string>>();
  for (const head of entries.keys()) {
    for (const pattern of patternsOf(head)) {
      const [name, reference] = splitReference(pattern) ?? [];
      if (name === undefined || reference === undefined) continue;
      const known = references.get(name);
      if (known === undefined) references.set(name, new Set([reference]));
      else known.add(reference);
    }
  }
  if (entries.has("__metadata")) {
    const folders = foldersIn(entries);
    return (project) => berryDrifts(entries, { references, folders }, project);
  }
  return (project) => classicDrifts(references, project);
}

/**
 * Yarn 1 keeps the patterns of manifests as they are. Where one is missing it refuses at the root, and for a package of the workspace
 * it installs what is new without a word.
 */
function classicDrifts(references: References, project: Project): readonly Drift[] | undefined {
  const { folder, manifest, root, own } = project;
  if (folder !== "" && !isMember(project)) return undefined;
  const members = own?.filter((one) => one.folder !== "" && isMember({ ...project, folder: one.folder }));
  const forced = wordsOf(folder === "" ? root.resolutions : undefined).flatMap(([selector, wanted]): Drift[] => {
    const name = selector.replace(/^\*\*\//, "");
    const known = references.get(name);
    return known === undefined || known.has(wanted) ? [] : [{ name, wanted: `${wanted} by a resolution` }];
  });
  const drifts = [...askedOf(manifest).values()].flatMap(({ name, wanted }) => {
    const known = references.get(name);
    if (known?.has(wanted) || known?.has(`npm:${wanted}`)) return [];
    // A package of the workspace is not named in the lock file.
    if (members === undefined) return known === undefined && hasWorkspace(root) ? [] : [{ name, wanted }];
    const member = members.find((one) => one.name === name);
    return driftOf(name, wanted, member === undefined ? undefined : meets(member.version, wanted) || member.version);
  });
  return [...forced, ...drifts];
}

function hasWorkspace(root: Project["root"]): boolean {
  return Array.isArray(root.workspaces) || isRecord(root.workspaces);
}

function meets(version: string | undefined, wanted: string): boolean {
  return version === undefined || semver.satisfies(version, wanted, { loose: true });
}
