import type { Answer } from "../../domain/answers.ts";
import type { Subject } from "../../domain/subjects.ts";
import { findInstructions } from "../ai/find-instructions.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import type { PullRequestHost } from "../runs/ports.ts";

/** `/forge config`: every setting of the repository with where it comes from, and what agents are instructed by. */
export async function tellConfig(
  dependencies: ConfigurationDependencies & { readonly host: Pick<PullRequestHost, "listFiles"> },
  { repository }: Subject,
  _command: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const { settings, problems } = await loadConfiguration(dependencies, repository, signal);
  const { found, leftOut, truncated } = await findInstructions(dependencies.host, repository, signal);
  return {
    kind: "configuration",
    configuration: {
      settings: settings.map(({ path, value, origin }) => ({ name: path, value: JSON.stringify(value), from: origin })),
      problems: [...problems],
      instructions: { found: found.map(({ path }) => path), leftOut: [...leftOut], truncated },
    },
  };
}
