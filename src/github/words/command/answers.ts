import type { Answer } from "../../../domain/answers.ts";
import { COMMAND_NAMES, COMMANDS } from "../../../domain/commands.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { Wording } from "../wording.ts";
import { implementationStatusText } from "../work/implementation-status-text.ts";
import { helpText } from "./command-help.ts";
import { COMMAND_WORDS } from "./command-words.ts";
import { repliedText, workedOnText } from "./model-answers.ts";
import { refusalText } from "./refusals.ts";
import { statusText } from "./status-text.ts";

/** What Forge says to a command or a reply, without its marker; `on` is what was commented on. */
export function answerText(answer: Answer, wording: Wording, on: Subject["kind"] = "pull_request"): string {
  switch (answer.kind) {
    case "refused":
      return refusalText(answer.refusal, answer.login, wording, on);
    case "help":
      return helpText(answer.topic, wording, on);
    case "status":
      return statusText(answer.status, wording);
    case "replied":
      return repliedText(answer, wording);
    case "implementation_status":
      return answer.status ? implementationStatusText(answer.status, wording) : NO_WORK;
    case "worked_on":
      return workedOnText(answer, wording);
    default: {
      // The kind and the words of an answer belong together by the row of their command.
      const say = SAY.get(answer.kind) as (answer: Answer, wording: Wording, on: Subject["kind"]) => string;
      return say(answer, wording, on);
    }
  }
}

const SAY = new Map(
  COMMAND_NAMES.map((name) => [COMMANDS[name].answer?.shape.kind.value, COMMAND_WORDS[name].answer] as const),
);

const NO_WORK = "**No work was begun here.** To begin: `/forge implement`; only a plan: `/forge plan`";
