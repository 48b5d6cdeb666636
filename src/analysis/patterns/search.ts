import { defined } from "../../domain/defined.ts";
import type { Severity } from "../../domain/findings.ts";
import { holds, offender, type Subject } from "./conditions.ts";
import type { ForeignStep, Inlet } from "./file-summary.ts";
import type { Flow } from "./flow.ts";
import { type Mend, mendOf } from "./mend.ts";
import type { Names } from "./names.ts";
import { bare, type Node } from "./node.ts";
import { DANGERS, type Setting, type Sink } from "./row.ts";
import { bitOf, FOREIGN, type Origin, PARAMETER, type Value } from "./value.ts";
import { type Hole, holdTogether, holeOf } from "./weak-guards.ts";

/** What was found at one place, offsets in UTF-16 units. */
export interface PatternHit {
  readonly rule: string;
  /** The row of the rule, by its key. */
  readonly row: string;
  /** The file it is in, where that is another than the one that was read. */
  readonly path?: string;
  readonly from: number;
  readonly to: number;
  readonly severity: Severity;
  readonly confidence: number;
  /** The way of foreign input, its beginning first; none for settings. */
  readonly way: readonly WayStep[];
  readonly what?: { readonly label: string; readonly source?: string };
  readonly fix?: Mend;
  /** Why a check on the way is not enough. */
  readonly hole?: Hole;
}

export interface WayStep {
  /** As in a hit. */
  readonly path?: string;
  readonly offset: number;
  readonly text: string;
}

const MOST_HITS = 300;
/** A file full of them says one thing. */
const MOST_REMARKS_OF_A_RULE = 20;
const MOST_INLETS = 20;
/** Files between a caller and the place where harm is done. */
const MOST_HOPS = 3;

const SOFTER: Readonly<Record<Severity, Severity>> = {
  critical: "error",
  error: "warning",
  warning: "info",
  info: "info",
};

interface SearchOptions {
  readonly names: Names;
  readonly flow: Flow;
  readonly keys: ReadonlyMap<Sink | Setting, string>;
  /** Of the file, where other files are read with it. */
  readonly path: string | undefined;
}

/** What was found so far in one file. */
export class Search {
  readonly names: Names;
  readonly hits: PatternHit[] = [];
  /** By the function whose parameter it is: for files that import this one. */
  readonly inlets = new Map<Node, Inlet[]>();
  readonly #path: string | undefined;
  readonly #flow: Flow;
  readonly #keys: SearchOptions["keys"];
  readonly #said = new Set<string>();
  readonly #remarks = new Map<string, number>();

  constructor({ names, flow, keys, path }: SearchOptions) {
    this.names = names;
    this.#flow = flow;
    this.#keys = keys;
    this.#path = path;
  }

