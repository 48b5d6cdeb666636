import { z } from "zod";
import { readLatestSteps } from "../../store/events/steps.ts";
import type { Store } from "../../store/store.ts";

/** What an agent thought, said, asked a tool for, or got from one. */
export interface ThoughtPart {
  readonly is: "thinking" | "text" | "call" | "result" | "error";
  readonly text: string;
  /** Of the tool that is called. */
  readonly tool?: string;
}

/** A call of the model with its tools and their results. */
export interface ThoughtStep {
  /** Such as `reviewer/1`. */
  readonly agent: string;
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly parts: readonly ThoughtPart[];
  /** It is too large to be read here. */
  readonly isLarge: boolean;
}

const STEPS = 10;
/** Of the JSON of one step's messages. */
const MOST_CHARACTERS = 1_000_000;
const MOST_PARTS = 40;
/** Of a part. */
const PART_CHARACTERS = 3_000;

const Part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal("tool_result"), content: z.string(), isError: z.boolean() }),
]);
const Messages = z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(z.unknown()) }));
type Message = z.infer<typeof Messages>[number];

/**
 * The latest steps of a run's agents, the newest first: for people who may push, and never on GitHub (OPS-2, GH-12). Secrets were taken out when
 * the steps were stored. None where they have expired (DATA-2).
 */
export async function viewThinking(store: Store, runId: string): Promise<readonly ThoughtStep[]> {
  const steps = await readLatestSteps(store, runId, { most: STEPS, characters: MOST_CHARACTERS });
  return steps.map(({ messages, ...step }) => ({
    ...step,
    isLarge: messages === null,
    parts: messages === null ? [] : partsOf(messages),
  }));
}

function partsOf(json: string): ThoughtPart[] {
  const { data = [] } = Messages.safeParse(JSON.parse(json));
  return data.flatMap((message) => message.content.flatMap((part) => partOf(message, part))).slice(0, MOST_PARTS);
}

/** What a user says to a model, its task, is Forge's own prompt: it is left out. */
function partOf({ role }: Message, given: unknown): ThoughtPart[] {
  const { data: part } = Part.safeParse(given);
  // One of a later version.
  if (!part) return [];
  const cut = (text: string) => text.slice(0, PART_CHARACTERS);
  switch (part.type) {
    case "thinking":
      return part.thinking === "" ? [] : [{ is: "thinking", text: cut(part.thinking) }];
    case "text":
      return role === "user" ? [] : [{ is: "text", text: cut(part.text) }];
    case "tool_use":
      return [{ is: "call", tool: part.name, text: cut(JSON.stringify(part.input) ?? "") }];
    case "tool_result":
      return [{ is: part.isError ? "error" : "result", text: cut(part.content) }];
    default:
      return part satisfies never;
  }
}
