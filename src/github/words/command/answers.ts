import type { Answer, StatusFacts } from "../../../domain/answers.ts";
import { type AnswerOf, COMMAND_NAMES, COMMANDS, CommandName } from "../../../domain/commands.ts";
import type { DeployStanding } from "../../../domain/deployments.ts";
import type { Severity } from "../../../domain/findings.ts";
import { nearest } from "../../../domain/nearest.ts";
import { SEVERITIES } from "../../../domain/severities.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { deploymentText } from "../deploy/deployment-text.ts";
import { severityCounts } from "../review/finding-heading.ts";
import { count, foreignCode, foreignLine, moment, shortSha, unpauseLine, type Wording } from "../wording.ts";
import { implementationStatusText } from "../work/implementation-status-text.ts";
import { COMMAND_WORDS } from "./command-words.ts";
import { endedText, proposedText } from "./hiding-text.ts";
import { demotedText } from "./level-text.ts";
import { unwrittenText } from "./lost-text.ts";
import { repliedText, workedOnText } from "./model-answers.ts";
import { refusalText } from "./refusals.ts";

/** What Forge says to a command or a reply, without its marker; `on` is what was commented on. */
export function answerText(answer: Answer, wording: Wording, on: Subject["kind"] = "pull_request"): string {
  switch (answer.kind) {
    case "refused":
      return refusalText(answer.refusal, answer.login, wording, on);
    case "unwritten":
      return unwrittenText(answer.what);
    case "help":
      return helpText(answer.topic, wording, on);
    case "status":
      return withDeployments(statusText(answer.status, wording), answer, wording);
    case "demoted":
      return demotedText(answer);
    case "hiding_proposed":
      return proposedText(answer, wording);
    case "hiding_ended":
      return endedText(answer);
    case "replied":
      return repliedText(answer, wording);
    case "implementation_status":
      return withDeployments(workText(answer, wording), answer, wording);
    case "worked_on":
      return workedOnText(answer, wording);
    default: {
      // The kind and the words of an answer belong together by the row of their command.
      answer.kind satisfies AnswerOf<CommandName>["kind"];
      const say = SAY.get(answer.kind) as (answer: Answer, wording: Wording, on: Subject["kind"]) => string;
      return say(answer, wording, on);
    }
  }
}

/** How far the work is. Its deployment is not said twice. */
function workText({ status, deployments = [] }: WorkStatus, wording: Wording): string {
  if (!status) return NO_WORK;
  const { release, ...work } = status;
  const isSaid = deployments.some(({ runId }) => runId === release?.runId);
  return implementationStatusText(isSaid ? work : status, wording);
}

type WorkStatus = Extract<Answer, { kind: "implementation_status" }>;

/** The deployed part comes first, because someone may have to stop it. */
function withDeployments(
  text: string,
  { deployments = [] }: { readonly deployments?: readonly DeployStanding[] | undefined },
  wording: Wording,
): string {
  return [...deployments.map((standing) => deploymentText(standing, wording)), text].join("\n\n---\n\n");
}

const SAY = new Map(
  COMMAND_NAMES.map((name) => [COMMANDS[name].answer?.shape.kind.value, COMMAND_WORDS[name].answer] as const),
);

const NO_WORK = "**No work was begun here.** To begin: `/forge implement`; only a plan: `/forge plan`";

/** The ten that matter on a pull request and on an issue. */
const SHOWN: Readonly<Record<"pull_request" | "issue", readonly CommandName[]>> = {
  pull_request: ["review", "dismiss", "explain", "fix", "test", "status", "stop", "approve", "override", "help"],
  issue: ["implement", "plan", "answer", "approve", "reject", "status", "stop", "resume", "retry", "help"],
};

