import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import { defined } from "../../domain/defined.ts";
import type { Severity } from "../../domain/findings.ts";
import { environmentWithin } from "./environment.ts";
import type { Environment } from "./expressions.ts";
import { resolveAliases } from "./resolve-aliases.ts";

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
  /** What the context `env` stands for there, by the step, its job and the workflow. */
  readonly environment: Environment;
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
  /** Names of the inputs that can be any text: of an action, or of a workflow that others call. In small letters; `*` stands for all. */
  readonly textInputs: ReadonlySet<string>;
}

/** @returns undefined when it does not parse or is neither workflow nor action */
export function readWorkflow(text: string): WorkflowDocument | undefined {
  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent", lineCounter: new LineCounter() });
  const root = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return undefined;
  resolveAliases(document);
  const runs = mapAt(root, "runs");
  const jobs = mapAt(root, "jobs");
  const seen = new Set<Node>();
  const environment = environmentOf(root, new Map());
  const listed =
    jobs === undefined
      ? []
      : entries(jobs).flatMap(([name, node]) => (isMap(node) ? [toJob(name, node, seen, environment)] : []));
  const action = runs === undefined ? [] : [toJob("runs", runs, seen, environment)];
  const events = readEvents(root);
  return { text, root, events, jobs: [...listed, ...action], textInputs: readTextInputs(events) };
}

/** Those of a called workflow have a type, and a number or a truth value is no text to fear. */
function readTextInputs(events: ReadonlyMap<string, Node | null>): Set<string> {
  if (events.size === 0) return new Set(["*"]);
  const call = events.get("workflow_call");
  const inputs = isMap(call) ? mapAt(call, "inputs") : undefined;
  const texts = inputs
    ? entries(inputs).filter(([, input]) => isMap(input) && textAt(input, "type")?.value === "string")
    : [];
  return new Set(texts.map(([name]) => name.toLowerCase()));
}

function toJob(name: string, node: YAMLMap, seen: Set<Node>, outer: Environment): Job {
  const steps = toSteps(node.get("steps", true), seen, environmentOf(node, outer));
  return { name, node, ...rangeOfNode(node), steps };
}

function environmentOf(node: YAMLMap, outer: Environment): Environment {
  const env = mapAt(node, "env");
  if (env === undefined) return outer;
  return environmentWithin(
    entries(env).map(([name, value]) => [name, textOf(value)?.value ?? ""]),
    outer,
  );
}

/**
 * Steps in order, with those that `parallel` starts together (`background`, `wait`, `wait-all` and `cancel` hold none). A step that aliases
 * bring to several places is read once, since it is one place in the file.
 * @param seen what was read already
 */
function toSteps(list: unknown, seen: Set<Node>, outer: Environment): Step[] {
  if (!isSeq(list) || seen.has(list)) return [];
  seen.add(list);
  return list.items.flatMap((step) => {
    if (!isMap(step) || seen.has(step)) return [];
    seen.add(step);
    const uses = textAt(step, "uses");
    const run = textAt(step, "run");
    const parallel = step.get("parallel", true);
    const inner = toSteps(isMap(parallel) ? parallel.get("steps", true) : parallel, seen, outer);
    const environment = environmentOf(step, outer);
    return [{ node: step, ...rangeOfNode(step), ...defined({ uses, run }), environment }, ...inner];
  });
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
