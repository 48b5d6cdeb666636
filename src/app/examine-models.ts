import type { Examination } from "../cli/doctor.ts";
import { createModels } from "../llm/create-models.ts";
import type { ModelSettings } from "../llm/model-settings.ts";
import type { StepRequest } from "../llm/ports.ts";
import { costOf, openPrices } from "../llm/price.ts";
import { createRedactor } from "../safety/redact.ts";
import { readModelsConfig, secretsOfModels } from "./config.ts";
import { wrong } from "./examination.ts";

/** Asks each model for one token, with what that cost; who pays for a review should know before it that the key works. */
export async function* examineModels(
  environment: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<Examination> {
  const advice = "check the key, the address and the names of the models in .env (see .env.example)";
  try {
    const settings = readModelsConfig(environment);
    const models = await createModels(settings);
    if (!models.configured) {
      // Forge works without one: reviews then say that no model read the change.
      const detail = `${models.reason} Reviews work without one; plans and implementations do not`;
      yield {
        what: "models",
        state: "off",
        detail,
        advice: "set ANTHROPIC_API_KEY or OPENAI_API_KEY (see .env.example)",
      };
      return;
    }
    const priceOf = await openPrices(settings.prices);
    const redact = createRedactor(secretsOfModels(settings));
    const asked = new Map([...models.strong, ...models.fast].map((model) => [`${model.provider}/${model.id}`, model]));
    for (const [name, model] of asked) {
      const began = performance.now();
      const result = await model.step(GREETING, { signal: AbortSignal.timeout(MODEL_MS) });
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      if (!result.ok) {
        const { message, class: kind } = result.failure;
        const detail = kind === "aborted" ? `did not answer in ${MODEL_MS / 1_000} s` : redact(message);
        yield { what: `model ${name}`, state: "wrong", detail, advice };
        continue;
      }
      const price = priceOf(model.provider, model.id);
      const assumed = price.assumed ? ", at a price that is assumed: see FORGE_PRICES" : "";
      const detail = `answers, in ${seconds} s, for $${costOf(result.usage, price).toFixed(6)}${assumed}`;
      yield { what: `model ${name}`, state: "ok", detail };
    }
  } catch (error) {
    yield wrong("models", error, advice);
  }
}

/** The names of the models, without calling them. */
export async function namedModels(settings: ModelSettings): Promise<Examination> {
  try {
    const models = await createModels(settings);
    if (!models.configured) return withoutModels(models.reason);
    const names = new Set([...models.strong, ...models.fast].map(({ id }) => id));
    return { what: "models", state: "ok", detail: [...names].join(", ") };
  } catch (error) {
    return wrong("models", error, "see .env.example");
  }
}

/** Forge works without a model: reviews then say that no model read the change. */
function withoutModels(reason: string): Examination {
  const detail = `${reason} Reviews work without one; plans and implementations do not`;
  const advice = "set ANTHROPIC_API_KEY or OPENAI_API_KEY (see .env.example)";
  return { what: "models", state: "off", detail, advice };
}

/** As small as a request can be. */
const GREETING: StepRequest = {
  system: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Say ok." }] }],
  tools: [],
  maxOutputTokens: 1,
};
const MODEL_MS = 60_000;
