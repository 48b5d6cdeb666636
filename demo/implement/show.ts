import { renderMarkdown } from "../markdown.ts";
import type { Screen } from "../screen.ts";

/** What a user or Forge wrote, as it is read on GitHub: who, where, and the text with a bar next to it. */
export function showText(screen: Screen, heading: string, markdown: string): void {
  const page = { ...screen, width: screen.width - 2 };
  const lines = renderMarkdown(markdown, page);
  // Two empty lines keep nothing further apart than one.
  const shown = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  screen.say(
    screen.paint("bold", heading),
    ...shown.map((line) => `${screen.paint("dim", "│")} ${line}`.trimEnd()),
    "",
  );
}

/** A command, as its user types it. */
export function showCommand(screen: Screen, by: string, where: string, text: string): void {
  screen.say(`${screen.paint("bold", by)} writes ${where}:`, `  ${screen.paint("cyan", text)}`, "");
}
