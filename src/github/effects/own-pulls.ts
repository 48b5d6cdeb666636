import type { MergeOutcome, MergeState } from "../../domain/merging.ts";
import { numberOf, type Subject } from "../../domain/subjects.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { GitHubCallFailed } from "../classify-failure.ts";
import type { NewPull, PullOnGitHub } from "../github-repository.ts";
import { findMarker, type Marked, type MarkerSecret, markerFor } from "../marker.ts";
import { pullDescriptionText, pullTitle } from "../words/work/pull-description.ts";
import { type EffectHandler, type EffectOf, nothingToFind, type Send } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";

/**
 * Opens the pull request of an implementation as a draft, or takes the one that is open from its branch. Where the repository has no drafts
 * it is opened without being one.
 */
export const openPull: EffectHandler<"pull.open", undefined> = {
  find: async (effect, { repository, markerSecret }) => {
    // Somebody may have closed it meanwhile.
    const there = await repository.listPullsFrom(effect.payload.branch);
    const isOurs = ({ byBot, body }: PullOnGitHub) => byBot && findMarker(body, effect, markerSecret);
    const taken = there.find(({ open }) => open) ?? there.find(isOurs);
    return taken ? { settled: opened(taken) } : { there: undefined };
  },
  send: async (effect, _, ports) => {
    const { branch, baseRef, description } = effect.payload;
    const taken = (await ports.repository.listPullsFrom(branch)).find(({ open }) => open);
    if (taken) return opened(taken);
    const title = pullTitle(description, ports.wording);
    const text = pullDescriptionText(description, ports.wording);
    const body = pullBody(effect.subject, { headRef: branch, title, text }, ports.markerSecret);
    const marked = `${body}\n${markerFor(effect, ports.markerSecret)}`;
    return opened(await create({ title, body: marked, head: branch, base: baseRef, draft: true }, ports));
  },
};

function opened({ number }: PullOnGitHub): EffectOutcome {
  return { kind: "done", result: { pullNumber: number } };
}

async function create(pull: NewPull, { write }: Send): Promise<PullOnGitHub> {
  const draft = await orRefused(write.createPull(pull));
  if (draft.ok) return draft.value;
  // Lists lag behind: it is found by the next attempt.
  if (/already exists/i.test(draft.message)) {
    throw new GitHubCallFailed({ cause: "unavailable", message: draft.message });
  }
  // GitHub refuses whatever else is wrong once more, in words of its own.
  return write.createPull({ ...pull, draft: !/draft/i.test(draft.message) });
}

/**
 * Brings the text of Forge's pull request up to date, where it differs. What people wrote, a title or words behind the text, stays as it
 * is.
 */
export const describePull: EffectHandler<"pull.describe", undefined> = {
  find: nothingToFind,
  send: async (effect, _, { repository, write, markerSecret, wording }) => {
    const { number, description } = effect.payload;
    const pull = await repository.getPull(number);
    if (!isOwnPull(effect.subject, pull, markerSecret)) return { kind: "obsolete", reason: "its text is not Forge's" };
    const wanted = pullTitle(description, wording);
    const title = titleFor(pull, wanted, markerSecret);
    const text = pullDescriptionText(description, wording);
    const { headRef, body: before } = pull;
    const body = pullBody(effect.subject, { headRef, title: wanted, text, before }, markerSecret);
    const isSame = title === pull.title && body === pull.body;
    if (!isSame) await write.updatePull(number, { ...(title === pull.title ? {} : { title }), body });
    return { kind: "done", result: { pullNumber: number } };
  },
};

/** Makes a draft ready for people; one that is ready already stays as it is. */
export const readyPull: EffectHandler<"pull.ready", undefined> = {
  find: nothingToFind,
  send: async (effect, _, { repository, write, markerSecret }) => {
    const { number } = effect.payload;
    const pull = await repository.getPull(number);
    if (!isOwnPull(effect.subject, pull, markerSecret)) return { kind: "obsolete", reason: "it is not Forge's draft" };
    if (!pull.open) return { kind: "obsolete", reason: "the pull request is closed" };
    if (pull.draft) await write.markPullReady(pull.id);
    return { kind: "done", result: { pullNumber: number } };
  },
};

/** By what a pull request that Forge opened is known: its branch, whichever run works on it. */
function markOf({ repository }: Subject, headRef: string): Marked {
  return { kind: "pull", key: `${repository.id}/${headRef}` };
}

/** Whether Forge wrote this title: people may have found a better one. */
function markOfTitle(title: string): Marked {
  return { kind: "title", key: title };
}

/** Whether Forge opened it; somebody who took over may have opened one from the same branch. */
function isOwnPull(subject: Subject, { byBot, body, headRef }: PullOnGitHub, secret: MarkerSecret): boolean {
  return byBot && findMarker(body, markOf(subject, headRef), secret);
}

/** The text of Forge between nothing and its markers. What people wrote behind them stays behind them. */
function pullBody(
  subject: Subject,
  { headRef, title, text, before = "" }: { headRef: string; title: string; text: string; before?: string },
  secret: MarkerSecret,
): string {
  const end = markerFor(markOf(subject, headRef), secret);
  const at = before.indexOf(end);
  const behind = at === -1 ? "" : before.slice(at + end.length);
  return `${text}\n${markerFor(markOfTitle(title), secret)}\n${end}${behind}`;
}

/** The title that is to stand there: a new one replaces what Forge wrote, never what people wrote. */
function titleFor({ title, body }: PullOnGitHub, wanted: string, secret: MarkerSecret): string {
  return findMarker(body, markOfTitle(title), secret) ? wanted : title;
}

/**
 * Merges a pull request, or puts it into the queue of its branch (SAFE-4): pinned to the head that was looked at, and only where GitHub says at this
 * moment that the protection of the branch has nothing against it. What GitHub refuses is not tried again.
 */
export const mergePull: EffectHandler<"pull.merge", undefined> = {
  find: async (effect, { repository }) => {
    const state = await repository.readMergeState(numberOf(effect.subject));
    const done = state && state.headSha === effect.payload.headSha && doneBy(state);
    return done ? { settled: outcome({ is: done }) } : { there: undefined };
  },
  send: async (effect, _, { repository, write }) => {
    const number = numberOf(effect.subject);
    const { headSha } = effect.payload;
    const state = await repository.readMergeState(number);
    const why = state ? whyNot(state, effect) : "it is gone";
    if (!state || why !== undefined) return outcome({ is: "refused", said: why ?? "it is gone" });
    const sent = await orRefused(
      state.queue ? write.enqueuePull(state.id, headSha) : write.mergePull(number, headSha, state.method),
    );
    return outcome(sent.ok ? { is: state.queue ? "queued" : "merged" } : { is: "refused", said: sent.message });
  },
};

function doneBy({ merged, queued }: MergeState): "merged" | "queued" | undefined {
  return merged ? "merged" : queued ? "queued" : undefined;
}

/** What changed since it was decided. */
function whyNot(state: MergeState, { payload }: EffectOf<"pull.merge">): string | undefined {
  if (!state.open) return "it is closed";
  if (state.draft) return "it is a draft";
  if (state.headSha !== payload.headSha) return "something was pushed meanwhile";
  if (state.baseRef !== payload.baseRef) return "it has another base branch meanwhile";
  if (!state.isProtected) return "its base branch asks for no check and no review";
  if (state.mayBypass) return "Forge could go around the protection of its base branch";
  return state.status === "ready" ? undefined : `it is ${state.status}`;
}

function outcome(merge: MergeOutcome): EffectOutcome {
  return { kind: "done", result: { merge } };
}
