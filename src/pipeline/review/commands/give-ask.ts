import { createHash } from "node:crypto";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { RiskLevel } from "../../../domain/risk.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { NOTHING } from "../../runs/decision.ts";
import { requestTests } from "../head-tests.ts";
import type { RunState } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

/** By this a question is known to be the one that was taken; its text is read again where it stands. */
export function questionHash(question: string): string {
  return createHash("sha256").update(question).digest("hex");
}

/** `/forge ask`: a model looks for the answer, which takes a while; 🚀 and the answer come together. Also where Forge is paused: somebody asked. */
export function giveAsk(_view: unknown, input: CommandGiven, { question }: Extract<Command, { name: "ask" }>): Outcome {
  const { subject, source, index, by, at, thread } = input;
  const here = thread ?? (source.kind === "review_comment" ? Number(source.id) : undefined);
  const payload = {
    ...{ subject, source, index, by, questionHash: questionHash(question) },
    ...defined({ thread: here }),
  };
  return {
    goesOn: true,
    decision: { ...NOTHING, jobs: [{ kind: "ask", key: `ask:${subjectKey(subject)}`, payload, runAt: at }] },
  };
}

/**
 * `/forge test` on a pull request of people: a worker runs the tests that the change asks for, and 🚀 comes with what they say. Also where
 * Forge is paused: somebody asked. Where they are at work on this head already, the check says when they are done.
 */
export function giveTest({ latest, facts }: Pick<SubjectView, "latest" | "facts">, input: CommandGiven): Outcome {
  const { subject, source, index, by, at, thread, pull, newRunId: id } = input;
  const { ends } = pull;
  if (!pull.open) return refuse({ reason: "closed", name: "test" });
  const { tests } = facts;
  if (tests?.headSha === ends.headSha && tests.baseRef === ends.baseRef && !tests.ended) return {};
  const asked = { source, index, by, ...defined({ thread }) };
  const runId = latest?.ends.headSha === ends.headSha ? latest.runId : undefined;
  const { events, decision } = requestTests(facts, { subject, at, id, ends, runId, risk: riskOf(latest), asked });
  return { goesOn: true, events, decision };
}

/** What the newest review made of it, where it got that far. */
function riskOf(run: RunState | undefined): RiskLevel | undefined {
  const begun = run?.status === "running" ? run.risk : undefined;
  const ended = run?.status === "completed" ? run.review?.risk : undefined;
  return (begun ?? ended)?.level;
}
