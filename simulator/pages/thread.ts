import type { PullRequest, ReviewComment, ReviewThread } from "../records.ts";
import type { World } from "../world.ts";
import { type DiffRow, newText, rowsAround } from "./diff-rows.ts";
import { diffTable } from "./diff-table.ts";
import { type Html, html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { pathOf } from "./paths.ts";
import { author, avatar, chooser, moment, reactions } from "./people.ts";

export interface ThreadOptions {
  /** The diff of the commit that the thread was started on. */
  readonly rows: readonly DiffRow[];
  /** Whether the lines are shown above it, as in the conversation. */
  readonly withCode: boolean;
}

/** A thread of review comments. Resolved and outdated ones are folded, as on GitHub. */
export function threadCard(world: World, thread: ReviewThread, { rows, withCode }: ThreadOptions): Html {
  const [first] = thread.comments;
  if (!first) return html``;
  const { anchor, path, current } = first;
  const line = anchor.line;
  const place = `${path}${line === null ? "" : `:${anchor.startLine === null ? line : `${anchor.startLine}-${line}`}`}`;
  const code = withCode && line !== null ? rowsAround(rows, anchor.side, anchor.startLine ?? line, line) : [];
  const isOutdated = current === null;
  const head = html`<span class="place">${place}</span>${isOutdated && html` <span class="label warn">outdated</span>`}${
    thread.resolvedBy && html` <span class="label">resolved by ${thread.resolvedBy.login}</span>`
  }`;
  const body = html`${code.length > 0 && diffTable(code)}${thread.comments.map((comment) => reviewComment(comment, rows))}${talk(world, thread)}`;
  const id = `thread-${thread.id}`;
  if (thread.resolvedBy || isOutdated) {
    return html`<details class="thread" id="${id}"><summary>${head}</summary>${body}</details>`;
  }
  return html`<section class="thread" id="${id}">${withCode && html`<header>${head}</header>`}${body}</section>`;
}

function reviewComment(comment: ReviewComment, rows: readonly DiffRow[]): Html {
  const { id, user, body, anchor, createdAt } = comment;
  const over = anchor.line === null ? [] : newText(rows, anchor.startLine ?? anchor.line, anchor.line);
  return html`<article class="comment" id="comment-${id}"><header>${avatar(user)} ${author(user)} ${moment(createdAt)}</header>
${markdown(body, { breaks: true, suggestionOver: over })}${reactions(comment.reactions)}</article>`;
}

function talk(world: World, { id, pullRequest, comments, resolvedBy }: ReviewThread): Html {
  const action = `${pathOf(pullRequest)}/threads/${id}`;
  const firstId = comments[0]?.id;
  return html`<details class="talk"><summary>Reply, or ${resolvedBy ? "unresolve" : "resolve"}</summary>
<form method="post" action="${action}"><input type="hidden" name="comment" value="${firstId}">
<textarea name="body" rows="2" aria-label="Reply"></textarea>
<div class="row">${chooser(world, pullRequest.repository)}<button name="do" value="reply">Reply</button>
<button name="do" value="${resolvedBy ? "unresolve" : "resolve"}" class="quiet">${resolvedBy ? "Unresolve" : "Resolve"} conversation</button></div></form></details>`;
}

export function submittedThreads(request: PullRequest): ReviewThread[] {
  return request.pull.threads.filter(({ comments }) => comments[0] && comments[0].review.state !== "PENDING");
}
