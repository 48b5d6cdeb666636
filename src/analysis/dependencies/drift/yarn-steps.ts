import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { splitReference } from "../npm-words.ts";
import { patternsOf, readYarnEntries } from "../read-yarn-lock.ts";
import type { Record, Steps } from "./steps.ts";

/**
 * Yarn looks for the pattern of each dependency. Later versions look for the one that `resolutions` puts in place, and also repeat the
 * manifest as it is; Yarn 1 keeps both patterns, and asks for that of the manifest.
 */
export function yarnSteps(manifest: Record, text: string): Steps | undefined {
  const entries = readYarnEntries(text)?.of;
  if (entries === undefined) return undefined;
  const references = new Map<string, Set<string>>();
  let repeated: ReadonlyMap<string, YamlNode> | undefined;
  for (const [head, entry] of entries) {
    for (const pattern of patternsOf(head)) {
      const [name, reference] = splitReference(pattern) ?? [];
      if (name === undefined || reference === undefined) continue;
      const known = references.get(name) ?? new Set<string>();
      references.set(name, known.add(reference));
      if (reference === "workspace:.") repeated = entriesOf(entriesOf(entry).get("dependencies"));
    }
  }
  const forced = entries.has("__metadata") ? resolutionsOf(manifest) : new Map<string, readonly string[]>();
  return (name, wanted) => {
    const known = references.get(name);
    if (repeated?.has(name)) {
      const locked = scalarOf(repeated.get(name));
      return locked === wanted || locked === `npm:${wanted}` || locked?.replace(/^npm:/, "");
    }
    const choices = [wanted, ...(forced.get(name) ?? [])];
    if (choices.some((choice) => known?.has(choice) || known?.has(`npm:${choice}`))) return true;
    // A package of the workspace is not named in the lock file of Yarn 1.
    return known === undefined && manifest.workspaces !== undefined && repeated === undefined ? true : undefined;
  };
}

/** What `resolutions` puts in place, by the name of the package. A selector is a path whose last part is that name, perhaps with a range. */
function resolutionsOf(manifest: Record): ReadonlyMap<string, readonly string[]> {
  const forced = new Map<string, string[]>();
  for (const [selector, value] of Object.entries(isRecord(manifest.resolutions) ? manifest.resolutions : {})) {
    const name = lastOf(selector);
    const text = textOf(value);
    if (text !== undefined) forced.set(name, [...(forced.get(name) ?? []), text]);
  }
  return forced;
}

function lastOf(selector: string): string {
  const parts = selector.split("/");
  const last = parts.slice(parts.at(-2)?.startsWith("@") ? -2 : -1).join("/");
  return splitReference(last)?.[0] ?? last;
}
