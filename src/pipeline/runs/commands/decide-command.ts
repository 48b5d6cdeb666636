import { type Command, commandKey, type Refusal } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { Effect } from "../../../domain/effects.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { CommandGiven, IssueCommandGiven } from "../../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { refusedByRole } from "../../../safety/permissions.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../decision.ts";
import type { SubjectFacts } from "../subject-facts.ts";
import { react, reply } from "./acknowledge.ts";
import { type Deed, type Outcome, refuse } from "./deed.ts";

/** What acknowledging a command needs to know of its subject. */
interface Acknowledged {
  readonly facts: SubjectFacts;
}

type Given = CommandGiven | IssueCommandGiven;

/**
 * One command of a comment, on whatever kind of run: carried out or refused once, however often its comment is handled, and acknowledged
 * either way (GH-4, GH-14). The log of the subject says so.
 * @param carryOut what it comes to for somebody whose role allows it
 */
export function decideCommand(view: Acknowledged, input: Given, carryOut: (command: Command) => Outcome): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  const outcome = outcomeOf(input, carryOut);
  return "refusal" in outcome ? refused(view, input, outcome.refusal) : done(view, input, outcome);
}

function outcomeOf({ parsed, role }: Given, carryOut: (command: Command) => Outcome): Outcome {
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  if (role === undefined) return refuse({ reason: "role_unknown", name: command.name });
  // Before anything is looked up: who may not give the command at all learns nothing from it.
  const byRole = refusedByRole(command, role);
  return byRole ? refuse(byRole) : carryOut(command);
}

function done(view: Acknowledged, input: Given, deed: Deed): Decision {
  const { events = [], decision = NOTHING, answer, goesOn = false } = deed;
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
