import type { Command, Refusal } from "../../domain/commands.ts";
import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { CommandGiven } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { refusedByRole, type Target } from "../../safety/permissions.ts";
import { applyEffects, both, type Decision, ignore, NOTHING, type SubjectView } from "../decision.ts";
import { commandKey } from "../subject-facts.ts";
import { react, reply } from "./acknowledge.ts";
import { type Deed, type Outcome, refuse } from "./deed.ts";
import { findTarget } from "./find-target.ts";
import { giveAnswer } from "./give-answer.ts";
import { giveAsk } from "./give-ask.ts";
import { giveDismissal, giveUndismissal } from "./give-dismissal.ts";
import { giveExtend } from "./give-extend.ts";
import { giveOverride } from "./give-override.ts";
import { givePause, giveUnpause } from "./give-pause.ts";
import { giveResume } from "./give-resume.ts";
import { giveReview } from "./give-review.ts";
import { giveStop } from "./give-stop.ts";
import { giveTrust, giveUntrust } from "./give-trust.ts";
import { tellExplanation, tellStatus } from "./tell.ts";

/** One command of a comment: carried out or refused, and acknowledged either way (GH-4, GH-14). */
export function decideCommand(view: SubjectView, input: CommandGiven): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  const outcome = outcomeOf(view, input);
  return "refusal" in outcome ? refused(view, input, outcome.refusal) : done(view, input, outcome);
}

function outcomeOf(view: SubjectView, input: CommandGiven): Outcome {
  const { parsed, role, thread } = input;
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  if (role === undefined) return refuse({ reason: "role_unknown", name: command.name });
  // Before anything is looked up: who may not give the command at all learns nothing from it.
  const byRole = refusedByRole(command, role);
  if (byRole) return refuse(byRole);
  if (command.name !== "dismiss" && command.name !== "undismiss" && command.name !== "explain") {
    return carryOut(view, input, command);
  }
  const found = findTarget(view.ledger, command, thread);
  if ("reason" in found) return refuse(found);
  const byTarget = refusedByRole(command, role, targetOf(view, found));
  return byTarget ? refuse(byTarget) : carryOutOn(view, input, command, found);
}

function targetOf(view: SubjectView, { finding }: LedgerEntry): Target {
  const own = view.repository.dismissals.find(({ findingId }) => findingId === finding.id);
  return { finding, ...(own ? { scope: own.scope } : {}) };
}

type OnFinding = Extract<Command, { name: "dismiss" | "undismiss" | "explain" }>;

function carryOutOn(view: SubjectView, input: CommandGiven, command: OnFinding, target: LedgerEntry): Outcome {
  switch (command.name) {
    case "dismiss":
      return giveDismissal(view, input, command, target);
    case "undismiss":
      return giveUndismissal(view, input, target);
    case "explain":
      return { answer: tellExplanation(view, target) };
  }
}

function carryOut(view: SubjectView, input: CommandGiven, command: Exclude<Command, OnFinding>): Outcome {
  switch (command.name) {
    case "review":
      return giveReview(view, input, command);
    case "override":
      return giveOverride(view, input, command);
    case "pause":
      return givePause(view, input, command);
    case "unpause":
      return giveUnpause(view, input, command);
    case "status":
      return { answer: tellStatus(view, input) };
    case "stop":
      return giveStop(view, input);
    case "resume":
      return giveResume(view, input, command);
    case "extend":
      return giveExtend(view, input, command);
    case "trust":
      return giveTrust(view, input);
    case "untrust":
      return giveUntrust(view, input);
    case "cost":
      return { answer: { kind: "cost", cost: input.cost ?? { spent: [], limits: [] } } };
    case "config":
      return {
        answer: { kind: "configuration", configuration: input.configuration ?? { settings: [], problems: [] } },
      };
    case "ask":
      return giveAsk(input, command);
    case "approve":
    case "reject":
      return giveAnswer(view, input, command);
    case "help":
      return { answer: { kind: "help", ...(command.topic ? { topic: command.topic } : {}) } };
  }
}

function done(view: SubjectView, input: CommandGiven, deed: Deed): Decision {
  const { events = [], decision = NOTHING, answer, goesOn = false } = deed;
  const { source, index, by, parsed, role = "none" } = input;
  const received: NewEvent[] =
    "command" in parsed
      ? [{ type: "command.received", payload: { source, index, role, command: parsed.command }, actor: by }]
      : [];
  const said = [...(goesOn ? [] : react(input, "rocket")), ...(answer ? [reply(input, answer)] : [])];
  return both(decision, acknowledge(view, input, [...received, ...events], said));
}

function refused(view: SubjectView, input: CommandGiven, refusal: Refusal): Decision {
  const { source, index, role, by } = input;
  const payload = { source, index, refusal, ...(role ? { role } : {}) };
  const event: NewEvent = { type: "command.refused", payload, actor: by };
  // A reply in plain words by somebody who may not dismiss is a part of their conversation.
  const isTalk = input.plain && refusal.reason === "role" && refusal.why === undefined;
  const answer = { kind: "refused", login: by.login, refusal } as const;
  const inWords = input.alone || source.kind === "review" || source.kind === "button";
  const said = isTalk ? [] : [...react(input, "confused"), ...(inWords ? [reply(input, answer)] : [])];
  return acknowledge(view, input, [event], said);
}

function acknowledge(
  view: SubjectView,
  { subject, at }: CommandGiven,
  events: NewEvent[],
  effects: Effect[],
): Decision {
  const runId = subjectKey(subject);
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: effects.length > 0 ? [applyEffects(subject, at)] : [],
  };
}
