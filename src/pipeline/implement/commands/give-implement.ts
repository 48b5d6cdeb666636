import type { CommandSource } from "../../../domain/command-source.ts";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { RunRequest } from "../../../domain/event-catalogue.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { worksWithoutMemory } from "../../../safety/held-out.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { NOTHING, onlyReports, workOn } from "../../runs/decision.ts";
import { brokenRunLimit } from "../../runs/run-limits.ts";
import { isAtWork, ownsIssue } from "../implementation.ts";
import { canRead } from "../signals.ts";
import { stepOf } from "../step.ts";
import type { IssueView } from "../view.ts";

type Starting = Extract<Command, { name: "implement" | "plan" }>;

const REASONS: Readonly<Partial<Record<CommandSource["kind"], RunRequest["reason"]>>> = {
  label: "labeled",
  fault: "faulted",
};

/** `/forge implement`, `/forge plan` and the label: a run begins on the issue as it stands now (GH-1, PLAN-1). */
export function giveImplement(view: IssueView, input: IssueCommandGiven, { name, instructions }: Starting): Outcome {
  const { issue, subject, newRunId, by, at } = input;
  const { snapshot } = issue;
  if (!issue.open || !snapshot) return refuse({ reason: "closed" });
  if (ownsIssue(view.active)) return refuse({ reason: "implementing" });
  // A plan is a report too.
  if (name === "implement" && onlyReports(view.repository, input.cap)) {
    return refuse({ reason: "reports_only", name });
  }
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause) return refuse({ reason: "paused", by: pause.by, scope: pause.scope });
  const limit = brokenRunLimit(view.recent, input, view.pipeline.limits);
  if (limit) return refuse({ reason: "run_limit", limit });
  const started: NewEvent = {
    type: "run.started",
    actor: by,
    payload: {
      kind: "implement",
      subject,
      request: {
        id: requestOf(input),
        reason: REASONS[input.source.kind] ?? "commanded",
        automatic: input.source.kind === "fault",
      },
      task: snapshot.title,
      issue: snapshot,
      planOnly: name === "plan",
      estimatedCostUsd: 0,
      memory: worksWithoutMemory(subject) ? "without" : "with",
      ...defined({ instructions }),
    },
  };
  return {
    decision: {
      ...NOTHING,
      appends: [{ runId: newRunId, expectedVersion: 0, events: [started] }],
      jobs: [workOn({ runId: newRunId, subject }, at)],
    },
  };
}

/** `/forge fix` on the pull request of the work: the implementer works on these findings, or on all that are open. */
export function giveFix(
  view: IssueView,
  input: IssueCommandGiven,
  { findings }: Extract<Command, { name: "fix" }>,
): Outcome {
  const { active: run } = view;
  if (!ownsIssue(run) || !run.pull) return refuse({ reason: "no_implementation" });
  if (isAtWork(run)) return refuse({ reason: "at_work" });
  if (onlyReports(view.repository, input.cap)) return refuse({ reason: "reports_only", name: "fix" });
  const { by, at } = input;
  const event: NewEvent = {
    type: "pull.signalled",
    payload: { from: "findings", findings, by, request: requestOf(input) },
    actor: by,
  };
  return { decision: stepOf(run, { events: [event], work: canRead(run) }, at) };
}
