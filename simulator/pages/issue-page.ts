import { issuesClosedBy } from "../facts/closing-words.ts";
import type { Issue, PullRequest } from "../records.ts";
import { fullName, pullsOf, type World } from "../world.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { pathOf } from "./paths.ts";
import { chooser } from "./people.ts";
import { commentForm, description, labelList, talks } from "./talk.ts";

/** The conversation, with the pull requests that would close the issue. */
export function issuePage(world: World, issue: Issue): string {
  const { repository, title, number, user, state, comments } = issue;
  const name = fullName(repository);
  const words = comments.length === 1 ? "1 comment" : `${comments.length} comments`;
  return layout({
    title: `${title} · #${number} · ${name}`,
    path: [
      { name, href: `/${name}/issues` },
      { name: `#${number}`, href: pathOf(issue) },
    ],
    // an App may be at work on it as long as it is open
    busy: state === "open",
    body: html`<h1>${title} <span class="faint">#${number}</span></h1>
<p class="faint">${issueState(issue)} <strong>${user.login}</strong> opened this issue · ${words}</p>
<div class="columns"><div class="timeline">${description(issue)}${talks(issue).map(({ shown }) => shown)}
${commentForm(world, issue)}${stateForm(world, issue)}</div><aside>${sidebar(world, issue)}</aside></div>`,
  });
}

function issueState({ state, stateReason }: Issue): Html {
  const words = state === "open" ? "Open" : stateReason === "not_planned" ? "Closed as not planned" : "Closed";
  return html`<span class="state ${state === "open" ? "open" : "merged"}">${words}</span>`;
}

function stateForm(world: World, issue: Issue): Html {
  const [value, words] = issue.state === "open" ? ["close", "Close issue"] : ["reopen", "Reopen issue"];
  return html`<form class="row" method="post" action="${pathOf(issue)}/state">${chooser(world, issue.repository)}<button name="do" value="${value}" class="quiet">${words}</button></form>`;
}

function sidebar(world: World, issue: Issue): Html {
  const closing = pullsClosing(world, issue);
  const links = closing.map(
    (request) =>
      html`<p><a href="${pathOf(request)}">${request.title}</a> <span class="faint">#${request.number}</span></p>`,
  );
  const form = html`<form method="post" action="${pathOf(issue)}/labels"><input name="label" required list="labels" aria-label="Label">
<datalist id="labels">${[...issue.repository.labels.values()].map(({ name }) => html`<option value="${name}">`)}</datalist>
<div class="row">${chooser(world, issue.repository)}<button name="do" value="add" class="quiet">Add</button><button name="do" value="remove" class="quiet">Remove</button></div></form>`;
  return html`${labelList(issue.labels)}${form}
<h2>Development</h2>${links.length === 0 ? html`<p class="faint">No pull request yet</p>` : links}`;
}

function pullsClosing(world: World, { repository, number }: Issue): PullRequest[] {
  const name = fullName(repository).toLowerCase();
  return pullsOf(repository).filter(({ body }) =>
    issuesClosedBy(world, repository, body ?? "").some((each) => each.repository === name && each.number === number),
  );
}
