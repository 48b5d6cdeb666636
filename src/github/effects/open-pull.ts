import { GitHubCallFailed } from "../github-call-failed.ts";
import type { NewPull, PullOnGitHub } from "../github-repository.ts";
import { findMarker, markerFor } from "../marker.ts";
import { pullDescriptionText, pullTitle } from "../words/pull-description.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { pullBody } from "./own-pull.ts";
import { sendWrite, tryWrite } from "./send-write.ts";

type Effect = EffectOf<"pull.open">;

/**
 * Opens the pull request of an implementation as a draft, or takes the one that is open from its branch. Where the repository has no drafts
 * it is opened without being one.
 */
export async function openPull(effect: Effect, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, markerSecret, wording } = ports;
  const { branch, baseRef, description } = effect.payload;
  const there = await repository.listPullsFrom(branch);
  const taken =
    there.find(({ open }) => open) ?? (effect.state === "sending" ? ofThis(effect, there, ports) : undefined);
  if (taken) return { kind: "done", result: { pullNumber: taken.number } };
  const title = pullTitle(description, wording);
  const text = pullDescriptionText(description, wording);
  const body = pullBody(effect.subject, { headRef: branch, title, text }, markerSecret);
  const wanted = { title, body: `${body}\n${markerFor(effect, markerSecret)}`, head: branch, base: baseRef };
  const { number } = await create({ ...wanted, draft: true }, ports);
  return { kind: "done", result: { pullNumber: number } };
}

/** The one that an earlier attempt opened, although somebody closed it meanwhile. */
function ofThis(
  effect: Effect,
  there: readonly PullOnGitHub[],
  { markerSecret }: EffectPorts,
): PullOnGitHub | undefined {
  return there.find(({ byBot, body }) => byBot && findMarker(body, effect, markerSecret));
}

async function create(pull: NewPull, ports: EffectPorts): Promise<PullOnGitHub> {
  const { repository } = ports;
  const draft = await tryWrite(ports, "content", () => repository.createPull(pull));
  if (draft.ok) return draft.value;
  // Lists lag behind: it is found by the next attempt.
  if (/already exists/i.test(draft.message)) {
    throw new GitHubCallFailed({ cause: "unavailable", message: draft.message });
  }
  // GitHub refuses whatever else is wrong once more, in words of its own.
  return sendWrite(ports, "content", () => repository.createPull({ ...pull, draft: !/draft/i.test(draft.message) }));
}
