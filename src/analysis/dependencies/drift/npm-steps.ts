import { parseLockJson } from "../json-blocks.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { aliasOf } from "../npm-words.ts";
import { type Installed, meetsRange } from "./meets-range.ts";
import { GROUPS, type Record, type Steps } from "./steps.ts";

/** `npm ci` asks whether the locked version is within the range of the manifest, not whether the lock file repeats that range. */
export function npmSteps(manifest: Record, text: string): Steps | undefined {
  const lock = parseLockJson(text);
  const packages = recordOf(lock?.packages);
  const nested = recordOf(lock?.dependencies);
  const root = recordOf(packages?.[""]);
  const overrides = recordOf(manifest.overrides);
  if (packages === undefined ? nested === undefined : root === undefined) return undefined;
  return (name, wanted) => {
    const repeated = root && GROUPS.map((group) => textOf(recordOf(root[group])?.[name])).find(Boolean);
    const installed = packages === undefined ? ofFirstVersion(nested?.[name]) : ofPackage(packages, name);
    // An override counts for a direct dependency too.
    if (installed !== undefined && overrides?.[name] !== undefined) return true;
    return meetsRange({ name, wanted, repeated }, installed);
  };
}

function ofPackage(packages: Record, name: string): Installed | undefined {
  const entry = recordOf(packages[`node_modules/${name}`]);
  return entry && { isOwn: entry.link === true, name: textOf(entry.name), version: textOf(entry.version) };
}

/** Version 1 of the format writes into the version where a package comes from. */
function ofFirstVersion(value: unknown): Installed | undefined {
  const written = textOf(recordOf(value)?.version);
  if (written === undefined) return undefined;
  const alias = aliasOf(written);
  if (alias !== undefined) return { name: alias.name, version: alias.wanted };
  return written.startsWith("file:") ? { isOwn: true } : { version: written, from: written };
}

function recordOf(value: unknown): Record | undefined {
  return isRecord(value) ? value : undefined;
}
