import { spawnSync } from "node:child_process";

/** What one run of a program took, in milliseconds. */
export interface Timed {
  readonly wall: number;
  /** Of its processors, with all the children that it waited for: hardly different on a busy machine. */
  readonly processor: number;
}

const SCRIPT = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1';

/**
 * Runs a program to its end. Needs bash, which counts the time of children.
 * @param ends exit codes that are expected
 * @throws Error for another one
 */
export function timed(command: readonly string[], { cwd = process.cwd(), ends = [0] } = {}): Timed {
  const { status, stderr } = spawnSync("bash", ["-c", SCRIPT, "bash", ...command], { cwd, encoding: "utf8" });
  if (status === null || !ends.includes(status))
    throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`);
  const [real = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return { wall: real * 1_000, processor: (user + system) * 1_000 };
}
