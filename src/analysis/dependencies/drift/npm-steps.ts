import semver from "semver";
import { parseJson } from "../json-blocks.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { aliasOf } from "../npm-words.ts";
import { GROUPS, type Record, type Steps } from "./steps.ts";

/**
 * `npm ci` asks whether the locked version lies in the range that the manifest has, not whether the lock file repeats that range. What is no
 * range, such as an address, has to be repeated.
 */
export function npmSteps(manifest: Record, text: string): Steps | undefined {
  const lock = parseJson(text);
  const packages = recordOf(lock?.packages);
  const nested = recordOf(lock?.dependencies);
  const root = recordOf(packages?.[""]);
  const overrides = recordOf(manifest.overrides);
  if (packages === undefined ? nested === undefined : root === undefined) return undefined;
  return (name, wanted) => {
    const repeated = root && GROUPS.map((group) => textOf(recordOf(root[group])?.[name])).find(Boolean);
    const entry = packages === undefined ? ofFirstVersion(nested?.[name]) : ofPackage(packages, name);
    if (entry === undefined) return repeated;
    const { isLink, realName, version } = entry;
    // What is forced on every package counts for this one too.
    if (isLink || overrides?.[name] !== undefined) return true;
    const alias = aliasOf(wanted);
    const range = alias?.wanted ?? wanted;
    if (version === undefined || semver.validRange(range, true) === null)
      return repeated === wanted || isTag(range) || version === wanted || packages === undefined || repeated;
    const isSame = (alias?.name ?? name) === (realName ?? name);
    if (isSame && semver.satisfies(version, range, { loose: true })) return true;
    return repeated === undefined || repeated === wanted ? version : repeated;
  };
}

interface Entry {
  readonly isLink?: boolean;
  /** Where it is installed under another name. */
  readonly realName?: string | undefined;
  readonly version?: string | undefined;
}

function ofPackage(packages: Record, name: string): Entry | undefined {
  const entry = recordOf(packages[`node_modules/${name}`]);
  return entry && { isLink: entry.link === true, realName: textOf(entry.name), version: textOf(entry.version) };
}

/** Version 1 of the format writes into the version where a package comes from. */
function ofFirstVersion(value: unknown): Entry | undefined {
  const entry = recordOf(value);
  const written = textOf(entry?.version);
  if (written === undefined) return undefined;
  const alias = aliasOf(written);
  if (alias !== undefined) return { realName: alias.name, version: alias.wanted };
  return written.startsWith("file:") ? { isLink: true } : { version: written };
}

/** A word such as `latest`. */
function isTag(wanted: string): boolean {
  return /^[\w-]+$/.test(wanted);
}

function recordOf(value: unknown): Record | undefined {
  return isRecord(value) ? value : undefined;
}
