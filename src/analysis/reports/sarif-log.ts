import { z } from "zod";

/**
 * The part of a SARIF 2.1.0 log that Forge reads. Members of a wrong type count as missing, so that one of them does not cost the rest
 * of the result; what is an array of objects is read one by one.
 */
const text = lenient(z.string());
const number = lenient(z.number());
const list = lenient(z.array(z.unknown()));
const texts = lenient(z.array(z.string()));

const Message = lenient(z.object({ text, id: text, arguments: texts }));
export type SarifMessage = z.infer<typeof Message>;

const ArtifactLocation = z.object({ uri: text, uriBaseId: text, index: number });
export type ArtifactLocation = z.infer<typeof ArtifactLocation>;
export const Artifact = z.object({ location: lenient(ArtifactLocation) });

const Region = z.object({ startLine: number, startColumn: number, endLine: number, endColumn: number });
const PhysicalLocation = z.object({ artifactLocation: lenient(ArtifactLocation), region: lenient(Region) });
export const Location = z.object({ physicalLocation: lenient(PhysicalLocation) });

export const Rule = z.object({
  id: z.string(),
  shortDescription: Message,
  fullDescription: Message,
  messageStrings: lenient(z.record(z.string(), Message)),
  defaultConfiguration: lenient(z.object({ level: text })),
  properties: lenient(
    z.object({
      tags: texts,
      precision: text,
      "security-severity": lenient(z.union([z.string(), z.number()])),
    }),
  ),
});
export type Rule = z.infer<typeof Rule>;

const Component = z.object({ name: text, rules: list });

const Reference = lenient(z.object({ id: text, index: number, toolComponent: lenient(z.object({ index: number })) }));

export const Result = z.object({
  ruleId: text,
  ruleIndex: number,
  rule: Reference,
  kind: text,
  level: text,
  message: Message,
  locations: list,
  suppressions: lenient(z.array(z.object({ status: text }))),
  baselineState: text,
  rank: number,
});
export type Result = z.infer<typeof Result>;

export const Run = z.object({
  tool: z.object({ driver: Component, extensions: lenient(z.array(Component)) }),
  originalUriBaseIds: lenient(z.record(z.string(), lenient(ArtifactLocation))),
  artifacts: list,
  invocations: lenient(z.array(z.object({ executionSuccessful: lenient(z.boolean()) }))),
  results: list,
});
export type Run = z.infer<typeof Run>;

export const Log = z.object({ version: text, runs: z.array(z.unknown()) });

function lenient<T extends z.ZodType>(type: T) {
  return type.optional().catch(undefined);
}

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
