import { parseBunText } from "../formats/bun-text.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { type Installed, meetsRange } from "./meets-range.ts";
import { GROUPS, type Record, type Steps } from "./steps.ts";

/** Bun repeats every manifest of the workspace, and still takes a range that what is installed meets. */
export function bunSteps(manifest: Record, text: string): Steps | undefined {
  const lock = parseBunText(text);
  const workspaces = isRecord(lock?.workspaces) ? lock.workspaces : {};
  const root = isRecord(workspaces[""]) ? workspaces[""] : undefined;
  const packages = isRecord(lock?.packages) ? lock.packages : {};
  const overrides = [manifest.overrides, manifest.resolutions].filter(isRecord);
  if (root === undefined) return undefined;
  return (name, wanted) => {
    const repeated = GROUPS.map((group) => textOf(isRecord(root[group]) ? root[group][name] : undefined)).find(Boolean);
    if (repeated !== undefined && overrides.some((forced) => name in forced)) return true;
    return meetsRange({ name, wanted, repeated }, repeated === undefined ? undefined : installedAs(packages[name]));
  };
}

function installedAs(entry: unknown): Installed | undefined {
  const [name, reference] = splitReference(textOf(Array.isArray(entry) ? entry[0] : undefined) ?? "") ?? [];
  if (reference === undefined) return undefined;
  return reference.startsWith("workspace:") ? { isOwn: true } : { name, version: reference, from: reference };
}
