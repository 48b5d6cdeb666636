/** What of a ranked list fits into a budget of tokens, in its order; something shorter further down may fit where a longer one did not. */
export function withinBudget<Item>(
  ranked: readonly Item[],
  {
    limit,
    tokens,
    tokensOf,
  }: { readonly limit: number; readonly tokens: number; readonly tokensOf: (item: Item) => number },
): { readonly taken: Item[]; readonly tokens: number; readonly beyondBudget: number } {
  const taken: Item[] = [];
  let used = 0;
  let beyondBudget = 0;
  for (const item of ranked) {
    if (taken.length === limit) break;
    const cost = tokensOf(item);
    if (used + cost > tokens) {
      beyondBudget += 1;
      continue;
    }
    taken.push(item);
    used += cost;
  }
  return { taken, tokens: used, beyondBudget: Math.min(beyondBudget, limit) };
}
