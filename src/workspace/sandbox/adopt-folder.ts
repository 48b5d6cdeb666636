import { runProgram } from "../run-program.ts";
import { NOBODY } from "./box-plan.ts";
import { sandboxFailed } from "./sandbox-failed.ts";

const ADOPT_TIME_MS = 60_000;

/**
 * Gives a folder and all in it to the user of the sandbox, so that root's clone can be written to from inside. By `chown`, which walks
 * by descriptors and follows no link: another sandbox may be at work in the same folder.
 */
export async function adoptFolder(folder: string): Promise<void> {
  const result = await runProgram({
    command: "chown",
    args: ["-hRP", `${NOBODY}:${NOBODY}`, "--", folder],
    timeoutMs: ADOPT_TIME_MS,
    maxOutputBytes: 0,
  });
  if (!result.ok) throw sandboxFailed(`${JSON.stringify(folder)} cannot be given to its user.`);
}
