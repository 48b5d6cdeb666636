import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { type Installed, meetsRange } from "./meets-range.ts";
import { askedOf, driftOf, GROUPS, type Judge } from "./steps.ts";

/** Bun repeats every manifest of the workspace, and still takes a range that what is installed meets. */
export function bunSteps({ table: lock }: ParsedLock): Judge | undefined {
  const workspaces = isRecord(lock?.workspaces) ? lock.workspaces : {};
  const root = isRecord(workspaces[""]) ? workspaces[""] : undefined;
  const packages = isRecord(lock?.packages) ? lock.packages : {};
  if (root === undefined) return undefined;
  return ({ folder, manifest }) => {
    if (folder !== "") return undefined;
    const overrides = [manifest.overrides, manifest.resolutions].filter(isRecord);
    return [...askedOf(manifest).values()].flatMap(({ name, wanted }) => {
      const repeated = GROUPS.map((group) => textOf(isRecord(root[group]) ? root[group][name] : undefined)).find(
        Boolean,
      );
      if (repeated !== undefined && overrides.some((forced) => name in forced)) return [];
      const installed = repeated === undefined ? undefined : installedAs(packages[name]);
      return driftOf(name, wanted, meetsRange({ name, wanted, repeated }, installed));
    });
  };
}

function installedAs(entry: unknown): Installed | undefined {
  const [name, reference] = splitReference(textOf(Array.isArray(entry) ? entry[0] : undefined) ?? "") ?? [];
  if (reference === undefined) return undefined;
  return reference.startsWith("workspace:") ? { isOwn: true } : { name, version: reference, from: reference };
}
