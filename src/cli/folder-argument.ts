import { realpath, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { calledAs, quoted } from "../workspace/called-as.ts";
import { UsageError } from "./dispatch.ts";

/**
 * The absolute path of a folder that the user named, without symbolic links; undefined if nothing is there.
 * @param command name of the command, for the suggestion in the error
 * @throws UsageError if it is a file
 */
export async function folderNamed(named: string, command: string): Promise<string | undefined> {
  const path = await realpath(resolve(named)).catch(() => undefined);
  if (path === undefined) return undefined;
  if ((await stat(path)).isDirectory()) return path;
  const folder = relative(process.cwd(), dirname(path)) || ".";
  throw new UsageError(`${named} is a file. Name its folder: ${calledAs()} ${command} ${quoted(folder)}`);
}
