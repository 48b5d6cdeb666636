import { defined } from "../domain/defined.ts";
import { failed } from "./failures.ts";
import type { ModelFailure, StepOptions, StepResult, Usage } from "./ports.ts";
import { type Watch, watchCall } from "./watch-call.ts";

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
