import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { GitHubCallFailed } from "../classify-failure.ts";
import type { PullOnGitHub } from "../github-repository.ts";
import { findMarker, markerFor } from "../marker.ts";
import { revertText, rollbackIssueText } from "../words/deploy/after-rollback-text.ts";
import { explainedText } from "../words/deploy/explained-text.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";

/**
 * Opens the pull request that takes back what a rollback took back (DEP-1). Of one pull request GitHub makes its commit and its branch, by the
 * name of which it is found again; of more it is one commit that stands on the version and has all as it was before, so that GitHub merges it
 * with what came later, and shows what of that is in its way.
 */
export const openRevert: EffectHandler<"revert.open", undefined> = {
  find: async (effect, look) => {
    const there = await findRevert(effect, look);
    return there ? { settled: opened(there) } : { there: undefined };
  },
  send: async (effect, _, ports) => {
    const { pull: number, to, sha, baseRef, standing } = effect.payload;
    if (number === undefined && to === undefined)
      return { kind: "obsolete", reason: "nothing is known to go back to: a person takes it back" };
    const there = await findRevert(effect, ports);
    if (there) return opened(there);
    const words = (touched: readonly string[]) => {
      const { title, body } = revertText(standing, { pull: number, touched }, ports.wording);
      return { title, body: `${body}\n${markerFor(effect, ports.markerSecret)}` };
    };
    const reverted = number === undefined ? undefined : await revert(number, words([]), ports, to === undefined);
    if (reverted) return opened(reverted);
    const head = backBranch(effect);
    const { title, body } = words(to === undefined ? [] : await touchedLater({ to, sha, baseRef }, ports));
    await ports.write.createBackBranch(head, { on: sha, to: to ?? sha, message: title });
    return opened(await ports.write.createPull({ title, body, head, base: baseRef, draft: false }));
  },
};

/** Named by the version and the run that brought it: another try has another. */
function backBranch({ payload: { sha }, runId }: EffectOf<"revert.open">): string {
  return `forge/revert-${sha.slice(0, 7)}-${runId.slice(-6).toLowerCase()}`;
}

function opened({ number }: { readonly number: number }): EffectOutcome {
  return { kind: "done", result: { pullNumber: number } };
}

/** Undefined where GitHub cannot make the commit, as after later changes to the same lines, unless there is no other way. */
async function revert(
  number: number,
  text: { title: string; body: string },
  { repository, write }: Send,
  isLast: boolean,
): Promise<{ readonly number: number } | undefined> {
  const { id } = await repository.getPull(number);
  try {
    return await write.revertPull(id, text);
  } catch (error) {
    // GitHub says no type where it cannot make the commit: asking again would not help.
    if (!(error instanceof GitHubCallFailed) || !/revert|conflict/i.test(error.failure.message)) throw error;
    if (!isLast) return undefined;
    throw new GitHubCallFailed({ cause: "refused", message: error.failure.message }, error);
  }
}

/** Files of what is taken back that later commits of the branch changed too: there a conflict may be. */
async function touchedLater(
  { to, sha, baseRef }: { readonly to: string; readonly sha: string; readonly baseRef: string },
  { repository }: Send,
): Promise<string[]> {
  const [brought, later] = await Promise.all([repository.changedFiles(to, sha), repository.changedFiles(sha, baseRef)]);
  return brought.filter((file) => later.includes(file));
}

/** By the branch as GitHub names it for a revert by any user, or by ours; closed ones only where they are this very effect's. */
async function findRevert(effect: EffectOf<"revert.open">, { repository, markerSecret }: Look) {
  const { pull: number } = effect.payload;
  const byGitHub = number === undefined ? [] : [`revert-${number}-${(await repository.getPull(number)).headRef}`];
  const there: PullOnGitHub[] = [];
  for (const branch of [...byGitHub, backBranch(effect)]) there.push(...(await repository.listPullsFrom(branch)));
  const isOurs = ({ byBot, body }: PullOnGitHub) => byBot && findMarker(body, effect, markerSecret);
  return there.find(({ open }) => open) ?? there.find(isOurs);
}

/** GitHub's clock may be behind; issues are looked through from a little before the attempt. */
const CLOCKS_MS = 60_000;

/** An issue with the evidence: one for each run. */
export const openIssue: EffectHandler<"issue.open", undefined> = {
  find: async (effect, { repository, markerSecret, now }) => {
    const since = new Date(Date.parse(effect.sendingSince ?? now()) - CLOCKS_MS).toISOString();
    const there = await repository.listOwnIssues(since);
    const own = there.find(({ body }) => findMarker(body, effect, markerSecret));
    return own ? { settled: { kind: "done", result: { issueNumber: own.number } } } : { there: undefined };
  },
  send: async (effect, _, { write, markerSecret, wording }) => {
    const { title, body } = rollbackIssueText(effect.payload.evidence.standing, wording);
    const marked = `${body}\n${markerFor(effect, markerSecret)}`;
    return { kind: "done", result: { issueNumber: (await write.createIssue({ title, body: marked })).number } };
  },
};

/** What a model says of the rollback, in the issue that was opened before it was said: one comment for each run. */
export const explainIssue: EffectHandler<"issue.explain", undefined> = {
  find: async (effect, look) => {
    const number = await issueOf(effect, look);
    const there = number === undefined ? [] : await look.repository.listComments(number);
    const own = there.find(({ byBot, body }) => byBot && findMarker(body, effect, look.markerSecret));
    return own ? { settled: { kind: "done", result: { commentId: own.id } } } : { there: undefined };
  },
  send: async (effect, _, ports) => {
    const number = await issueOf(effect, ports);
    if (number === undefined) return { kind: "obsolete", reason: "there is no issue to say it in" };
    const text = explainedText(effect.payload.explanation, ports.wording);
    const { id } = await ports.write.createComment(number, `${text}\n${markerFor(effect, ports.markerSecret)}`);
    return { kind: "done", result: { commentId: id } };
  },
};

async function issueOf({ payload }: EffectOf<"issue.explain">, { results }: Look): Promise<number | undefined> {
  return (await results(payload.openKey))?.issueNumber;
}