  #keyOf(row: Sink | Setting): string {
    return this.#keys.get(row) ?? row.id;
  }

  /** @param known whether more than its name says that this is what the row is about: a remark or a warning otherwise, which never blocks */
  sink(row: Sink, node: Node, values: readonly Node[], args: readonly Node[], known = true): void {
    if (this.hits.length >= MOST_HITS || this.names.budget.spent) return;
    const subject = { node, args };
    if (!holds(row.when, subject, this.names) || (row.unless !== undefined && holds(row.unless, subject, this.names)))
      return;
    const bit = bitOf(row.danger);
    const severity = known ? row.severity : milder(row.severity);
    let worst: Origin | undefined;
    for (const each of values) {
      for (const origin of this.#reaching(each, node)) {
        if (origin.clean & bit || holdTogether(row.danger, origin.clean)) continue;
        if (origin.parameter !== undefined) this.#noteInlet(row, severity, origin, node, values[0] ?? node);
        if (!counts(row, origin)) continue;
        if (worst === undefined || weight(origin) > weight(worst)) worst = origin;
      }
    }
    if (worst === undefined) return;
    const said = `${row.danger} ${worst.key}`;
    if (row.composes !== undefined && this.#said.has(said)) return;
    this.#said.add(said);
    this.#add({
      ...{
        rule: row.id,
        row: this.#keyOf(row),
        ...this.#span(node, values[0] ?? node),
        ...weighed(worst, severity, known),
      },
      ...defined({ fix: this.#mend(row, subject), hole: holeOf(row.danger, worst.clean) }),
      way: this.#way(worst, node),
      what: { label: worst.label, ...(worst.source ? { source: worst.source.what } : {}) },
    });
  }

  #mend(row: Sink, subject: Subject): Mend | undefined {
    if (row.fix === undefined) return undefined;
    const at = (row.when && offender(row.when, subject, this.names)) ?? subject.node;
    return mendOf(row.fix, row.when, subject, at, this.names);
  }

  /** A call of another file's function with foreign input that does harm there. */
  handsOn(call: Node, inlet: Inlet): void {
    if (this.hits.length >= MOST_HITS || this.names.budget.spent) return;
    const { rule, row, path, from, to } = inlet;
    const danger = DANGERS[31 - Math.clz32(inlet.bit)];
    let worst: Origin | undefined;
    for (const each of this.#flow.handed(call, inlet)) {
      const origin = { ...each, clean: each.clean | inlet.clean, sure: each.sure && inlet.sure };
      if (danger === undefined || holdTogether(danger, origin.clean)) continue;
      if (origin.clean & inlet.bit || (inlet.onlyJoined && !origin.joined && !inlet.joined)) continue;
      if (origin.parameter !== undefined && inlet.hops < MOST_HOPS) this.#passInlet(inlet, origin, call);
      if (origin.reach === FOREIGN && (worst === undefined || weight(origin) > weight(worst))) worst = origin;
    }
    if (worst === undefined || this.hits.some((hit) => hit.rule === rule && hit.from === call.start)) return;
    const way = [...this.#way(worst, call), ...inlet.steps];
    this.#add({
      ...{ rule, row, path, from, to, ...weighed(worst, inlet.severity) },
      ...defined({ hole: danger && holeOf(danger, worst.clean) }),
      way: way.length <= 4 ? way : [...way.slice(0, 1), ...way.slice(-3)],
      what: { label: worst.label, ...(worst.source ? { source: worst.source.what } : {}) },
    });
  }

  #noteInlet(row: Sink, severity: Severity, origin: Origin, node: Node, at: Node): void {
    const path = this.#path;
    if (path === undefined) return;
    const { parameter } = origin;
    const bit = bitOf(row.danger);
    // What a call was told for is not said of its text as well.
    const known = parameter && this.inlets.get(parameter.node);
    if (row.composes && known?.some((each) => each.bit === bit && each.parameter === parameter?.index)) return;
    const steps = this.#way(origin, node).slice(-2);
    this.#keepInlet(origin, {
      ...{ rule: row.id, row: this.#keyOf(row), severity, bit, path, ...this.#span(node, at), hops: 0 },
      onlyJoined: row.onlyJoined === true,
      steps: steps.map((step) => ({ path, ...step })),
    });
  }

  #passInlet(inlet: Inlet, origin: Origin, call: Node): void {
    const path = this.#path ?? "";
    const { rule, row, severity, bit, from, to, onlyJoined, hops } = inlet;
    const own = this.#way(origin, call)
      .slice(-1)
      .map((step): ForeignStep => ({ path, ...step }));
    const steps = [...own, ...inlet.steps.slice(-2)];
    const joined = origin.joined || inlet.joined;
    this.#keepInlet(
      { ...origin, joined },
      { rule, row, severity, bit, onlyJoined, path: inlet.path, from, to, steps, hops: hops + 1 },
    );
  }

  #keepInlet(origin: Origin, more: Omit<Inlet, "parameter" | "access" | "clean" | "joined" | "sure">): void {
    const { parameter, clean, joined, sure } = origin;
    if (parameter?.index === undefined) return;
    const known = this.inlets.get(parameter.node) ?? [];
    const { index, access } = parameter;
    if (known.length >= MOST_INLETS) return;
    const same = known.some(
      (each) =>
        each.rule === more.rule &&
        each.from === more.from &&
        each.path === more.path &&
        each.parameter === index &&
        each.access?.[0] === access[0],
    );
    if (!same) this.inlets.set(parameter.node, [...known, { ...more, parameter: index, access, clean, joined, sure }]);
  }

  #reaching(node: Node, sink: Node): Value {
    const value = this.#flow.guarded(this.#flow.valueOf(node), sink);
    return value.some(({ parameter }) => parameter !== undefined) ? this.#flow.expand(value) : value;
  }

  /** @param known as of a sink */
  setting(row: Setting, node: Node, args: readonly Node[], known = true): void {
    if (this.hits.length >= MOST_HITS) return;
    const subject = { node, args };
    if (!holds(row.when, subject, this.names)) return;
    if (row.unless !== undefined && holds(row.unless, subject, this.names)) return;
    const at = (row.when && offender(row.when, subject, this.names)) ?? node;
    const fix = row.fix && mendOf(row.fix, row.when, subject, at, this.names);
    this.#add({
      ...{ rule: row.id, row: this.#keyOf(row), ...this.#span(node, at), way: [] },
      severity: known ? row.severity : milder(row.severity),
      confidence: known ? (row.confidence ?? 0.8) : GUESSED,
      ...(fix ? { fix } : {}),
    });
  }

  #add(hit: PatternHit): void {
    if (hit.severity === "info") {
      const count = (this.#remarks.get(hit.rule) ?? 0) + 1;
      this.#remarks.set(hit.rule, count);
      if (count > MOST_REMARKS_OF_A_RULE) return;
    }
    this.hits.push(hit);
  }

  /** From the beginning of the call to the end of what is wrong in it, but no more than some lines. */
  #span(node: Node, at: Node): { from: number; to: number } {
    let from = node.start;
    const callee = node.callee && bare(node.callee);
    // A chain of many lines: the link that matters.
    if (callee?.type === "MemberExpression" && callee.property) {
      const before = this.names.facts.text.slice(node.start, callee.property.start);
      if (before.split("\n").length > 4) from = callee.property.start;
    }
    const inside = at.start >= from && at.end <= node.end;
    return { from, to: inside ? Math.min(at.end, at.start + 200) : Math.min(node.end, from + 200) };
  }

  #way(origin: Origin, sink: Node): WayStep[] {
    const nodes: Node[] = [];
    for (let step = origin.steps; step !== undefined && nodes.length < 100; step = step.before)
      nodes.unshift(step.node);
    const { came, node: start } = origin;
    // Of what another file gives: its place there, and the call that brings it.
    const text = came && start.callee ? this.#flow.label(start.callee) : origin.label;
    const way: WayStep[] = [...(came ?? []).slice(0, 1), { offset: start.start, text }];
    for (const node of nodes) {
      const text = this.#flow.label(node);
      if (text !== way.at(-1)?.text) way.push({ offset: node.start, text });
    }
    const callee = sink.callee ?? sink.left ?? sink.tag ?? sink;
    const shown = way.length > 3 ? [...way.slice(0, 1), ...way.slice(-2)] : way;
    return [...shown, { offset: sink.start, text: this.#flow.label(callee) }];
  }
}

