import type { WorkFiles } from "../../workspace/files/repository-files.ts";
import { given } from "../tool.ts";

/**
 * A file that is there while the work lasts. Whoever stops the work does not stop the removal.
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
