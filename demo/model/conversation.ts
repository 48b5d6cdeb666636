import type { Asked } from "../../simulator/models/scripted-model.ts";

/** What is in a request to a model, for the code that answers it. */
export interface Conversation {
  /** The first message: what is to be done, with the change in it. */
  readonly task: string;
  /** What tools answered, in order. */
  readonly results: readonly string[];
}

/** A line of the change as it is shown to a model. */
export interface ShownLine {
  readonly path: string;
  /** On the new side. */
  readonly line: number;
  readonly text: string;
}

export function readConversation({ messages }: Asked): Conversation {
  const task = messages.find(({ role }) => role === "user");
  return { task: textOf(task), results: messages.filter(({ role }) => role === "tool").map(textOf) };
}

/** Characters of everything that was sent; a token has about four. */
export function sizeOf({ messages }: Asked): number {
  return messages.reduce((sum, message) => sum + textOf(message).length, 0);
}

/** The added lines of a task: `### path` before those of a file, and each with its number, a plus and a bar. */
export function addedLines(task: string): ShownLine[] {
  const lines: ShownLine[] = [];
  let path = "";
  for (const text of task.split("\n")) {
    path = /^### (\S+)/.exec(text)?.[1] ?? path;
    const added = /^\s*(\d+) \+\|(.*)$/.exec(text);
    if (added) lines.push({ path, line: Number(added[1]), text: added[2] ?? "" });
  }
  return lines;
}

/** Lines of code in what tools answered, without the numbers that stand before them. */
export function codeIn(results: readonly string[]): string[] {
  return results.flatMap((text) => text.split("\n")).map((line) => line.replace(/^\s*\d+\|/, ""));
}

function textOf(message: Asked["messages"][number] | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}
