import type { Simulator } from "../simulator/start-simulator.ts";
import type { Format } from "./inline.ts";
import { type Page, renderMarkdown } from "./markdown.ts";

export type PullRequest = ReturnType<Simulator["pullRequest"]>;
/** Without answers in conversations, each of which is a review without a text in GitHub's eyes. */
export function reviewsOf(pull: PullRequest): PullRequest["reviews"] {
  return pull.reviews.filter(({ body }) => body !== "");
}

export type Check = PullRequest["checkRuns"][number];
export type Comment = PullRequest["reviewComments"][number];

/** The one line that a comment offers to put in place of the one it is on. */
export function suggestionOf({ body }: Comment): string | undefined {
  return /```suggestion\n(.*)\n```/.exec(body)?.[1];
}

const SIGNS: Readonly<Record<string, readonly [string, Format]>> = {
  success: ["✓", "green"],
  failure: ["✗", "red"],
  neutral: ["■", "gray"],
  skipped: ["■", "gray"],
  cancelled: ["■", "gray"],
  action_required: ["!", "yellow"],
};

/** The line in the list of checks. */
export function checkLine({ name, conclusion, title }: Check, { paint }: Page): string {
  const [sign, colour] = SIGNS[conclusion ?? ""] ?? ["●", "yellow"];
  return `${paint(colour, sign)} ${paint("bold", name)}  ${title ?? ""}`;
}

/** The page behind that line. */
export function checkSummary({ summary }: Check, page: Page): string[] {
  return renderMarkdown(summary ?? "", page);
}

/** A comment where it stands: the place, the lines of code it is about, and what it says. */
export function commentInPlace(comment: Comment, file: readonly string[], page: Page): string[] {
  const { paint, width, unfolded = false } = page;
  const last = comment.line ?? 1;
  const first = comment.startLine ?? last;
  const code = file.slice(first - 1, last);
  const digits = String(last).length;
  const gutter = " ".repeat(digits);
  return [
    paint("bold", `${comment.path}:${last}`),
    ...code.map((line, index) => {
      const number = String(first + index).padStart(digits);
      return `${paint("dim", `${number} │`)} ${paint("yellow", line)}`;
    }),
    ...renderMarkdown(comment.body, { paint, width: width - digits - 3, unfolded }, code)
      .filter((line) => line !== "")
      .map((line) => `${gutter} ${paint("dim", "│")} ${line}`),
  ];
}

/** What the box at the end of the page says. */
export function mergeBox(
  { mergeable, missingChecks }: { readonly mergeable: boolean; readonly missingChecks: readonly string[] },
  { paint }: Page,
): string {
  if (mergeable) return `${paint("green", "✓")} Merging is possible: every required check has passed.`;
  const why = missingChecks.length > 0 ? `required and not passed: ${missingChecks.join(", ")}` : "there are conflicts";
  return `${paint("red", "✗")} Merging is blocked; ${why}.`;
}
