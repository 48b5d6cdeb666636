import { commandKey } from "../../domain/command-source.ts";
import { COMMANDS, type CommandOf, type CommandOn, isOn } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { CommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { refusedByRole } from "../../safety/permissions.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import { react, reply } from "./acknowledge.ts";
import { type CommandResult, type Outcome, refuse } from "./command-result.ts";

/** What acknowledging a command needs to know of its subject. */
interface Acknowledged {
  readonly facts: SubjectFacts;
}

type Given = CommandGiven | IssueCommandGiven;

type Where = "pull_request" | "issue";

/** What carries each command out on one kind of subject: one function for each that can be given there. */
export type CommandTable<On extends Where, View, Input> = {
  readonly [Name in CommandOn<On>]: (
    view: View,
    input: Input,
    command: CommandOf<Name>,
    /** The finding that it is about, of a command that is about one. */
    target: LedgerEntry,
  ) => Outcome;
};

/**
 * One command of a comment, on whatever kind of run: carried out or refused once, however often its comment is handled, and acknowledged
 * either way (GH-4, GH-14). The log of the subject says so.
 * @param carryOut what it comes to for somebody whose role allows it
 */
export function decideCommand<On extends Where>(
  view: Acknowledged,
  input: Given,
  where: On,
  carryOut: (command: CommandOf<CommandOn<On>>) => Outcome,
): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  const outcome = outcomeOf(input, where, carryOut);
  return "refusal" in outcome ? refused(view, input, outcome.refusal) : done(view, input, outcome);
}

function outcomeOf<On extends Where>(
  { parsed, role, told }: Given,
  where: On,
  carryOut: (command: CommandOf<CommandOn<On>>) => Outcome,
): Outcome {
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  const { name } = command;
  if (role === undefined) return refuse({ reason: "role_unknown", name });
  // Before anything is looked up: who may not give the command at all learns nothing from it.
  const byRole = refusedByRole(command, role);
  if (byRole) return refuse(byRole);
  const { on, tells } = COMMANDS[name];
  if (on !== "both" && !isOn(name, where)) {
    return refuse({ reason: "elsewhere", name, where: on === "work" ? "forge_pull_request" : on });
  }
  if (tells) return told ? { answer: told } : {};
  return carryOut(command as CommandOf<CommandOn<On>>);
}

/** `/forge help`: nothing has to be known for it. */
export function tellHelp(_view: unknown, _input: unknown, { topic }: CommandOf<"help">): Outcome {
  return { answer: { kind: "help", ...(topic ? { topic } : {}) } };
}

function done(view: Acknowledged, input: Given, result: CommandResult): Decision {
  const { events = [], decision = NOTHING, answer, goesOn = false } = result;
  const { source, index, by, parsed, role = "none" } = input;
  const received: NewEvent[] =
    "command" in parsed
      ? [{ type: "command.received", payload: { source, index, role, command: parsed.command }, actor: by }]
      : [];
  const said = [...(goesOn ? [] : react(input, "rocket")), ...(answer ? [reply(input, answer)] : [])];
  return both(decision, acknowledge(view, input, [...received, ...events], said));
}

function refused(view: Acknowledged, input: Given, refusal: Refusal): Decision {
  const { source, index, role, by } = input;
  const payload = { source, index, refusal, ...defined({ role }) };
  const event: NewEvent = { type: "command.refused", payload, actor: by };
  // A reply in plain words by somebody who may not dismiss is a part of their conversation.
  const isTalk = input.plain && refusal.reason === "role" && refusal.why === undefined;
  const answer = { kind: "refused", login: by.login, refusal } as const;
  const inWords = input.alone || source.kind === "review" || source.kind === "button";
  const said = isTalk ? [] : [...react(input, "confused"), ...(inWords ? [reply(input, answer)] : [])];
  return acknowledge(view, input, [event], said);
}

/** Where the command was given: on the pull request of the work, whose issue it is about, or on its subject itself. */
function saidOn(input: Given): Subject {
  const { repository } = input.subject;
  const given = "givenOn" in input ? input.givenOn : undefined;
  return given === undefined ? input.subject : { kind: "pull_request", repository, number: given };
}

function acknowledge(view: Acknowledged, input: Given, events: NewEvent[], effects: Effect[]): Decision {
  const { subject, at } = input;
  const runId = subjectKey(subject);
  const said = saidOn(input);
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects, subject: said }] : [],
    jobs: effects.length > 0 ? [applyEffects(said, at)] : [],
  };
}
