import type { Answer } from "../../domain/answers.ts";
import { askedText } from "./asked-text.ts";
import { helpText } from "./command-help.ts";
import { configurationText } from "./configuration-text.ts";
import { costText } from "./cost-text.ts";
import { explanation } from "./explanation.ts";
import { extendedText } from "./extended-text.ts";
import { refusalText } from "./refusals.ts";
import { repliedText } from "./replied-text.ts";
import { statusText } from "./status-text.ts";
import { trustedText } from "./trusted-text.ts";
import { foreignCode, type Wording } from "./wording.ts";

/** What Forge says to a command or a reply, without its marker. */
export function answerText(answer: Answer, wording: Wording): string {
  switch (answer.kind) {
    case "refused":
      return refusalText(answer.refusal, answer.login, wording);
    case "help":
      return helpText(answer.topic, wording);
    case "dismissed": {
      const { findingId, login } = answer;
      return `\`${findingId}\` is dismissed, as ${foreignCode(login, wording)} said. To take it back: \`/forge undismiss ${findingId}\``;
    }
    case "explained":
      return explanation(answer, wording);
    case "status":
      return statusText(answer.status, wording);
    case "extended":
      return extendedText(answer);
    case "trusted":
      return trustedText(answer.because);
    case "cost":
      return costText(answer.cost, wording);
    case "asked":
      return askedText(answer, wording);
    case "replied":
      return repliedText(answer, wording);
    case "configuration":
      return configurationText(answer.configuration, wording);
  }
}
