import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAsk } from "../cli/ask.ts";
import { askFolder } from "../pipeline/local/ask-folder.ts";
import { createRedactor } from "../safety/redact.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { openAi } from "./open-ai.ts";

/** `forge ask`: a question about a folder of this machine, for the models of the environment. */
export async function askHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const noColor = (environment.NO_COLOR ?? "") !== "";
  const redact = createRedactor(secretsOfModels(readWorkConfig(environment).models));
  const output = { out: process.stdout, err: process.stderr, noColor, redact };
  const scratchRoot = await mkdtemp(join(tmpdir(), "forge-ask-"));
  // Where the sandbox has a user of its own, it has to get there.
  await chmod(scratchRoot, 0o711);
  const { signal } = new AbortController();
  try {
    return await runAsk(
      args,
      async (question) => askFolder({ ai: await openAi(environment), scratchRoot, signal }, question),
      output,
    );
  } finally {
    if (!(await removeFolder(scratchRoot))) output.err.write(`forge: ${scratchRoot} could not be removed\n`);
  }
}
