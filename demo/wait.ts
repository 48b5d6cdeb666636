import { CHECK, SHOP } from "./github.ts";
import type { Screen } from "./screen.ts";
import type { Check, PullRequest } from "./show.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";

/** Much longer than a review of the shop takes, also on a busy machine. */
const REVIEW_MS = 30_000;

export interface Reviewed {
  readonly pull: PullRequest;
  readonly check: Check;
  /** From the call to the completed check. */
  readonly seconds: string;
}

/** Resolves when that many of Forge's conversations are resolved; gives what was said in them. */
export async function waitForResolved(stage: Stage, number: number, count: number): Promise<readonly string[]> {
  const { github, forge, signal } = stage;
  const look = () => {
    const { reviewComments } = github.pullRequest(SHOP, number);
    const answers = reviewComments.filter(({ inReplyTo, threadResolved }) => inReplyTo !== null && threadResolved);
    return answers.length >= count ? answers.map(({ body }) => body.split("\n")[0] ?? "") : undefined;
  };
  const options = { signal, limitMs: REVIEW_MS, unless: forge.died, meanwhile: () => {} };
  const said = await until(`${count} conversations are resolved`, look, options);
  await github.idle();
  return said;
}

/** Resolves when the check of that head is completed and every webhook that followed was answered. */
export async function waitForReview(stage: Stage, screen: Screen, number: number, head: string): Promise<Reviewed> {
  const { github, forge, signal } = stage;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  const look = () => {
    const pull = github.pullRequest(SHOP, number);
    const check = pull.checkRuns.find(({ name }) => name === CHECK);
    return pull.headSha === head && check?.status === "completed" ? check : undefined;
  };
  const meanwhile = () => screen.progress(`Forge is at work on #${number} … ${seconds()} s`);
  const options = { signal, limitMs: REVIEW_MS, unless: forge.died, meanwhile };
  const check = await until(`${CHECK} is completed on ${head.slice(0, 7)}`, look, options);
  const took = seconds();
  await github.idle();
  return { pull: github.pullRequest(SHOP, number), check, seconds: took };
}
