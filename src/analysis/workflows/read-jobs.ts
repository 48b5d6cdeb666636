import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { defined } from "../../domain/defined.ts";
import { environmentWithin, yieldsOfText } from "./environment.ts";
import { matrixValues } from "./matrix-values.ts";
import { entries, mapAt, rangeOfNode, type Text, type TextRange, textAt, textOf } from "./nodes.ts";
import { type NamedValue, type Values, withValues } from "./values.ts";
import { type Write, writesOf } from "./written-values.ts";

export interface Step extends TextRange {
  readonly node: YAMLMap;
  readonly uses?: Text;
  readonly run?: Text;
  /** What is known of the values there: by the workflow, the job, its earlier steps and itself. */
  readonly values: Values;
  /** What its script hands on. */
  readonly writes: readonly Write[];
}

export interface Job extends TextRange {
  readonly name: string;
  readonly node: YAMLMap;
  readonly steps: readonly Step[];
  /** What is known of the values there, without its own steps. */
  readonly values: Values;
}

/** So long a row of jobs that need each other is followed. */
const LONGEST_ROW = 50;

/** The jobs of a workflow, in order. What a job knows of another, it knows by `needs` alone. */
export function readJobs(jobs: YAMLMap, outer: Values): Job[] {
  const nodes = new Map(entries(jobs).flatMap(([name, node]) => (isMap(node) ? [[name, node] as const] : [])));
  const seen = new Set<Node>();
  const read = new Map<string, Job & { readonly outputs: readonly NamedValue[] }>();
  const begun = new Set<string>();
  const readOne = (name: string, node: YAMLMap, row: number) => {
    begun.add(name);
    const needed = namesIn(node.get("needs", true)).flatMap((other) => {
      const found = nodes.get(other);
      if (found && !begun.has(other) && row < LONGEST_ROW) readOne(other, found, row + 1);
      return (read.get(other)?.outputs ?? []).map(([path, yields]): NamedValue => [["needs", ...path], yields]);
    });
    read.set(name, readJob(name, node, seen, withValues(outer, needed)));
  };
  for (const [name, node] of nodes) if (!begun.has(name)) readOne(name, node, 0);
  return [...nodes.keys()].flatMap((name) => read.get(name) ?? []);
}

function namesIn(needs: unknown): string[] {
  const items = isSeq(needs) ? needs.items : [needs];
  return items.flatMap((item) => (isScalar(item) ? [String(item.value)] : []));
}

/** Those of an action are read like those of a job. @param seen what was read already */
export function readJob(name: string, node: YAMLMap, seen: Set<Node>, outer: Values) {
  const values = environmentOf(node, withValues(outer, matrixValues(node, outer)));
  const { steps, after } = toSteps(node.get("steps", true), seen, values);
  const outputs = mapAt(node, "outputs");
  const named = (outputs ? entries(outputs) : []).map(
    ([output, value]): NamedValue => [[name, "outputs", output], yieldsOfText(textOf(value)?.value ?? "", after)],
  );
  return { name, node, ...rangeOfNode(node), steps, values, outputs: named.filter(([, yields]) => yields.length > 0) };
}

/**
 * Steps in order, with those that `parallel` starts together (`background`, `wait`, `wait-all` and `cancel` hold none). A step that aliases
 * bring to several places is read once, since it is one place in the file.
 */
function toSteps(list: unknown, seen: Set<Node>, outer: Values): { steps: Step[]; after: Values } {
  if (!isSeq(list) || seen.has(list)) return { steps: [], after: outer };
  seen.add(list);
  const steps: Step[] = [];
  let after = outer;
  for (const node of list.items) {
    if (!isMap(node) || seen.has(node)) continue;
    seen.add(node);
    const uses = textAt(node, "uses");
    const run = textAt(node, "run");
    const values = environmentOf(node, after);
    const writes = run === undefined ? [] : writesOf(run.value, values);
    steps.push({ node, ...rangeOfNode(node), ...defined({ uses, run }), values, writes });
    after = withValues(after, handedOn(textAt(node, "id")?.value, writes));
    const parallel = node.get("parallel", true);
    const inner = toSteps(isMap(parallel) ? parallel.get("steps", true) : parallel, seen, after);
    steps.push(...inner.steps);
    after = inner.after;
  }
  return { steps, after };
}

/** Names of events below which a text has several lines, by its last name. */
const LINES = new Set(["body", "message", "description"]);

/** Whether a text can hold a line break, and so a line that sets something else. A title or a branch cannot. */
export function canHoldLines({ yields }: Pick<Write, "yields">): boolean {
  return yields.some(({ path, whole }) => !whole && LINES.has(path.at(-1) ?? ""));
}

function handedOn(id: string | undefined, writes: readonly Write[]): NamedValue[] {
  return writes.flatMap((write): NamedValue[] => {
    const { file, name, yields, between } = write;
    if (file === "ENV") return [[["env", name], yields]];
    if (file === "PATH" || id === undefined) return [];
    const all = canHoldLines(write) && between !== "random" ? [[["steps", id, "outputs", "*"], yields] as const] : [];
    return [[["steps", id, "outputs", name], yields], ...all];
  });
}

export function environmentOf(node: YAMLMap, outer: Values): Values {
  const env = mapAt(node, "env");
  if (env === undefined) return outer;
  return environmentWithin(
    entries(env).map(([name, value]) => [name, textOf(value)?.value ?? ""]),
    outer,
  );
}
