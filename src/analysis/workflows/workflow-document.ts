import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import { defined } from "../../domain/defined.ts";
import type { Severity } from "../../domain/findings.ts";

/** A part of a workflow with its offsets in the text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Text extends TextRange {
  readonly value: string;
}

export interface Step extends TextRange {
  readonly node: YAMLMap;
  readonly uses?: Text;
  readonly run?: Text;
}

export interface Job extends TextRange {
  readonly name: string;
  readonly node: YAMLMap;
  readonly steps: readonly Step[];
}

/** What the own rules read of a workflow or of an action made of steps. */
export interface WorkflowDocument {
  readonly text: string;
  readonly root: YAMLMap;
  /** Names of the events that start it; none for an action. */
  readonly events: ReadonlyMap<string, Node | null>;
  readonly jobs: readonly Job[];
}

/** @returns undefined when it does not parse or is neither workflow nor action */
export function readWorkflow(text: string): WorkflowDocument | undefined {
  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent", lineCounter: new LineCounter() });
  const root = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return undefined;
  const runs = mapAt(root, "runs");
  const jobs = mapAt(root, "jobs");
  const listed =
    jobs === undefined ? [] : entries(jobs).flatMap(([name, node]) => (isMap(node) ? [toJob(name, node)] : []));
  const action = runs === undefined ? [] : [toJob("runs", runs)];
  return { text, root, events: readEvents(root), jobs: [...listed, ...action] };
}

function toJob(name: string, node: YAMLMap): Job {
  const steps = node.get("steps", true);
  const items = isSeq(steps) ? steps.items.filter((item) => isMap(item)) : [];
  return {
    name,
    node,
    ...rangeOfNode(node),
    steps: items.map((step) => {
      const uses = textAt(step, "uses");
      const run = textAt(step, "run");
      return { node: step, ...rangeOfNode(step), ...defined({ uses, run }) };
    }),
  };
}

/** `on: push`, `on: [push]` and `on: { push: … }`; YAML 1.1 readers call the key true. */
function readEvents(root: YAMLMap): Map<string, Node | null> {
  const on = root.get("on", true) as Node | undefined;
  if (isScalar(on)) return new Map([[String(on.value), null]]);
  if (isSeq(on)) return new Map(on.items.flatMap((item) => (isScalar(item) ? [[String(item.value), null]] : [])));
  return new Map(isMap(on) ? entries(on) : []);
}

export function entries(map: YAMLMap): [string, Node | null][] {
  return map.items.flatMap((item) =>
    isPair(item) && isScalar(item.key) ? [[String(item.key.value), (item.value as Node | null) ?? null]] : [],
  );
}

export function mapAt(map: YAMLMap, key: string): YAMLMap | undefined {
  const value = map.get(key, true);
  return isMap(value) ? value : undefined;
}

/** A scalar's value as text, with its place. */
export function textAt(map: YAMLMap, key: string): Text | undefined {
  return textOf(map.get(key, true));
}

export function textOf(node: unknown): Text | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return { value: String(node.value), ...rangeOfNode(node) };
}

export function rangeOfNode(node: Node): TextRange {
  const [from = 0, to = from] = node.range ?? [];
  return { from, to: Math.max(from, to) };
}

/** A dangerous place of a workflow. */
export interface WorkflowDanger extends TextRange {
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: number;
  readonly message: string;
  readonly why: string;
}

/** The place of a snippet within a scalar, as far as it stands there as it is. */
export function narrow({ text }: WorkflowDocument, scalar: TextRange, snippet: string): TextRange {
  const at = text.slice(scalar.from, scalar.to).indexOf(snippet);
  return at === -1 ? span(scalar) : { from: scalar.from + at, to: scalar.from + at + snippet.length };
}

export function span({ from, to }: TextRange): TextRange {
  return { from, to };
}
