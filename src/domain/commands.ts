import { z } from "zod";
import { FindingState } from "./findings.ts";
import { GateStanding } from "./gates.ts";
import { CheckName } from "./phases.ts";
import { Role } from "./roles.ts";

/** What people can ask for in a comment, in the order of `/forge help all`. */
export const COMMAND_NAMES = [
  "review",
  "dismiss",
  "implement",
  "explain",
  "status",
  "stop",
  "resume",
  "approve",
  "override",
  "help",
  "plan",
  "fix",
  "test",
  "answer",
  "reject",
  "retry",
  "pause",
  "ask",
  "trust",
  "undismiss",
  "unpause",
  "extend",
  "cost",
  "config",
  "untrust",
  "history",
] as const;
export const CommandName = z.enum(COMMAND_NAMES);
export type CommandName = z.infer<typeof CommandName>;

/** How far a dismissal reaches: this place (wherever in the repository it shows), the rule under a glob of paths, or the rule everywhere. */
export const DismissalScope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("here") }),
  z.object({ kind: z.literal("path"), glob: z.string().min(1) }),
  z.object({ kind: z.literal("rule") }),
]);
export type DismissalScope = z.infer<typeof DismissalScope>;

/** The limits of a run that people can raise (SAFE-1): money, calls of a model by one agent, working time. */
export const RUN_LIMITS = ["usd", "iterations", "minutes"] as const;
export const RunLimit = z.enum(RUN_LIMITS);
export type RunLimit = z.infer<typeof RunLimit>;

/** Phases that people can have done again. */
export const RETRY_PHASES = ["planning", "implementation", "review", "testing"] as const;
export const RetryPhase = z.enum(RETRY_PHASES);
export type RetryPhase = z.infer<typeof RetryPhase>;

/** A finding as a person wrote it; absent where the thread says which one is meant. */
const finding = z.string().optional();

/** One command with its arguments, as a person gave it. */
export const Command = z.discriminatedUnion("name", [
  z.object({ name: z.literal("review"), full: z.boolean() }),
  z.object({ name: z.literal("dismiss"), finding, reason: z.string(), scope: DismissalScope }),
  z.object({ name: z.literal("undismiss"), finding }),
  z.object({ name: z.literal("explain"), finding }),
  z.object({ name: z.literal("status") }),
  z.object({ name: z.literal("override"), check: CheckName, reason: z.string() }),
  z.object({ name: z.literal("pause"), repository: z.boolean() }),
  z.object({ name: z.literal("unpause"), repository: z.boolean() }),
  z.object({ name: z.literal("config") }),
  z.object({ name: z.literal("stop") }),
  z.object({ name: z.literal("resume"), instructions: z.string().optional() }),
  z.object({ name: z.literal("extend"), limit: RunLimit, amount: z.number().positive() }),
  z.object({ name: z.literal("approve"), gate: z.string().optional(), note: z.string().optional() }),
  z.object({ name: z.literal("reject"), gate: z.string().optional(), note: z.string().optional() }),
  /** As it was written on the line of the command. */
  z.object({ name: z.literal("ask"), question: z.string().min(1) }),
  /** On an issue. */
  z.object({ name: z.literal("implement"), instructions: z.string().optional() }),
  z.object({ name: z.literal("plan"), instructions: z.string().optional() }),
  /** None named: all that can be fixed. */
  z.object({ name: z.literal("fix"), findings: z.array(z.string()) }),
  z.object({ name: z.literal("test") }),
  z.object({ name: z.literal("answer"), text: z.string().min(1) }),
  /** `checkpoint` is the number in `v12`. */
  z.object({
    name: z.literal("retry"),
    phase: RetryPhase.optional(),
    checkpoint: z.number().int().positive().optional(),
  }),
  z.object({ name: z.literal("history") }),
  z.object({ name: z.literal("trust") }),
  z.object({ name: z.literal("untrust") }),
  z.object({ name: z.literal("cost") }),
  /** `topic` is a command's name, or `all`. */
  z.object({ name: z.literal("help"), topic: z.string().optional() }),
]);
export type Command = z.infer<typeof Command>;

