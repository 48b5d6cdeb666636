import { existsSync } from "node:fs";
import { EXIT, UsageError } from "./dispatch.ts";

export async function runBackup(args: readonly string[], copyTo: (path: string) => Promise<void>): Promise<number> {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0) throw new UsageError("backup takes one argument, the file to write");
  if (existsSync(path)) throw new UsageError(`${path} is there already; a backup never overwrites`);
  await copyTo(path);
  process.stdout.write(`copied to ${path}\n`);
  return EXIT.ok;
}
