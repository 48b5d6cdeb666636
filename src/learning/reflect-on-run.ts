import { z } from "zod";
import { loadPrompt } from "../agents/prompts/load-prompt.ts";
import type { MakeId } from "../domain/ids.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import type { Subject } from "../domain/subjects.ts";
import { chosenModels } from "../llm/create-models.ts";
import { BUDGET_FACTOR, estimateTextTokens } from "../llm/estimate-tokens.ts";
import type { Model, StepRequest } from "../llm/ports.ts";
import { ceilingOf } from "../llm/price.ts";
import type { ProcessAi } from "../pipeline/ai/ai-dependencies.ts";
import { limitsOf, openBudget } from "../pipeline/ai/open-budget.ts";
import { createStoredSpendKeeper, spenderFor } from "../pipeline/ai/spend-keeper.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { giveUpSpend } from "../store/spend/reservations.ts";
import type { Store } from "../store/store.ts";
import { cleanText } from "../tools/data/clean-text.ts";
import { fenceData } from "../tools/data/fence-data.ts";

export interface ReflectDependencies {
  readonly store: Store;
  readonly ai: Pick<ProcessAi, "modelsFor" | "priceOf" | "redact" | "dayLimitUsd" | "installationDayUsd">;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
  readonly makeId: MakeId;
}

interface About {
  readonly subject: Subject;
  readonly runId: string;
  readonly configuration: RepoConfig;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

export interface ModelLearning {
  readonly content: string;
  readonly context: string;
}

/** The limit of one look, in USD, below what a repository allows for reflection. */
const ONE_USD = 0.1;
const OUTPUT_TOKENS = 800;
const RECORD_CHARACTERS = 12_000;

/**
 * Asks the fast model what counting cannot tell of a run that is over (RUN-1): one call, reserved against every limit of the subject, the
 * repository and the day, and charged to the run. Gives nothing where no model is set up or allowed, where money does not reach, and where the answer
 * cannot be read.
 * @param record what is known of the run, in lines; data that others wrote
 */
export async function reflectByModel(
  { store, ai, now, makeId }: ReflectDependencies,
  { subject, runId, configuration, fence, signal }: About,
  record: readonly string[],
): Promise<{ readonly learnings: readonly ModelLearning[]; readonly costUsd: number }> {
  const nothing = { learnings: [], costUsd: 0 };
  const { reflection } = configuration.loop;
  if (!reflection.enabled || configuration.review.ai === "never") return nothing;
  const models = await ai.modelsFor(chosenModels(configuration));
  if (!models.configured) return nothing;
  const [model] = models.fast;
  const request = await requestOf(model, record, ai);
  const text = JSON.stringify([request.system, request.messages]);
  const planned = {
    inputTokens: Math.ceil(estimateTextTokens(text) * BUDGET_FACTOR),
    outputTokens: request.maxOutputTokens,
  };
  if (ceilingOf(planned, ai.priceOf(model.provider, model.id)) > Math.min(ONE_USD, reflection.usd)) return nothing;
  // A call that was in flight when an earlier attempt died counts with what it cost for being sent.
  await giveUpSpend(store, runId);
  const keeper = createStoredSpendKeeper(store, spenderFor({ subject, runId }, "review"), now, fence);
  const limits = limitsOf({ subject, runId, configuration }, ai);
  const budget = await openBudget({ keeper, priceOf: ai.priceOf, makeId }, limits);
  const reserved = await budget.reserve({
    ...planned,
    provider: model.provider,
    model: model.id,
    purpose: "reflection",
  });
  if (!reserved.ok) return nothing;
  const result = await model.step(request, { signal, idempotencyKey: `look-back:${runId}` });
  if (result.ok) {
    const costUsd = await reserved.settle(result.usage);
    const said = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return { learnings: readLearnings(said), costUsd };
  }
  const { failure } = result;
  if (failure.usage) return { ...nothing, costUsd: await reserved.settle(failure.usage) };
  // A provider works on what it was sent, even when we stop listening.
  if (failure.class === "aborted" || failure.class === "timeout")
    return { ...nothing, costUsd: await reserved.abandon() };
  await reserved.release();
  return nothing;
}

async function requestOf(
  model: Model,
  record: readonly string[],
  { redact }: Pick<ProcessAi, "redact">,
): Promise<StepRequest> {
  const cut = record.join("\n").slice(0, RECORD_CHARACTERS);
  const { lines } = await cleanText(cut, { redact, prose: true, names: "none" });
  return {
    system: [{ text: loadPrompt("look-back").text }],
    messages: [{ role: "user", content: [{ type: "text", text: fenceData("record of a run", lines.join("\n")) }] }],
    tools: [],
    maxOutputTokens: Math.min(OUTPUT_TOKENS, model.maxOutputTokens),
  };
}

const Learnings = z.object({
  learnings: z
    .array(z.object({ content: z.string().trim().min(1).max(600), context: z.string().trim().max(300).default("") }))
    .max(3),
});

/** The object between the first and the last brace: models like to put words around it. */
function readLearnings(text: string): readonly ModelLearning[] {
  try {
    const parsed = Learnings.safeParse(JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
    return parsed.success ? parsed.data.learnings : [];
  } catch {
    return [];
  }
}
