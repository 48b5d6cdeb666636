import { z } from "zod";
import type { Finding } from "../domain/findings.ts";
import type { Redact } from "../safety/redact.ts";
import { cleanText } from "../tools/data/clean-text.ts";
import { fenceData } from "../tools/data/fence-data.ts";
import type { Tool } from "../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "./agent-definition.ts";
import { loadPrompt } from "./prompts/load-prompt.ts";

const OUTPUT_TOKENS = 4_000;

/** Arguments of `complete`; the prompt names the same length. */
export const AskOutput = z.object({
  answer: z
    .string()
    .trim()
    .min(1)
    .max(1_500)
    .describe("The answer in Markdown, with `path:line` for what it rests on; at most 1,500 characters."),
});
export type AskOutput = z.infer<typeof AskOutput>;

/** Answers one question about the code; its tools read. */
export function askAgent(tools: readonly Tool[]): AgentDefinition<AskOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("ask");
  return {
    type: "ask",
    name: "ask",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: AskOutput,
    iterationLimit: ITERATION_LIMITS.ask,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}

/** Arguments of `complete`: whether the finding stands after what a person said, and the answer to them. */
export const ReplyOutput = z
  .object({
    verdict: z.enum(["withdraw", "stands", "nothing"]),
    answer: z
      .string()
      .trim()
      .max(1_000)
      .describe("Markdown, with `path:line` for what it rests on; at most 1,000 characters; empty for `nothing`."),
  })
  .refine(({ verdict, answer }) => verdict === "nothing" || answer !== "", "an answer is missing");
export type ReplyOutput = z.infer<typeof ReplyOutput>;

/** Reads what a person said about a finding (GH-8a), with the limits of a question. */
export function replyAgent(tools: readonly Tool[]): AgentDefinition<ReplyOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("reply");
  const { layers, output: _other, ...rest } = askAgent(tools);
  return {
    ...rest,
    name: "reply",
    promptVersion: version,
    layers: layers.map((layer) => ({ ...layer, text })),
    output: ReplyOutput,
  };
}

export interface AskBrief {
  /** A question, or a reply in the thread of the finding. */
  readonly question: string;
  /** Login of who asks; the user of this machine when left out. */
  readonly by?: string | undefined;
  /** The title of the pull request; without one, the question is about a folder. */
  readonly title?: string | undefined;
  readonly changedPaths: readonly string[];
  /** The finding in whose thread the question stands. */
  readonly finding?: Finding | undefined;
  /** The thread before a reply, oldest first; absent for a question. */
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
export async function askTask({
  question,
  by = "the user",
  title,
  changedPaths,
  finding,
  thread,
  steps,
  redact,
}: AskBrief): Promise<string> {
  const fenced = async (from: string, text: string) => {
    const { lines, leftOut } = await cleanText(text, { redact, prose: true, names: "none" });
    return `${fenceData(from, lines.join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
  };
  const more = changedPaths.length - MOST_PATHS;
  const paths = [...changedPaths.slice(0, MOST_PATHS), ...(more > 0 ? [`and ${more} more`] : [])];
  const said = await Array.fromAsync(thread ?? [], ({ by: from, body }) =>
    fenced(`comment of ${from}`, body.slice(0, MAXIMUM_SAID)),
  );
  return [
    title === undefined
      ? "You look at a folder on the machine of the user who asks, with what is not committed yet."
      : `The pull request on whose head you look:\n${await fenced("title of the pull request", title)}`,
    changedPaths.length === 0
      ? "No file differs from the branch that it came from, or that branch is not known."
      : `Its changed files:\n${await fenced("list of files", paths.join("\n"))}`,
    ...(finding ? [`It is about the thread of this finding:\n${await fenced("finding", describe(finding))}`] : []),
    ...said.map((text) => `Said before:\n${text}`),
    thread
      ? `The reply:\n${await fenced(`reply of ${by}`, question)}`
      : `The question:\n${await fenced(`question of ${by}`, question)}`,
    `${thread ? "Judge" : "Answer"} it. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}

function describe({ file, line, endLine, rule, severity, message, why, remedy, evidence, secret }: Finding): string {
  return [
    `${file} lines ${line} to ${endLine}, ${rule}, ${severity}`,
    message,
    ...(why === undefined ? [] : [why]),
    ...(remedy === undefined ? [] : [remedy]),
    ...(evidence === undefined || secret ? [] : [`evidence:\n${evidence}`]),
  ].join("\n");
}
