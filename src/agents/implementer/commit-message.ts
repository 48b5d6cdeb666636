import { visibleText } from "../../safety/visible-text.ts";
import { type Commit, HEADER_CHARACTERS, headerOf } from "./output.ts";

export interface CommitFacts {
  /** Number of the issue, for the footer; undefined where there is no issue. */
  readonly issue: number | undefined;
  /** The person who asked for the work, for a `Co-authored-by` line. */
  readonly coAuthor?: { readonly name: string; readonly email: string };
}

const WRAP = 72;
const MOST_BODY_LINES = 30;
/** More than all lines of a body hold. Each removal reads the text again, so a longer one is not read. */
const MOST_CHARACTERS = 4_000;

/**
 * The message of a commit from what a model said (IMPL-1): a conventional header, the body wrapped, and a footer of ours. What GitHub, CI
 * or release tools would act on is taken out of the model's words: mentions, references and closing keywords, addresses, orders to skip CI,
 * and trailers.
 */
export function commitMessage(commit: Commit, { issue, coAuthor }: CommitFacts): string {
  const subject = inert(commit.subject).replace(/\s+/g, " ").trim();
  const header = cutHeader(
    headerOf({
      ...commit,
      subject: subject === "" ? `work on ${issue === undefined ? "the task" : `issue ${issue}`}` : subject,
    }),
  );
  const body = bodyOf(commit.body ?? "");
  const footer = [...(issue === undefined ? [] : [`Refs #${issue}`]), ...(coAuthor ? coAuthorLine(coAuthor) : [])].join(
    "\n",
  );
  return `${[header, body, footer].filter((part) => part !== "").join("\n\n")}\n`;
}

function bodyOf(text: string): string {
  const lines = inert(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => !TRAILER.test(line))
    // Release tools raise the major version for this line; other such lines become words.
    .map((line) => line.replace(/^\s*BREAKING[ -]CHANGES?\s*:\s*/i, "This breaks: "))
    .map((line) => line.replace(/^([A-Za-z]+(?:-[A-Za-z]+)+):/, "$1 -"))
    .flatMap(wrap);
  return lines
    .slice(0, MOST_BODY_LINES)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Lines that git and its hosts read as data, and whose word they are: not a model's. */
const TRAILER =
  /^\s*(?:[a-z]+(?:-[a-z]+){0,2}-by|cc|change-id|refs?|closes?|fix(?:es)?|resolves?|release-as|skip-checks|on-behalf-of)\s*:/i;

/** Taken out until nothing is left of them: what remains of one must not make another. */
const ACTIVE: readonly (readonly [RegExp, string])[] = [
  [/\[(?:[\w -]{0,40}[ _-])?(?:skip[ _-]+\w|no[ _-]ci\b|\w{1,20}[ _-]+skip\b)[\w -]{0,40}\]/gi, ""],
  [/\*{2,}\s*NO_CI\s*\*{2,}/gi, ""],
  [/\bskip-checks\b\s*:?\s*(?:true)?/gi, ""],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S*/gi, "(address)"],
  [/(?:[\w.-]{1,100}\/[\w.-]{1,100})?#(\d+)/g, "issue $1"],
  [/\bGH-(\d+)/gi, "issue $1"],
  [/(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g, ""],
];

function inert(text: string): string {
  let now = visibleText(text.slice(0, 2 * MOST_CHARACTERS)).slice(0, MOST_CHARACTERS);
  for (;;) {
    const next = ACTIVE.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), now);
    if (next === now) return now;
    now = next;
  }
}

function cutHeader(header: string): string {
  if (header.length <= HEADER_CHARACTERS) return header;
  return header
    .slice(0, HEADER_CHARACTERS + 1)
    .replace(/\s+\S*$/, "")
    .slice(0, HEADER_CHARACTERS);
}

/** Whole words on lines of 72 characters; lines that begin with a space, such as code, stay as they are. */
function wrap(line: string): string[] {
  if (line.length <= WRAP || /^\s/.test(line)) return [line];
  const indent = /^(?:[-*]|\d+\.) /.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > WRAP) {
      lines.push(current);
      current = " ".repeat(indent) + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** The line by which git hosts count somebody as an author too; none for a name or an address that is no such thing. */
export function coAuthorLine({ name, email }: NonNullable<CommitFacts["coAuthor"]>): string[] {
  const plain = visibleText(name)
    .replace(/[<>\s]+/g, " ")
    .trim();
  if (plain === "" || !/^[^\s<>@]+@[^\s<>@]+$/.test(email)) return [];
  return [`Co-authored-by: ${plain} <${email}>`];
}
