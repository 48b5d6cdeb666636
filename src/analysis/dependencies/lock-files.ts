import type { LockFileReader } from "./locked-package.ts";
import { readBunLock } from "./read-bun-lock.ts";
import { readDenoLock } from "./read-deno-lock.ts";
import { readGemfileLock } from "./read-gemfile-lock.ts";
import { readGoMod, readGoSum } from "./read-go-locks.ts";
import { readComposerLock, readGradleLock, readNugetLock, readPubspecLock } from "./read-listed-locks.ts";
import { readPackageLock } from "./read-package-lock.ts";
import { readPipfileLock } from "./read-pipfile-lock.ts";
import { readPnpmLock } from "./read-pnpm-lock.ts";
import { readPylock } from "./read-pylock.ts";
import { readRequirements } from "./read-requirements.ts";
import { readTomlLock } from "./read-toml-lock.ts";
import { readYarnLock } from "./read-yarn-lock.ts";

interface LockFile {
  readonly name: RegExp;
  readonly read: LockFileReader;
  /** Files beside it in which people write what they want. */
  readonly manifests: readonly string[];
  /** Holds hashes of more than is used: only compared, never asked about. */
  readonly hashesOnly?: boolean;
  /** People write it themselves: it is read line by line as well, as other texts are. */
  readonly written?: boolean;
}

const NODE = ["package.json"];
const PYTHON = ["pyproject.toml", "Pipfile", "setup.cfg", "requirements.in"];

export const LOCK_FILES: readonly LockFile[] = [
  { name: /^(?:package-lock|npm-shrinkwrap)\.json$/, read: readPackageLock, manifests: NODE },
  { name: /^pnpm-lock\.ya?ml$/, read: readPnpmLock, manifests: [...NODE, "pnpm-workspace.yaml"] },
  { name: /^yarn\.lock$/, read: readYarnLock, manifests: NODE },
  { name: /^bun\.lock$/, read: readBunLock, manifests: NODE },
  { name: /^deno\.lock$/, read: readDenoLock, manifests: [...NODE, "deno.json", "import_map.json"] },
  { name: /^(?:poetry|uv|pdm)\.lock$/, read: readTomlLock("PyPI"), manifests: PYTHON },
  { name: /^pylock(?:\.[^.]+)?\.toml$/, read: readPylock, manifests: PYTHON },
  { name: /^Pipfile\.lock$/, read: readPipfileLock, manifests: PYTHON },
  {
    name: /^(?:(?=[\w.-]+\.txt$)[\w.-]*requirements.*|constraints\.txt|requirements\/[\w.-]+\.txt)$/,
    read: readRequirements,
    manifests: PYTHON,
    written: true,
  },
  { name: /^go\.mod$/, read: readGoMod, manifests: [], written: true },
  { name: /^go\.sum$/, read: readGoSum, manifests: [], hashesOnly: true },
  { name: /^Cargo\.lock$/, read: readTomlLock("crates.io"), manifests: ["Cargo.toml"] },
  { name: /^(?:Gemfile\.lock|gems\.locked)$/, read: readGemfileLock, manifests: ["Gemfile", "gems.rb"] },
  { name: /^composer\.lock$/, read: readComposerLock, manifests: ["composer.json"] },
  { name: /^packages\.lock\.json$/, read: readNugetLock, manifests: [] },
  { name: /^gradle\.lockfile$/, read: readGradleLock, manifests: [] },
  { name: /^pubspec\.lock$/, read: readPubspecLock, manifests: ["pubspec.yaml", "pubspec_overrides.yaml"] },
];

export function lockFileOf(path: string): LockFile | undefined {
  const name = dependencyName(path);
  return LOCK_FILES.find((lockFile) => lockFile.name.test(name));
}

/** By what a file of packages is known: its name, and the folder before it where projects of Python keep their lists. */
export function dependencyName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/.test(path) ? `requirements/${name}` : name;
}
