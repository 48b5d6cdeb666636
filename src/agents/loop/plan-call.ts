import { z } from "zod";
import type { ToolUseBlock } from "../../llm/ports.ts";
import type { CheckedCall, Tool } from "../../tools/tool.ts";
import type { Wait } from "./loop-state.ts";
import { ASK_HUMAN, COMPLETE, Question } from "./loop-tools.ts";
import type { Run } from "./turn.ts";

/** The plan for one call of a reply, before anything is done. */
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
  const fitted = fitInput(tool.inputSchema, block.input, tool.readOnly);
  if (!fitted.ok) return refuse("arguments_invalid", `The arguments do not fit. ${z.prettifyError(fitted.error)}`);
  const call: CheckedCall = { id: block.id, tool: saying(tool, fitted.said), input: fitted.input };
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

/** The tool, whose result begins with what was made of its arguments. */
function saying(tool: Tool, said: readonly string[]): Tool {
  if (said.length === 0) return tool;
  return {
    ...tool,
    run: async (input, context) => {
      const result = await tool.run(input, context);
      return { ...result, text: [...said, result.text].join("\n") };
    },
  };
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

type FittedInput<Input> =
  /** `said`: what was taken instead of what was given, in sentences; empty where all of it fits. */
  | { readonly ok: true; readonly input: Input; readonly said: readonly string[] }
  | { readonly ok: false; readonly error: z.ZodError };

/** Limits that were changed in one call; more of them are a misunderstanding. */
const MOST_ISSUES = 10;

/**
 * The arguments of a call as its tool takes them. A number out of range counts as the nearest one within, and a list that is too long as its
 * beginning: a model that miscounts loses no step over it, and is told. Everything else that does not fit is refused.
 * @param cutLists whether less of a list asks for less, which it does where nothing is changed
 */
function fitInput<Input>(schema: z.ZodType<Input>, given: unknown, cutLists: boolean): FittedInput<Input> {
  const first = schema.safeParse(given);
  if (first.success) return { ok: true, input: first.data, said: [] };
  const { issues } = first.error;
  if (issues.length > MOST_ISSUES) return { ok: false, error: first.error };
  const fitted = structuredClone(given);
  const said: string[] = [];
  for (const issue of issues) {
    const sentence = clamp(fitted, issue, cutLists);
    if (sentence === undefined) return { ok: false, error: first.error };
    said.push(sentence);
  }
  const second = schema.safeParse(fitted);
  return second.success ? { ok: true, input: second.data, said } : { ok: false, error: first.error };
}

function clamp(root: unknown, issue: z.core.$ZodIssue, cutLists: boolean): string | undefined {
  if (issue.code !== "too_big" && issue.code !== "too_small") return undefined;
  const last = issue.path.at(-1);
  const holder = issue.path.slice(0, -1).reduce<unknown>((at, key) => (isHolder(at) ? at[key] : undefined), root);
  if (last === undefined || !isHolder(holder)) return undefined;
  const name = issue.path.map(String).join(".");
  const value = holder[last];
  const limit = Number(issue.code === "too_big" ? issue.maximum : issue.minimum);
  if (typeof value === "number" && issue.inclusive === true) {
    holder[last] = limit;
    return `${name} ${value} is out of range: ${limit} was taken.`;
  }
  if (Array.isArray(value) && issue.code === "too_big" && cutLists) {
    holder[last] = value.slice(0, limit);
    return `${name} has ${value.length} entries: the first ${limit} were taken.`;
  }
  return undefined;
}

function isHolder(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
