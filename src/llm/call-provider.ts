import { getGlobalDispatcher } from "undici";
import { defined } from "../domain/defined.ts";
import { limitBody } from "../safety/limit-body.ts";
import { failed } from "./failures.ts";
import type { ModelFailure, StepOptions, StepResult, Usage } from "./ports.ts";

/** The part of a call that differs between providers. */
export interface ProviderCall {
  /** Sends the request and reads the reply: `cut` when its end never came, `malformed` when it is none of the interface. May throw. */
  readonly ask: (watch: Watch) => Promise<StepResult | "cut" | "malformed">;
  readonly failureOf: (thrown: unknown) => ModelFailure;
  /** Known to be billed although the call failed. */
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

/** A hundred times what a model may say in one reply: only a broken endpoint sends more. */
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;

/** `fetch` that tells of everything that arrives, whatever it means: a sign of life without content is no silence either. */
export function hearing(heard: () => void): typeof fetch {
  // How long a silence may last is the call's to say: of itself `fetch` ends one after five minutes, whatever was set.
  const dispatcher = getGlobalDispatcher().compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  );
  return async (input, init) => {
    // The types of Node hold a copy of the same interface.
    const patient = { ...init, dispatcher } as object as RequestInit;
    const response = await fetch(input, patient);
    heard();
    return limitBody(response, LARGEST_ANSWER_BYTES, heard);
  };
}

/** Goes with a request so that a provider that knows it answers and bills it once, however often it is sent. */
export function sentOnce({ idempotencyKey }: Pick<StepOptions, "idempotencyKey">) {
  return idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } };
}

/** Not every server streams when it is asked to: then the reply is in one piece. */
export function isWhole({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get("content-type") ?? "");
}

/** A call that ends when its caller aborts it or the provider falls silent. */
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
