import { runInit } from "../cli/init/init.ts";
import { lookAtProject } from "../pipeline/local/look-at-project.ts";
import { createRedactor } from "../safety/redact.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";

/** `forge init`: the configuration of a project on this machine. */
export function initHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const config = readWorkConfig(environment);
  const noColor = (environment.NO_COLOR ?? "") !== "";
  const redact = createRedactor(secretsOfModels(config.models));
  const look = (folder: string) => lookAtProject(folder, config.registries, new AbortController().signal);
  return runInit(args, look, { out: process.stdout, err: process.stderr, noColor, redact });
}
