import { SHOP } from "./github.ts";
import { showText } from "./implement/show.ts";
import type { Telling } from "./telling.ts";
import { until } from "./until.ts";

const FORGE = "forge[bot]";
const ANSWER_MS = 60_000;

/** A user comments a command in a pull request's conversation, and Forge answers there. Resolves with the answer. */
export async function ask(telling: Telling, number: number, by: string, text: string): Promise<string> {
  const { stage, screen } = telling;
  screen.say(
    `${screen.paint("bold", by)} writes in the conversation of #${number}:`,
    `  ${screen.paint("cyan", text)}`,
    "",
  );
  const { id } = stage.github.comment(SHOP, number, { by, body: text });
  return hear(telling, number, id);
}

/** Waits for what Forge says in a pull request's conversation, and shows it. */
export async function hear({ stage, screen }: Telling, number: number, after = 0): Promise<string> {
  const { github, forge, signal } = stage;
  const look = () => github.pullRequest(SHOP, number).comments.find(({ by, id }) => by === FORGE && id > after)?.body;
  const said = await until(`Forge says something on #${number}`, look, {
    signal,
    limitMs: ANSWER_MS,
    unless: forge.died,
  });
  await github.idle();
  showText(screen, "Forge says there:", said);
  return said;
}
