import type { Answer } from "../../domain/answers.ts";
import type { CommandOf, TellingCommand } from "../../domain/commands.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { ConfigurationDependencies } from "../runs/configuration/load-configuration.ts";
import type { PullRequestHost } from "../runs/ports.ts";
import { tellConfig } from "./tell-config.ts";
import { tellCost } from "./tell-cost.ts";
import { tellHistory } from "./tell-history.ts";

/** What commands that only tell may read. */
export interface TellDependencies extends ConfigurationDependencies {
  readonly host: Pick<PullRequestHost, "readFile" | "readOrganisationFile" | "listFiles">;
  /** USD that this Forge may spend in a day, over all repositories; untold where left out. */
  readonly dayLimitUsd?: number;
}

type Tell<Name extends TellingCommand> = (
  dependencies: TellDependencies,
  subject: Subject,
  command: CommandOf<Name>,
  signal: AbortSignal,
) => Promise<Answer>;

/** Who reads the answer of each command that only tells, the same for an issue and a pull request. */
const TELL: { readonly [Name in TellingCommand]: Tell<Name> } = {
  config: tellConfig,
  cost: tellCost,
  history: tellHistory,
};

/**
 * The answer of a command that only tells; nothing of another one.
 * @throws ForgeError `github_unavailable`
 */
export async function readAnswer(
  dependencies: TellDependencies,
  subject: Subject,
  parsed: ParsedCommand,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (!("command" in parsed) || !Object.hasOwn(TELL, parsed.command.name)) return undefined;
  const tell = TELL[parsed.command.name as TellingCommand] as Tell<TellingCommand>;
  return await tell(dependencies, subject, parsed.command as CommandOf<TellingCommand>, signal);
}
