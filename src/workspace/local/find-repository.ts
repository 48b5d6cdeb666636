import { type Dirent, lstatSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readPlainText, unusable } from "./plain-file.ts";
import { readSettings } from "./read-settings.ts";

/**
 * A git repository on this machine with a folder of files that belongs to it. Its configuration may be a stranger's: git is never
 * started on it, only on a view of it (`openView`).
 */
export interface LocalRepository {
  /** Of the worktree, where it is one of several. */
  readonly gitDirectory: string;
  /** Absolute. */
  readonly workTree: string;
  /** Shared by all worktrees of the repository, with links resolved. */
  readonly commonDirectory: string;
  readonly objects: string;
}

/**
 * The checkout that the folder is in; undefined outside of any.
 * @throws ForgeError `checkout_unusable` for one that is made of parts of another repository
 */
export async function findLocalRepository(folder: string): Promise<LocalRepository | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, ".git");
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isDirectory()) return open(at, place);
    if (stats?.isSymbolicLink()) return open(at, await realpath(place).catch(() => at));
    // A worktree or a submodule: the file names the directory.
    const named = stats?.isFile() ? /^gitdir: (.+)$/m.exec(await readPlainText(place))?.[1] : undefined;
    if (named) return open(at, resolve(at, named.trim()));
    if (at === dirname(at)) return undefined;
  }
}

async function open(workTree: string, gitDirectory: string): Promise<LocalRepository> {
  const shared = (await readPlainText(join(gitDirectory, "commondir"))).trim();
  const commonDirectory = await realpath(resolve(gitDirectory, shared)).catch(() => {
    throw unusable(workTree, "its .git names a folder that is not there");
  });
  await requireOwn(workTree, gitDirectory, shared === "" ? undefined : commonDirectory);
  const objects = join(commonDirectory, "objects");
  if (/[\r\n]/.test(objects)) throw unusable(workTree, "its path has a line break");
  await requireOwnObjects(workTree, objects);
  return { gitDirectory, workTree, commonDirectory, objects };
}

/**
 * A `.git` may lie elsewhere only where what lies there says that it is meant for this folder, as git has it for worktrees and
 * submodules: otherwise a folder from a stranger could pass for the repository of somebody else, and have branches put into it.
 */
async function requireOwn(workTree: string, gitDirectory: string, shared: string | undefined): Promise<void> {
  const real = await realpath(gitDirectory);
  const own = join(await realpath(workTree), ".git");
  if (shared !== undefined) {
    const back = resolve(real, (await readPlainText(join(real, "gitdir"))).trim());
    const isOurs = dirname(real) === join(shared, "worktrees") && (await realpath(back).catch(() => back)) === own;
    if (isOurs) return;
    throw unusable(
      workTree,
      `its .git is that of another worktree (${shared}): git worktree repair, run there, mends it`,
    );
  }
  if (real === own && !lstatSync(own).isSymbolicLink()) return;
  const { worktree } = await readSettings(real);
  const meant = worktree === undefined ? undefined : await realpath(resolve(real, worktree)).catch(() => undefined);
  if (meant === dirname(own)) return;
  const how = `if it is, say so there: git --git-dir=${real} config core.worktree ${dirname(own)}`;
  throw unusable(workTree, `its .git lies in ${real}, which does not say that it is meant for this folder; ${how}`);
}

/** Objects of another repository are not for everybody who knows their names. */
async function requireOwnObjects(workTree: string, objects: string): Promise<void> {
  const how = "have git copy them (git repack -a -d), then remove";
  const alternates = join(objects, "info", "alternates");
  if ((await lstat(alternates).catch(() => undefined)) !== undefined) {
    throw unusable(workTree, `its objects are partly those of another repository: ${how} ${alternates}`);
  }
  const foreign = ({ name }: { name: string }) =>
    unusable(workTree, `what is called ${JSON.stringify(name)} among its objects is a link, or no file at all`);
  if (!(await lstat(objects).catch(() => undefined))?.isDirectory()) throw foreign({ name: basename(objects) });
  for (const entry of await readdir(objects, { withFileTypes: true })) {
    if (!/^(?:[0-9a-f]{2}|pack|info)$/.test(entry.name)) continue;
    if (!entry.isDirectory()) throw foreign(entry);
    const within = await readdir(join(objects, entry.name), { withFileTypes: true });
    const wrong = within.find((found) => !isPlain(found));
    if (wrong) throw foreign(wrong);
  }
}

/** Newer versions of git keep lists of commits in a folder of their own; they are not read. */
function isPlain(entry: Dirent): boolean {
  return entry.isFile() || (entry.isDirectory() && /^(?:commit-graphs|multi-pack-index\.d)$/.test(entry.name));
}