/** `/forge help`: the commands that matter here, each with an example; with `all` every one with options and permissions; or one command alone. */
function helpText(topic: string | undefined, wording: Wording, on: Subject["kind"]): string {
  const known = CommandName.safeParse(topic);
  if (known.success) return oneCommand(known.data);
  if (topic === "all") return COMMAND_NAMES.map(oneCommand).join("\n\n");
  const shown = SHOWN[on === "issue" ? "issue" : "pull_request"];
  const list = [
    "| for example | what it does |",
    "|---|---|",
    ...shown.map((name) => `| \`/forge ${COMMAND_WORDS[name].example}\` | ${COMMAND_WORDS[name].does} |`),
    "",
    "A command starts a line. More commands, options and permissions: `/forge help all`",
  ].join("\n");
  if (topic === undefined) return list;
  const near = nearest(topic, COMMAND_NAMES, 3);
  const hint = near ? ` Did you mean \`/forge help ${near}\`?` : "";
  return `${foreignCode(topic, wording)} is not a command.${hint}\n\n${list}`;
}

function oneCommand(name: CommandName): string {
  const { does, example, who, more } = COMMAND_WORDS[name];
  return `**\`/forge ${COMMANDS[name].usage}\`**: ${does}. For example \`/forge ${example}\`. Who may: ${who}.\n${more}`;
}

/** `/forge status`: the answer to "what is going on", one line for each thing there is to say. */
function statusText(status: StatusFacts, wording: Wording): string {
  const { runs, pauses, override, refusals } = status;
  return [
    runLine(status, wording),
    openLine(status),
    ...pauses.map(({ scope, by, at }) => {
      const where = scope === "repository" ? "in this repository" : "here";
      return `**Paused** ${where} by ${foreignCode(by, wording)} since ${moment(at)}. To go on: ${unpauseLine(scope)}`;
    }),
    ...(override
      ? [
          `**Overridden** on this head by ${foreignCode(override.by, wording)}: ${foreignLine(override.reason, wording)}`,
        ]
      : []),
    `**Limits**: ${runs.hour} of ${runs.perHour} reviews in this hour, ${runs.day} of ${runs.perDay} in this day.`,
    ...(refusals.length > 0
      ? [
          `**Refused lately**:\n${refusals.map(({ login, refusal }) => `- ${foreignCode(login, wording)}: ${refusalText(refusal, login, wording)}`).join("\n")}`,
        ]
      : []),
  ].join("\n\n");
}

function runLine({ headSha, active, gates = [], stopped, last }: StatusFacts, wording: Wording): string {
  const [gate] = gates;
  if (active && gate) {
    return `**The review of \`${shortSha(active.headSha)}\` waits for an answer** (${gate.gate}, until ${moment(gate.deadline)}): \`/forge approve ${gate.gate}\` or \`/forge reject ${gate.gate}\``;
  }
  const head = `\`${shortSha(headSha)}\``;
  if (active) {
    const what = active.status === "pending" ? "waits for its review" : "is being reviewed";
    return `**\`${shortSha(active.headSha)}\` ${what}**, since ${moment(active.since)}.`;
  }
  if (stopped) {
    return `**The review of \`${shortSha(stopped.headSha)}\` is stopped** by ${foreignCode(stopped.by, wording)} since ${moment(stopped.at)}. To go on: \`/forge resume\``;
  }
  if (!last) return `**${head} was not looked at yet.** To have it reviewed: \`/forge review\``;
  const said = `${last.conclusion?.replaceAll("_", " ") ?? "no conclusion"} at ${moment(last.at)}, run ${foreignCode(last.runId, wording)}`;
  return last.headSha === headSha
    ? `**Nothing is at work.** The check on ${head} says ${said}.`
    : `**${head} was not looked at yet.** The check on \`${shortSha(last.headSha)}\` said ${said}.`;
}

function openLine({ open, blocking, dismissed, fixed }: StatusFacts): string {
  const severities = SEVERITIES.flatMap((severity) => Array<Severity>(open[severity]).fill(severity));
  const total = severities.length;
  const what =
    total === 0
      ? "nothing is open"
      : `${count(total, "finding")} open (${severityCounts(severities)}), ${blocking} blocking`;
  return `**Ledger**: ${what}; ${dismissed} dismissed, ${fixed} fixed.`;
}
