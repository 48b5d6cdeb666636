import { isUtf8 } from "node:buffer";
import { REDACTED } from "../../safety/redact.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import type { FileChange, WorkFiles } from "../../workspace/files/repository-files.ts";
import type { ReadLog } from "../read-file.ts";
import { given, ToolFailure } from "../tool.ts";

export interface EditDependencies {
  readonly files: WorkFiles;
  readonly reads: ReadLog;
  /** Why this path is not for this agent to write, in a sentence; undefined where it is. */
  readonly refusePath?: (path: string) => string | undefined;
}

export interface PlannedChange {
  /** Clean. */
  readonly path: string;
  readonly content: Buffer | undefined;
}

/**
 * What the agent knows a file to hold: it must have read it since it last changed.
 * @returns undefined when there is no such file
 * @throws {ToolFailure}
 */
export async function knownContent(
  { files, reads }: EditDependencies,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const now = await files.read(path, signal);
  if (!now.ok && now.reason === "not found") return undefined;
  const { content } = given(now);
  const known = reads.known(path);
  const shown = JSON.stringify(path);
  if (known === undefined) throw new ToolFailure("not_read", `${shown} was not read yet: read it first, then edit it.`);
  if (!known.equals(content)) {
    reads.forget(path);
    throw new ToolFailure("changed", `${shown} has changed since it was read: read it again, then repeat the edit.`);
  }
  return content;
}

/**
 * Makes the changes, all or none, and notes what the files hold now.
 * @throws {ToolFailure}
 */
export async function changeFiles(
  dependencies: EditDependencies,
  planned: readonly PlannedChange[],
  signal: AbortSignal,
): Promise<void> {
  const changes: FileChange[] = [];
  for (const { path, content } of planned) {
    const reason = dependencies.refusePath?.(path);
    if (reason !== undefined) throw new ToolFailure("not_yours", reason);
    const before = await knownContent(dependencies, path, signal);
    refuseRedacted(path, content, before);
    changes.push({ path, content, before });
  }
  given(await dependencies.files.change(changes, signal));
  for (const { path, content } of planned) {
    if (content === undefined) dependencies.reads.forget(path);
    else dependencies.reads.note(path, content);
  }
}

/** What an agent was not shown it would write over with the mark that stood in its place. */
function refuseRedacted(path: string, content: Buffer | undefined, before: Buffer | undefined): void {
  if (content === undefined || countOf(content) <= (before === undefined ? 0 : countOf(before))) return;
  throw new ToolFailure(
    "redacted",
    `The new text of ${JSON.stringify(path)} holds ${REDACTED}, which stands for a secret that you were not shown: edit around that place with edit_file.`,
  );
}

function countOf(content: Buffer): number {
  return content.toString("utf8").split(REDACTED).length - 1;
}

/** @throws {ToolFailure} */
export function requirePath(path: string): string {
  return given(cleanPath(path)).path;
}

/** The text of a file as it is edited: with `\n` at line ends where the file has `\r\n` throughout, which come back on writing. */
interface EditableText {
  readonly text: string;
  readonly bytesOf: (text: string) => Buffer;
}

/** @throws {ToolFailure} `binary` where editing as text would damage the file */
export function editableText(path: string, content: Buffer): EditableText {
  if (!isUtf8(content) || content.subarray(0, 8_000).includes(0)) {
    throw new ToolFailure("binary", `${JSON.stringify(path)} is not UTF-8 text and cannot be edited.`);
  }
  const raw = content.toString("utf8");
  const breaks = raw.split("\n").length - 1;
  const windows = breaks > 0 && raw.split("\r\n").length - 1 === breaks;
  if (!windows) return { text: raw, bytesOf: (text) => Buffer.from(text) };
  return {
    text: raw.replaceAll("\r\n", "\n"),
    bytesOf: (text) => Buffer.from(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")),
  };
}

/**
 * A file that is there while the work lasts. Stopping the work does not stop the removal.
 * @throws {ToolFailure} when the file cannot be made, or stands there already
 */
export async function withTemporaryFile<T>(
  files: WorkFiles,
  { path, content }: { readonly path: string; readonly content: string },
  work: () => Promise<T>,
): Promise<T> {
  const { signal } = new AbortController();
  given(await files.change([{ path, content: Buffer.from(content), before: undefined }], signal));
  try {
    return await work();
  } finally {
    const now = await files.read(path, signal);
    if (now.ok) await files.change([{ path, content: undefined, before: now.content }], signal);
  }
}
