import { ForgeError } from "../../domain/errors.ts";
import type { SystemBlock } from "../../llm/ports.ts";

/**
 * A named part of the system prompt (LOOP-3). Low priorities come first: the stable role before what changes from run to run, so that
 * the provider's cache of the prefix holds.
 */
export interface PromptLayer {
  readonly name: string;
  readonly priority: number;
  readonly text: string;
  readonly tags: readonly string[];
  /** The room or person whose words these are. */
  readonly owner: string;
  /** The same in every run of this agent: the cache may keep it. */
  readonly stable: boolean;
}

/** Layers with a parent whose layers they inherit; a layer of the same name overrides the parent's in its place. */
export interface PromptContext {
  readonly name: string;
  readonly layers: readonly PromptLayer[];
  readonly parent?: string;
}

/**
 * The layers of a context and of all it inherits from, in order of priority, then of name.
 * @throws {ForgeError} `prompt_unknown` for a parent that is not there, `prompt_cycle` for one that inherits from itself.
 */
export function inheritLayers(name: string, contexts: readonly PromptContext[]): readonly PromptLayer[] {
  const line: PromptContext[] = [];
  for (let next: string | undefined = name; next !== undefined; ) {
    const context = contexts.find((candidate) => candidate.name === next);
    if (!context) throw wrong("prompt_unknown", `There is no prompt context ${next}.`, name);
    if (line.includes(context)) {
      const way = [...line, context].map((each) => each.name).join(" → ");
      throw wrong("prompt_cycle", `Prompt contexts inherit from each other in a circle: ${way}.`, name);
    }
    line.push(context);
    next = context.parent;
  }
  return line.reduceRight<readonly PromptLayer[]>((inherited, { layers }) => overrideLayers(inherited, layers), []);
}

/** The layers with others put over them: one of the same name takes the place, a new one is added. */
export function overrideLayers(base: readonly PromptLayer[], over: readonly PromptLayer[]): readonly PromptLayer[] {
  const byName = new Map([...base, ...over].map((layer) => [layer.name, layer]));
  return [...byName.values()].sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
}

/** Layers as a model takes them; a cache breakpoint stands after the last stable one of the unbroken stable front. */
export function composeSystem(layers: readonly PromptLayer[]): readonly SystemBlock[] {
  const ordered = overrideLayers([], layers).filter(({ text }) => text.trim() !== "");
  const front = ordered.findIndex(({ stable }) => !stable);
  const lastStable = (front === -1 ? ordered.length : front) - 1;
  return ordered.map(({ text }, index) => (index === lastStable ? { text, cache: true } : { text }));
}

function wrong(code: string, message: string, context: string): ForgeError {
  return new ForgeError(code, message, {
    source: "logic",
    severity: "high",
    recoverability: "none",
    context: { context },
  });
}
