import type { Gate } from "../../domain/gates.ts";
import { answerByRules } from "../../pipeline/local/answer-by-rules.ts";
import type { People, Word } from "../../pipeline/local/work-locally.ts";
import type { RunArguments } from "./arguments.ts";
import { gateName, gateWords } from "./gate-words.ts";
import type { Lines } from "./lines.ts";

export interface AskingPowers {
  readonly yes: RunArguments["yes"];
  /** Where a person types; undefined where nobody does. */
  readonly lines: Lines | undefined;
  readonly write: (text: string) => void;
  /** Aborted when nobody wants to be asked any more. */
  readonly signal: AbortSignal;
}

/** Asks at gates: the rules of `--yes`, or whoever types. */
export function askPeople({ yes, lines, write, signal }: AskingPowers): People["ask"] {
  return async (gate, run) => {
    if (yes) {
      const word = answerByRules(gate, run);
      if (word.is === "yes") write(`${gate.gate}: ${gateName(gate.question)}: yes, by the rules of --yes\n`);
      else write(gateWords(gate, false));
      return word;
    }
    write(gateWords(gate, lines !== undefined));
    if (!lines) return { is: "later" };
    write("> ");
    const line = await lines.next(signal);
    if (line === undefined) write("\n");
    return readWord(gate, line);
  };
}

/** What was typed, as an answer to this gate; an empty line leaves it open. */
export function readWord({ question }: Pick<Gate, "question">, line: string | undefined): Word {
  const text = line?.trim() ?? "";
  if (text === "") return { is: "later" };
  if (question.type === "question") return { is: "answer", text };
  const [, said = "", note = ""] = /^(yes|y|no|n)\b[\s,:;.]*(.*)$/is.exec(text) ?? [];
  if (said !== "") {
    const is = said.toLowerCase().startsWith("y") ? "yes" : "no";
    return { is, ...(note === "" ? {} : { note }) };
  }
  // Anything else is what the plan is to be changed to, or what is to be tried; where only yes or no counts it is no yes.
  return question.type === "architecture_approval" || question.type === "bounces_used"
    ? { is: "yes", note: text }
    : { is: "no", note: text };
}
