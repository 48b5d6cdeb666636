import { z } from "zod";
import type { ToolUseBlock } from "../../llm/ports.ts";
import type { CheckedCall } from "../../tools/tool.ts";
import type { Wait } from "./loop-state.ts";
import { ASK_HUMAN, COMPLETE, Question } from "./loop-tools.ts";
import type { Run } from "./turn.ts";

/** What is to be done with one call of a reply, before anything is done. */
export type Planned =
  | { readonly do: "run"; readonly call: CheckedCall }
  | { readonly do: "finish"; readonly output: unknown }
  | { readonly do: "wait"; readonly wait: Wait }
  /** An error for the model to read. */
  | { readonly do: "refuse"; readonly code: string; readonly message: string };

/** Find the tool, validate its arguments, ask the policy (LOOP-6). `approved`: a person has allowed this very call. */
export function planCall(block: ToolUseBlock, approved: boolean, run: Run): Planned {
  if (block.unparsed !== undefined) {
    const start = block.unparsed.slice(0, 200);
    return refuse("arguments_unparsed", `The arguments are not JSON, or were cut off. They began: ${start}`);
  }
  if (block.name === COMPLETE && run.definition.output) return planComplete(block, run.definition.output);
  if (block.name === ASK_HUMAN) return planQuestion(block, run);
  const tool = run.tools.get(block.name);
  if (!tool) {
    const names = run.specs.map(({ name }) => name).join(", ");
    return refuse("tool_unknown", `There is no tool ${block.name.slice(0, 100)}. There are: ${names}.`);
  }
  const input = tool.inputSchema.safeParse(block.input);
  if (!input.success) return refuse("arguments_invalid", `The arguments do not fit. ${z.prettifyError(input.error)}`);
  const call: CheckedCall = { id: block.id, tool, input: input.data };
  if (approved) return { do: "run", call };
  const permission = run.dependencies.policy(call);
  if (permission.decision === "deny") return refuse("denied", `Denied: ${permission.reason}`);
  if (permission.decision === "allow") return { do: "run", call };
  const { someoneToAsk, someoneToApprove = someoneToAsk } = run.dependencies;
  if (!someoneToApprove) {
    return refuse("denied", `Denied: ${permission.reason} Nobody is there to approve it; find another way.`);
  }
  const { reason } = permission;
  return { do: "wait", wait: { for: "approval", callId: block.id, tool: tool.name, input: block.input, reason } };
}

function planComplete(block: ToolUseBlock, output: z.ZodType): Planned {
  const parsed = output.safeParse(block.input);
  if (parsed.success) return { do: "finish", output: parsed.data };
  return refuse("output_invalid", `The result does not fit. ${z.prettifyError(parsed.error)}`);
}

function planQuestion(block: ToolUseBlock, run: Run): Planned {
  if (!run.dependencies.someoneToAsk) {
    return refuse("nobody_to_ask", "Nobody can be asked here. Decide yourself and say what you assumed.");
  }
  const parsed = Question.safeParse(block.input);
  if (!parsed.success) return refuse("arguments_invalid", `The arguments do not fit. ${z.prettifyError(parsed.error)}`);
  const { question, options = [] } = parsed.data;
  return { do: "wait", wait: { for: "answer", callId: block.id, question, options } };
}

function refuse(code: string, message: string): Planned {
  return { do: "refuse", code, message: message.slice(0, 4_000) };
}
