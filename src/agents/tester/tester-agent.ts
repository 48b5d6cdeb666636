import { z } from "zod";
import type { PresentedFile } from "../../analysis/present-change.ts";
import type { TestFailure } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText, isProse } from "../../tools/data/clean-text.ts";
import { cutLine, cutLines } from "../../tools/data/cut.ts";
import { fenceData } from "../../tools/data/fence-data.ts";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { showFirst } from "../show-first.ts";

const OUTPUT_TOKENS = 6_000;

const short = (most: number) => z.string().trim().min(1).max(most);

/** The tester's diagnosis of one failure, by its number in the task. */
export const FailureAnalysis = z.object({
  failure: z.number().int().positive().describe("Number of the failure."),
  class: z.enum(["bug", "flaky", "environment"]),
  cause: short(1_000).describe("What is behind it: which line does what, and what it should do."),
  fix: short(1_500).optional().describe("What to change, in which file and function. Left out where you know none."),
  confidence: z.number().min(0).max(1).optional().describe("That the fix mends it and breaks nothing, 0 to 1."),
});
export type FailureAnalysis = z.infer<typeof FailureAnalysis>;

export const TesterOutput = z.object({ failures: z.array(FailureAnalysis).max(50) });
export type TesterOutput = z.infer<typeof TesterOutput>;

/** Looks for the causes of failures (TEST-1). @param tools that read, and run tests @param iterations calls of a model that it has */
export function testerAgent(
  tools: readonly Tool[],
  iterations: number = ITERATION_LIMITS.tester,
): AgentDefinition<TesterOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("tester");
  return {
    type: "tester",
    name: "tester",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: TesterOutput,
    iterationLimit: iterations,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}

interface TesterBrief {
  /** Counted from 1, in this order. */
  readonly failures: readonly (Pick<TestFailure, "name" | "file" | "message" | "cause"> & {
    /** Others that fail in the same way. */
    readonly alike?: readonly string[];
  })[];
  /** The change: files that fit are shown, of the others only the names. */
  readonly change: readonly PresentedFile[];
  /** As people know it: "vitest". */
  readonly runner: string;
  /** Model calls that there are. */
  readonly steps: number;
  readonly redact: Redact;
}

/** More is asked for by tools. Characters. */
const MESSAGE_CHARACTERS = 3_000;
const MOST_NAMED = 100;

/** The first message of the tester: what failed, and what was changed before it did. */
export async function testerTask({ failures, change, runner, steps, redact }: TesterBrief): Promise<string> {
  const fenced = async (from: string, text: string, prose = false) => {
    const { lines, leftOut } = await cleanText(text, { redact, prose, names: "none" });
    return `${fenceData(from, lines.map((line) => cutLine(line)).join("\n"))}${leftOut === undefined ? "" : `\n${leftOut}`}`;
  };
  const listed = await Array.fromAsync(failures, ({ name, file, message, cause, alike = [] }, at) => {
    const { lines, left } = cutLines(message.split("\n"), MESSAGE_CHARACTERS);
    const more = left === 0 ? [] : [`[cut here: ${left} more lines]`];
    const known = cause === undefined ? [] : [`seen already: ${cause}`];
    const others =
      alike.length === 0
        ? []
        : [`fails in the same way: ${alike.length} more, such as ${alike.slice(0, 3).join("; ")}`];
    const text = [`${file ?? "?"} > ${name}`, ...known, ...others, ...lines, ...more].join("\n");
    return fenced(`failure ${at + 1}`, text);
  });
  const { shown, others } = showFirst(change);
  const rest =
    others.length > MOST_NAMED ? [...others.slice(0, MOST_NAMED), `and ${others.length - MOST_NAMED} more`] : others;
  const changed = await Array.fromAsync(shown, ({ path, text }) =>
    fenced(`the change of ${path}`, text, isProse(path)),
  );
  return [
    `${failures.length === 1 ? "1 test" : `${failures.length} tests`} failed, run by ${runner}:\n${listed.join("\n")}`,
    "The change. Each line has its number in the new file, a bar, and right behind it the text; `+` was added, `-` was removed and has no number.",
    ...changed,
    ...(rest.length > 0 ? [`Also changed, not shown here:\n${await fenced("list of files", rest.join("\n"))}`] : []),
    `Say of each failure, by its number, what it is. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}
