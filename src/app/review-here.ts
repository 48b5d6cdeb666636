import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAdvisories } from "../analysis/dependencies/choose-advisories.ts";
import { type ReviewFolder, runReview } from "../cli/review.ts";
import { defined } from "../domain/defined.ts";
import { reviewFolder } from "../pipeline/review/folder/review-folder.ts";
import { createRedactor } from "../safety/redact.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { readAdvisoriesConfig } from "./config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `forge review`: a folder of this machine, with the models of the environment when `--ai` asks for them. */
export async function reviewHere(args: readonly string[], environment: Environment): Promise<number> {
  const scratchRoot = await mkdtemp(join(tmpdir(), "forge-review-"));
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  // https://no-color.org: an empty value is as good as none.
  const noColor = (environment.NO_COLOR ?? "") !== "";
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY } = environment;
  const redact = createRedactor([ANTHROPIC_API_KEY, OPENAI_API_KEY].filter((key) => key !== undefined));
  const output = { out: process.stdout, err: process.stderr, noColor, version, redact };
  const advisories = chooseAdvisories(readAdvisoriesConfig(environment));
  const dependencies = { scratchRoot, signal: new AbortController().signal, ...defined({ advisories }) };
  const review: ReviewFolder = async ({ ai: onEvent, ...request }) => {
    if (!onEvent) return reviewFolder({ ...request, ...dependencies });
    const { openAi } = await import("./open-ai.ts");
    return reviewFolder({ ...request, ...dependencies, ai: { dependencies: await openAi(environment), onEvent } });
  };
  return runReview(args, review, output).finally(async () => {
    if (!(await removeFolder(scratchRoot))) output.err.write(`forge: ${scratchRoot} could not be removed\n`);
  });
}
