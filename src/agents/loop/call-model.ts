import { createHash } from "node:crypto";
import { defined } from "../../domain/defined.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/events.ts";
import type {
  FailureClass,
  Message,
  Model,
  ModelFailure,
  StepEvent,
  StepRequest,
  StepResult,
} from "../../llm/ports.ts";
import type { AgentDependencies, PlannedCall, Trip } from "../ports.ts";
import { settingsOf } from "./settings.ts";

type Reply = Extract<StepResult, { ok: true }>;

export type ModelAnswer =
  | {
      readonly got: "reply";
      readonly reply: Reply;
      readonly costUsd: number;
      readonly latencyMs: number;
      readonly late?: LateAnswer;
    }
  | { readonly got: "no_budget"; readonly trip: Trip }
  | { readonly got: "too_long" }
  | { readonly got: "refused"; readonly message: string }
  /** The provider said when to come again, and that is too long to hold a worker. */
  | { readonly got: "later"; readonly until: number; readonly message: string }
  | { readonly got: "failure"; readonly failure: ModelFailure; readonly cost?: NewEvent["cost"] }
  | { readonly got: "aborted" };

const TRANSIENT: readonly FailureClass[] = ["overloaded", "rate_limited", "transport", "timeout"];
const LONGEST_PAUSE_MS = 60_000;

/** From so many milliseconds on an answer is late, and so is one that had to be asked for more than once. */
const LATE_MS = 120_000;

/** Milliseconds from the first request to the answer, and how often it was asked for. */
export interface LateAnswer {
  readonly afterMs: number;
  readonly attempts: number;
}

type Ask = Pick<AgentDependencies, "models" | "budget" | "clock" | "settings">;

export interface Asking {
  readonly request: (model: Model) => StepRequest;
  readonly inputTokens: number;
  readonly purpose: PlannedCall["purpose"];
  /** Names the call: the same when it is made again, also by a later process. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: StepEvent) => void;
  /** Failures on the way with what they cost all the same, and that one was overcome. */
  readonly onError: (event: NewEvent) => void;
}

/**
 * One answer of a model, paid through the budget (LOOP-7): a transient failure is tried again after a pause, then the next model of
 * the chain. Nothing is tried again for which trying again is of no use.
 */
export async function callModel(dependencies: Ask, asking: Asking): Promise<ModelAnswer> {
  let last: ModelAnswer = { got: "aborted" };
  let broke: ModelAnswer | undefined;
  let failures = 0;
  const { attempts, pauseMs } = settingsOf(dependencies);
  const first = dependencies.clock.now();
  /** Failures that the provider told us of: what it said once it would say again to the same key. */
  let told = 0;
  /** Providers that refused the key: their other models have the same one. */
  const locked = new Set<string>();
  for (const model of dependencies.models()) {
    if (locked.has(model.provider)) continue;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (asking.signal.aborted) return { got: "aborted" };
      const answer = await tryOnce(dependencies, model, asking, told);
      if (answer.got === "reply") {
        if (failures > 0) asking.onError(recovered(failures + 1));
        const late = { afterMs: dependencies.clock.now() - first, attempts: failures + 1 };
        return failures > 0 || late.afterMs >= LATE_MS ? { ...answer, late } : answer;
      }
      if (answer.got === "no_budget") {
        // A cheaper model of the chain may still fit into what is left.
        broke ??= answer;
        break;
      }
      if (answer.got !== "failure") return answer;
      failures += 1;
      const { failure, cost } = answer;
      if (failure.class !== "timeout" && failure.class !== "transport") told += 1;
      asking.onError({ ...failureEvent(model, failure, attempt), ...defined({ cost }) });
      if (failure.class === "aborted") return { got: "aborted" };
      if (failure.class === "auth") locked.add(model.provider);
      if (failure.class === "too_long") return { got: "too_long" };
      if (failure.class === "refused") return { got: "refused", message: failure.message };
      last = sooner(last, failed(failure, dependencies.clock.now()));
      const pause = failure.retryAfterMs ?? pauseMs;
      if (attempt === attempts || !TRANSIENT.includes(failure.class) || pause > LONGEST_PAUSE_MS) break;
      await dependencies.clock.sleep(pause, asking.signal);
    }
  }
  if (asking.signal.aborted) return { got: "aborted" };
  return failures === 0 && broke ? broke : last;
}

