import type { Check } from "../../agents/library.ts";
import type { FailureClass, Model } from "../../llm/ports.ts";
import { type ErrorWindow, errorsAreMany, noteCall, tripOnErrors } from "../../safety/trip-rules.ts";
import { type Tool, ToolFailure } from "../../tools/tool.ts";

/** Counts how many calls of all agents of a run fail: the breaker of errors (SAFE-1). */
export interface ErrorWatch {
  /** The same model, with each of its calls counted. */
  readonly model: (model: Model) => Model;
  readonly tool: (tool: Tool) => Tool;
  readonly check: Check;
  /** So many fail that it is worth telling. */
  readonly areMany: () => boolean;
}

/** Failures that are about the request or about us, not about whether calls work. */
const NO_ERRORS: readonly FailureClass[] = ["aborted", "too_long", "refused"];

export function watchErrors(now: () => number): ErrorWatch {
  let window: ErrorWindow = [];
  const note = (failed: boolean) => {
    window = noteCall(window, failed, now());
  };
  return {
    model: (model) => ({
      ...model,
      step: async (request, options) => {
        const result = await model.step(request, options);
        if (result.ok || !NO_ERRORS.includes(result.failure.class)) note(!result.ok);
        return result;
      },
    }),
    tool: (tool) => ({ ...tool, run: (input, context) => watched(tool.run(input, context), context.signal, note) }),
    check: ({ now: at }) => tripOnErrors(window, at),
    areMany: () => errorsAreMany(window, now()),
  };
}

/** A file that is not there is an answer; a tool that breaks or takes too long is an error. */
async function watched<T>(running: Promise<T>, signal: AbortSignal, note: (failed: boolean) => void): Promise<T> {
  let noted = false;
  const once = (failed: boolean) => {
    if (!noted) note(failed);
    noted = true;
  };
  const onAbort = () => once(true);
  signal.addEventListener("abort", onAbort);
  try {
    const result = await running;
    once(false);
    return result;
  } catch (thrown) {
    once(!(thrown instanceof ToolFailure));
    throw thrown;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
