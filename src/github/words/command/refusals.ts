import { COMMANDS, type CommandName } from "../../../domain/commands.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import type { Role, Subject } from "../../../domain/subjects.ts";
import { aboutDeployment, type DeployCommandRefusal } from "../deploy/deploy-refusals.ts";
import { count, foreignCode, foreignLine, shortSha, unpauseLine, type Wording } from "../wording.ts";
import { limitText } from "./extended-text.ts";
import { aboutFix, type FixRefusal } from "./fixed-text.ts";
import { aboutHiding } from "./hiding-text.ts";
import { aboutLevel, type LevelRefusal } from "./level-text.ts";
import { lostText } from "./lost-text.ts";
import { aboutWork, type WorkRefusal } from "./work-refusals.ts";

/** Roles as people call them. */
const ROLE_NAMES: Readonly<Record<Role, string>> = {
  none: "none",
  read: "read",
  triage: "triage",
  write: "push",
  maintain: "maintain",
  admin: "admin",
};

const GUARDED = { secret: "a secret", critical: "a critical security finding" } as const;

/** Why a command was not carried out, in at most two lines: what is so, then what to type instead. `on`: where it was given. */
export function refusalText(
  refusal: Refusal,
  login: string,
  wording: Wording,
  on: Subject["kind"] = "pull_request",
): string {
  const code = (text: string) => foreignCode(text, wording);
  switch (refusal.reason) {
    case "unknown_command":
      return refusal.nearest
        ? `${code(refusal.written)} is not a command. Did you mean \`/forge ${refusal.nearest}\`?`
        : `${code(refusal.written)} is not a command. For a list of commands: \`/forge help\``;
    case "unknown_option":
      return `\`${refusal.name}\` knows no ${code(refusal.written)}. ${refusal.nearest ? `Did you mean \`${refusal.nearest}\`? ` : ""}${usage(refusal.name)}`;
    case "missing_value":
      return `\`${refusal.option}\` needs a value. ${usage(refusal.name)}`;
    case "two_scopes":
      return `Only one of \`--here\`, \`--path\` and \`--rule\` can be given. ${usage("dismiss")}`;
    case "bad_glob":
      return `The glob ${code(refusal.written)} ${refusal.fault}. ${usage("dismiss")}`;
    case "unexpected":
      return `\`${refusal.name}\` takes no ${code(refusal.written)}. ${usage(refusal.name)}`;
    case "one_finding":
      return `\`${refusal.name}\` takes one finding at a time, each on a line of its own.`;
    case "unknown_check":
      return `${refusal.written ? `${code(refusal.written)} is no check of Forge.` : "Which check?"} ${refusal.nearest ? `Did you mean \`${refusal.nearest}\`? ` : ""}${usage("override")}`;
    case "reason_missing":
      return refusal.why === "override"
        ? `An override requires a reason. The check shows it. ${usage("override")}`
        : `Dismissing ${GUARDED[refusal.why]} needs a reason. ${usage("dismiss")}`;
    case "too_many":
      return `The first ${count(refusal.limit, "command")} of this comment were carried out; the rest was left.`;
    case "too_long":
      return `The comment has more than ${count(refusal.limit, "character")}, so Forge did not read it. Post a shorter comment.`;
    case "edited":
      return "The comment was edited before Forge could run it, so nothing ran. Post a new comment.";
    case "failed":
      return `Forge failed at this (error ${code(refusal.code)}). Say it again, or look into Forge's log.`;
    case "lost":
      return lostText(refusal, login, wording);
    case "unknown_limit":
      return `${refusal.written ? `${code(refusal.written)} is no limit with an amount.` : "Which limit, and by how much?"} ${usage("extend")}`;
    case "role":
      return roleText(refusal, login, wording);
    case "role_unknown":
      return `GitHub did not say what ${code(login)} may do here, so \`${refusal.name}\` was not carried out. Try again later.`;
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], Early>;
      return (
        aboutWork(refusal, wording, on) ??
        aboutFix(refusal, wording) ??
        aboutLevel(refusal, wording) ??
        aboutDeployment(refusal, wording) ??
        aboutState(refusal as AboutState, wording)
      );
  }
}