async function tryOnce(dependencies: Ask, model: Model, asking: Asking, told: number): Promise<ModelAnswer> {
  const request = asking.request(model);
  const { provider, id } = model;
  const planned = { provider, model: id, inputTokens: asking.inputTokens, outputTokens: request.maxOutputTokens };
  const reserved = await dependencies.budget.reserve({ ...planned, purpose: asking.purpose });
  if (!reserved.ok) return { got: "no_budget", trip: reserved.trip };
  const began = dependencies.clock.now();
  const result = await stepSafely(model, request, asking, `${asking.name}:${told}`);
  if (!result.ok) {
    const { failure } = result;
    if (failure.usage) {
      const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = failure.usage;
      const tokens = inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
      return { got: "failure", failure, cost: { tokens, usd: await reserved.settle(failure.usage) } };
    }
    // A provider works on what it was sent, even when we stop listening.
    if (failure.class === "aborted" || failure.class === "timeout") await reserved.abandon();
    else await reserved.release();
    return { got: "failure", failure };
  }
  const latencyMs = dependencies.clock.now() - began;
  return { got: "reply", reply: result, costUsd: await reserved.settle(result.usage), latencyMs };
}

/** A provider never throws; one that does all the same must not leave money reserved. */
async function stepSafely(
  model: Model,
  request: StepRequest,
  { signal, onEvent }: Asking,
  name: string,
): Promise<StepResult> {
  try {
    const idempotencyKey = keyOf(name, model, request);
    return await model.step(request, { signal, idempotencyKey, ...defined({ onEvent }) });
  } catch (thrown) {
    const { message } = errorFacts(thrown);
    return { ok: false, failure: { class: "transport", message: `The provider's adapter failed: ${message}` } };
  }
}

/** The same only for the same request under the same name to the same model. */
function keyOf(name: string, { provider, id }: Model, { messages, ...rest }: StepRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([name, provider, id, rest]))
    .update(messages.map(digestOf).join(""))
    .digest("hex")
    .slice(0, 40);
}

/** Of messages that were sent before: a long history is not read anew for every step. */
const digests = new WeakMap<Message, string>();

function digestOf(message: Message): string {
  const digest = digests.get(message) ?? createHash("sha256").update(JSON.stringify(message)).digest("hex");
  digests.set(message, digest);
  return digest;
}

/** A wait that is too long to hold a worker becomes a time to come again. */
function failed(failure: ModelFailure, now: number): ModelAnswer {
  const { retryAfterMs, message } = failure;
  return retryAfterMs !== undefined && retryAfterMs > LONGEST_PAUSE_MS && failure.class !== "spend_limit"
    ? { got: "later", until: now + retryAfterMs, message }
    : { got: "failure", failure };
}

/** Of several models that failed the earliest time to come again wins; a time wins over none. */
function sooner(before: ModelAnswer, now: ModelAnswer): ModelAnswer {
  if (before.got !== "later") return now;
  return now.got === "later" && now.until < before.until ? now : before;
}

/** Where a failure comes from. */
const SOURCES: Readonly<Record<ModelFailure["class"], "network" | "timeout" | "llm">> = {
  ...{ transport: "network", timeout: "timeout" },
  ...{ rate_limited: "llm", overloaded: "llm", spend_limit: "llm", auth: "llm", invalid: "llm" },
  ...{ too_long: "llm", refused: "llm", aborted: "llm" },
};

function failureEvent(model: Model, failure: ModelFailure, attempt: number): NewEvent {
  const error = new ForgeError(`model_${failure.class}`, failure.message, {
    source: SOURCES[failure.class],
    severity: TRANSIENT.includes(failure.class) ? "low" : "high",
    recoverability: TRANSIENT.includes(failure.class) ? "auto" : "manual",
    context: { provider: model.provider, model: model.id, attempt, ...withoutMessage(failure) },
  });
  return { type: "error.occurred", payload: { error: errorFacts(error), during: "a model call" } };
}

/** USD that calls cost which gave nothing: a stream that is cut is billed up to the cut. */
export function lostUsd(errors: readonly NewEvent[]): number {
  return errors.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0);
}

function recovered(attempts: number): NewEvent {
  return { type: "error.recovered", payload: { during: "a model call", attempts } };
}

function withoutMessage({ message: _message, ...rest }: ModelFailure): object {
  return rest;
}
