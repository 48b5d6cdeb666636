import { SHOP } from "./github.ts";
import type { Telling } from "./telling.ts";
import { type Reviewed, waitForCommand } from "./wait.ts";

export interface Saying {
  /** Of the pull request. */
  readonly number: number;
  readonly by: string;
  readonly text: string;
  /** The comment that began the conversation it is said in; the pull request's own when left out. */
  readonly thread?: number | undefined;
  /** For the reader of the story. */
  readonly where: string;
}

/** A user comments a command on GitHub, and Forge runs it. Resolves with the check as it is then, and what Forge put on the comment. */
export async function sayCommand(
  { stage, screen }: Telling,
  { number, by, text, thread, where }: Saying,
): Promise<{ readonly reviewed: Reviewed; readonly reactions: readonly string[] }> {
  const { github } = stage;
  screen.say(`${screen.paint("bold", by)} writes ${where}:`, `  ${screen.paint("cyan", text)}`, "");
  const before = github.pullRequest(SHOP, number).checkRuns;
  const { id } =
    thread === undefined
      ? github.comment(SHOP, number, { by, body: text })
      : github.replyToReviewComment(SHOP, number, thread, { by, body: text });
  return waitForCommand(stage, screen, { number, commentId: id, before });
}