const name = CommandName;
const written = z.string();

/** Why a command was not carried out, as facts; `github/words` says it. */
export const Refusal = z.discriminatedUnion("reason", [
  z.object({ reason: z.literal("unknown_command"), written, nearest: name.optional() }),
  z.object({ reason: z.literal("unknown_option"), name, written }),
  z.object({ reason: z.literal("missing_value"), name, option: z.string() }),
  z.object({ reason: z.literal("two_scopes") }),
  /** `fault` says what is wrong with it, and follows its name. */
  z.object({ reason: z.literal("bad_glob"), written, fault: z.string() }),
  z.object({ reason: z.literal("unexpected"), name, written }),
  z.object({ reason: z.literal("one_finding"), name }),
  z.object({ reason: z.literal("unknown_check"), written: written.optional() }),
  z.object({ reason: z.literal("reason_missing"), name, why: z.enum(["override", "secret", "critical"]) }),
  z.object({ reason: z.literal("too_many"), limit: z.number().int() }),
  z.object({ reason: z.literal("edited") }),
  z.object({ reason: z.literal("failed"), code: z.string() }),
  z.object({ reason: z.literal("role"), name, needs: Role, has: Role, why: z.enum(["secret", "critical"]).optional() }),
  z.object({ reason: z.literal("role_unknown"), name }),
  z.object({ reason: z.literal("which_finding"), name }),
  z.object({ reason: z.literal("unknown_finding"), written, nearest: z.string().optional() }),
  z.object({ reason: z.literal("ambiguous_finding"), written, matches: z.array(z.string()) }),
  z.object({ reason: z.literal("one_by_one"), findingId: z.string(), why: z.enum(["secret", "critical"]) }),
  z.object({ reason: z.literal("not_dismissed"), findingId: z.string() }),
  /** Hidden by a wider dismissal, which was given for another finding. */
  z.object({ reason: z.literal("dismissed_with"), findingId: z.string(), other: z.string() }),
  z.object({
    reason: z.literal("nothing_to_override"),
    check: CheckName,
    why: z.enum(["no_check", "at_work", "other_head", "newer_head", "passes"]),
  }),
  /** `name`: of a command other than `review`, for which there is no way around the pause. */
  z.object({
    reason: z.literal("paused"),
    by: z.string(),
    scope: z.enum(["subject", "repository"]),
    name: name.optional(),
  }),
  z.object({ reason: z.literal("not_paused"), scope: z.enum(["subject", "repository"]) }),
  z.object({ reason: z.literal("not_trusted") }),
  z.object({ reason: z.literal("no_gate") }),
  z.object({ reason: z.literal("which_gate"), open: z.array(z.string()) }),
  z.object({ reason: z.literal("unknown_gate"), written, open: z.array(z.string()) }),
  /** `standing` is never open; `headSha` is the head that it was asked for, `head` the one that is there now. */
  z.object({
    reason: z.literal("gate_closed"),
    gate: z.string(),
    standing: GateStanding,
    headSha: z.string(),
    head: z.string(),
  }),
  z.object({ reason: z.literal("unknown_limit"), written: written.optional() }),
  z.object({ reason: z.literal("nothing_at_work") }),
  /** `limit`: the review ended at it, and it is as it was. */
  z.object({ reason: z.literal("nothing_to_resume"), limit: RunLimit.optional() }),
  z.object({ reason: z.literal("at_work") }),
  z.object({ reason: z.literal("nothing_to_extend") }),
  /** `most` is what may still be added. */
  z.object({ reason: z.literal("above_ceiling"), limit: RunLimit, most: z.number().nonnegative() }),
  z.object({ reason: z.literal("question_missing") }),
  z.object({ reason: z.literal("no_model"), why: z.enum(["not_configured", "switched_off"]) }),
  /** The model came to no answer; `why` follows "No answer: ". */
  z.object({ reason: z.literal("unanswered"), why: z.string() }),
  z.object({ reason: z.literal("run_limit"), limit: z.string() }),
  z.object({ reason: z.literal("closed"), name: name.optional() }),
  /** The command belongs on an issue, or on a pull request: `where` says on which. */
  z.object({ reason: z.literal("elsewhere"), name, where: z.enum(["issue", "pull_request", "forge_pull_request"]) }),
  z.object({ reason: z.literal("answer_missing") }),
  z.object({ reason: z.literal("unknown_phase"), written }),
  z.object({ reason: z.literal("no_question") }),
  z.object({ reason: z.literal("no_implementation") }),
  /** The issue is being worked on already. */
  z.object({ reason: z.literal("implementing") }),
  z.object({ reason: z.literal("nothing_to_retry") }),
  /** A guard of the phase does not hold; `why` follows "because". */
  z.object({ reason: z.literal("guarded"), phase: z.string(), why: z.string() }),
  /** `why` follows "because". */
  z.object({ reason: z.literal("not_restorable"), version: z.number().int(), why: z.string() }),
  /** Whoever asked for the work cannot be the only one who approves of its risk (GH-14). */
  z.object({ reason: z.literal("own_work"), gate: z.string() }),
  /** Findings without a fix that can be applied; none named: there is no finding at all with one. */
  z.object({ reason: z.literal("nothing_to_fix"), findings: z.array(z.string()) }),
  /** A finding that is open no more has nothing to be fixed. */
  z.object({ reason: z.literal("finding_closed"), findingId: z.string(), state: FindingState }),
  /** Forge does not commit to the branch of the pull request. */
  z.object({ reason: z.literal("cannot_push"), why: z.enum(["fork", "default_branch", "protected", "gone"]) }),
  /** What an earlier command asked for is not on the branch yet. */
  z.object({ reason: z.literal("fixing") }),
  /** Somebody pushed before the fixes were made or the tests begun: `movedTo` is what was found, null where the branch is gone. */
  z.object({
    reason: z.literal("branch_moved"),
    headSha: z.string(),
    movedTo: z.string().nullable(),
    /** `fix` where it is left out. */
    name: name.optional(),
  }),
  /** GitHub did not take the commit; `message` is a sentence. */
  z.object({ reason: z.literal("push_refused"), message: z.string() }),
]);
export type Refusal = z.infer<typeof Refusal>;

