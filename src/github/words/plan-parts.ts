import type { Plan, PlanTask } from "../../domain/plan.ts";
import { quoted } from "./asked-text.ts";
import { count, foreignCode, foreignLine, type Wording } from "./wording.ts";

/** Files of one task that are named; the others are counted. */
const MAXIMUM_FILES = 4;
/** Characters of one task's description: with twenty tasks the whole stays far inside GitHub's 65,536. */
const MAXIMUM_DESCRIPTION = 1_200;
/** Items that are shown of a list; the others are counted. */
const MAXIMUM_ITEMS = 12;
/** Up to so many characters a list is read as one sentence. */
const INLINE_CHARACTERS = 240;

/** "1. `src/http/limiter.ts`: a sliding window per address", one line for each task. */
export function taskLines(tasks: readonly PlanTask[], wording: Wording): string {
  return tasks
    .map(({ title, files }, index) => {
      const named = files.slice(0, MAXIMUM_FILES).map((path) => foreignCode(path, wording));
      const rest = files.length - named.length;
      const where = `${named.join(", ")}${rest > 0 ? ` and ${count(rest, "more file")}` : ""}`;
      return `${index + 1}. ${where}: ${foreignLine(title, wording)}`;
    })
    .join("\n");
}

/** What to do in each task, folded; in the words of the planner. */
export function tasksInFull(plan: Plan, wording: Wording): string {
  const titles = new Map(plan.tasks.map(({ id }, index) => [id, index + 1]));
  const tasks = plan.tasks.map(({ title, description, files, depends_on: after }, index) => {
    const order = after.length === 0 ? "" : ` (after ${after.map((id) => titles.get(id)).join(", ")})`;
    const paths = files.map((path) => foreignCode(path, wording)).join(", ");
    return `**${index + 1}. ${foreignLine(title, wording)}**${order}\n${paths}\n\n${quoted(description, wording, MAXIMUM_DESCRIPTION)}`;
  });
  return folded("the tasks in full", tasks.join("\n\n"));
}

export function folded(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** "**Done when** one; two." as a sentence where it is short, else as a list; `label` is Markdown. Nothing for no items. */
export function listed(label: string, items: readonly string[], wording: Wording): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAXIMUM_ITEMS).map((item) => foreignLine(item, wording, { maximum: 400 }));
  const rest = items.length - shown.length;
  const all = rest > 0 ? [...shown, `and ${count(rest, "more point")}`] : shown;
  const sentence = all.map((item) => item.replace(/[.;]$/, "")).join("; ");
  return sentence.length <= INLINE_CHARACTERS || all.length === 1
    ? [`${label} ${sentence}.`]
    : [`${label}\n${all.map((item) => `- ${item}`).join("\n")}`];
}
