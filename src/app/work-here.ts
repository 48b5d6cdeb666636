import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Output } from "../cli/terminal.ts";
import { createRedactor } from "../safety/redact.ts";
import { removeFolder } from "../workspace/remove-folder.ts";

/** What a command that works on this machine is given. */
export interface Here {
  readonly output: Output;
  /** Empty, for this command alone, and removed when it ends. */
  readonly scratchRoot: string;
  /** Aborted by Ctrl-C, or by a request to end. */
  readonly signal: AbortSignal;
}

export interface Caller {
  /** Of the command, and part of the name of its folder. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly secrets: readonly string[];
}

const STOPS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Does the work of a command on this machine: with a redacting output, a folder to work in, and a signal. A stop from outside aborts the
 * signal, and a second one ends the process; either way the folder is removed.
 * @returns the exit code of the work, or the usual one of a stopped program
 */
export async function workHere(
  { name, environment, secrets }: Caller,
  work: (here: Here) => Promise<number>,
): Promise<number> {
  // https://no-color.org: an empty value is as good as none.
  const noColor = (environment.NO_COLOR ?? "") !== "";
  const output = { out: process.stdout, err: process.stderr, noColor, redact: createRedactor(secrets) };
  const scratchRoot = await mkdtemp(join(tmpdir(), `forge-${name}-`));
  // Where the sandbox has a user of its own, they have to get there.
  await chmod(scratchRoot, 0o711);
  const remove = async () => {
    if (!(await removeFolder(scratchRoot))) output.err.write(`forge: ${scratchRoot} could not be removed\n`);
  };
  const ended = new AbortController();
  let stoppedWith: number | undefined;
  const stop = (signal: keyof typeof STOPS) => {
    if (stoppedWith !== undefined) void remove().finally(() => process.exit(STOPS[signal]));
    stoppedWith = STOPS[signal];
    ended.abort();
  };
  const signals = Object.keys(STOPS) as (keyof typeof STOPS)[];
  for (const signal of signals) process.on(signal, stop);
  try {
    const code = await work({ output, scratchRoot, signal: ended.signal });
    return stoppedWith ?? code;
  } finally {
    await remove();
    for (const signal of signals) process.off(signal, stop);
  }
}
