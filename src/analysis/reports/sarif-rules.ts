import { type Result, Rule, type Run } from "./sarif-log.ts";

/** The rules of a run, by the several ways in which a result may name its own. */
export interface RuleBook {
  readonly of: (result: Result) => { readonly rule: Rule | undefined; readonly id: string };
}

export function openRuleBook({ tool }: Run): RuleBook {
  const driver = readRules(tool.driver.rules);
  const extensions = (tool.extensions ?? []).map(({ rules }) => readRules(rules));
  const byId = new Map([...extensions.toReversed(), driver].flat().flatMap((rule) => (rule ? [[rule.id, rule]] : [])));
  return {
    of: ({ rule: reference, ruleId, ruleIndex }) => {
      const component = reference?.toolComponent?.index;
      const rules = component === undefined ? driver : extensions[component];
      const index = reference?.index ?? ruleIndex;
      const indexed = index === undefined ? undefined : rules?.[index];
      const id = ruleId ?? reference?.id ?? indexed?.id ?? "";
      return { rule: indexed ?? byId.get(id) ?? byId.get(withoutLastPart(id)), id };
    },
  };
}

/** In their order, so that numbers stay right; one that cannot be read leaves its place empty. */
function readRules(rules: readonly unknown[] | undefined): (Rule | undefined)[] {
  return (rules ?? []).map((rule) => Rule.safeParse(rule).data);
}

/** `CA1000/general` is a part of the rule `CA1000`. */
function withoutLastPart(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}