type Early =
  | "unknown_command"
  | "unknown_option"
  | "missing_value"
  | "two_scopes"
  | "bad_glob"
  | "unexpected"
  | "one_finding"
  | "unknown_check"
  | "reason_missing"
  | "too_many"
  | "too_long"
  | "edited"
  | "failed"
  | "lost"
  | "unknown_limit"
  | "role"
  | "role_unknown";

type AboutState = Exclude<Refusal, { reason: Early } | WorkRefusal | FixRefusal | LevelRefusal | DeployCommandRefusal>;

/** Refusals because of the state of the pull request. */
function aboutState(refusal: AboutState, wording: Wording): string {
  const code = (text: string) => foreignCode(text, wording);
  switch (refusal.reason) {
    case "which_finding":
      return `Which finding? ${usage(refusal.name)} In a finding's own thread the id can be left out.`;
    case "unknown_finding":
      return refusal.nearest
        ? `No finding ${code(refusal.written)} here. Did you mean \`${refusal.nearest}\`?`
        : `No finding ${code(refusal.written)} here. The open findings are in the check \`forge/review\`.`;
    case "ambiguous_finding":
      return `${code(refusal.written)} fits several findings: ${refusal.matches.map((id) => `\`${id}\``).join(", ")}.`;
    case "one_by_one":
      return `\`${refusal.findingId}\` is ${GUARDED[refusal.why]}: those are dismissed one by one, with \`/forge dismiss ${refusal.findingId} <reason>\`.`;
    case "not_dismissed":
      return `\`${refusal.findingId}\` is not dismissed.`;
    case "dismissed_with":
      return `\`${refusal.findingId}\` is covered by what was said about \`${refusal.other}\`. To end that: \`/forge undismiss ${refusal.other}\``;
    case "nothing_to_override":
      return `There is nothing to override: ${NOT_OVERRIDDEN[refusal.why](refusal.check)}.`;
    case "paused": {
      const everywhere = refusal.scope === "repository";
      const where = everywhere ? "in this repository" : "here";
      const once = refusal.name === undefined ? "; once only: `/forge review --full`" : "";
      return `Forge is paused ${where}, by ${code(refusal.by)}. To go on: ${unpauseLine(refusal.scope)}${once}`;
    }
    case "not_paused":
      return `Forge is not paused ${refusal.scope === "repository" ? "in this repository" : "here"}.`;
    case "no_gate":
      return "Nothing waits for an answer here.";
    case "which_gate":
      return `Which gate? ${gates(refusal.open)}`;
    case "same_gate":
      return sameGate(refusal);
    case "unknown_gate":
      return `No gate ${code(refusal.written)} here. ${gates(refusal.open)}`;
    case "gate_closed":
      return closedGate(refusal, wording);
    case "not_trusted":
      return "Nobody let the AI layer run here, so there is nothing to take back.";
    case "merge_under_way":
      return "Forge is merging it, or has put it into the merge queue: there it can be taken out on GitHub.";
    case "nothing_at_work":
      return "No review is at work here, so there is nothing to stop.";
    case "nothing_to_resume":
      return refusal.limit
        ? `The review ended at its limit, and that is as it was. To raise it: \`/forge extend ${refusal.limit} <n>\``
        : "No review here was stopped or ended at a limit. From the beginning: `/forge review`";
    case "at_work":
      return "A review is at work and cannot be redirected. First: `/forge stop`";
    case "nothing_to_extend":
      return "There is no review of this head whose limits could be raised. To have one: `/forge review`";
    case "above_ceiling":
      return refusal.most > 0
        ? `At most ${limitText(refusal.limit, refusal.most)} more can be added: a limit is raised to five times what is configured.`
        : "That limit was raised to five times what is configured, which is the most.";
    case "question_missing":
      return `What is the question? ${usage("ask")}`;
    case "nothing_to_remember":
      return `What is to be remembered? ${usage("remember")}`;
    case "which_memory":
      return `Which memory? ${usage("forget")} What there is: \`/forge memory\``;
    case "unknown_memory":
      return `No memory ${code(refusal.written)} here. What there is: \`/forge memory\``;
    case "ambiguous_memory":
      return `${code(refusal.written)} fits several: ${refusal.matches.map((id) => `\`${id}\``).join(", ")}.`;
    case "not_rememberable":
      return NOT_REMEMBERED[refusal.why];
    case "unknown_class":
    case "class_stands":
      return aboutHiding(refusal, wording);
    case "no_model":
      return refusal.why === "switched_off"
        ? "No answer: models are switched off for this repository (`review.ai: never` in `.github/forge.yml`)."
        : "No answer: this Forge has no model. Who runs it can set one up.";
    case "unanswered":
      return `No answer: ${foreignLine(refusal.why, wording)}`;
    case "run_limit":
      return `There were ${refusal.limit}, which is the limit. Try again later; what the check says stands.`;
    case "closed":
      return CLOSED[refusal.name === "fix" || refusal.name === "test" ? refusal.name : "review"];
  }
}

const NOT_REMEMBERED = {
  too_long: "Not remembered: it is longer than 1,000 characters. One sentence is read best.",
  secret: "Not remembered: it holds what looks like a secret, which is now in your comment. Revoke it.",
  hidden: "Not remembered: it holds text or characters that nobody sees on the page.",
  orders: "Not remembered: it reads like an order to a model. Say what is so in the code.",
  silences:
    "Not remembered: findings are silenced one by one or by rule. For that: `/forge dismiss <finding> <reason> --rule`",
} as const;

const NOT_OVERRIDDEN = {
  no_check: (check: string) => `\`${check}\` has said nothing on this head`,
  at_work: (check: string) => `\`${check}\` is still at work, wait for what it says`,
  other_head: (check: string) => `\`${check}\` has said nothing on the newest head yet`,
  newer_head: (check: string) => `\`${check}\` is about a newer head than when that was written: look at it first`,
  passes: (check: string) => `\`${check}\` passes already`,
} as const;

