import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { acquireFileLock, type Release } from "../file-lock.ts";
import { removeFolder } from "../remove-folder.ts";
import { runProgram } from "../run-program.ts";

/** Where installed packages are kept, for all workers of this data folder. */
export interface PackageCache {
  /** Absolute; made when it is first needed. */
  readonly root: string;
  /** Of all of it together; what was not used for longest goes first, and never what is in use. */
  readonly maxBytes: number;
}

/** One kept installation, in use until it is disposed of: it is not removed meanwhile. */
export interface KeptPackages extends AsyncDisposable {
  /** Holds what was installed, as it stood in the folder that was installed into. */
  readonly folder: string;
  /** Whether it was there already. */
  readonly kept: boolean;
}

export interface MakeSpec {
  /** All that decides what comes of it. */
  readonly key: readonly string[];
  /** Fills an empty folder; gives a reason where that cannot be done. */
  readonly make: (folder: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

/** Others may be at the same installation: what they make is used. Milliseconds. */
const WAIT_MS = 10 * 60_000;
const LIST_MS = 120_000;
/** A path and a size for each of a million files. */
const LIST_BYTES = 256 * 1024 * 1024;

const TREE = "tree";
const RECORD = "entry.json";

interface Entry {
  readonly bytes: number;
  /** Of names, kinds and sizes of all that is in the tree. */
  readonly digest: string;
}

/**
 * An installation by what it depends on: the one that is kept, or a new one. It is made beside the others and renamed when it is whole, so
 * that a killed process leaves none half made; one that is no longer what was made is made anew.
 * @returns the reason where it cannot be made
 */
export async function keepPackages(
  cache: PackageCache,
  { key, make, signal }: MakeSpec,
): Promise<KeptPackages | string> {
  const id = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 40);
  const place = join(cache.root, id);
  await mkdir(cache.root, { recursive: true });
  const release = await acquireFileLock(`${place}.lock`, { waitMs: WAIT_MS, signal });
  signal.throwIfAborted();
  if (release === undefined) return "another worker is still installing the same packages";
  let kept = true;
  try {
    kept = await isWhole(place);
    if (!kept) {
      await removeFolder(place);
      const reason = await makeAnew(cache, place, make);
      if (reason !== undefined) return reason;
    }
    const now = new Date();
    await utimes(join(place, RECORD), now, now);
    const done = await inUse(place);
    return { folder: join(place, TREE), kept, [Symbol.asyncDispose]: done };
  } finally {
    await release();
    if (!kept) await prunePackages(cache);
  }
}

async function makeAnew({ root }: PackageCache, place: string, make: MakeSpec["make"]): Promise<string | undefined> {
  const making = await mkdtemp(join(root, "making-"));
  try {
    // The user of the sandbox may be another one, and has to pass.
    await chmod(making, 0o755);
    const tree = join(making, TREE);
    await mkdir(tree, { mode: 0o755 });
    const reason = await make(tree);
    if (reason !== undefined) return reason;
    await giveBack(tree);
    const entry = await look(tree);
    await writeFile(join(making, RECORD), JSON.stringify(entry));
    await rename(making, place);
    return undefined;
  } finally {
    await removeFolder(making);
  }
}

/** What the user of the sandbox wrote becomes read-only. */
async function giveBack(tree: string): Promise<void> {
  const run = (command: string, ...args: readonly string[]) =>
    runProgram({ command, args: [...args, "--", tree], timeoutMs: LIST_MS, maxOutputBytes: 0 });
  if (process.getuid?.() === 0) await run("chown", "-hRP", "0:0");
  await run("chmod", "-R", "u+rwX,go+rX,go-w");
}

async function isWhole(place: string): Promise<boolean> {
  try {
    const entry = JSON.parse(await readFile(join(place, RECORD), "utf8")) as Entry;
    return entry.digest === (await look(join(place, TREE))).digest;
  } catch {
    // Not there, or not what was written: then it is made.
    return false;
  }
}

async function look(tree: string): Promise<Entry> {
  const kinds = ["-type", "d", "-printf", "d %P\\n", "-o", "-printf", "%y %s %P\\n"];
  const listed = await runProgram({
    command: "find",
    args: [tree, ...kinds],
    timeoutMs: LIST_MS,
    maxOutputBytes: LIST_BYTES,
  });
  if (!listed.ok) throw new Error("The packages cannot be listed.");
  const lines = listed.stdout.toString("latin1").split("\n").sort();
  const bytes = lines.reduce((sum, line) => sum + Number(/^[^d] (\d+) /.exec(line)?.[1] ?? 0), 0);
  return { bytes, digest: createHash("sha256").update(lines.join("\n")).digest("hex") };
}

/** Each user has a lock file of its own beside the entry, which goes with its process. */
async function inUse(place: string): Promise<Release> {
  const release = await acquireFileLock(`${place}.used-${randomUUID()}`, { waitMs: 0 });
  return release ?? (async () => undefined);
}

/** Removes what was not used for longest until the rest fits, and what killed processes left. */
export async function prunePackages({ root, maxBytes }: PackageCache): Promise<{ readonly removed: number }> {
  const names = await readdir(root).catch(() => []);
  const entries = await Promise.all(
    names.filter((name) => /^[0-9a-f]{40}$/.test(name)).map((name) => measure(root, name)),
  );
  entries.sort((one, other) => one.usedAt - other.usedAt);
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let removed = 0;
  for (const entry of entries) {
    if (bytes <= maxBytes) break;
    if (!(await removeUnused(root, entry.name))) continue;
    bytes -= entry.bytes;
    removed += 1;
  }
  return { removed: removed + (await removeHalves(root, names)) };
}

async function measure(root: string, name: string) {
  const record = join(root, name, RECORD);
  const bytes = await readFile(record, "utf8").then(
    (text) => (JSON.parse(text) as Entry).bytes,
    () => 0,
  );
  return {
    name,
    bytes,
    usedAt: await stat(record).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  };
}

async function removeUnused(root: string, name: string): Promise<boolean> {
  const release = await acquireFileLock(join(root, `${name}.lock`), { waitMs: 0 });
  if (release === undefined) return false;
  try {
    const users = (await readdir(root)).filter(
      (each) => each.startsWith(`${name}.used-`) && !each.endsWith(".removal"),
    );
    for (const user of users) {
      // If a user's lock can be taken, the user is dead.
      const dead = await acquireFileLock(join(root, user), { waitMs: 0 });
      if (dead === undefined) return false;
      await dead();
    }
    return await removeFolder(join(root, name));
  } finally {
    await release();
  }
}

/** An installation takes minutes: what is unfinished for hours was left by a process that died in it. */
const UNFINISHED_MS = 3 * 60 * 60_000;

async function removeHalves(root: string, names: readonly string[]): Promise<number> {
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith("making-"))) {
    const made = await stat(join(root, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - made > UNFINISHED_MS && (await removeFolder(join(root, name)))) removed += 1;
  }
  return removed;
}
