import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRedactor } from "../../src/safety/redact.ts";
import { createReadLog } from "../../src/tools/read-file.ts";
import { type Tool, ToolFailure, type ToolResult } from "../../src/tools/tool.ts";
import { openFolderFiles } from "../../src/workspace/files/folder-files.ts";
import { createFolderLock } from "../../src/workspace/folder-lock.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";

export const redact = createRedactor([]);

/** A folder with files and the powers that tools over it get. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const lock = createFolderLock();
  return {
    root,
    lock,
    redact,
    reads: createReadLog(),
    files: openFolderFiles({ root, lock }),
    textOf: (path: string) => readFileSync(join(root, path), "utf8"),
  };
}

/** What a loop does with a call: validates the input, then runs. */
export function call(
  tool: Tool,
  input: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolResult> {
  return tool.run(tool.inputSchema.parse(input), { signal });
}

export async function textFrom(tool: Tool, input: unknown): Promise<string> {
  return (await call(tool, input)).text;
}

/** The failure that the model would read, as "code: sentence". */
export async function failureOf(tool: Tool, input: unknown): Promise<string> {
  try {
    const { text } = await call(tool, input);
    return `no failure: ${text}`;
  } catch (error) {
    if (error instanceof ToolFailure) return `${error.code}: ${error.message}`;
    throw error;
  }
}