function gates(open: readonly string[]): string {
  return open.length === 0
    ? "Nothing waits for an answer here."
    : `What waits for an answer: ${open.map((gate) => `\`${gate}\``).join(", ")}.`;
}

/** Two gates with one number, and how each of them is answered. */
function sameGate({ gate, environments }: Extract<Refusal, { reason: "same_gate" }>): string {
  const deployments = environments.map((environment) => `the deployment to ${environment}`).join(" and of ");
  const ways = environments.map((environment) => `\`/forge approve ${environment} ${gate}\``).join(", ");
  const isAlone = environments.length === 1;
  const other = isAlone ? " and of another question" : "";
  const then = isAlone ? `. After that, \`${gate}\` is the other question` : "";
  return `\`${gate}\` is the number of two open gates here: of ${deployments}${other}. Neither was answered. To answer the deployment (or with \`reject\`): ${ways}${then}.`;
}

/** Why an answer to a gate comes too late. */
function closedGate(
  { gate, standing, headSha, head }: Extract<Refusal, { reason: "gate_closed" }>,
  wording: Wording,
): string {
  const id = `\`${gate}\``;
  switch (standing.is) {
    case "approved":
    case "rejected":
      return `${id} was ${standing.is} by ${foreignCode(standing.by, wording)} already; the first answer counts.`;
    case "timed_out":
      return `${id} was not answered in time, so the review went on without it. To have it asked again: \`/forge review\``;
    case "voided":
    case "open":
      return headSha === head
        ? `${id} is void: the review that asked it has ended or was stopped.`
        : `${id} was asked for \`${shortSha(headSha)}\`; the branch is at \`${shortSha(head)}\` now, so it no longer counts. If the new head needs an answer, Forge asks again.`;
  }
}

function roleText(
  { name, needs, has, why }: Extract<Refusal, { reason: "role" }>,
  login: string,
  wording: Wording,
): string {
  const what = why ? `\`${name}\` of ${GUARDED[why]}` : `\`${name}\``;
  const whose = `${foreignCode(login, wording)} has ${has === "none" ? "no access" : ROLE_NAMES[has]}`;
  return `${what} needs ${ROLE_NAMES[needs]} permission here; ${whose}.`;
}

function usage(name: CommandName): string {
  return `It is written \`/forge ${COMMANDS[name].usage}\`.`;
}

const CLOSED = {
  fix: "The pull request is closed, so nothing is committed to its branch.",
  test: "The pull request is closed, so its tests are not run.",
  review: "The pull request is closed. It is reviewed when it is reopened.",
} as const;
