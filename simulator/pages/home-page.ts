import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import type { Issue, PullRequest, Repository } from "../records.ts";
import { fullName, isPull, pullsOf, type World } from "../world.ts";
import { checkIcon } from "./check-icon.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { pathOf } from "./paths.ts";

/** All repositories with their issues and pull requests, the newest first. */
export function homePage(world: World): string {
  const repositories = [...world.repositories.values()];
  const body = html`<h1>Repositories</h1>${repositories.length === 0 && html`<p class="faint">There are none yet.</p>`}${repositories.map(repositoryCard)}`;
  return layout({ title: "GitHub on this machine", path: [], body });
}

export function repositoryPage(repository: Repository): string {
  const name = fullName(repository);
  return layout({
    title: name,
    path: [{ name, href: `/${name}/pulls` }],
    body: html`<h1>${name}</h1>${repositoryCard(repository)}`,
  });
}

function repositoryCard(repository: Repository): Html {
  const pulls = pullsOf(repository).reverse();
  const issues = [...repository.issues.values()].filter((each) => !isPull(each)).reverse();
  const name = fullName(repository);
  return html`<section class="box list"><header><a href="/${name}/pulls"><strong>${name}</strong></a> <span class="label">${repository.private ? "private" : "public"}</span></header>
${pulls.length === 0 ? html`<p class="faint pad">No pull requests.</p>` : html`<ul class="checks">${pulls.map(pullRow)}</ul>`}
${issues.length > 0 && html`<header>Issues</header><ul class="checks">${issues.map(issueRow)}</ul>`}</section>`;
}

function issueRow(issue: Issue): Html {
  const { number, title, user, labels, state } = issue;
  const shown = labels.map(({ name }) => html`<span class="label">${name}</span>`);
  return html`<li><span class="grow"><a href="${pathOf(issue)}"><strong>${title}</strong></a> <span class="faint">#${number} by ${user.login}</span></span> ${shown} <span class="label">${state}</span></li>`;
}

function pullRow(request: PullRequest): Html {
  const { pull, repository, number, title, user } = request;
  const icons = latestRuns(runsOn(repository, pull.headSha)).map(checkIcon);
  const state = pull.mergedAt ? "merged" : request.state;
  return html`<li><span class="grow"><a href="${pathOf(request)}"><strong>${title}</strong></a> <span class="faint">#${number} by ${user.login}</span></span> ${icons} <span class="label">${state}</span></li>`;
}
