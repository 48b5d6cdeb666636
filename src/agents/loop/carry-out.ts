import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ImagePart } from "../../llm/ports.ts";
import { type Redact, redactAside } from "../../safety/redact.ts";
import { redactBeginning } from "../../safety/redact-beginning.ts";
import type { CheckedCall, ToolResult } from "../../tools/tool.ts";
import { type CarriedOut, cutResult, describeInput, refusedCall, skippedCall } from "./call-result.ts";
import { executeTool } from "./execute-tool.ts";
import { guard } from "./guard.ts";
import type { ToolChoice } from "./hooks.ts";
import type { End } from "./loop-state.ts";
import type { Run } from "./turn.ts";

/** Guardrails → hooks → execution → guardrails → hooks, for a call that was found and allowed (LOOP-6, LOOP-14, LOOP-17). */
export async function carryOut(call: CheckedCall, agentId: string, run: Run): Promise<CarriedOut> {
  const { id: callId, tool, input } = call;
  const { dependencies } = run;
  const who = { agentId, callId, tool: tool.name };
  const shown = describeInput(input, dependencies.redact);
  const before = await guard(
    { stage: "tool_input", text: JSON.stringify(input) ?? "", tool: tool.name, input },
    agentId,
    run,
  );
  const objection = before.objection ?? before.end?.message;
  if (objection !== undefined) {
    const refused = refusedCall(call, shown, agentId, "guardrail", `Refused: ${objection}`);
    return { ...refused, events: [...before.events, ...refused.events], ...defined({ end: before.end }) };
  }
  const choice = await chooseByHooks(call, run);
  if (choice.do !== "run") {
    const skipped = skippedCall(call, shown, agentId, choice);
    return { ...skipped, events: [...before.events, ...skipped.events] };
  }
  dependencies.onEvent?.({ type: "tool_started", callId, tool: tool.name, input });
  const began = dependencies.clock.now();
  const output =
    dependencies.onEvent && ((chunk: string) => dependencies.onEvent?.({ type: "tool_output", callId, chunk }));
  const execution = await executeTool(call, dependencies, run.stop, output);
  const ms = Math.max(0, dependencies.clock.now() - began);
  const called: NewEvent = { type: "tool.called", payload: { ...who, input: shown } };
  const base = { id: callId, tool: tool.name, arguments: shown, latencyMs: ms, retries: execution.retries };
  dependencies.onEvent?.({ type: "tool_ended", callId, tool: tool.name, isError: execution.ok !== true, ms });

  if (execution.ok === true) {
    const { result } = execution;
    // A picture that carries a secret along is not shown, as text with one is not.
    const images = await withoutSecrets(result.images, dependencies.redact);
    const left = (result.images?.length ?? 0) - (images?.length ?? 0);
    const told =
      left === 0
        ? result.text
        : `${result.text}\n[${left} of its images left out: they hold a secret, or are too large to be searched for one.]`;
    const finished = await finishText(call, told, false, agentId, run);
    const { length } = result.text;
    return {
      ...finished.outcome,
      ...defined({ images: images?.length && !finished.outcome.isError ? images : undefined }),
      events: [
        ...before.events,
        called,
        {
          type: "tool.completed",
          payload: { ...who, durationMs: ms, resultCharacters: length, retries: execution.retries },
          durationMs: ms,
        },
        ...finished.events,
      ],
      report: {
        ...base,
        outcome: finished.outcome.isError ? "error" : "ok",
        resultCharacters: length,
        ...defined({
          metrics: result.metrics && { ...result.metrics },
          warnings: result.warnings && [...result.warnings],
        }),
      },
      ...defined({ end: finished.end }),
    };
  }
  const error =
    execution.ok === false
      ? execution.error
      : { code: "output_invalid", message: "The tool is broken. Do without it." };
  const recorded = execution.ok === false ? error.message : execution.message;
  const fallback = await fallbackOf(call, error.message, run);
  const finished = await finishText(call, fallback ?? error.message, fallback === undefined, agentId, run);
  const message = redactBeginning(recorded, dependencies.redact).slice(0, 1_000);
  return {
    ...finished.outcome,
    events: [
      ...before.events,
      called,
      {
        type: "tool.failed",
        payload: { ...who, durationMs: ms, retries: execution.retries, code: error.code, message },
        durationMs: ms,
      },
      ...finished.events,
    ],
    report: {
      ...base,
      outcome: "error",
      resultCharacters: finished.outcome.text.length,
      error: { code: error.code, message },
    },
    ...(execution.ok === "broken" ? { end: brokenEnd(tool.name, message) } : finished.end ? { end: finished.end } : {}),
  };
}

async function chooseByHooks(call: CheckedCall, { dependencies }: Run): Promise<ToolChoice> {
  for (const { beforeTool } of dependencies.hooks) {
    const choice = await beforeTool?.(call);
    if (choice && choice.do !== "run") return choice;
  }
  return { do: "run" };
}

async function fallbackOf(call: CheckedCall, message: string, { dependencies }: Run): Promise<string | undefined> {
  for (const { onToolError } of dependencies.hooks) {
    const text = await onToolError?.(call, message);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Pictures that were searched for secrets and hold none. */
async function withoutSecrets(images: ToolResult["images"], redact: Redact): Promise<ToolResult["images"]> {
  if (images === undefined) return undefined;
  const clean: ImagePart[] = [];
  for (const image of images) if ((await redactAside(image.data, redact)) === image.data) clean.push(image);
  return clean;
}

/** The text as the model gets it: cut, without secrets, past the guardrails, and what the hooks make of it. */
async function finishText(call: CheckedCall, text: string, isError: boolean, agentId: string, run: Run) {
  const { dependencies, definition } = run;
  const readable = await redactAside(cutResult(text, definition.resultCharacters), dependencies.redact);
  const guarded = await guard({ stage: "tool_output", text: readable, tool: call.tool.name }, agentId, run);
  const warned = guarded.objection === undefined ? guarded.text : `[Careful: ${guarded.objection}]\n${guarded.text}`;
  let outcome = { text: warned, isError };
  for (const { afterTool } of dependencies.hooks) outcome = (await afterTool?.(call, outcome)) ?? outcome;
  return { outcome, events: guarded.events, end: guarded.end };
}

function brokenEnd(tool: string, message: string): End {
  return { reason: "breaker", message, limit: { name: `tool_output:${tool}`, limit: 0, current: 1 } };
}
