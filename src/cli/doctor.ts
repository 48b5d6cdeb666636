import { visibleText } from "../safety/visible-text.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { counted } from "./terminal.ts";

/** One thing that was looked at. `advice` says what to do when it is not in order. */
export interface Examination {
  readonly what: string;
  /** `off`: not set up, and Forge works without it. */
  readonly state: "ok" | "off" | "warning" | "wrong";
  readonly detail: string;
  readonly advice?: string;
}

const SIGNS = { ok: "ok     ", off: "off    ", warning: "warning", wrong: "wrong  " } as const;

export interface DoctorDependencies {
  readonly examine: () => AsyncIterable<Examination>;
  /** Brings what this machine lacks and Forge can fetch; returns the result, or nothing if nothing had to be done. */
  readonly fix: () => Promise<string | undefined>;
}

/** Prints every examination as it comes in, with `--fix` after fixing what Forge can fix; exit code 1 when something is wrong. */
export async function runDoctor(args: readonly string[], { examine, fix }: DoctorDependencies): Promise<number> {
  if (args.length > 1 || (args.length === 1 && args[0] !== "--fix")) throw new UsageError("doctor takes only --fix");
  const mended = args.length === 0 ? undefined : await fix();
  if (mended !== undefined) process.stdout.write(`fix      ${mended}\n`);
  let wrong = 0;
  let warnings = 0;
  for await (const { what, state, detail, advice } of examine()) {
    process.stdout.write(`${SIGNS[state]}  ${visibleText(`${what}: ${detail}`)}\n`);
    if (advice && state !== "ok") process.stdout.write(`         → ${advice}\n`);
    if (state === "wrong") wrong += 1;
    if (state === "warning") warnings += 1;
  }
  const summary = wrong + warnings === 0 ? "everything is in order" : `${wrong} wrong, ${counted(warnings, "warning")}`;
  process.stdout.write(`${summary}\n`);
  return wrong === 0 ? EXIT.ok : EXIT.failed;
}
