import { defined } from "../../../domain/defined.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { RiskLevel } from "../../../domain/risk.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { NOTHING } from "../../runs/decision.ts";
import type { RunState } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

/**
 * `/forge test` on a pull request of people: a worker runs the tests that the change asks for, and 🚀 comes with what they say. Also where
 * Forge is paused: somebody asked.
 */
export function giveTest({ latest }: SubjectView, input: CommandGiven): Outcome {
  const { subject, source, index, by, at, thread, pull } = input;
  if (!pull.open) return refuse({ reason: "closed", name: "test" });
  const risk = riskOf(latest);
  const payload = {
    ...{ subject, source, index, by, headSha: pull.ends.headSha },
    ...defined({ thread, risk }),
  };
  return {
    goesOn: true,
    decision: { ...NOTHING, jobs: [{ kind: "test", key: `test:${subjectKey(subject)}`, payload, runAt: at }] },
  };
}

/** What the newest review made of it, where it got that far. */
function riskOf(run: RunState | undefined): RiskLevel | undefined {
  const begun = run?.status === "running" ? run.risk : undefined;
  const ended = run?.status === "completed" ? run.review?.risk : undefined;
  return (begun ?? ended)?.level;
}
