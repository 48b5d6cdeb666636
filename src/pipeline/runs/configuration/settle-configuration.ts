import { type GivenSettings, parseConfiguration } from "../../../analysis/configuration/parse-configuration.ts";
import { CONFIGURATION_PATH } from "../../../domain/repo-config.ts";

/** One file of configuration as it was found. */
export interface FoundConfiguration {
  /** Undefined where there is no such file. */
  readonly text: string | undefined;
  /** The last text of it that was accepted. */
  readonly lastGood?: string | undefined;
  /** Follows the file's name: "on the default branch", "of `acme/.github`". */
  readonly where: string;
}

export interface SettledConfiguration {
  readonly given: GivenSettings;
  /** What is wrong with the file and what is in force instead, in one sentence. */
  readonly problem?: string;
}

/** What a file says, or what it said when it was last right (CONF-1); the defaults only when it never was. */
export function settleConfiguration({ text, lastGood, where }: FoundConfiguration): SettledConfiguration {
  const found = parseConfiguration(text ?? "");
  if (found.ok) return { given: found.given };
  const earlier = lastGood === undefined ? undefined : parseConfiguration(lastGood);
  const [first, ...others] = found.mistakes;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const instead = earlier?.ok ? "its last version without a mistake stays in force" : "the defaults were used";
  const detail = `line ${first!.line}: ${first!.message.replace(/\.$/, "")}${more}`;
  return {
    given: earlier?.ok ? earlier.given : {},
    problem: `\`${CONFIGURATION_PATH}\` ${where} is wrong, so ${instead}: ${detail}.`,
  };
}
