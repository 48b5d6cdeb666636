import type { DismissalScope } from "../../domain/command-arguments.ts";
import { commandKey } from "../../domain/command-source.ts";
import {
  COMMANDS,
  type Command,
  type CommandOf,
  type CommandOn,
  isAboutFinding,
  isOn,
  neededRole,
} from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { type Finding, guardOf, type LedgerEntry } from "../../domain/findings.ts";
import type { CommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { atLeast, type Role, type Subject, subjectKey } from "../../domain/subjects.ts";
import {
  giveIssueExtend,
  giveIssuePause,
  giveIssueResume,
  giveIssueStop,
  giveIssueUnpause,
  giveRetry,
} from "../implement/commands/give-control.ts";
import { giveFix, giveImplement } from "../implement/commands/give-implement.ts";
import { giveRestore } from "../implement/commands/give-restore.ts";
import { giveText, giveVerdict } from "../implement/commands/give-verdict.ts";
import { statusOf } from "../implement/status-of.ts";
import { pullSubject } from "../implement/step.ts";
import type { IssueView } from "../implement/view.ts";
import { giveAnswer } from "../review/commands/give-answer.ts";
import { giveAsk, giveTest } from "../review/commands/give-ask.ts";
import { giveDismissal, giveUndismissal } from "../review/commands/give-dismissal.ts";
import { giveOverride } from "../review/commands/give-override.ts";
import { giveExtend, giveResume, giveStop } from "../review/commands/give-resume.ts";
import { givePause, giveReview, giveTrust, giveUnpause, giveUntrust } from "../review/commands/give-review.ts";
import { giveSuggestedFixes } from "../review/commands/give-suggested-fixes.ts";
import { tellExplanation, tellStatus } from "../review/commands/tell.ts";
import { giveHold, giveUnhold } from "../review/give-merge.ts";
import type { SubjectView } from "../review/view.ts";
import { applyEffects, both, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import { react, reply } from "./acknowledge.ts";
import { type CommandResult, type Outcome, refuse } from "./command-result.ts";
import { findTarget } from "./find-target.ts";
import { giveLevel } from "./give-level.ts";
import { giveForget, giveHide, giveRemember, giveUnhide, learntBy } from "./give-teaching.ts";

type Where = "pull_request" | "issue";

/** What carries each command out on one kind of subject: one function for each that can be given there, and does more than tell. */
type CarryOut<On extends Where, View, Input> = {
  readonly [Name in CommandOn<On>]: (
    view: View,
    input: Input,
    command: CommandOf<Name>,
    /** The finding that it is about, of a command that is about one. */
    target: LedgerEntry,
  ) => Outcome;
};

const ON_PULL_REQUEST: CarryOut<"pull_request", SubjectView, CommandGiven> = {
  review: giveReview,
  dismiss: giveDismissal,
  undismiss: giveUndismissal,
  explain: (view, _input, _command, target) => ({ answer: tellExplanation(view, target) }),
  status: (view, input) => ({ answer: tellStatus(view, input) }),
  override: giveOverride,
  pause: givePause,
  unpause: giveUnpause,
  stop: giveStop,
  resume: giveResume,
  extend: giveExtend,
  trust: giveTrust,
  untrust: giveUntrust,
  ask: giveAsk,
  approve: giveAnswer,
  reject: giveAnswer,
  test: giveTest,
  fix: giveSuggestedFixes,
  level: giveLevel,
  remember: giveRemember,
  forget: giveForget,
  hide: giveHide,
  unhide: giveUnhide,
  hold: giveHold,
  unhold: giveUnhold,
  help: tellHelp,
};

/** On an issue, and on the pull request of the work on it. */
const ON_ISSUE: CarryOut<"issue", IssueView, IssueCommandGiven> = {
  implement: giveImplement,
  plan: giveImplement,
  approve: giveVerdict,
  reject: giveVerdict,
  answer: giveText,
  stop: giveIssueStop,
  resume: giveIssueResume,
  retry: (view, input, command) =>
    command.checkpoint === undefined ? giveRetry(view, input, command) : giveRestore(view, input, command.checkpoint),
  extend: giveIssueExtend,
  pause: giveIssuePause,
  unpause: giveIssueUnpause,
  test: (view, input) => giveRetry(view, input, { phase: "testing" }),
  fix: giveFix,
  level: giveLevel,
  remember: giveRemember,
  forget: giveForget,
  hide: giveHide,
  unhide: giveUnhide,
  status: ({ active, latest }) => {
    const run = active ?? latest;
    return { answer: { kind: "implementation_status", ...(run ? { status: statusOf(run) } : {}) } };
  },
  help: tellHelp,
};

/** `/forge help`: nothing has to be known for it. */
function tellHelp(_view: unknown, _input: unknown, { topic }: CommandOf<"help">): Outcome {
  return { answer: { kind: "help", ...(topic ? { topic } : {}) } };
}

/** One command on a pull request; one that is about a finding is refused where there is none such, or where that one asks for more. */
export function decidePullCommand(view: SubjectView, input: CommandGiven): Decision {
  return decideCommand(view, input, "pull_request", (command) => {
    const carryOut = ON_PULL_REQUEST[command.name] as (
      ...given: [SubjectView, CommandGiven, Command, LedgerEntry?]
    ) => Outcome;
    if (!isAboutFinding(command)) return carryOut(view, input, command);
    const found = findTarget(view.ledger, command, input.thread);
    if ("reason" in found) return refuse(found);
    const own = view.repository.dismissals.find(({ findingId }) => findingId === found.finding.id);
    const target = { finding: found.finding, ...defined({ scope: own?.scope }) };
    const byTarget = refusedByRole(command, input.role ?? "none", target);
    return byTarget ? refuse(byTarget) : carryOut(view, input, command, found);
  });
}

/** One command on an issue. */
export function decideIssueCommand(view: IssueView, input: IssueCommandGiven): Decision {
  return decideCommand(view, input, "issue", (command) => {
    const carryOut = ON_ISSUE[command.name] as (view: IssueView, input: IssueCommandGiven, it: Command) => Outcome;
    return carryOut(view, input, command);
  });
}

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
function decideCommand<On extends Where>(
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

function done(view: Acknowledged, input: Given, result: CommandResult): Decision {
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
  const given = "givenOn" in input ? input.givenOn : undefined;
  return given === undefined ? input.subject : pullSubject(input.subject, given);
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
