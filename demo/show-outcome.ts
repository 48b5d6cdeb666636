import { SHOP } from "./github.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Screen } from "./screen.ts";
import { checkLine, mergeBox } from "./show.ts";
import type { Stage } from "./stage.ts";
import type { Reviewed } from "./wait.ts";

/** What a command changed: the line in the list of checks, the paragraphs of its page that `telling` fits, the box at the end. */
export async function showOutcome(
  { github }: Stage,
  screen: Screen,
  { check, pull, seconds }: Reviewed,
  telling: RegExp,
): Promise<void> {
  const paragraphs = (check.summary ?? "").split("\n\n").filter((paragraph) => telling.test(paragraph));
  screen.say(`${checkLine(check, screen)}  ${screen.paint("dim", `(after ${seconds} s)`)}`, "");
  for (const paragraph of paragraphs) screen.say(...renderMarkdown(paragraph, screen), "");
  screen.say(mergeBox(await github.mergeability(SHOP, pull.number), screen));
}
