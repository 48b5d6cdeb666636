import { chooseAdvisories } from "../analysis/dependencies/choose-advisories.ts";
import type { PullName } from "../cli/pull-argument.ts";
import { type Reviewers, runReview } from "../cli/review.ts";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { reviewFolder } from "../pipeline/review/folder/review-folder.ts";
import { type PullToReview, reviewPull } from "../pipeline/review/folder/review-pull.ts";
import { ownVersion } from "../workspace/own-version.ts";
import { readAdvisoriesConfig, readPersonConfig, readWorkConfig } from "./config.ts";
import { localPackages } from "./local-packages.ts";
import { workHere } from "./work-here.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `forge review`: a folder of this machine, with the models of the environment when `--ai` asks for them. */
export function reviewHere(args: readonly string[], environment: Environment): Promise<number> {
  const { ANTHROPIC_API_KEY, OPENAI_API_KEY, GH_TOKEN, GITHUB_TOKEN } = environment;
  const secrets = [ANTHROPIC_API_KEY, OPENAI_API_KEY, GH_TOKEN, GITHUB_TOKEN].filter((key) => key !== undefined);
  return workHere({ name: "review", environment, secrets }, ({ output, scratchRoot, signal }) => {
    const advisories = chooseAdvisories(readAdvisoriesConfig(environment));
    const dependencies = { scratchRoot, signal, ...defined({ advisories }) };
    const review: Reviewers = {
      folder: async ({ ai: onEvent, ...request }) => {
        if (!onEvent) return reviewFolder({ ...request, ...dependencies });
        // With the store: a review without models loads neither.
        await import("../store/resolve-drizzle.ts");
        const { openAi } = await import("./open-ai.ts");
        const packages = localPackages(readWorkConfig(environment), scratchRoot);
        const ai = { dependencies: await openAi(environment), packages, onEvent };
        return reviewFolder({ ...request, ...dependencies, ai });
      },
      pull: async (name, how) => {
        const pull = await findPull(environment, name, signal);
        return reviewPull(pull, { ...dependencies, folder: scratchRoot, ...how });
      },
    };
    return runReview(args, review, { ...output, version: ownVersion() });
  });
}

/** @throws ForgeError `other_host`, `token_missing`, `pull_not_found`; what GitHub says */
async function findPull(environment: Environment, name: PullName, signal: AbortSignal): Promise<PullToReview> {
  const { token, ...github } = readPersonConfig(environment);
  const options = { source: "validation", recoverability: "manual" } as const;
  const configured = new URL(github.origin).host;
  // The token belongs to the host that is set up: it never goes to another one because of an address.
  if (name.host !== undefined && name.host !== configured) {
    const message = `the pull request is on ${name.host}, but Forge is set up for ${configured}. Set GHE_HOST=${name.host} and a token of that host.`;
    throw new ForgeError("other_host", message, options);
  }
  if (token === undefined) {
    const need = `a token that can read contents and pull requests of ${name.owner}/${name.name}`;
    throw new ForgeError("token_missing", `GITHUB_TOKEN is not set. Set it to ${need}.`, options);
  }
  const { readPullAsPerson } = await import("../github/pull-as-person.ts");
  const pull = await readPullAsPerson({ token, ...github }, name, signal);
  if (pull) return pull;
  throw new ForgeError("pull_not_found", "no such pull request, or your token cannot read it", options);
}
