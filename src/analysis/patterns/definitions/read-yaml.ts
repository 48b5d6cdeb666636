import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { identifier, literal, make, type Node, statement } from "../node.ts";

const require = createRequire(import.meta.url);

/** Loaded for the first such file: it takes longer than to read a change that has none. */
const yaml = () => require("yaml") as typeof Yaml;

const DEEPEST = 60;

const SERVERLESS = /(?:^|\/)serverless(?:[.-][\w.-]+)?\.ya?ml$/i;
const TEMPLATE = /^(?:AWSTemplateFormatVersion\s*:|Transform\s*:\s*["']?AWS::Serverless)/m;

/** Whether a YAML file defines what runs in a cloud: the Serverless Framework, or CloudFormation with SAM. */
export function definesCloud(path: string, text: string): boolean {
  return SERVERLESS.test(path) || TEMPLATE.test(text);
}

/**
 * YAML as the tree that the search for insecure code reads: objects, lists and constants at their places. What a tag (`!Ref`) or an alias
 * stands for is unknown here. Undefined where it does not parse.
 */
export function readYaml(text: string): Node | undefined {
  const documents = yaml().parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const body = documents.flatMap(({ contents }) => (contents === null ? [] : [asStatement(contents)]));
  return make("Program", { from: 0, to: text.length }, { body });
}

function asStatement(contents: Yaml.Node): Node {
  const value = asValue(contents, 0);
  return statement({ from: value.start, to: value.end }, value);
}

function asValue(node: unknown, depth: number): Node {
  const { isMap, isPair, isScalar, isSeq } = yaml();
  const [from = 0, to = from] = (node as Yaml.Node | null)?.range ?? [];
  const place = { from, to };
  const { tag } = (node ?? {}) as { readonly tag?: string };
  if (depth > DEEPEST || (tag?.startsWith("!") && !tag.startsWith("!!"))) return identifier("undefined", place);
  if (isScalar(node)) {
    const { value } = node;
    const isPlain = value === null || /^(?:string|number|boolean)$/.test(typeof value);
    return isPlain ? literal(value as string | number | boolean | null, place) : identifier("undefined", place);
  }
  if (isSeq(node))
    return make("ArrayExpression", place, { elements: node.items.map((each) => asValue(each, depth + 1)) });
  if (!isMap(node)) return identifier("undefined", place);
  const properties = node.items.flatMap((pair) => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const key = asValue(pair.key, depth);
    const value = asValue(pair.value, depth + 1);
    const all = { from: key.start, to: Math.max(key.end, value.end) };
    return [make("Property", all, { key, value, kind: "init", computed: false })];
  });
  return make("ObjectExpression", place, { properties });
}
