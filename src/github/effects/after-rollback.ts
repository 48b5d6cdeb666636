import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { GitHubCallFailed } from "../classify-failure.ts";
import type { PullOnGitHub } from "../github-repository.ts";
import { findMarker, markerFor } from "../marker.ts";
import { revertText, rollbackIssueText } from "../words/deploy/after-rollback-text.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";

/**
 * Opens the pull request that takes back what a rollback took back (DEP-1). GitHub makes its commit and its branch, by the name of which it is
 * found again. What came by no pull request, or was taken back by somebody, is left to people.
 */
export const openRevert: EffectHandler<"revert.open", undefined> = {
  find: async (effect, look) => {
    const there = await findRevert(effect, look);
    return there ? { settled: opened(there) } : { there: undefined };
  },
  send: async (effect, _, ports) => {
    const { pull: number, standing } = effect.payload;
    if (number === undefined) return { kind: "obsolete", reason: "it came by no pull request: a person takes it back" };
    const there = await findRevert(effect, ports);
    if (there) return opened(there);
    const { id } = await ports.repository.getPull(number);
    const { title, body } = revertText(standing, number, ports.wording);
    return opened(await revert(id, { title, body: `${body}\n${markerFor(effect, ports.markerSecret)}` }, ports));
  },
};

function opened({ number }: { readonly number: number }): EffectOutcome {
  return { kind: "done", result: { pullNumber: number } };
}

async function revert(id: string, text: { title: string; body: string }, { write }: Send) {
  try {
    return await write.revertPull(id, text);
  } catch (error) {
    // GitHub says no type where it cannot make the commit: asking again would not help.
    if (!(error instanceof GitHubCallFailed) || !/revert|conflict/i.test(error.failure.message)) throw error;
    throw new GitHubCallFailed({ cause: "refused", message: error.failure.message }, error);
  }
}

/** By the branch as GitHub names it, whoever had it reverted; closed ones only where they are this very effect's. */
async function findRevert(effect: EffectOf<"revert.open">, { repository, markerSecret }: Look) {
  const { pull: number } = effect.payload;
  if (number === undefined) return undefined;
  const { headRef } = await repository.getPull(number);
  const there = await repository.listPullsFrom(`revert-${number}-${headRef}`);
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
