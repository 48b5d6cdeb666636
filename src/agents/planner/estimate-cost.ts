import type { Estimate, Plan } from "../../domain/plan.ts";
import type { Price } from "../../llm/ports.ts";
import { costOf } from "../../llm/price.ts";

export interface CostBasis {
  readonly plan: Pick<Plan, "tasks" | "complexity">;
  /** USD spent on the run so far, planning included. */
  readonly spentUsd: number;
  /** Of the models that implement, and that review and test. */
  readonly prices: { readonly strong: Price; readonly fast: Price };
}

/** Work of one agent: so many calls, each of which resends what was said before. */
interface Work {
  readonly calls: number;
  /** Tokens of the first message with instructions and tools. */
  readonly first: number;
}

/** Tokens that one step adds to the conversation: results of tools, and the reply. */
const STEP = { results: 1_800, reply: 700 } as const;

/**
 * Calls of a task where everything goes well: what it needs is shown, all edits are made and tried in one step, then the work is handed in
 * (as in the recorded trials). Each further file costs a quarter of a call.
 */
const LEAST_CALLS = { small: 2, medium: 5, large: 9 } as const;
/** Calls of a task beside one for each of its files: to look, to run tests, to hand in. */
const BASE_CALLS = { small: 3, medium: 6, large: 10 } as const;
const MOST_CALLS = 40;
const FIRST_TOKENS = { task: 12_000, review: 20_000, testing: 10_000 } as const;

/** A step takes about so long: the model's answer, and the tests that every third step runs. */
const SECONDS = { call: 12, tests: 30 } as const;

/**
 * The cost of the whole run, including what is spent already (PLAN-1). Call i of n resends `first + i × step` tokens. On top come a review
 * (6 calls) and the judging of tests (2), both by the fast model.
 *
 * Low: a task of f files takes `least(complexity) + f / 4` calls, the provider's cache keeps what is resent, one review. High: it takes
 * twice `base(complexity) + f` calls, nothing is cached, and one round of feedback as large as a third of the work is reviewed and tested
 * again.
 * @returns USD, rounded up to whole cents, and minutes of the low end and half of the way to the high one
 */
export function estimateCost({ plan, spentUsd, prices }: CostBasis): Estimate {
  const worked = (callsFor: (files: number) => number) =>
    plan.tasks.map(({ files }): Work => {
      const calls = Math.min(MOST_CALLS, Math.ceil(callsFor(new Set(files).size)));
      return { calls, first: FIRST_TOKENS.task };
    });
  const smooth = worked((files) => LEAST_CALLS[plan.complexity] + files / 4);
  const repaired = worked((files) => 2 * (BASE_CALLS[plan.complexity] + files));
  const after: readonly Work[] = [
    { calls: 6, first: FIRST_TOKENS.review },
    { calls: 2, first: FIRST_TOKENS.testing },
  ];
  const repairCalls = Math.ceil(callsOf(repaired) / 3);
  const feedback: Work = { calls: Math.min(MOST_CALLS, repairCalls), first: FIRST_TOKENS.task };
  const low = usdOf(smooth, prices.strong, true) + usdOf(after, prices.fast, true);
  const high = usdOf([...repaired, feedback], prices.strong, false) + usdOf([...after, ...after], prices.fast, false);
  const least = callsOf([...smooth, ...after]);
  const most = callsOf([...repaired, feedback, ...after, ...after]);
  return {
    lowUsd: cents(spentUsd + low),
    highUsd: cents(spentUsd + Math.max(low, high)),
    minutes: Math.ceil((((least + most) / 2) * (SECONDS.call + SECONDS.tests / 3)) / 60),
  };
}

function usdOf(work: readonly Work[], price: Price, cached: boolean): number {
  let usd = 0;
  for (const { calls, first } of work) {
    for (let call = 0; call < calls; call += 1) {
      const resent = first + call * (STEP.results + STEP.reply);
      const kept = cached && call > 0 ? resent - STEP.results - STEP.reply : 0;
      const usage = {
        inputTokens: resent - kept,
        cacheReadTokens: kept,
        cacheWriteTokens: 0,
        outputTokens: STEP.reply,
      };
      usd += costOf(usage, price);
    }
  }
  return usd;
}

function callsOf(work: readonly Work[]): number {
  return work.reduce((sum, { calls }) => sum + calls, 0);
}

function cents(usd: number): number {
  return Math.max(0, Math.ceil(usd * 100 - 1e-9)) / 100;
}
