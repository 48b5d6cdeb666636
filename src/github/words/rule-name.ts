/** "noSelfCompare" of `biome/suspicious/noSelfCompare`: what people call it. */
export function shortRule(rule: string): string {
  return rule.split("/").findLast((part) => part !== "") ?? rule;
}

/** "self compare", for where there is room for a few words; undefined for a rule that is a number. */
export function ruleInWords(rule: string): string | undefined {
  const words = shortRule(rule)
    .replace(/^[A-Za-z]{1,6}\d+\b[-_:]?/, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replace(/[-_\s]+/g, " ")
    .toLowerCase()
    .trim()
    .replace(/^no /, "");
  return words === "" ? undefined : words;
}
