import { z } from "zod";
import { RunLimit } from "./command-arguments.ts";
import { type Command, CommandName } from "./commands.ts";
import { DeployRefusal, Environment, Hold } from "./deployments.ts";
import { FindingState } from "./findings.ts";
import { GateStanding } from "./gates.ts";
import { Level, Standing } from "./ladder.ts";
import { CheckName } from "./phases.ts";
import { Role } from "./subjects.ts";

const name = CommandName;
const written = z.string();

/** What can be lost: what somebody did on GitHub, as a webhook told it, or commands that were on their way. */
const LOST = ["label", "withdrawal", "comment", "button", "change", "queue", "commands"] as const;

/** Why a command was not carried out, as facts; `github/words` says it. */
export const Refusal = z.discriminatedUnion("reason", [
  z.object({ reason: z.literal("unknown_command"), written, nearest: name.optional() }),
  z.object({ reason: z.literal("unknown_option"), name, written, nearest: z.string().optional() }),
  z.object({ reason: z.literal("missing_value"), name, option: z.string() }),
  z.object({ reason: z.literal("two_scopes") }),
  /** `fault` says what is wrong with it, and follows its name. */
  z.object({ reason: z.literal("bad_glob"), written, fault: z.string() }),
  z.object({ reason: z.literal("unexpected"), name, written }),
  z.object({ reason: z.literal("one_finding"), name }),
  z.object({ reason: z.literal("unknown_check"), written: written.optional(), nearest: CheckName.optional() }),
  z.object({ reason: z.literal("reason_missing"), name, why: z.enum(["override", "secret", "critical"]) }),
  z.object({ reason: z.literal("too_many"), limit: z.number().int() }),
  /** In characters. */
  z.object({ reason: z.literal("too_long"), limit: z.number().int() }),
  z.object({ reason: z.literal("edited") }),
  z.object({ reason: z.literal("failed"), code: z.string() }),
  /** Given up before it was carried out, or known what it was: `deaths` is how often Forge ended at it, `code` of the error otherwise. */
  z.object({
    reason: z.literal("lost"),
    what: z.enum(LOST),
    deaths: z.number().int().positive().optional(),
    code: z.string().optional(),
  }),
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
  /** Two open gates have this number: of deployments to `environments`, where that is one also of the conversation itself. */
  z.object({ reason: z.literal("same_gate"), gate: z.string(), environments: z.array(Environment).min(1) }),
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
  z.object({ reason: z.literal("unknown_level"), written }),
  /** Of what learning hides; nothing written where a class has to be named. */
  z.object({ reason: z.literal("unknown_class"), written: z.string().optional() }),
  /** It is as the command would have it. */
  z.object({ reason: z.literal("class_stands"), hidingId: z.string(), hidden: z.boolean() }),
  /** At level 0 nothing is changed. */
  z.object({ reason: z.literal("reports_only"), name }),
  /** Of earlier versions, which had no such level. */
  z.object({ reason: z.literal("level_unbuilt"), level: Level }),
  /** `cap`: what the configuration allows. */
  z.object({ reason: z.literal("level_capped"), level: Level, cap: Level }),
  /** Forge is merging the pull request, or has put it into the queue. */
  z.object({ reason: z.literal("merge_under_way") }),
  /** What the record lacks, of the kind of task that is nearest to it. */
  z.object({ reason: z.literal("level_unearned"), level: Level, record: Standing }),
  /** A word that looks like an environment where one is expected. */
  z.object({ reason: z.literal("unknown_environment"), written, nearest: Environment }),
  /** Why nothing is deployed there. */
  z.object({ reason: z.literal("not_deployable"), environment: Environment, why: DeployRefusal }),
  z.object({ reason: z.literal("environment_held"), environment: Environment, hold: Hold }),
  z.object({ reason: z.literal("deploying_already"), environment: Environment, sha: z.string() }),
  z.object({ reason: z.literal("not_held"), environment: Environment }),
  z.object({ reason: z.literal("nothing_to_go_back_to"), environment: Environment }),
  z.object({ reason: z.literal("going_back"), environment: Environment }),
  z.object({ reason: z.literal("nothing_to_promote"), environment: Environment }),
  z.object({ reason: z.literal("nothing_to_stop"), environment: Environment }),
  z.object({ reason: z.literal("worse"), environment: Environment }),
  z.object({ reason: z.literal("no_question") }),
  z.object({ reason: z.literal("no_implementation") }),
  /** The issue is being worked on already. */
  z.object({ reason: z.literal("implementing") }),
  z.object({ reason: z.literal("nothing_to_retry") }),
  /** A guard of the phase does not hold; `why` follows "because". */
  z.object({ reason: z.literal("guarded"), phase: z.string(), why: z.string() }),
  /** `why` follows "because". */
  z.object({ reason: z.literal("not_restorable"), version: z.number().int(), why: z.string() }),
  /** The requester cannot be the only one to approve of a risk (GH-14). */
  z.object({ reason: z.literal("own_work"), gate: z.string() }),
  /** What was not looked at is let through only with a reason (DEP-4). */
  z.object({ reason: z.literal("needs_reason"), gate: z.string() }),
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
  z.object({ reason: z.literal("nothing_to_remember") }),
  z.object({ reason: z.literal("which_memory") }),
  z.object({ reason: z.literal("unknown_memory"), written }),
  z.object({ reason: z.literal("ambiguous_memory"), written, matches: z.array(z.string()) }),
  /** `silences`: it asks that findings be kept quiet, for which there are dismissals. */
  z.object({
    reason: z.literal("not_rememberable"),
    why: z.enum(["too_long", "secret", "hidden", "orders", "silences"]),
  }),
  /** GitHub did not take the commit; `message` is a sentence. */
  z.object({ reason: z.literal("push_refused"), message: z.string() }),
]);
export type Refusal = z.infer<typeof Refusal>;

/** A command line that was understood, or why it was not. */
export type ParsedCommand = { readonly command: Command } | { readonly refusal: Refusal };
