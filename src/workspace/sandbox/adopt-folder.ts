import { runProgram } from "../run-program.ts";
import { NOBODY } from "./plan-box.ts";
import { sandboxFailed } from "./sandbox.ts";

const ADOPT_TIME_MS = 60_000;

/**
 * Gives a folder and all in it to the user of the sandbox, so that root's clone can be written to from inside. By `chown`, which walks
 * by descriptors and follows no link: another sandbox may be at work in the same folder. What is that user's already keeps its times, so that
 * what was known of it stays known; not every `chown` can tell them apart.
 */
export async function adoptFolder(folder: string): Promise<void> {
  const chown = (...options: readonly string[]) =>
    runProgram({
      command: "chown",
      args: ["-hRP", ...options, `${NOBODY}:${NOBODY}`, "--", folder],
      timeoutMs: ADOPT_TIME_MS,
      maxOutputBytes: 0,
    });
  const { ok } = await chown(`--from=${process.geteuid?.() ?? 0}`);
  if (ok || (await chown()).ok) return;
  throw sandboxFailed("its writable folder cannot be given to its user.");
}
