import { z } from "zod";
import type { PresentedFile } from "../../analysis/present-change.ts";
import { EXPLANATION_LIMITS } from "../../domain/explanations.ts";
import type { Redact } from "../../safety/redact.ts";
import { isProse } from "../../tools/data/clean-text.ts";
import { showText } from "../../tools/data/show-text.ts";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { showFirst } from "../show-first.ts";

const OUTPUT_TOKENS = 3_000;

const short = (most: number) => z.string().trim().min(1).max(most);
const { words, place, places, shares } = EXPLANATION_LIMITS;

/** Arguments of `complete`; the prompt names the same lengths. */
export const DeployerOutput = z.object({
  words: short(words).describe("Two sentences: what was measured, and what probably caused it."),
  places: z
    .array(
      z.object({
        path: short(400).describe("From the root of the repository."),
        line: z.number().int().positive(),
        says: short(place).describe("What the line does, in one sentence."),
      }),
    )
    .max(places)
    .default([]),
  shares: z
    .array(z.number().min(1).max(100))
    .min(1)
    .max(shares)
    .optional()
    .describe("Only before a deployment: more careful shares of the traffic than the planned ones, in percent."),
});
export type DeployerOutput = z.infer<typeof DeployerOutput>;

/** Puts a verdict on a deployment into words (TOOLS-3). @param iterations calls of a model that it has */
export function deployerAgent(
  tools: readonly Tool[],
  iterations: number = ITERATION_LIMITS.deployer,
): AgentDefinition<DeployerOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("deployer");
  return {
    type: "deployer",
    name: "deployer",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: DeployerOutput,
    iterationLimit: iterations,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}

interface DeployerBrief {
  /** The deployment as Forge recorded it, in lines of plain text; titles in it are of others. */
  readonly record: string;
  /** The verdict to explain, in a sentence of ours. */
  readonly verdict: string;
  /** What the version changed: files that fit are shown, of the others only the names. Undefined where nothing ran before. */
  readonly change: readonly PresentedFile[] | undefined;
  /** Model calls that there are. */
  readonly steps: number;
  readonly redact: Redact;
}

/** Lines and more are asked for by tools. Characters. */
const RECORD_CHARACTERS = 12_000;
const FILE_CHARACTERS = 30_000;
const MOST_NAMED = 100;

/** The first message of the deployer: what the judge said, the record, and the change that was deployed. */
export async function deployerTask({ record, verdict, change, steps, redact }: DeployerBrief): Promise<string> {
  const { shown, others } = showFirst(change ?? []);
  const changed = await Array.fromAsync(shown, ({ path, text }) =>
    showText({ from: `the change of ${path}`, text, prose: isProse(path), maxCharacters: FILE_CHARACTERS }, redact),
  );
  const more = others.length > MOST_NAMED ? [`and ${others.length - MOST_NAMED} more`] : [];
  const named = [...others.slice(0, MOST_NAMED), ...more].join("\n");
  const plain = (from: string, text: string) =>
    showText({ from, text, prose: false, maxCharacters: RECORD_CHARACTERS }, redact);
  return [
    `${verdict}\n\nThe record of the deployment:\n${await plain("deployment", record)}`,
    ...(change === undefined
      ? ["No earlier version is known, so there is no change to show."]
      : [
          "What the version changed. Each line has its number in the new file, a bar, and right behind it the text; `+` was added, `-` was removed and has no number.",
          ...changed,
        ]),
    ...(named === "" ? [] : [`Also changed, not shown here:\n${await plain("list of files", named)}`]),
    `Explain it. You have ${steps} steps, the last one for \`complete\`; one step can hold many calls.`,
  ].join("\n\n");
}
