import { inspectPull } from "../facts/inspect-pull.ts";
import { commitInfo } from "../git/commits.ts";
import type { PullRequest, Review } from "../records.ts";
import type { World } from "../world.ts";
import { stateForm } from "./change-state.ts";
import { diffRows } from "./diff-rows.ts";
import { type Html, html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { mergeBox } from "./merge-box.ts";
import { author, avatar, moment } from "./people.ts";
import { pullFrame } from "./pull-frame.ts";
import { commentForm, description, type Happening, labelList, talks } from "./talk.ts";
import { submittedThreads, threadCard } from "./thread.ts";

const STATES: Readonly<Record<Review["state"], string>> = {
  PENDING: "began a review",
  COMMENTED: "reviewed",
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  DISMISSED: "gave a review that was dismissed",
};

export async function conversationPage(world: World, request: PullRequest): Promise<string> {
  const { files } = await inspectPull(world, request);
  const happenings = [...(await pushes(world, request)), ...(await reviews(world, request)), ...talks(request)];
  const ordered = happenings.toSorted((one, other) => one.order - other.order);
  const body = html`<div class="columns"><div class="timeline">${description(request)}${ordered.map(({ shown }) => shown)}
${await mergeBox(world, request)}${stateForm(world, request)}${commentForm(world, request)}</div><aside>${sidebar(request)}</aside></div>`;
  return pullFrame(world, request, "conversation", { files: files.length }, body);
}

async function reviews(world: World, request: PullRequest): Promise<Happening[]> {
  const threads = submittedThreads(request);
  const shown = request.pull.reviews.map(async (review): Promise<Happening[]> => {
    if (review.submittedAt === null) return [];
    const own = threads.filter(({ comments }) => comments[0]?.review === review);
    // a reply makes a review of its own, which has nothing to show beside the thread
    if (own.length === 0 && review.body === "" && review.state === "COMMENTED") return [];
    const cards = own.map(async (thread) => {
      const first = thread.comments[0]!;
      const { files } = await inspectPull(world, request, first.originalCommitId);
      const rows = diffRows(files.find(({ filename }) => filename === first.path)?.patch ?? null);
      return threadCard(world, thread, { rows, withCode: true });
    });
    return [{ order: review.id, shown: reviewCard(review, await Promise.all(cards)) }];
  });
  return (await Promise.all(shown)).flat();
}

function reviewCard({ id, user, state, body, commitId, submittedAt }: Review, threads: readonly Html[]): Html {
  const words = html`${avatar(user)} ${author(user)} ${STATES[state]} <code>${commitId.slice(0, 7)}</code> ${moment(submittedAt ?? "")}`;
  const text = body !== "" && html`<div class="comment box">${markdown(body, { breaks: true })}</div>`;
  return html`<section class="review" id="review-${id}"><p class="event">${words}</p>${text}${threads}</section>`;
}

/** Every head in its turn with the commits that it brought. */
async function pushes(world: World, request: PullRequest): Promise<Happening[]> {
  const { pull, repository } = request;
  const seen = new Set<string>();
  const happenings: Happening[] = [];
  for (const [at, head] of pull.heads.entries()) {
    const { commits } = await inspectPull(world, request, head);
    const fresh = await Promise.all(
      commits.filter((sha) => !seen.has(sha)).map((sha) => commitInfo(repository.directory, sha)),
    );
    for (const sha of commits) seen.add(sha);
    // a push has no id, and the check suite that it began has one
    const suite = repository.checkSuites.find(({ headSha }) => headSha === head);
    const rewritten = at > 0 && !commits.includes(pull.heads[at - 1]!);
    const rows = fresh.map(
      ({ sha, message, author: by }) =>
        html`<p class="event"><span class="dot" aria-hidden="true"></span><span>${by.name}</span> <span class="grow">${message.split("\n")[0]}</span> <code>${sha.slice(0, 7)}</code></p>`,
    );
    const forced =
      rewritten &&
      html`<p class="event faint">The branch was pushed by force: <code>${head.slice(0, 7)}</code> stands in place of <code>${pull.heads[at - 1]!.slice(0, 7)}</code></p>`;
    happenings.push({ order: suite?.id ?? at, shown: html`${forced}${rows}` });
  }
  return happenings;
}

function sidebar({ labels, pull }: PullRequest): Html {
  const reviewers = [...new Map(pull.reviews.map((review) => [review.user.login, review])).values()];
  return html`<h2>Reviewers</h2>${reviewers.length === 0 ? html`<p class="faint">No reviews</p>` : reviewers.map(({ user, state }) => html`<p>${avatar(user)} ${user.login} <span class="faint">${state.toLowerCase().replace("_", " ")}</span></p>`)}
${labelList(labels)}`;
}
