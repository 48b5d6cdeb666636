// What issues and pull requests have in common: a description, comments, and a form for the next one.
import type { Issue, IssueComment, Label } from "../records.ts";
import type { World } from "../world.ts";
import { type Html, html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { pathOf } from "./paths.ts";
import { author, avatar, chooser, moment, reactions } from "./people.ts";

export interface Happening {
  /** Ids grow with time, which GitHub tells in seconds only. */
  readonly order: number;
  readonly shown: Html;
}

export function description({ user, body, createdAt, reactions: given }: Issue): Html {
  const text = body ? markdown(body, { breaks: true }) : html`<p class="faint markdown">No description provided.</p>`;
  return html`<article class="comment box" id="description"><header>${avatar(user)} ${author(user)} opened this ${moment(createdAt)}</header>${text}${reactions(given)}</article>`;
}

export function talks({ comments }: Issue): Happening[] {
  return comments.map((comment) => ({ order: comment.id, shown: talk(comment) }));
}

function talk({ id, user, body, createdAt, minimized, reactions: given }: IssueComment): Html {
  const head = html`<header>${avatar(user)} ${author(user)} commented ${moment(createdAt)}</header>`;
  const text = markdown(body, { breaks: true });
  const shown = minimized
    ? html`<details><summary>hidden as ${minimized.toLowerCase()}</summary>${text}</details>`
    : text;
  return html`<article class="comment box" id="comment-${id}">${head}${shown}${reactions(given)}</article>`;
}

export function commentForm(world: World, issue: Issue): Html {
  return html`<form class="box form" method="post" action="${pathOf(issue)}/comments"><h2>Add a comment</h2>
<textarea name="body" rows="4" required aria-label="Comment"></textarea>
<div class="row">${chooser(world, issue.repository)}<button>Comment</button></div></form>`;
}

export function labelList(labels: readonly Label[]): Html {
  return html`<h2>Labels</h2>${labels.length === 0 ? html`<p class="faint">None yet</p>` : labels.map(({ name }) => html`<span class="label">${name}</span> `)}`;
}
