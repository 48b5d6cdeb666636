import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import type { PullRequest } from "../records.ts";
import { fullName, type World } from "../world.ts";
import { type Html, html, type Part } from "./html.ts";
import { layout } from "./layout.ts";
import { pathOf } from "./paths.ts";

export type Tab = "conversation" | "checks" | "files";

/** What stands around each of a pull request's three pages. */
export function pullFrame(world: World, request: PullRequest, tab: Tab, counts: { files: number }, body: Part): string {
  const { pull, repository, title, number, user } = request;
  const runs = latestRuns(runsOn(repository, pull.headSha));
  const path = pathOf(request);
  const link = (name: Tab, href: string, words: string, count: number) =>
    html`<a href="${href}"${name === tab && html` aria-current="page"`}>${words} <span class="count">${count}</span></a>`;
  const talks = request.comments.length + pull.reviews.filter(({ state }) => state !== "PENDING").length;
  const from = pull.headRepository && pull.headRepository !== repository ? `${pull.headRepository.owner.login}:` : "";
  return layout({
    title: `${title} · #${number} · ${fullName(repository)}`,
    path: [
      { name: fullName(repository), href: `/${fullName(repository)}/pulls` },
      { name: `#${number}`, href: path },
    ],
    busy: isBusy(world, request),
    body: html`<h1>${title} <span class="faint">#${number}</span></h1>
<p class="faint">${stateLabel(request)} <strong>${user.login}</strong> wants to merge into <code>${pull.baseRef}</code> from <code>${from}${pull.headRef}</code></p>
<nav class="tabs">${link("conversation", path, "Conversation", talks)}${link("checks", `${path}/checks`, "Checks", runs.length)}${link("files", `${path}/files`, "Files changed", counts.files)}</nav>
${body}`,
  });
}

function stateLabel({ state, pull }: PullRequest): Html {
  const words = pull.mergedAt ? "Merged" : state === "closed" ? "Closed" : pull.draft ? "Draft" : "Open";
  return html`<span class="state ${words.toLowerCase()}">${words}</span>`;
}

/** How long an App may be silent after a webhook before the page takes it that nothing more will come. */
const STILL_AT_WORK_MS = 6_000;

function isBusy(world: World, { repository, pull }: PullRequest): boolean {
  if (runsOn(repository, pull.headSha).some(({ status }) => status !== "completed")) return true;
  const last = world.deliveries.findLast(({ repositoryId }) => repositoryId === repository.id);
  return last !== undefined && Date.now() - Date.parse(last.deliveredAt) < STILL_AT_WORK_MS;
}
