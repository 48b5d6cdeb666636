import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { FORGE } from "./forge-process.ts";

/** What `forge doctor --fix` said of the sandbox, where it had something to bring. */
export interface BroughtSandbox {
  readonly holds: boolean;
  readonly detail: string;
}

/**
 * Has Forge fetch a sandbox where this machine has none, as its README tells people to. Undefined where there is a bubblewrap already, or
 * nothing was to bring.
 */
export async function bringSandbox(): Promise<BroughtSandbox | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (folders.some((folder) => isProgram(join(folder, "bwrap")))) return undefined;
  const doctor = spawn(process.execPath, [FORGE, "doctor", "--fix"], { stdio: ["ignore", "pipe", "ignore"] });
  const lines = (await text(doctor.stdout)).split("\n");
  const detail = lines.find((line) => line.startsWith("fix "))?.replace(/^fix\s+sandbox: /, "");
  const holds = lines.some((line) => /^ok\s+sandbox: /.test(line));
  return detail === undefined ? undefined : { holds, detail };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
