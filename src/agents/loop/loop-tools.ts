import { z } from "zod";
import type { ToolSpec } from "../../llm/ports.ts";
import type { AgentDefinition } from "../agent-definition.ts";

/** The two tools of the loop itself (LOOP-4): finishing and asking are calls, not phrases looked for in prose. */
export const COMPLETE = "complete";
export const ASK_HUMAN = "ask_human";

export const Question = z.object({
  question: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe("What you need to know, with what depends on it, in plain words."),
  options: z.array(z.string().max(200)).max(6).optional().describe("Answers to choose from, where there are some."),
});

const COMPLETE_TEXT =
  "Hand in your result. Call it once, alone, when you are done: nothing can be added afterwards. If the result does not fit the schema you are told why and can call it again.";
const ASK_TEXT =
  "Ask a person, when you cannot decide without them and no tool can tell you. Your work waits until they answer, which may take hours.";

/** All tools as the model sees them, in an order that never changes within a run: they are part of the cached prefix. */
export function toolSpecs(definition: AgentDefinition, someoneToAsk: boolean): ToolSpec[] {
  const own = definition.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: jsonSchema(inputSchema),
  }));
  const complete = definition.output
    ? [{ name: COMPLETE, description: COMPLETE_TEXT, inputSchema: jsonSchema(definition.output) }]
    : [];
  const ask = someoneToAsk ? [{ name: ASK_HUMAN, description: ASK_TEXT, inputSchema: jsonSchema(Question) }] : [];
  return [...own, ...complete, ...ask];
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    // The bounds of whole numbers in JavaScript say nothing to a model.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return rest;
}
