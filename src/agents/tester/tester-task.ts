import type { PresentedFile } from "../../analysis/present-change.ts";
import type { TestFailure } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText, isProse } from "../../tools/data/clean-text.ts";
import { cutLine, cutLines } from "../../tools/data/cut.ts";
import { fenceData } from "../../tools/data/fence-data.ts";

export interface TesterBrief {
  /** Counted from 1, in this order. */
  readonly failures: readonly Pick<TestFailure, "name" | "file" | "message" | "cause">[];
  /** The change: files that fit are shown, of the others only the names. */
  readonly change: readonly PresentedFile[];
  /** As people know it: "vitest". */
  readonly runner: string;
  /** Model calls that there are. */
  readonly steps: number;
  readonly redact: Redact;
}

/** More is asked for by tools. Characters. */
const CHANGE_CHARACTERS = 30_000;
const MESSAGE_CHARACTERS = 3_000;
const MOST_NAMED = 100;

/** The first message of the tester: what failed, and what was changed before it did. */
export function testerTask({ failures, change, runner, steps, redact }: TesterBrief): string {
  const fenced = (from: string, text: string, prose = false) => {
    const { lines, leftOut } = cleanText(text, { redact, prose, named: false });
    return `${fenceData(from, lines.map((line) => cutLine(line)).join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
  };
  const listed = failures.map(({ name, file, message, cause }, at) => {
    const { lines, left } = cutLines(message.split("\n"), MESSAGE_CHARACTERS);
    const more = left === 0 ? [] : [`[cut here: ${left} more lines]`];
    const known = cause === undefined ? [] : [`seen already: ${cause}`];
    return fenced(`failure ${at + 1}`, [`${file ?? "?"} > ${name}`, ...known, ...lines, ...more].join("\n"));
  });
  const { shown, others } = showFirst(change);
  const rest =
    others.length > MOST_NAMED ? [...others.slice(0, MOST_NAMED), `and ${others.length - MOST_NAMED} more`] : others;
  return [
    `${failures.length === 1 ? "1 test" : `${failures.length} tests`} failed, run by ${runner}:\n${listed.join("\n")}`,
    "The change. Each line has its number in the new file, a bar, and right behind it the text; `+` was added, `-` was removed and has no number.",
    ...shown.map(({ path, text }) => fenced(`the change of ${path}`, text, isProse(path))),
    ...(rest.length > 0 ? [`Also changed, not shown here:\n${fenced("list of files", rest.join("\n"))}`] : []),
    `Say of each failure, by its number, what it is. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}

function showFirst(change: readonly PresentedFile[]): { shown: readonly PresentedFile[]; others: readonly string[] } {
  let size = 0;
  const shown = change.filter(({ text }) => {
    if (size + text.length > CHANGE_CHARACTERS) return false;
    size += text.length;
    return true;
  });
  return { shown, others: change.filter((file) => !shown.includes(file)).map(({ path }) => path) };
}
