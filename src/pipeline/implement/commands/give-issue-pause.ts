import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import type { Outcome } from "../../runs/commands/deed.ts";
import { pause, unpause } from "../../runs/commands/shared-commands.ts";
import { ownsIssue } from "../implementation.ts";
import { stepOf } from "../step.ts";
import type { IssueView } from "../view.ts";

type Pausing = Extract<Command, { name: "pause" | "unpause" }>;

/** `/forge pause` on an issue: what is at work stops with what it has. */
export function giveIssuePause(view: IssueView, { by, at }: IssueCommandGiven, command: Pausing): Outcome {
  const paused = pause(view, by, command);
  if (!paused) return {};
  const { active: run } = view;
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  const isRunning = ownsIssue(run) && !run.stopped;
  return { events: [paused.event], ...(isRunning ? { decision: stepOf(run, { events: [stopped] }, at) } : {}) };
}

/** `/forge unpause`: work may be asked for again; what was stopped waits for `/forge resume`. */
export function giveIssueUnpause(view: IssueView, { by }: IssueCommandGiven, command: Pausing): Outcome {
  const ended = unpause(view, by, command);
  return "refusal" in ended ? ended : { events: [ended.event] };
}
