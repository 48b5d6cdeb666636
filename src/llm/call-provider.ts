import { defined } from "../domain/defined.ts";
import { failed } from "./failures.ts";
import type { ModelFailure, StepOptions, StepResult, Usage } from "./ports.ts";

/** The part of a call that differs between providers. */
export interface ProviderCall {
  /** Sends the request and reads the reply: `cut` when its end never came, `malformed` when it is none of the interface. May throw. */
  readonly ask: (watch: Watch) => Promise<StepResult | "cut" | "malformed">;
  readonly failureOf: (thrown: unknown) => ModelFailure;
  /** What is known to be billed although the call failed. */
  readonly paid: () => Usage;
  readonly requestId: () => string | undefined;
}

/** Makes one call and turns whatever becomes of it into a result. Never throws. */
export async function callProvider(options: StepOptions, silenceMs: number, call: ProviderCall): Promise<StepResult> {
  if (options.signal.aborted) return failed(STOPPED);
  const watch = watchCall(options.signal, silenceMs);
  const fail = (failure: ModelFailure): StepResult => {
    const usage = call.paid();
    const requestId = call.requestId();
    const paid = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens > 0;
    return failed({ ...failure, ...defined({ requestId: requestId || undefined }), ...(paid ? { usage } : {}) });
  };
  try {
    const result = await call.ask(watch);
    if (result !== "cut" && result !== "malformed") return result;
    // The SDKs end a stream that was aborted as if it had come to its end.
    if (options.signal.aborted) return fail(STOPPED);
    if (watch.timedOut()) return fail(SILENT);
    return fail(result === "cut" ? CUT : MALFORMED);
  } catch (thrown) {
    if (options.signal.aborted) return fail(STOPPED);
    if (watch.timedOut()) return fail(SILENT);
    return fail(call.failureOf(thrown));
  } finally {
    watch.end();
  }
}

const STOPPED: ModelFailure = { class: "aborted", message: "The call was stopped." };
const SILENT: ModelFailure = { class: "timeout", message: "The provider fell silent." };
const CUT: ModelFailure = { class: "transport", message: "The reply ended before its end." };
const MALFORMED: ModelFailure = { class: "transport", message: "The provider's reply is no message of its interface." };

/** A call that can be ended by whoever asked for it, or by silence. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Something arrived: the silence begins anew. */
  readonly heard: () => void;
  /** Whether silence ended the call. */
  readonly timedOut: () => boolean;
  readonly end: () => void;
}

/** Watches one call: `signal` aborts with the given one, or after `silenceMs` in which `heard` was not called. */
function watchCall(given: AbortSignal, silenceMs: number): Watch {
  const controller = new AbortController();
  let silent = false;
  const timer = setTimeout(() => {
    silent = true;
    controller.abort();
  }, silenceMs);
  const stop = () => controller.abort();
  given.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    heard: () => timer.refresh(),
    timedOut: () => silent && !given.aborted,
    end: () => {
      clearTimeout(timer);
      given.removeEventListener("abort", stop);
    },
  };
}
