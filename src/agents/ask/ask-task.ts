import type { Finding } from "../../domain/findings.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";

export interface AskBrief {
  /** A question, or a reply in the thread of the finding. */
  readonly question: string;
  /** Login of who asks. */
  readonly by: string;
  /** What the author calls the change. */
  readonly title: string;
  readonly changedPaths: readonly string[];
  /** The finding in whose thread the question stands. */
  readonly finding?: Finding | undefined;
  /** What was said in that thread before a reply, oldest first; absent for a question. */
  readonly thread?: readonly { readonly by: string; readonly body: string }[] | undefined;
  /** Model calls that there are. */
  readonly steps: number;
  readonly redact: Redact;
}

/** More of the list is asked for by a tool. */
const MOST_PATHS = 100;

/** Longest part of an earlier comment that is read, in characters. */
const MAXIMUM_SAID = 2_000;

/** The first message of who answers a question or a reply: what it is about, then the words themselves. */
export function askTask({ question, by, title, changedPaths, finding, thread, steps, redact }: AskBrief): string {
  const fenced = (from: string, text: string) => {
    const { lines, leftOut } = cleanText(text, { redact, prose: true, named: false });
    return `${fenceData(from, lines.join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
  };
  const more = changedPaths.length - MOST_PATHS;
  const paths = [...changedPaths.slice(0, MOST_PATHS), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    `The pull request on whose head you look:\n${fenced("title of the pull request", title)}`,
    `Its changed files:\n${fenced("list of files", paths.join("\n"))}`,
    ...(finding ? [`It is about the thread of this finding:\n${fenced("finding", describe(finding))}`] : []),
    ...(thread ?? []).map((one) => `Said before:\n${fenced(`comment of ${one.by}`, one.body.slice(0, MAXIMUM_SAID))}`),
    thread
      ? `The reply:\n${fenced(`reply of ${by}`, question)}`
      : `The question:\n${fenced(`question of ${by}`, question)}`,
    `${thread ? "Judge" : "Answer"} it. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}

function describe({ file, line, endLine, rule, severity, message, why, evidence, secret }: Finding): string {
  return [
    `${file} lines ${line} to ${endLine}, ${rule}, ${severity}`,
    message,
    ...(why === undefined ? [] : [why]),
    ...(evidence === undefined || secret ? [] : [`evidence:\n${evidence}`]),
  ].join("\n");
}