/** A command line that was understood, or why it was not. */
export type ParsedCommand = { readonly command: Command } | { readonly refusal: Refusal };

/** Where a command was given. A button's press and a label have the id of their delivery; the others GitHub's own number. */
export const CommandSource = z.object({
  kind: z.enum(["issue_comment", "review_comment", "review", "button", "label"]),
  id: z.string().min(1),
});
export type CommandSource = z.infer<typeof CommandSource>;

/** One line that names the source in its subject: one comment is consumed once, whichever events it causes (GH-4). */
export function sourceKey({ kind, id }: CommandSource): string {
  return `${kind}:${id}`;
}

/** Names one command of a comment. */
export function commandKey(source: CommandSource, index: number): string {
  return `${sourceKey(source)}#${index}`;
}

const QUESTION = "ask:";

/** The log in which the work on the questions of a comment is kept; it belongs to no run. */
export function questionTrace(source: CommandSource): string {
  return `${QUESTION}${sourceKey(source)}`;
}

export function isQuestionTrace(traceId: string): boolean {
  return traceId.startsWith(QUESTION);
}

/** Names the work on one `/forge fix`: its commit is kept under it until it is pushed. It belongs to no run. */
export function fixTrace({ source, index }: { readonly source: CommandSource; readonly index: number }): string {
  return `fix:${commandKey(source, index)}`;
}
