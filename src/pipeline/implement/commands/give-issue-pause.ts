import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { ownsIssue } from "../implementation.ts";
import { stepOf } from "../step.ts";
import type { IssueView } from "../view.ts";

type Pausing = Extract<Command, { name: "pause" | "unpause" }>;

/** `/forge pause` on an issue: nothing starts here from now on, and what is at work stops with what it has. Said twice it changes nothing. */
export function giveIssuePause(view: IssueView, { by, at }: IssueCommandGiven, command: Pausing): Outcome {
  const scope = command.repository ? "repository" : "subject";
  if (scope === "subject" ? view.facts.pause : view.repository.pause) return {};
  const { active: run } = view;
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  const isRunning = ownsIssue(run) && !run.stopped;
  return {
    events: [{ type: "subject.paused", payload: { scope }, actor: by }],
    ...(isRunning ? { decision: stepOf(run, { events: [stopped] }, at) } : {}),
  };
}

/** `/forge unpause`: work may be asked for again; what was stopped waits for `/forge resume`. */
export function giveIssueUnpause(view: IssueView, { by }: IssueCommandGiven, command: Pausing): Outcome {
  const scope = command.repository ? "repository" : "subject";
  const { pause: here } = view.facts;
  const { pause: everywhere } = view.repository;
  const [ended, other] = scope === "subject" ? [here, everywhere] : [everywhere, here];
  if (!ended) return refuse(other ? { reason: "paused", ...other } : { reason: "not_paused", scope });
  return { events: [{ type: "subject.unpaused", payload: { scope }, actor: by }] };
}
