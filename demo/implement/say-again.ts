import type { Screen } from "../screen.ts";
import type { Stage } from "../stage.ts";
import { type IssueAt, LABEL } from "./issue.ts";
import { FORGE, issueOf, pullOf } from "./look.ts";
import { showText } from "./show.ts";

/** What was read already, by story: ids of comments, and the status that was answered. */
const READ = new WeakMap<Stage, Set<number | string>>();

/**
 * What people do who read that Forge ended twice at what they did and set it aside: they do it again. Nobody who watches the moment of a kill can
 * know whether that was one kill too many.
 */
export async function sayAgain(stage: Stage, screen: Screen, issue: IssueAt): Promise<void> {
  const read = READ.get(stage) ?? new Set();
  READ.set(stage, read);
  const pull = pullOf(stage, issue);
  const pages = [{ number: issue.number, comments: issueOf(stage, issue).comments }, ...(pull ? [pull] : [])];
  for (const { number, comments } of pages) {
    for (const { id, by, body } of comments) {
      if (by !== FORGE || !body.startsWith("Forge ended") || read.has(id)) continue;
      read.add(id);
      showText(screen, `Forge says on #${number}:`, body);
      await doAgain(stage, { ...issue, number }, body);
    }
  }
  const { status } = issueOf(stage, issue);
  // The work was set aside, or its review.
  const goOn = /^\*\*(?:Failed|Stopped)\b.*?`(\/forge (?:retry|resume))`/.exec(status)?.[1];
  if (goOn && !read.has(status)) stage.github.comment(issue.repository, issue.number, { by: "mia", body: goOn });
  if (goOn) read.add(status);
}

async function doAgain({ github }: Stage, at: IssueAt, sentence: string): Promise<void> {
  const labelled = /the label that `([\w-]+)` set/.exec(sentence)?.[1];
  if (labelled) {
    await github.removeLabel(at.repository, at.number, LABEL, labelled);
    await github.addLabel(at.repository, at.number, LABEL, labelled);
  }
  const said = /(?:what|a comment by) `([\w-]+)`/.exec(sentence)?.[1];
  if (said) await repeat(github, at, said);
}

/** The review with its comments, or else the last words in the conversation. */
async function repeat(github: Stage["github"], at: IssueAt, by: string): Promise<void> {
  const { repository, number } = at;
  const { comments } = github.issue(repository, number);
  const review = isPull(github, at) && github.pullRequest(repository, number).reviews.findLast((one) => one.by === by);
  if (review) {
    const places = review.comments.map(({ path, line, body }) => ({ path, line: line!, side: "RIGHT" as const, body }));
    await github.submitReview(repository, number, { by, event: "REQUEST_CHANGES", comments: places });
    return;
  }
  const last = comments.findLast((one) => one.by === by);
  if (last) github.comment(repository, number, { by, body: last.body });
}

function isPull(github: Stage["github"], { repository, number }: IssueAt): boolean {
  try {
    return github.pullRequest(repository, number).number === number;
  } catch {
    return false;
  }
}