/** How certain it is that a method is what its name says, where nothing but the name does. */
const GUESSED = 0.6;

/** What blocks becomes a warning. */
function milder(severity: Severity): Severity {
  return severity === "critical" || severity === "error" ? "warning" : severity;
}

function weighed(
  { reach, source, sure }: Origin,
  severity: Severity,
  known = true,
): Pick<PatternHit, "severity" | "confidence"> {
  const certain = reach === FOREIGN;
  const remote = source?.remote !== false;
  if (certain && sure && remote && !known) return { severity, confidence: GUESSED };
  if (!certain || !sure) return { severity: "info", confidence: certain ? 0.5 : 0.4 };
  return { severity: remote ? severity : SOFTER[severity], confidence: remote ? 0.85 : 0.65 };
}

/** Where even an untraceable value is worth a remark. */
const WORST: ReadonlySet<string> = new Set(["shell", "code", "html", "sql"]);

function counts(row: Sink, { reach, joined, sure }: Origin): boolean {
  if ((row.onlyJoined && !joined) || (row.onlySure && !sure)) return false;
  if (reach === FOREIGN) return true;
  if (row.from === "source" || (row.joined && !joined)) return false;
  return reach === PARAMETER || row.from === "anything" || (row.from === undefined && WORST.has(row.danger));
}

function weight({ reach, sure, source }: Origin): number {
  return reach * 4 + (sure ? 2 : 0) + (source?.remote ? 1 : 0);
}
