import type { ContextPart } from "../ports.ts";
import { tokenBudget } from "./compress.ts";
import type { Run } from "./turn.ts";

const CONTEXT_PARTS: readonly ContextPart[] = ["memories", "conversation", "environment"];

export const USUAL_SHARES: Readonly<Record<ContextPart, number>> = {
  memories: 0.6,
  conversation: 0.3,
  environment: 0.1,
};

/** Of the model's window, at most. */
const WINDOW_SHARE = 0.7;
/** Tokens that a piece costs beside its text. */
const FRAME = 4;

/**
 * The text of the first message. Each part gets its share; what a part leaves unused goes to those that still have pieces, in the order
 * conversation, environment, memories. The stable parts stand first, the task last, where models heed it best.
 */
export async function gatherContext(run: Run): Promise<string> {
  const { dependencies } = run;
  const { task, shares, sources } = dependencies.context;
  const money = dependencies.inputTokensFor?.(dependencies.budget.left().usd) ?? Number.POSITIVE_INFINITY;
  const total = Math.min(dependencies.models()[0].contextWindow * WINDOW_SHARE, tokenBudget(run) * 0.9, money);
  const remaining = Math.max(0, total - run.overhead - dependencies.estimateTokens(task));
  const offers = await Promise.all(
    CONTEXT_PARTS.map(async (part) => ({ part, pieces: (await sources[part]?.(Math.floor(remaining))) ?? [] })),
  );
  const parts = offers.map(({ part, pieces }) => ({
    part,
    pieces: pieces.map(({ text }) => ({ text, tokens: dependencies.estimateTokens(text) + FRAME })),
  }));
  const chosen = share(parts, remaining, shares);
  const texts = CONTEXT_PARTS.flatMap((part) => chosen.get(part) ?? []);
  return [...texts, task].join("\n\n");
}

interface Measured {
  readonly part: ContextPart;
  readonly pieces: readonly { readonly text: string; readonly tokens: number }[];
}

const FLOW: readonly ContextPart[] = ["conversation", "environment", "memories"];

function share(
  parts: readonly Measured[],
  remaining: number,
  shares: Readonly<Record<ContextPart, number>>,
): ReadonlyMap<ContextPart, string[]> {
  const chosen = new Map<ContextPart, string[]>();
  let unused = 0;
  const left = new Map<ContextPart, Measured["pieces"]>();
  for (const { part, pieces } of parts) {
    const { taken, rest, spare } = fill(pieces, remaining * shares[part]);
    chosen.set(part, taken);
    left.set(part, rest);
    unused += spare;
  }
  for (const part of FLOW) {
    const { taken, spare } = fill(left.get(part) ?? [], unused);
    chosen.get(part)?.push(...taken);
    unused = spare;
  }
  return chosen;
}

/** Takes pieces in their order while they fit; one that is too large is passed over for a smaller one behind it. */
function fill(pieces: Measured["pieces"], remaining: number) {
  const taken: string[] = [];
  const rest: { text: string; tokens: number }[] = [];
  let spare = remaining;
  for (const piece of pieces) {
    if (piece.tokens > spare) {
      rest.push(piece);
      continue;
    }
    spare -= piece.tokens;
    taken.push(piece.text);
  }
  return { taken, rest, spare };
}
