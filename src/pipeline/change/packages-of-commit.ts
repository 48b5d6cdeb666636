import { readCommitDay } from "../../workspace/commit-log.ts";
import { openCommitFiles } from "../../workspace/files/commit-files.ts";
import { mirrorStore } from "../../workspace/git-store.ts";
import {
  installPackages,
  noteMissing,
  type PackageSource,
  type PackagesOutcome,
} from "../../workspace/install/install-packages.ts";
import type { Mirror } from "../../workspace/mirror.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import type { WorkingTree } from "../../workspace/working-tree/working-tree.ts";

export interface PackagesSpec {
  readonly source: PackageSource;
  readonly mirror: Mirror;
  /** The commit that needs the packages. */
  readonly commit: string;
  /** What it was made on: its day counts where there is no lock file. */
  readonly base: string;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/** The packages of a commit for all who run something of it: made ready when the first asks, in use until it is disposed of. */
export interface PackagesOfCommit extends AsyncDisposable {
  get(): Promise<PackagesOutcome>;
  /** Notes for people, in sentences; empty where it was not asked for. */
  notes(): Promise<string[]>;
}

/** Puts the packages of a commit into a working tree of it. @returns whether they are there, or why they are not */
export async function addPackages(packages: PackagesOfCommit, { clone }: WorkingTree): Promise<PackagesOutcome> {
  const outcome = await packages.get();
  if (outcome.installed) await clone?.addPackages(outcome.packages.folder);
  return outcome;
}

export function packagesOfCommit({
  source,
  mirror,
  commit,
  base,
  scratchRoot,
  signal,
}: PackagesSpec): PackagesOfCommit {
  let asked: Promise<PackagesOutcome> | undefined;
  const get = async () => {
    const files = openCommitFiles({ mirror, commit, scratch: scratchRoot });
    const day = await readCommitDay(mirrorStore(mirror), base, signal);
    return installPackages({ source, files, sandbox: await openSandbox(), day, signal });
  };
  return {
    get: () => {
      asked ??= get();
      return asked;
    },
    notes: async () => {
      const outcome = await asked?.catch(() => undefined);
      if (outcome === undefined) return [];
      if (outcome.installed) return [...outcome.packages.notes];
      return outcome.needed ? [noteMissing(outcome.reason)] : [];
    },
    [Symbol.asyncDispose]: async () => {
      const outcome = await asked?.catch(() => undefined);
      if (outcome?.installed) await outcome.packages[Symbol.asyncDispose]();
    },
  };
}
