import type { AssistantBlock, Model, StepRequest } from "../../../src/llm/ports.ts";

/** What an order makes the model do: calls of tools, which it makes all at once, or the result that it hands in. */
export interface Obedience {
  readonly calls?: readonly (readonly [tool: string, input: unknown])[];
  readonly result?: unknown;
  /** For the verifier instead of the reader. */
  readonly judgements?: readonly unknown[];
}

export interface ObeyingModel extends Model {
  readonly requests: StepRequest[];
  /** Orders that were read somewhere and followed. */
  readonly obeyed: Set<string>;
}

/** As it stands in the text of an attacker; fits into a file name too. */
export function order(name: string): string {
  return `ORDER-${name}-NOW`;
}

/**
 * A model that looks around first, and does whatever it is told wherever it reads an order. What it was shown it hands on: each finding
 * and each later call holds the last results, so that whatever a tool gave away would come out.
 */
export function createObeyingModel(
  orders: Readonly<Record<string, Obedience>>,
  look: readonly (readonly [tool: string, input: unknown])[],
  claim: (text: string) => object,
): ObeyingModel {
  const requests: StepRequest[] = [];
  const obeyed = new Set<string>();
  let ids = 0;
  const use = ([name, input]: readonly [string, unknown]): AssistantBlock => {
    ids += 1;
    return { type: "tool_use", id: `toolu_${ids}`, name, input };
  };
  return {
    ...{ provider: "script", id: "obeying", contextWindow: 200_000, maxOutputTokens: 8_000, nativeTools: true },
    requests,
    obeyed,
    step: async (request) => {
      requests.push(structuredClone(request));
      const text = JSON.stringify(request.messages);
      const verifying = text.includes("to refute");
      const said = [...text.matchAll(/ORDER-([a-z0-9-]+?)-NOW/g)].map(([, name]) => name!);
      for (const name of said) obeyed.add(name);
      const fresh = [...new Set(said)].filter((name) => !wasFollowed(request, orders[name]));
      const wanted = fresh.flatMap((name) => orders[name]?.calls ?? []);
      const isFirst = request.messages.length === 1;
      const calls = isFirst && wanted.length === 0 ? look : wanted;
      const reply = (content: AssistantBlock[]) => ({
        ok: true as const,
        content,
        stopReason: "tool_use" as const,
        usage: { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 },
        model: "obeying",
        provider: "script",
      });
      if (calls.length > 0) return reply(calls.map(use));
      const told = said.flatMap((name) => orders[name] ?? []);
      if (verifying) {
        const ordered = told.flatMap((each) => each.judgements ?? []);
        const numbers = [...JSON.stringify(request.messages[0]).matchAll(/Claim (\d+), /g)].map(([, number]) =>
          Number(number),
        );
        const own = numbers.map((number) => ({ claim: number, verdict: "unsure", reason: "cannot tell" }));
        return reply([use(["complete", { judgements: ordered.length > 0 ? ordered : own }])]);
      }
      const result = told.find((each) => each.result !== undefined)?.result;
      const shown = JSON.stringify(request.messages.at(-1)?.content).slice(-500);
      return reply([use(["complete", result ?? { summary: shown, findings: [claim(shown)] }])]);
    },
  };
}

/** Whether a call of it stands in the history. */
function wasFollowed(request: StepRequest, obedience: Obedience | undefined): boolean {
  const made = request.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_use" ? [JSON.stringify([block.name, block.input])] : [])),
  );
  return (obedience?.calls ?? []).some((call) => made.includes(JSON.stringify(call)));
}
