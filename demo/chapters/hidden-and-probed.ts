import { ask } from "../ask.ts";
import { SHOP } from "../github.ts";
import { commentInPlace, reviewsOf } from "../show.ts";
import { showOutcome } from "../show-outcome.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

/**
 * Which ones are probes is drawn with a key of this Forge's own, so that nobody can choose them: of so many it is at least one, but for one
 * time in fifty thousand.
 */
const FORMS = ["invoice", "parcel", "return"];
const FIELDS = 70;

/** A maintainer agrees: what is like the dismissed ones is hidden and counted, and one in twenty is shown as a probe. Resolves with its number. */
export async function hiddenAndProbed(
  telling: Telling,
  proposed: { readonly number: number; readonly hiding: string },
): Promise<number> {
  const { stage, screen, expectations, opened } = telling;
  const { github } = stage;
  const { expect } = expectations;
  const all = FORMS.length * FIELDS;
  screen.step("mia agrees: what is like them is hidden and counted, and one in twenty is still shown");
  const answer = await ask(telling, proposed.number, "mia", `/forge hide ${proposed.hiding}`);
  expect("it is hidden on a maintainer's word", answer.includes("is hidden from the next review on"), true);

  const title = "Bring over the forms of the old shop";
  const files = Object.fromEntries(FORMS.map((form) => [`src/forms/${form}.ts`, tidying(form)]));
  const head = await github.commit(SHOP, "old-forms", { files, message: title, author: "ana" });
  const { number } = await github.openPullRequest(SHOP, { title, head: "old-forms", by: "ana" });
  opened.push(number);
  screen.say(`#${number} ${title}: ${FORMS.length} files changed, with ${all} assignments like these`, "");
  const reviewed = await waitForReview(stage, screen, number, head);
  const comments = reviewsOf(reviewed.pull)[0]?.comments ?? [];
  await showOutcome(stage, screen, reviewed, /^\*\*Hidden/);
  const [first] = comments;
  const lines = files[first?.path ?? ""]?.split("\n") ?? [];
  if (first) screen.say("", ...commentInPlace(first, lines, screen), "");
  if (comments.length > 1) screen.say(`And ${comments.length - 1} more like this.`);
  await keepVerdict(telling, "hidden and probed", reviewed);
  const probes = comments.filter(({ body }) => body.includes("**Probe**"));
  expect("what is shown are probes", probes.length, comments.length);
  expect("there are some", comments.length > 0, true);
  const counted = `**Hidden**: ${all - comments.length} findings by what was learned here (\`${proposed.hiding}\`)`;
  expect("the others are hidden and counted", reviewed.check.summary?.includes(counted), true);
  return number;
}

function tidying(form: string): string {
  const fields = Array.from(
    { length: FIELDS },
    (_, at) => `  fields.${form}${at + 1}.value = fields.${form}${at + 1}.value;\n`,
  );
  return `export function tidy(fields: Record<string, { value: string }>): void {\n${fields.join("")}}\n`;
}
