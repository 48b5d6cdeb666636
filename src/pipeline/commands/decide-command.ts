import type { DismissalScope } from "../../domain/command-arguments.ts";
import { commandKey } from "../../domain/command-source.ts";
import { COMMANDS, type Command, type CommandName, type CommandOf, neededRole } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { type Finding, guardOf, type LedgerEntry } from "../../domain/findings.ts";
import type { Commanded } from "../../domain/inputs.ts";
import { nearest } from "../../domain/nearest.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { atLeast, type Role, subjectKey } from "../../domain/subjects.ts";
import { bare, splitWords } from "../../domain/typed-words.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import { react, reply } from "./acknowledge.ts";
import { type CommandResult, type Outcome, refuse } from "./command-result.ts";
import { learntBy } from "./give-teaching.ts";

/** What carries out the commands of a kind of run, which hands it in: one pure function for each. */
export type Commands<Name extends CommandName, View, Input> = {
  readonly [N in Name]: (view: View, input: Input, command: CommandOf<N>) => Outcome;
};

/** What acknowledging a command needs to know of its subject. */
interface Acknowledged {
  readonly facts: SubjectFacts;
}

/**
 * One command of a comment, on whatever kind of run: carried out or refused once, however often its comment is handled, and acknowledged
 * either way (GH-4, GH-14). The log of the subject says so.
 */
export function decideCommand<Name extends CommandName, View extends Acknowledged, Input extends Commanded>(
  view: View,
  input: Input,
  commands: Commands<Name, View, Input>,
): Decision {
  if (view.facts.settled.has(commandKey(input.source, input.index))) return ignore("this command was settled before");
  const outcome = outcomeOf(view, input, commands);
  return "refusal" in outcome ? refused(view, input, outcome.refusal) : done(view, input, outcome);
}

function outcomeOf<Name extends CommandName, View, Input extends Commanded>(
  view: View,
  input: Input,
  commands: Commands<Name, View, Input>,
): Outcome {
  const { parsed, role, told } = input;
  if ("refusal" in parsed) return parsed;
  const { command } = parsed;
  const { name } = command;
  if (role === undefined) return refuse({ reason: "role_unknown", name });
  // Before anything is looked up: who may not give the command at all learns nothing from it.
  const byRole = refusedByRole(command, role);
  if (byRole) return refuse(byRole);
  const { on, tells } = COMMANDS[name];
  if (on !== "both" && on !== "environment" && !Object.hasOwn(commands, name)) {
    return refuse({ reason: "elsewhere", name, where: on === "work" ? "forge_pull_request" : on });
  }
  // Given without an environment where only that makes sense.
  if (!Object.hasOwn(commands, name) && !tells) return refuse({ reason: "elsewhere", name, where: "pull_request" });
  if (tells) return told ? { answer: told } : {};
  return commands[name as Name](view, input, command as never);
}

function done(view: Acknowledged, input: Commanded, result: CommandResult): Decision {
  const { events = [], decision = NOTHING, answer, goesOn = false } = result;
  const { source, index, by, parsed, role = "none" } = input;
  const received: NewEvent[] =
    "command" in parsed
      ? [{ type: "command.received", payload: { source, index, role, command: asLogged(parsed.command) }, actor: by }]
      : [];
  const learnt = learntBy(input);
  const said = [...(goesOn ? [] : react(input, "rocket")), ...(answer ? [reply(input, answer)] : [])];
  return both(
    both(decision, learnt.decision),
    acknowledge(view, input, [...received, ...events, ...learnt.events], said),
  );
}

/** The log is never rewritten: what somebody may have forgotten later does not stand in it. */
function asLogged(command: Command): Command {
  return command.name === "remember" ? { name: "remember" } : command;
}

function refused(view: Acknowledged, input: Commanded, refusal: Refusal): Decision {
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

function acknowledge(view: Acknowledged, input: Commanded, events: NewEvent[], effects: Effect[]): Decision {
  const { subject, givenOn: said = subject, at } = input;
  const runId = subjectKey(subject);
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects, subject: said }] : [],
    jobs: effects.length > 0 ? [applyEffects(said, at)] : [],
  };
}

/** The finding that a command is about, and for `undismiss` how far its dismissal reaches. */
export interface Target {
  readonly finding: Finding;
  readonly scope?: DismissalScope;
}

/** Why somebody with this role may not give the command (GH-14); undefined when they may. */
export function refusedByRole(command: Command, role: Role, target?: Target): Refusal | undefined {
  const guard = target && guardOf(target.finding);
  const needs = neededRole(command, target && { guarded: guard !== undefined, scope: target.scope });
  return atLeast(role, needs)
    ? undefined
    : { reason: "role", name: command.name, needs, has: role, ...defined({ why: guard }) };
}

/** Ids that are offered when a prefix fits several. */
const MATCHES_NAMED = 5;
/** How far a mistyped id may be from the one that is offered. */
const NEAR = 2;

/**
 * The finding that a person means: by its id or any unambiguous beginning of it, or, where none is written, the one whose thread the
 * comment stands in. `thread` is the number of the thread's first comment.
 */
export function findTarget(
  ledger: readonly LedgerEntry[],
  {
    name,
    finding,
    reason,
  }: { readonly name: CommandName; readonly finding?: string | undefined; readonly reason?: string },
  thread: number | undefined,
): LedgerEntry | Refusal {
  if (finding === undefined) {
    // `FAKHN` is the id of another finding without its dash, and not a reason.
    const [first = ""] = splitWords(reason ?? "").map(bare);
    const letters = first.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
    const meant = ledger.find(({ finding: { id } }) => id.replace("-", "") === letters || id.slice(2) === first);
    if (meant) return { reason: "unknown_finding", written: first, nearest: meant.finding.id };
    const here = thread === undefined ? undefined : ledger.find(({ commentId }) => commentId === thread);
    return here ?? { reason: "which_finding", name };
  }
  const written = typed(finding);
  const exact = ledger.find((entry) => entry.finding.id === written);
  if (exact) return exact;
  const matches = written.length > 2 ? ledger.filter((entry) => entry.finding.id.startsWith(written)) : [];
  if (matches.length === 1) return matches[0]!;
  const ids = (entries: readonly LedgerEntry[]) => entries.map((entry) => entry.finding.id);
  if (matches.length > 1) {
    return { reason: "ambiguous_finding", written: finding, matches: ids(matches).slice(0, MATCHES_NAMED) };
  }
  // With something glued to it, as in `F-7K2Q:noisy`.
  const near = ids(ledger).find((id) => written.startsWith(id)) ?? nearest(written, ids(ledger), NEAR);
  return { reason: "unknown_finding", written: finding, ...defined({ nearest: near }) };
}

/** As an id is written: the alphabet has no O, I and L, so that who reads one for a digit is understood. */
function typed(written: string): string {
  const id = written.toUpperCase().replace(/^F[-_]/, "");
  return `F-${id.replaceAll("O", "0").replace(/[IL]/g, "1")}`;
}
