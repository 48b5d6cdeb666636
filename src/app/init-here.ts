import { runInit } from "../cli/init/init.ts";
import { lookAtProject } from "../pipeline/local/look-at-project.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { workHere } from "./work-here.ts";

/** `forge init`: the configuration of a project on this machine. */
export function initHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { registries, models } = readWorkConfig(environment);
  return workHere({ name: "init", environment, secrets: secretsOfModels(models) }, ({ output, signal }) =>
    runInit(args, (folder) => lookAtProject(folder, registries, signal), output),
  );
}
