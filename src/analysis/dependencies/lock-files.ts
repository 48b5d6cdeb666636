import type { LockFileReader } from "./locked-package.ts";
import { readPackageLock, readPnpmLock, readYarnLock } from "./read-npm-locks.ts";
import { readGemfileLock, readGoMod, readGoSum, readPipfileLock, readRequirements } from "./read-plain-locks.ts";
import { readTomlLock } from "./read-toml-lock.ts";

interface LockFile {
  readonly name: RegExp;
  readonly read: LockFileReader;
  /** Files beside it in which people write what they want. */
  readonly manifests: readonly string[];
  /** Holds hashes of more than is used: only compared, never asked about. */
  readonly hashesOnly?: boolean;
}

const NODE = ["package.json"];
const PYTHON = ["pyproject.toml", "Pipfile", "setup.cfg", "requirements.in"];

export const LOCK_FILES: readonly LockFile[] = [
  { name: /^(?:package-lock|npm-shrinkwrap)\.json$/, read: readPackageLock, manifests: NODE },
  { name: /^pnpm-lock\.ya?ml$/, read: readPnpmLock, manifests: NODE },
  { name: /^yarn\.lock$/, read: readYarnLock, manifests: NODE },
  { name: /^(?:poetry|uv|pdm)\.lock$/, read: readTomlLock("PyPI"), manifests: PYTHON },
  { name: /^Pipfile\.lock$/, read: readPipfileLock, manifests: PYTHON },
  { name: /^(?:(?=[\w.-]+\.txt$)[\w.-]*requirements.*|constraints\.txt)$/, read: readRequirements, manifests: PYTHON },
  { name: /^go\.mod$/, read: readGoMod, manifests: [] },
  { name: /^go\.sum$/, read: readGoSum, manifests: [], hashesOnly: true },
  { name: /^Cargo\.lock$/, read: readTomlLock("crates.io"), manifests: ["Cargo.toml"] },
  { name: /^Gemfile\.lock$/, read: readGemfileLock, manifests: ["Gemfile"] },
];

export function lockFileOf(path: string): LockFile | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return LOCK_FILES.find((lockFile) => lockFile.name.test(name));
}
