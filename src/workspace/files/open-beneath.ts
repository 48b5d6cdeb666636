import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/** A folder held open, and a path to it that cannot be redirected. */
export interface HeldFolder extends AsyncDisposable {
  readonly at: string;
}

/** Says what stood in the way. */
export class NotBeneath extends Error {
  override readonly name = "NotBeneath";
  readonly kind: "missing" | "link" | "not a folder";
  /** The part of the path at which it ended. */
  readonly path: string;

  constructor(kind: NotBeneath["kind"], path: string) {
    super(`${path}: ${kind}`);
    this.kind = kind;
    this.path = path;
  }
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a folder below the root name by name, never through a link. On Linux each step starts from the descriptor of the one before
 * (`/proc/self/fd/N` is what other languages have as openat), so that swapping a folder for a link meanwhile gains nothing.
 * Elsewhere there is no sandbox, so no hostile program that could swap anything, and each step is looked at by its path.
 * @throws NotBeneath
 */
export async function openFolderBeneath(
  root: string,
  names: readonly string[],
  options: { readonly create?: boolean } = {},
): Promise<HeldFolder> {
  let held = await open(root, FOLDER);
  let at = placeOf(held, root);
  try {
    for (const [depth, name] of names.entries()) {
      const path = names.slice(0, depth + 1).join("/");
      const next = join(at, name);
      if (options.create) await mkdir(next, { mode: 0o755 }).catch(ignore("EEXIST"));
      const opened = await open(next, FOLDER).catch(async (error: NodeJS.ErrnoException) => {
        throw (await obstacle(next, path, error)) ?? error;
      });
      await held.close();
      held = opened;
      at = placeOf(held, next);
    }
  } catch (error) {
    await held.close();
    throw error;
  }
  return { at, [Symbol.asyncDispose]: () => held.close() };
}

function placeOf(handle: FileHandle, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
}

async function obstacle(full: string, path: string, { code }: NodeJS.ErrnoException): Promise<NotBeneath | undefined> {
  if (code === "ENOENT") return new NotBeneath("missing", path);
  if (code !== "ELOOP" && code !== "ENOTDIR") return undefined;
  const found = await lstat(full).catch(() => undefined);
  return new NotBeneath(found?.isSymbolicLink() ? "link" : "not a folder", path);
}

function ignore(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
