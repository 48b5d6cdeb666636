import { FIRST_LEVEL } from "../../domain/ladder.ts";
import { DEPLOYMENT } from "./definition.ts";
import type { Observed } from "./deployment.ts";
import type { Move } from "./move.ts";
import { entered } from "./steps.ts";

/** What nobody asked for is announced: people have time to object before it begins, and a worker takes it up again then (SAFE-4). */
export function announce(run: Observed, at: string): Move {
  const due = new Date(Date.parse(at) + DEPLOYMENT.objectionMs).toISOString();
  const { level = FIRST_LEVEL } = run.observed;
  return {
    events: [
      ...entered(run, "announced", "the version is verified"),
      { type: "deployment.announced", payload: { due, level } },
    ],
  };
}
