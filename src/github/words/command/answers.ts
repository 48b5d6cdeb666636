import type { Answer } from "../../../domain/answers.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { testedText } from "../check/tested-summary.ts";
import { foreignCode, type Wording } from "../wording.ts";
import { implementationStatusText } from "../work/implementation-status-text.ts";
import { helpText } from "./command-help.ts";
import { explanation } from "./explanation.ts";
import { extendedText } from "./extended-text.ts";
import { fixedText } from "./fixed-text.ts";
import { askedText, repliedText, workedOnText } from "./model-answers.ts";
import { refusalText } from "./refusals.ts";
import { statusText } from "./status-text.ts";
import { configurationText, costText, historyText } from "./tell-text.ts";

/** What Forge says to a command or a reply, without its marker; `on` is what was commented on. */
export function answerText(answer: Answer, wording: Wording, on: Subject["kind"] = "pull_request"): string {
  switch (answer.kind) {
    case "refused":
      return refusalText(answer.refusal, answer.login, wording, on);
    case "help":
      return helpText(answer.topic, wording, on);
    case "dismissed": {
      const { findingId, login } = answer;
      return `\`${findingId}\` is dismissed, as ${foreignCode(login, wording)} said. To take it back: \`/forge undismiss ${findingId}\``;
    }
    case "explained":
      return explanation(answer, wording);
    case "status":
      return statusText(answer.status, wording);
    case "extended":
      return extendedText(answer, on);
    case "trusted":
      return trustedText(answer.because);
    case "cost":
      return costText(answer.cost, wording, on);
    case "asked":
      return askedText(answer, wording);
    case "replied":
      return repliedText(answer, wording);
    case "restored":
      return restoredText(answer);
    case "fixed":
      return fixedText(answer, wording);
    case "tested":
      return testedText(answer, wording);
    case "history":
      return historyText(answer.history, wording);
    case "implementation_status":
      return answer.status ? implementationStatusText(answer.status, wording) : NO_WORK;
    case "worked_on":
      return workedOnText(answer, wording);
    case "configuration":
      return configurationText(answer.configuration, wording);
  }
}

const NO_WORK = "**No work was begun here.** To begin: `/forge implement`; only a plan: `/forge plan`";

/** What is said to `/forge retry v12`: what goes on, and what was done since and stays. */
function restoredText({ version, phase, lasting }: Extract<Answer, { kind: "restored" }>): string {
  return [`Back at \`v${version}\`: ${phase} begins anew.`, "", ...lasting.map((one) => `- ${one}`)].join("\n");
}

/** What is said to `/forge trust` where no review follows from it at once. */
function trustedText(because: Extract<Answer, { kind: "trusted" }>["because"]): string {
  return `The AI layer may look at this pull request now. ${AFTER_TRUST[because]}`;
}

const AFTER_TRUST = {
  not_waiting: "It was not what this head waited for, so nothing is looked at again; for that: `/forge review`",
  at_work: "A review is at work; should its AI layer still wait when it ends: `/forge review`",
  paused: "Forge is paused, so nothing is looked at yet; once only: `/forge review --full`",
  limit: "The limit of reviews is reached; later: `/forge review`",
  closed: "The pull request is closed; it is reviewed when it is reopened.",
} as const;
