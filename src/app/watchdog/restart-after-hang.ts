import { once } from "node:events";
import { writeSync } from "node:fs";
import { url as inspectorUrl } from "node:inspector";
import { constants } from "node:os";
import { EXIT } from "../../cli/dispatch.ts";
import { startItself } from "../../workspace/start-itself.ts";
import { logLine } from "./log-line.ts";

/** The option of `forge start`; `npm start` has it. */
export const RESTART_OPTION = "--restart-after-hang";

/** Whether these arguments ask for it. Not under a debugger, which is attached to this process and not to a child. */
export function isToRestart(args: readonly string[]): boolean {
  return args.includes(RESTART_OPTION) && inspectorUrl() === undefined;
}

const TICK_MS = 60_000;
/** Ticks of this process until a hang is forgotten: an hour. */
const FORGOTTEN_AFTER = 60;

/** Whether Forge is started again when it ended so: after a hang, unless it was to end, and unless it was started again already in this hour. */
export function restarts({
  code,
  isStopping,
  ticksSinceRestart,
}: {
  readonly code: number | null;
  readonly isStopping: boolean;
  /** Undefined where it was never started again. */
  readonly ticksSinceRestart: number | undefined;
}): boolean {
  if (code !== EXIT.hung || isStopping) return false;
  return ticksSinceRestart === undefined || ticksSinceRestart >= FORGOTTEN_AFTER;
}

/**
 * Runs this same command in a child without the option, and once more when it hangs, in an hour of this process's own ticks. Passes signals
 * on, and resolves to the exit code of the last child; 128 and the number of the signal where a signal ended it.
 */
export async function restartAfterHang(argv: readonly string[]): Promise<number> {
  let child: ReturnType<typeof startItself> | undefined;
  let isStopping = false;
  let ticksSinceRestart: number | undefined;
  const pass = (signal: NodeJS.Signals) => {
    isStopping = true;
    child?.kill(signal);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, pass);
  const ticking = setInterval(() => {
    if (ticksSinceRestart !== undefined) ticksSinceRestart += 1;
  }, TICK_MS);
  for (;;) {
    child = startItself(argv.filter((word) => word !== RESTART_OPTION));
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    if (!restarts({ code, isStopping, ticksSinceRestart })) {
      clearInterval(ticking);
      return signal === null ? (code ?? EXIT.failed) : 128 + constants.signals[signal];
    }
    ticksSinceRestart = 0;
    say("forge hung and is started again, this once: if it hangs again within an hour, it ends with code 70");
  }
}

function say(message: string): void {
  try {
    writeSync(1, logLine("error", {}, message));
  } catch {
    // The reader of the log is gone.
  }
}
