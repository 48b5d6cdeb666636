/** Names that say nothing of a fault by themselves. */
const KNOWN: Readonly<Record<string, string>> = { "ai/logic": "wrong logic" };

/** "noSelfCompare" of `biome/suspicious/noSelfCompare`: what people call it. A model's finding keeps saying that it is one: `ai/logic`. */
export function shortRule(rule: string): string {
  return rule.startsWith("ai/") ? rule : lastPart(rule);
}

/** "self compare", for where there is room for a few words; undefined for a rule that is a number. */
export function ruleInWords(rule: string): string | undefined {
  const known = KNOWN[rule];
  if (known !== undefined) return known;
  const words = lastPart(rule)
    .replace(/^[A-Za-z]{1,6}\d+\b[-_:]?/, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replace(/[-_\s]+/g, " ")
    .toLowerCase()
    .trim()
    .replace(/^no /, "");
  return words === "" ? undefined : words;
}

function lastPart(rule: string): string {
  return rule.split("/").findLast((part) => part !== "") ?? rule;
}
