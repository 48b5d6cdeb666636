import type { Answer } from "../../domain/answers.ts";
import { commandKey } from "../../domain/command-source.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { CommandGiven } from "../../domain/inputs.ts";
import type { Refusal } from "../../domain/refusals.ts";
import type { Decision } from "../runs/decision.ts";

/** What carrying out a command comes to. */
export interface CommandResult {
  /** For the subject's own log. */
  readonly events?: readonly NewEvent[];
  /** What else follows: for runs, effects, jobs. */
  readonly decision?: Decision;
  readonly answer?: Answer;
  /** The work on it has only begun: whoever ends it says so on the comment. */
  readonly goesOn?: boolean;
}

/** A command is carried out or refused. */
export type Outcome = CommandResult | { readonly refusal: Refusal };

export function refuse(refusal: Refusal): Outcome {
  return { refusal };
}

/** The request that a command makes: the same however often its comment is handled. */
export function requestOf({ source, index }: Pick<CommandGiven, "source" | "index">): string {
  return commandKey(source, index);
}
