import type { Answer } from "../../domain/answers.ts";
import type { Subject } from "../../domain/subjects.ts";
import { askedText } from "./asked-text.ts";
import { helpText } from "./command-help.ts";
import { configurationText } from "./configuration-text.ts";
import { costText } from "./cost-text.ts";
import { explanation } from "./explanation.ts";
import { extendedText } from "./extended-text.ts";
import { fixedText } from "./fixed-text.ts";
import { historyText } from "./history-text.ts";
import { implementationStatusText } from "./implementation-status-text.ts";
import { refusalText } from "./refusals.ts";
import { repliedText } from "./replied-text.ts";
import { restoredText } from "./restored-text.ts";
import { statusText } from "./status-text.ts";
import { testedText } from "./tested-text.ts";
import { trustedText } from "./trusted-text.ts";
import { foreignCode, type Wording } from "./wording.ts";
import { workedOnText } from "./worked-on-text.ts";

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
