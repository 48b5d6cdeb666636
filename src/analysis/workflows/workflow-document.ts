import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import type { Severity } from "../../domain/findings.ts";
import { entries, mapAt, span, type TextRange, textAt } from "./nodes.ts";
import { environmentOf, type Job, readJob, readJobs } from "./read-jobs.ts";
import { resolveAliases } from "./resolve-aliases.ts";
import { type NamedValue, type Values, withValues } from "./values.ts";

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

/**
 * @param inputs what others that call it hand over
 * @returns undefined when it does not parse or is neither workflow nor action; GitHub refuses several documents in one file
 */
export function readWorkflow(text: string, inputs: readonly NamedValue[] = []): WorkflowDocument | undefined {
  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent", lineCounter: new LineCounter() });
  const root = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return undefined;
  resolveAliases(document);
  const events = readEvents(root);
  const textInputs = readTextInputs(events);
  const given = inputs.filter(([[, name = ""]]) => textInputs.has("*") || textInputs.has(name));
  const values: Values = environmentOf(root, withValues(new Map(), given));
  const jobs = mapAt(root, "jobs");
  const runs = mapAt(root, "runs");
  return {
    ...{ text, root, events, textInputs },
    jobs: [
      ...(jobs === undefined ? [] : readJobs(jobs, values)),
      ...(runs === undefined ? [] : [readJob("runs", runs, new Set(), values)]),
    ],
  };
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

/** `on: push`, `on: [push]` and `on: { push: … }`; YAML 1.1 readers call the key true. */
function readEvents(root: YAMLMap): Map<string, Node | null> {
  const on = root.get("on", true) as Node | undefined;
  if (isScalar(on)) return new Map([[String(on.value), null]]);
  if (isSeq(on)) return new Map(on.items.flatMap((item) => (isScalar(item) ? [[String(item.value), null]] : [])));
  return new Map(isMap(on) ? entries(on) : []);
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
