import { CHECK, SHOP } from "./github.ts";
import type { Screen } from "./screen.ts";
import type { Check, PullRequest } from "./show.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";

/** Much longer than a review of the shop takes, also on a busy machine; a real model thinks. */
const REVIEW_MS = { scripted: 60_000, given: 900_000 };

export interface Reviewed {
  readonly pull: PullRequest;
  readonly check: Check;
  /** From the call to the completed check. */
  readonly seconds: string;
}

/** Resolves when that many answers are in conversations that are resolved; gives the first line of each. */
export async function waitForResolved(stage: Stage, number: number, count: number): Promise<readonly string[]> {
  const { github, forge, model, signal } = stage;
  const look = () => {
    const { reviewComments } = github.pullRequest(SHOP, number);
    const answers = reviewComments.filter(({ inReplyTo, threadResolved }) => inReplyTo !== null && threadResolved);
    return answers.length >= count ? answers.map(({ body }) => body.split("\n")[0] ?? "") : undefined;
  };
  const options = { signal, limitMs: REVIEW_MS[model.kind], unless: forge.died, meanwhile: () => {} };
  const said = await until(`${count} conversations are resolved`, look, options);
  await github.idle();
  return said;
}

/**
 * Resolves when the check of that head is completed and every webhook that followed was answered.
 * @param before what the check said until then, where it was completed already
 */
export async function waitForReview(
  stage: Stage,
  screen: Screen,
  number: number,
  head: string,
  before?: Check,
): Promise<Reviewed> {
  const { github, forge, model, signal } = stage;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  const look = () => {
    const pull = github.pullRequest(SHOP, number);
    const check = pull.checkRuns.find(({ name }) => name === CHECK);
    const isAnother = before === undefined || check?.summary !== before.summary;
    return pull.headSha === head && check?.status === "completed" && isAnother ? check : undefined;
  };
  const meanwhile = () => screen.progress(`Forge is at work on #${number} … ${seconds()} s`);
  const options = { signal, limitMs: REVIEW_MS[model.kind], unless: forge.died, meanwhile };
  const check = await until(`${CHECK} is completed on ${head.slice(0, 7)}`, look, options);
  const took = seconds();
  await github.idle();
  return { pull: github.pullRequest(SHOP, number), check, seconds: took };
}

interface Command {
  /** Of the pull request. */
  readonly number: number;
  readonly commentId: number;
  /** The checks as they were before it was said. */
  readonly before: readonly Check[];
}

/** Resolves when Forge has said on the comment that the command was done or refused, and the check says something else than before. */
export async function waitForCommand(
  stage: Stage,
  screen: Screen,
  { number, commentId, before }: Command,
): Promise<{ readonly reviewed: Reviewed; readonly reactions: readonly string[] }> {
  const { github, forge, model, signal } = stage;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  const old = before.find(({ name }) => name === CHECK);
  const reactionsOn = ({ comments, reviewComments }: PullRequest) => {
    const comment = [...comments, ...reviewComments].find(({ id }) => id === commentId);
    return (comment?.reactions ?? []).map(({ content }) => content);
  };
  const look = () => {
    const pull = github.pullRequest(SHOP, number);
    const check = pull.checkRuns.find(({ name }) => name === CHECK);
    const isSaid = reactionsOn(pull).some((content) => content === "rocket" || content === "confused");
    return isSaid && check && check.summary !== old?.summary ? check : undefined;
  };
  const meanwhile = () => screen.progress(`Forge is at work on what was said … ${seconds()} s`);
  const options = { signal, limitMs: REVIEW_MS[model.kind], unless: forge.died, meanwhile };
  const check = await until("the command is done and the check says so", look, options);
  const took = seconds();
  await github.idle();
  const pull = github.pullRequest(SHOP, number);
  return { reviewed: { pull, check, seconds: took }, reactions: reactionsOn(pull) };
}
