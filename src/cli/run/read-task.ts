import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { UsageError } from "../dispatch.ts";
import type { RunArguments } from "./arguments.ts";

const MOST_TITLE = 200;
/** GitHub's limit for the text of an issue. */
const MOST_CHARACTERS = 65_536;

/** The task as an issue: its first line is the title. @throws UsageError */
export async function readTask(
  { text: given, issue }: Pick<RunArguments, "text" | "issue">,
  terminal: { readonly in: NodeJS.ReadableStream },
): Promise<{ readonly title: string; readonly body: string }> {
  const whole = given ?? (await readIssue(issue!, terminal));
  const [first = "", ...rest] = whole.trim().split(/\r?\n/);
  const line = first.replace(/^#+\s*/, "").trim();
  if (line === "") throw new UsageError("the task is empty");
  if (whole.length > MOST_CHARACTERS) throw new UsageError(`the task is longer than ${MOST_CHARACTERS} characters`);
  const body = rest.join("\n").trim();
  if (line.length <= MOST_TITLE) return { title: line, body };
  return { title: `${line.slice(0, MOST_TITLE - 1)}…`, body: [line, body].join("\n\n").trim() };
}

async function readIssue(path: string, terminal: { readonly in: NodeJS.ReadableStream }): Promise<string> {
  if (path === "-") return text(terminal.in);
  return readFile(path, "utf8").catch((error: Error) => {
    throw new UsageError(`the task cannot be read from ${path}: ${error.message}`);
  });
}
