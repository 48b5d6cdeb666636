import semver from "semver";
import { aliasOf } from "../npm-words.ts";

/** What a lock file has in the place of a direct dependency. */
export interface Installed {
  /** A folder of the repository itself. */
  readonly isOwn?: boolean;
  /** Of the package, where it is installed under another name. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** The address that the lock file names instead of a version. */
  readonly from?: string | undefined;
}

/**
 * Whether what is installed meets what the manifest asks for. What is no range, such as an address, has to be the same text.
 * @returns as `Steps`
 */
export function meetsRange(
  { name, wanted, repeated }: { readonly name: string; readonly wanted: string; readonly repeated: string | undefined },
  installed: Installed | undefined,
): true | string | undefined {
  if (installed === undefined) return repeated;
  if (installed.isOwn) return true;
  const { version, from } = installed;
  const alias = aliasOf(wanted);
  const range = alias?.wanted ?? wanted;
  const isSame = (alias?.name ?? name) === (installed.name ?? name);
  if (semver.validRange(range, true) === null || semver.valid(version, true) === null) {
    if (isTag(range)) return isSame || repeated;
    // An address of git is written in many ways, and version 1 of npm's format does not repeat the manifest.
    if (repeated === undefined) return from === undefined || from === wanted || !/^https?:/.test(from) || from;
    return repeated === wanted || repeated;
  }
  if (isSame && semver.satisfies(version ?? "", range, { loose: true })) return true;
  return repeated === undefined || repeated === wanted ? version : repeated;
}

/** A word such as `latest`. */
function isTag(wanted: string): boolean {
  return /^[a-z][\w-]*$/i.test(wanted);
}
