import { runAsk } from "../cli/ask.ts";
import { askFolder } from "../pipeline/local/ask-folder.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { openAi } from "./open-ai.ts";
import { workHere } from "./work-here.ts";

/** `forge ask`: a question about a folder of this machine, for the models of the environment. */
export function askHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const secrets = secretsOfModels(readWorkConfig(environment).models);
  return workHere({ name: "ask", environment, secrets }, ({ output, scratchRoot, signal }) =>
    runAsk(
      args,
      async (question) => askFolder({ ai: await openAi(environment), scratchRoot, signal }, question),
      output,
    ),
  );
}
