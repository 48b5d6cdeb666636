import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { mayPass, type WorkspaceFailure } from "../failure.ts";
import { fetchCommits } from "../fetch-commits.ts";
import { type Mirror, withMirror } from "../mirror.ts";
import { removeFolder } from "../remove-folder.ts";

/** A repository of one working tree's own: what it adds stands here, everything else is read from the mirror. */
export interface PrivateGit extends AsyncDisposable {
  readonly gitDirectory: string;
  /** A file beside it, to learn the file system's time from. */
  readonly clock: string;
  /** What git functions of this room take for a mirror: the same server, our objects before the mirror's. */
  readonly asMirror: Mirror;
  /**
   * Work that reads the mirror's objects while the mirror is unchanged, and after the commits were fetched where it lost them.
   * @throws ForgeError `working_tree_unavailable`
   */
  hold<T extends { ok: true }>(commits: readonly string[], work: () => Promise<T | WorkspaceFailure>): Promise<T>;
}

/** Lies outside of the folder that programs see: nothing in the sandbox can reach it. */
export async function openPrivateGit(mirror: Mirror, scratchRoot: string, signal: AbortSignal): Promise<PrivateGit> {
  const { directory, gitDirectory } = await layOutGit(scratchRoot);
  const shared = join(mirror.places.gitDirectory, "objects");
  await writeFile(join(gitDirectory, "objects", "info", "alternates"), `${shared}\n`);
  const own = (name: string) => join(directory, name);
  const places = { directory, gitDirectory, lock: own("lock"), used: own("used"), fetching: own("fetching") };
  return {
    gitDirectory,
    clock: own("clock"),
    asMirror: { ...mirror, places: { ...places, suspect: own("suspect"), learnt: own("learnt") } },
    hold: async (commits, work) => {
      available(await fetchCommits(mirror, { shas: commits, signal }));
      return available(await withMirror(mirror, signal, work));
    },
    [Symbol.asyncDispose]: async () => void (await removeFolder(directory)),
  };
}

/** An empty repository in a new folder, which the caller removes. */
export async function layOutGit(scratchRoot: string): Promise<{ directory: string; gitDirectory: string }> {
  const directory = await mkdtemp(join(scratchRoot, "tree-git-"));
  const gitDirectory = join(directory, "own.git");
  await mkdir(join(gitDirectory, "objects", "pack"), { recursive: true });
  await mkdir(join(gitDirectory, "objects", "info"));
  await mkdir(join(gitDirectory, "refs"));
  await writeFile(join(gitDirectory, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(gitDirectory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  return { directory, gitDirectory };
}

/** Git, the mirror or the server does not give what a working tree needs; `recoverability` says whether trying again may help. */
export function treeUnavailable(refusal: WorkspaceFailure): ForgeError {
  const { reason, detail } = refusal;
  return new ForgeError("working_tree_unavailable", detail, {
    source: reason === "timeout" ? "timeout" : "resource",
    recoverability: mayPass(refusal) ? "auto" : "none",
    context: { reason },
  });
}

/** @throws ForgeError `working_tree_unavailable` */
function available<T extends { ok: true }>(outcome: T | WorkspaceFailure): T {
  if (outcome.ok) return outcome;
  throw treeUnavailable(outcome);
}
