import { lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PYTHON_PACKAGES } from "./pip-plan.ts";

const MODULES = "node_modules";
/** Folders of folders below a root with workspaces. */
const DEEPEST = 8;

/**
 * Puts installed packages where programs of a repository look for them: folders of links into the cache, which is shown read-only, so that
 * nothing that runs can change what others get. Links between packages and workspaces are the same as where they were installed; beside
 * them programs may write, as many keep a cache of their own there.
 * @param folder where they were installed
 * @param root a folder of ours with a repository's files, in which nothing has run yet
 * @returns what has to be shown, read-only, to whatever runs there: packages alone, as a folder that people installed into holds more
 */
export async function layPackages(folder: string, root: string): Promise<string[]> {
  const shown: string[] = [];
  for (const place of await modulesIn(folder, "", 0)) {
    await layModules(join(folder, place), join(root, place), root);
    shown.push(join(folder, place));
  }
  const python = join(folder, PYTHON_PACKAGES);
  if (await isFolder(python)) {
    await mkdir(dirname(join(root, PYTHON_PACKAGES)), { recursive: true });
    await linkTo(python, join(root, PYTHON_PACKAGES));
    shown.push(python);
  }
  return shown;
}

/** Folders of packages, of the root and of workspaces, from the root. */
async function modulesIn(folder: string, at: string, depth: number): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    const path = join(at, entry.name);
    if (entry.name === MODULES) found.push(path);
    else if (depth < DEEPEST) found.push(...(await modulesIn(folder, path, depth + 1)));
  }
  return found;
}

async function layModules(from: string, to: string, root: string): Promise<void> {
  // A workspace that the commit does not have, or that is no folder there, has no packages either.
  if (!(await isFolder(dirname(to))) || !(await isBeneath(dirname(to), root))) return;
  await mkdir(to).catch(unlessThere);
  if (await isFolder(to)) await layEntries(from, to);
}

async function layEntries(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await linkTo(await readlink(source), target);
    else if (entry.isDirectory() && (entry.name === ".bin" || entry.name.startsWith("@"))) {
      await mkdir(target).catch(unlessThere);
      if (await isFolder(target)) await layEntries(source, target);
    } else await linkTo(source, target);
  }
}

/** Every folder on the way is one, so that no link of a repository leads elsewhere. */
async function isBeneath(path: string, root: string): Promise<boolean> {
  return path === root || ((await isFolder(path)) && (await isBeneath(dirname(path), root)));
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** The repository's own files stay. */
async function linkTo(target: string, path: string): Promise<void> {
  await symlink(target, path).catch(unlessThere);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
