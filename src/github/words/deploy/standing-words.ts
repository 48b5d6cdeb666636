import type { ReleaseStanding } from "../../../domain/deployments.ts";
import { DELIVERED } from "../view-words.ts";
import { verdictWords } from "./verdict-text.ts";

const STANDINGS: Readonly<Record<Exclude<ReleaseStanding["is"], "ended">, string>> = {
  looking: "Forge looks at what it brings",
  verifying: "it is built and tested first",
  asking: "waits for a person's yes",
  announced: "announced",
  deploying: "being deployed",
  baking: "watched after a step",
  watching: "watched after the last step",
  going_back: "being rolled back",
};

/** How a deployment is going, or how it ended, in a few words for the page and the command line. */
export function deploymentWords({ is, end, stopped }: ReleaseStanding): string {
  if (is !== "ended") return stopped ? `${STANDINGS[is]}, and stopped` : STANDINGS[is];
  return end ? DELIVERED[end.outcome] : "over";
}

/** "step 1 of 2, 50 % of the traffic"; undefined before the first step and after the end. */
export function stepWords({ steps, shares, is }: ReleaseStanding): string | undefined {
  const last = steps.at(-1);
  if (!last || is === "ended") return undefined;
  return `step ${steps.length} of ${Math.max(steps.length, shares.length)}, ${last.percentage} % of the traffic`;
}

/** All of it on one line of plain text: the environment, how it is going, the step, and the verdict. */
export function releaseWords(release: ReleaseStanding): string {
  const verdict = release.steps.at(-1)?.verdict;
  const parts = [deploymentWords(release), stepWords(release), verdict && verdictWords(verdict)];
  return `${release.environment}: ${parts.filter((part) => part !== undefined).join(", ")}`;
}
