import { z } from "zod";

/**
 * Events for observers of a running loop (LOOP-18): the status comment, the terminal, the log. Not stored; what is stored are events
 * of the catalogue and the run report.
 */
export const LoopEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step_started"), step: z.number(), model: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), text: z.string() }),
  z.object({ type: z.literal("tool_started"), callId: z.string(), tool: z.string(), input: z.unknown() }),
  z.object({ type: z.literal("tool_output"), callId: z.string(), chunk: z.string() }),
  z.object({
    type: z.literal("tool_ended"),
    callId: z.string(),
    tool: z.string(),
    isError: z.boolean(),
    ms: z.number(),
  }),
  z.object({ type: z.literal("step_ended"), step: z.number(), costUsd: z.number(), ms: z.number() }),
  z.object({ type: z.literal("done"), end: z.string() }),
]);
export type LoopEvent = z.infer<typeof LoopEvent>;
