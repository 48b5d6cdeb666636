import type { NewEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import type { Model, Usage } from "../llm/ports.ts";
import type { Redact } from "../safety/redact.ts";
import type { CheckedCall } from "../tools/tool.ts";
import type { Checkpoint } from "./loop/checkpoint.ts";
import type { Guardrail } from "./loop/guardrail.ts";
import type { Hooks } from "./loop/hooks.ts";
import type { LoopEvent } from "./loop/loop-event.ts";
import type { LoopSettings } from "./loop/settings.ts";

/** Milliseconds since 1970, and waiting: the only two uses of time, so that tests and replays have their own. */
export interface Clock {
  readonly now: () => number;
  /** Resolves early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A model call before it is made, by its largest size (SAFE-2). */
export interface PlannedCall {
  readonly provider: string;
  readonly model: string;
  /** Estimated, with the factor for budgets. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Spends from the loop itself, or from what it may use for reflection. */
  readonly purpose: "step" | "reflection";
}

/** Why something may not go on: the name of the limit, where it stands, and a sentence for people. */
export interface Trip {
  readonly breaker: string;
  /** The owner of the limit, where several count. */
  readonly scope?: string;
  readonly limit: number;
  readonly current: number;
  readonly message: string;
}

export interface Reservation {
  readonly ok: true;
  /** Exchanges the reservation for what was used; gives the USD. */
  readonly settle: (usage: Usage) => Promise<number>;
  /** Nothing was used: the call did not happen. */
  readonly release: () => Promise<void>;
  /** It was sent, and its outcome is unknown: it counts with what it costs to send. */
  readonly abandon: () => Promise<number>;
}

/** Money of all concurrent runs together: reserve before a call, settle after it. */
export interface Budget {
  readonly reserve: (call: PlannedCall) => Promise<Reservation | { readonly ok: false; readonly trip: Trip }>;
  /** Of the tightest limit, as it stands: USD left and the share of the limit that this is (0 to 1). */
  readonly left: () => { readonly usd: number; readonly share: number };
}

/** The input of a check: plain numbers of this run of the agent. */
export interface LoopFacts {
  readonly now: number;
  readonly calls: number;
  readonly totalCalls: number;
  readonly spentUsd: number;
  /** Working time: waiting for people does not count. */
  readonly activeMs: number;
}

/** A breaker as the loop sees it: asked before each model call, and after it. */
export type Check = (facts: LoopFacts) => Trip | undefined | Promise<Trip | undefined>;

/** How much of a limit is used; USD. */
export interface MoneyMark {
  /** Which limit that is: a name that the loop only passes on. */
  readonly budget?: string;
  readonly usedUsd: number;
  readonly limitUsd: number;
}

/** Whether a call may run (LOOP-6); what it says as its reason is read by the model and by the person asked. */
export type Permission =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  | { readonly decision: "ask"; readonly reason: string };

/** Persists in one transaction, before the loop goes on. A throw ends the loop where the last record stands. */
export interface Recorder {
  readonly record: (events: readonly NewEvent[], checkpoint: Checkpoint) => Promise<void>;
}

/** One to three of these come out of a reflection (LOOP-13). */
export interface Learning {
  readonly kind: "procedural" | "semantic" | "episodic";
  readonly content: string;
  readonly context: string;
  readonly confidence: number;
  readonly tags: readonly string[];
}

/** The parts of the first message beside the task. */
export type ContextPart = "memories" | "conversation" | "environment";

/** A piece of context, the most important first within its part. `text` is ready to be read, fenced where others wrote it. */
export interface ContextPiece {
  readonly text: string;
}

/**
 * Where the first message of an agent comes from (LOOP-2). Each source is told its share in tokens and gives no more than about that;
 * what does not fit is left out. The task is not a part: it is always there, whole.
 */
export interface ContextSources {
  readonly task: string;
  readonly shares: Readonly<Record<ContextPart, number>>;
  readonly sources: Readonly<Partial<Record<ContextPart, (tokens: number) => Promise<readonly ContextPiece[]>>>>;
}

/** All that a loop takes from outside; each member is the only way in which the loop gets at what it names. */
export interface AgentDependencies {
  /** The model for the next call and what stands in for it, in order; asked before each step, so that a budget can degrade. */
  readonly models: () => readonly [Model, ...Model[]];
  readonly budget: Budget;
  readonly checks: readonly Check[];
  readonly policy: (call: CheckedCall) => Permission;
  readonly guardrails: readonly Guardrail[];
  readonly hooks: readonly Hooks[];
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly makeId: MakeId;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  readonly redact: Redact;
  /** Tokens of a text, without the factor for budgets. */
  readonly estimateTokens: (text: string) => number;
  /** False: there is no person to ask, so a question is refused and a call that needs approval is denied (LOOP-15). */
  readonly someoneToAsk: boolean;
  /** The same for approvals alone, where that is another matter: a reviewer asks no questions, but its calls may need a person. */
  readonly someoneToApprove?: boolean;
  /** Asked before each model call: where the money stands when a person is to say whether the work goes on (SAFE-3). */
  readonly hold?: () => Promise<MoneyMark | undefined>;
  /** Whether so many calls fail of late that the agent should know. */
  readonly errorsAreMany?: () => boolean;
  /** Working time in milliseconds that a phase has, for the warning (LOOP-12). */
  readonly timeLimitMs?: number;
  readonly reflection?: Reflection;
  readonly context: ContextSources;
  /** How many input tokens an amount of USD buys of the model in use; absent where money sets no limit. */
  readonly inputTokensFor?: (usd: number) => number;
  readonly onEvent?: (event: LoopEvent) => void;
  /** Where it is to be otherwise than as shipped. */
  readonly settings?: Partial<LoopSettings>;
}

/** Needed for reflection; without it the loop does not reflect. */
export interface Reflection {
  readonly model: Model;
  /** The highest cost of a call of this model, in USD. */
  readonly estimateUsd: (inputTokens: number, outputTokens: number) => number;
  readonly remember: (learnings: readonly Learning[]) => Promise<void>;
  /**
   * Takes what is under way when the loop ends, with the events that it comes to, and does not wait for it; it never rejects. Without
   * it the end of the loop waits.
   */
  readonly later?: (work: Promise<readonly NewEvent[]>) => void;
}
