import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type CleanPath, cleanPath, refuseNewName } from "./clean-path.ts";
import { NotBeneath, openFolderBeneath } from "./open-beneath.ts";
import { readBeneath, refuseObstacle } from "./read-beneath.ts";
import { FILE_LIMITS, type FileChange, type FileRefusal, refuseFile } from "./repository-files.ts";

interface CheckedChange extends FileChange {
  readonly clean: CleanPath;
}

/**
 * Makes all changes below the root or none of them. Everything is looked at before anything is written; a write that fails all the same
 * (a full disk) has the earlier ones undone. New content comes in by renaming, so nothing is ever seen half written, and a file that is
 * linked to from elsewhere is replaced, not written through.
 */
export async function changeBeneath(
  root: string,
  changes: readonly FileChange[],
): Promise<{ readonly ok: true } | FileRefusal> {
  if (changes.length > FILE_LIMITS.changes) {
    return refuseFile("too large", `At most ${FILE_LIMITS.changes} files can be changed at once.`);
  }
  const checked: CheckedChange[] = [];
  for (const change of changes) {
    const clean = cleanPath(change.path);
    if (!clean.ok) return clean;
    const refused = refuseTwice(clean, checked) ?? (await refuseChange(root, clean, change));
    if (refused !== undefined) return refused;
    checked.push({ ...change, clean });
  }
  const done: CheckedChange[] = [];
  try {
    for (const change of checked) {
      await replace(root, change.clean, change.content, change.before === undefined);
      done.push(change);
    }
  } catch (error) {
    for (const { clean, before } of done.reverse()) await replace(root, clean, before, false);
    if (error instanceof NotBeneath) return refuseObstacle(error, changes[done.length]?.path ?? "");
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return refuseFile("not written", `Nothing was changed: the file system refused it (${code}).`);
  }
  return { ok: true };
}

function refuseTwice({ path }: CleanPath, earlier: readonly CheckedChange[]): FileRefusal | undefined {
  if (earlier.every(({ clean }) => clean.path !== path)) return undefined;
  return refuseFile("invalid path", `${JSON.stringify(path)} is named twice: give each file once.`);
}

async function refuseChange(root: string, clean: CleanPath, change: FileChange): Promise<FileRefusal | undefined> {
  const shown = JSON.stringify(clean.path);
  if ((change.content?.length ?? 0) > FILE_LIMITS.writeBytes) {
    return refuseFile(
      "too large",
      `${shown} would have more than ${FILE_LIMITS.writeBytes.toLocaleString("en-US")} bytes.`,
    );
  }
  const now = await readBeneath(root, clean, FILE_LIMITS.readBytes);
  if (!now.ok && now.reason !== "not found") return now;
  if (change.before === undefined) {
    if (now.ok) return refuseFile("exists", `${shown} exists already: read it first, then edit it.`);
    return refuseNewName(clean);
  }
  if (!now.ok) return now;
  if (!now.content.equals(change.before)) {
    return refuseFile("changed", `${shown} has changed since it was read: read it again, then repeat the edit.`);
  }
  return undefined;
}

async function replace(root: string, { parts }: CleanPath, content: Buffer | undefined, isNew: boolean): Promise<void> {
  const name = parts.at(-1) ?? "";
  await using folder = await openFolderBeneath(root, parts.slice(0, -1), { create: isNew });
  const full = join(folder.at, name);
  if (content === undefined) {
    // Awaited here: the folder is closed when this returns.
    await unlink(full);
    return;
  }
  const mode = await lstat(full).then(
    (stats) => stats.mode & 0o777,
    () => 0o644,
  );
  const fresh = join(folder.at, `.forge-${randomUUID()}`);
  await using file = await open(
    fresh,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  try {
    await file.chmod(mode);
    await file.writeFile(content);
    await rename(fresh, full);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}
