import { hasRole } from "../access/permissions.ts";
import { coding } from "../people/coding.ts";
import { Problem } from "../problem.ts";
import type { Account, PullRequest } from "../records.ts";
import { fullName, type World } from "../world.ts";
import { type Html, html } from "./html.ts";
import { pathOf } from "./paths.ts";
import { chooser } from "./people.ts";

const WORDS = {
  ready: "Ready for review",
  merge: "Merge pull request",
  squash: "Squash and merge",
  close: "Close pull request",
  reopen: "Reopen pull request",
  delete: "Delete branch",
} as const;
type Change = keyof typeof WORDS;

/** The buttons that a pull request has as it stands. */
export function stateForm(world: World, request: PullRequest): Html {
  const buttons = changesOf(request).map(
    (change) =>
      html`<button name="do" value="${change}" class="${change === "merge" ? "" : "quiet"}">${WORDS[change]}</button>`,
  );
  return html`<form class="row" method="post" action="${pathOf(request)}/state">${chooser(world, request.repository)}${buttons}</form>`;
}

function changesOf({ state, pull, repository }: PullRequest): readonly Change[] {
  const isOwn = pull.headRepository === repository;
  if (pull.mergedAt) return isOwn ? ["delete"] : [];
  if (state === "closed") return ["reopen"];
  return pull.draft ? ["ready", "close"] : ["merge", "squash", "close"];
}

/** Throws when the person may not, and what GitHub answers when it cannot be. */
export async function changeState(world: World, request: PullRequest, wanted: string, by: Account): Promise<void> {
  const { repository, number, pull, user } = request;
  const mayWrite = hasRole(repository, by, "write");
  const isAuthors = wanted === "ready" || wanted === "close" || wanted === "reopen";
  if (!mayWrite && !(isAuthors && user === by))
    throw new Problem(403, "This is for those who may write, and to close, open and finish a draft for its author.");
  const people = coding(world);
  const name = fullName(repository);
  if (wanted === "merge" || wanted === "squash") await people.mergePullRequest(name, number, by.login, wanted);
  else if (wanted === "ready") await people.markReadyForReview(name, number, by.login);
  else if (wanted === "close") await people.closePullRequest(name, number, by.login);
  else if (wanted === "reopen") await people.reopenPullRequest(name, number, by.login);
  else if (wanted === "delete" && pull.mergedAt) await people.deleteBranch(name, pull.headRef, by.login);
  else throw new Problem(422, "There is no such button.");
}
