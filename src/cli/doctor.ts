import { EXIT, UsageError } from "./dispatch.ts";

/** One thing that was looked at. `advice` says what to do when it is not in order. */
export interface Examination {
  readonly what: string;
  readonly state: "ok" | "warning" | "wrong";
  readonly detail: string;
  readonly advice?: string;
}

const SIGNS = { ok: "ok     ", warning: "warning", wrong: "wrong  " } as const;

/** Prints every examination as it comes in; exit code 1 when something is wrong. */
export async function runDoctor(args: readonly string[], examine: () => AsyncIterable<Examination>): Promise<number> {
  if (args.length > 0) throw new UsageError("doctor takes no arguments");
  let wrong = 0;
  let warnings = 0;
  for await (const { what, state, detail, advice } of examine()) {
    process.stdout.write(`${SIGNS[state]}  ${what}: ${detail}\n`);
    if (advice && state !== "ok") process.stdout.write(`         → ${advice}\n`);
    if (state === "wrong") wrong += 1;
    if (state === "warning") warnings += 1;
  }
  const summary = wrong + warnings === 0 ? "everything is in order" : `${wrong} wrong, ${warnings} warnings`;
  process.stdout.write(`${summary}\n`);
  return wrong === 0 ? EXIT.ok : EXIT.failed;
}
