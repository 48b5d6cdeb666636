import { z } from "zod";

/**
 * Where a command was given. A button's press and a label have the id of their delivery, as has a delivery that was lost before anybody knew what
 * it asks for; a fault of production that Forge itself acts on is named by what it is. The others have GitHub's own number.
 */
export const CommandSource = z.object({
  kind: z.enum(["issue_comment", "review_comment", "review", "button", "label", "delivery", "fault"]),
  id: z.string().min(1),
});
export type CommandSource = z.infer<typeof CommandSource>;

/** One line that names the source in its subject: one comment is consumed once, whichever events it causes (GH-4). */
export function sourceKey({ kind, id }: CommandSource): string {
  return `${kind}:${id}`;
}

/** Names one command of a comment. */
export function commandKey(source: CommandSource, index: number): string {
  return `${sourceKey(source)}#${index}`;
}

const QUESTION = "ask:";

/** The log in which the work on the questions of a comment is kept; it belongs to no run. */
export function questionTrace(source: CommandSource): string {
  return `${QUESTION}${sourceKey(source)}`;
}

const TESTS = "tests:";

/** The log in which a model's look into failing tests of people's heads is kept; `id` is of the request. It belongs to no run. */
export function testsTrace(id: string): string {
  return `${TESTS}${id}`;
}

const WORDS = "words:";

/** The log in which a model's look at the verdicts of a deployment is kept: its own would move on with each of these steps. */
export function wordsTrace(runId: string): string {
  return `${WORDS}${runId}`;
}

/** Whether it is the log of a question, of tests or of an explanation, which belongs to no run. */
export function isAside(traceId: string): boolean {
  return [QUESTION, TESTS, WORDS].some((beginning) => traceId.startsWith(beginning));
}

/** Names the work on one `/forge fix`: its commit is kept under it until it is pushed. It belongs to no run. */
export function fixTrace({ source, index }: { readonly source: CommandSource; readonly index: number }): string {
  return `fix:${commandKey(source, index)}`;
}
