import { SEVERITIES, type Severity } from "../../domain/findings.ts";
import { holds, offender, place } from "./conditions.ts";
import { gatherFacts, lastName } from "./facts.ts";
import { Flow } from "./flow.ts";
import { lastOfPath, NameTable, receiverOf } from "./name-pattern.ts";
import { Budget, Names } from "./names.ts";
import { asNode, bare, keyName, type Node } from "./node.ts";
import { Roles } from "./roles.ts";
import type { Cleaner, Handler, Setting, Sink, Source } from "./row.ts";
import { bitOf, FOREIGN, type Origin, PARAMETER, type Value } from "./value.ts";

/** What was found at one place, offsets in UTF-16 units. */
export interface PatternHit {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
  readonly severity: Severity;
  readonly confidence: number;
  /** The way of foreign input, its beginning first; none for settings. */
  readonly way: readonly WayStep[];
  readonly what?: { readonly label: string; readonly source?: string };
  readonly fix?: { readonly from: number; readonly to: number; readonly text: string };
}

interface WayStep {
  readonly offset: number;
  readonly text: string;
}

export interface RuleTables {
  readonly sources: readonly Source[];
  readonly cleaners: readonly Cleaner[];
  readonly handlers: readonly Handler[];
  readonly sinks: readonly Sink[];
  readonly settings: readonly Setting[];
}

/** Looks at nodes that a file may cost: some for each of its characters, so that time grows with size and no faster. */
const LOOKS = { least: 200_000, perCharacter: 3 };
const MOST_HITS = 300;
/** A file full of them says one thing. */
const MOST_REMARKS_OF_A_RULE = 5;

/** Tables made ready once for many files. */
export class PatternFinder {
  readonly #sources = new NameTable<Source>();
  readonly #cleaners = new NameTable<Cleaner>();
  readonly #handlers: readonly Handler[];
  readonly #calls = new NameTable<Sink | Setting>();
  readonly #writes = new NameTable<Sink | Setting>();
  readonly #tags = new NameTable<Sink>();
  readonly #attributes = new Map<string, Sink[]>();
  readonly #properties = new Map<string, Setting[]>();
  readonly #elements = new Map<string, Setting[]>();
  readonly #texts: Setting[] = [];
  readonly #compared: Setting[] = [];
  readonly #composed: Sink[] = [];
  readonly #unlessSaid = new Map<string, readonly string[]>();

  constructor({ sources, cleaners, handlers, sinks, settings }: RuleTables) {
    for (const row of sources) this.#sources.add(row, row.values);
    for (const row of cleaners) this.#cleaners.add(row, row.calls, row.on);
    this.#handlers = handlers;
    for (const row of [...sinks, ...settings]) {
      if (row.calls) this.#calls.add(row, row.calls, row.on);
      if (row.writes) this.#writes.add(row, row.writes, row.on);
      if (row.unlessSaid) this.#unlessSaid.set(row.id, row.unlessSaid.split(" "));
    }
    for (const row of sinks) {
      if (row.composes) this.#composed.push(row);
      if (row.tags) this.#tags.add(row, row.tags);
      for (const name of row.attributes?.split(" ") ?? [])
        this.#attributes.set(name, [...(this.#attributes.get(name) ?? []), row]);
    }
    for (const row of settings) {
      for (const name of row.properties?.split(" ") ?? [])
        this.#properties.set(name, [...(this.#properties.get(name) ?? []), row]);
      for (const name of row.elements?.split(" ") ?? [])
        this.#elements.set(name, [...(this.#elements.get(name) ?? []), row]);
      if (row.texts) this.#texts.push(row);
      if (row.compares) this.#compared.push(row);
    }
  }

  /** @returns what was found, and whether the file cost more than it may, so that this is not all */
  find(program: Node, text: string): { readonly hits: PatternHit[]; readonly cut: boolean } {
    const budget = new Budget(LOOKS.least + LOOKS.perCharacter * text.length);
    const names = new Names(gatherFacts(program, text), budget);
    const roles = new Roles(names, this.#handlers);
    names.roleOf = (binding) => roles.roleOf(binding);
    const flow = new Flow(names, { sources: this.#sources, cleaners: this.#cleaners });
    const search = new Search(names, flow);
    for (const call of names.facts.calls) this.#readCall(call, search);
    for (const write of names.facts.writes) this.#readWrite(write, search);
    for (const tagged of names.facts.tagged) this.#readTagged(tagged, search);
    for (const attribute of names.facts.attributes) this.#readAttribute(attribute, search);
    for (const property of names.facts.properties) this.#readProperty(property, search);
    for (const element of names.facts.elements) this.#readElement(element, search);
    for (const literal of names.facts.texts) {
      for (const row of this.#texts)
        if (row.texts?.test(literal.value as string)) search.setting(row, literal, [literal]);
    }
    for (const comparison of names.facts.comparisons) this.#readComparison(comparison, search);
    // Last: what a call was already told for is not said of the text as well.
    for (const composed of names.facts.composed) this.#readComposed(composed, search);
    return { hits: this.#once(search.hits, text).sort((a, b) => a.from - b.from), cut: budget.left <= 0 };
  }

  /** Of two rows that say the same of the same code the one that says more, with the fix of either. */
  #once(hits: readonly PatternHit[], text: string): PatternHit[] {
    const silent = new Map<PatternHit, PatternHit>();
    const kept = hits.filter((hit) => {
      const others = this.#unlessSaid.get(hit.rule);
      const said = others && hits.find((other) => others.includes(other.rule) && saysAsMuch(other, hit, text));
      if (said) silent.set(said, hit);
      return said === undefined;
    });
    return kept.map((hit) => {
      const other = silent.get(hit);
      const fix = hit.fix ?? other?.fix;
      return other ? { ...hit, to: Math.max(hit.to, other.to), ...(fix ? { fix } : {}) } : hit;
    });
  }

  #readCall(call: Node, search: Search): void {
    const { names } = search;
    if (call.type === "ImportExpression") {
      const args = call.source ? [call.source] : [];
      for (const row of this.#calls.find("import", "import", ""))
        if ("danger" in row) search.sink(row, call, args, args);
      return;
    }
    const callee = bare(call.callee!);
    if (callee.type === "MemberExpression") {
      const key = keyName(callee.property, callee.computed);
      if (key !== undefined && !this.#calls.knows(key)) return;
    }
    const path = names.pathOf(callee);
    const last = lastOfPath(path);
    if (!this.#calls.knows(last)) return;
    for (const row of this.#calls.find(path, last, receiverOf(path), lastName(callee.object))) {
      const args = call.arguments ?? [];
      if ("danger" in row)
        search.sink(row, call, row.argument === "key" ? keysOf(callee) : argumentsOf(row, args, names), args);
      else search.setting(row, call, args);
    }
  }

  #readComparison(node: Node, search: Search): void {
    const { left, right } = node;
    if (!left || !right) return;
    for (const row of this.#compared) {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const name = lastName(bare(one));
        if (name === undefined || !row.compares?.test(name)) continue;
        const against = bare(other);
        const said = lastName(against);
        if (
          against.type === "Literal"
            ? typeof against.value !== "string" || against.value === ""
            : against.type === "UnaryExpression"
        )
          continue;
        if (
          said === undefined ? against.type !== "CallExpression" && against.type !== "Literal" : OTHER_KIND.test(said)
        )
          continue;
        search.setting(row, node, [one, other]);
        return;
      }
    }
  }

  #readComposed(node: Node, search: Search): void {
    const text = search.names.facts.text.slice(node.start, Math.min(node.end, node.start + 400));
    for (const row of this.#composed) if (row.composes?.test(text)) search.sink(row, node, [node], [node]);
  }

  #readWrite(write: Node, search: Search): void {
    const { left, right } = write;
    if (!left || !right) return;
    const key = search.names.keyOf(left);
    if (key === undefined ? !this.#writes.knows("[]") : !this.#writes.knows(key)) return;
    const path = search.names.pathOf(left);
    for (const row of this.#writes.find(path, key ?? "[]", receiverOf(path), lastName(left.object))) {
      if ("danger" in row) search.sink(row, write, row.argument === "key" ? keysOf(left) : [right], [right]);
      else search.setting(row, write, [right]);
    }
  }

  #readTagged(tagged: Node, search: Search): void {
    const path = search.names.pathOf(tagged.tag!);
    for (const row of this.#tags.find(path, lastOfPath(path), receiverOf(path)))
      search.sink(row, tagged, tagged.quasi?.expressions ?? [], tagged.quasi?.expressions ?? []);
  }

  #readAttribute(attribute: Node, search: Search): void {
    const name = keyName(asNode(attribute.name), false);
    const value = asNode(attribute.value);
    if (name === undefined || value?.type !== "JSXExpressionContainer" || !value.expression) return;
    for (const row of this.#attributes.get(name) ?? []) {
      const html =
        name === "dangerouslySetInnerHTML"
          ? place({ option: "__html" }, [value.expression], search.names)
          : value.expression;
      if (typeof html !== "string") search.sink(row, attribute, [html], [html]);
      else if (html === "unknown") search.sink(row, attribute, [value.expression], [value.expression]);
    }
  }

  #readProperty(property: Node, search: Search): void {
    const name = keyName(property.key, property.computed);
    const rows = name === undefined ? undefined : this.#properties.get(name);
    const value = asNode(property.value);
    if (rows === undefined || !value) return;
    for (const row of rows) search.setting(row, property, [value, property.up!]);
  }

  #readElement(element: Node, search: Search): void {
    const name = keyName(asNode(element.name), false);
    if (name === undefined) return;
    for (const row of this.#elements.get(name) ?? []) search.setting(row, element, [element]);
  }
}

/** Farther apart on one line two calls have nothing to do with each other. */
const ONE_PLACE = 200;

/** On the same line, and no milder. */
function saysAsMuch(hit: PatternHit, other: PatternHit, text: string): boolean {
  const [from, to] = [Math.min(hit.from, other.from), Math.max(hit.from, other.from)];
  const isMilder = SEVERITIES.indexOf(hit.severity) < SEVERITIES.indexOf(other.severity);
  return !isMilder && to - from < ONE_PLACE && !text.slice(from, to).includes("\n");
}

/** What a secret is compared with where nobody guesses: its repetition, constants. */
const OTHER_KIND = /^[A-Z_\d]+$|[cC]onfirm|[rR]epeat|[aA]gain|undefined|[oO]ld|[pP]revious|[kK]ind|[tT]ype/;

/** The computed names of a member, outermost first. */
function keysOf(member: Node): Node[] {
  const keys: Node[] = [];
  for (let at: Node | undefined = member; at?.type === "MemberExpression" && keys.length < 5; at = at.object)
    if (at.computed && at.property) keys.push(at.property);
  return keys;
}

function argumentsOf(row: Sink, args: readonly Node[], names: Names): readonly Node[] {
  const { argument = 0 } = row;
  if (argument === "all" || argument === "key") return args;
  if (typeof argument === "number") {
    const at = args[argument];
    if (at !== undefined) return [at];
    return args.filter(({ type }) => type === "SpreadElement");
  }
  if ("from" in argument) return args.slice(argument.from);
  return argument.options.split(" ").flatMap((option) => {
    const found = place({ argument: argument.at, option }, args, names);
    return typeof found === "string" ? [] : [found];
  });
}

const SOFTER: Readonly<Record<Severity, Severity>> = {
  critical: "error",
  error: "warning",
  warning: "info",
  info: "info",
};

/** What was found so far in one file. */
class Search {
  readonly names: Names;
  readonly hits: PatternHit[] = [];
  readonly #flow: Flow;
  readonly #said = new Set<string>();
  readonly #remarks = new Map<string, number>();

  constructor(names: Names, flow: Flow) {
    this.names = names;
    this.#flow = flow;
  }

  sink(row: Sink, node: Node, values: readonly Node[], args: readonly Node[]): void {
    if (this.hits.length >= MOST_HITS || this.names.budget.spent) return;
    const subject = { node, args };
    if (!holds(row.when, subject, this.names) || (row.unless !== undefined && holds(row.unless, subject, this.names)))
      return;
    const bit = bitOf(row.danger);
    let worst: Origin | undefined;
    for (const each of values) {
      for (const origin of this.#reaching(each, node)) {
        if (origin.clean & bit || !counts(row, origin)) continue;
        if (worst === undefined || weight(origin) > weight(worst)) worst = origin;
      }
    }
    if (worst === undefined) return;
    const said = `${row.danger} ${worst.key}`;
    if (row.composes !== undefined && this.#said.has(said)) return;
    this.#said.add(said);
    const certain = worst.reach === FOREIGN;
    const remote = worst.source?.remote !== false;
    const sure = certain && worst.sure;
    const severity = !sure ? "info" : remote ? row.severity : SOFTER[row.severity];
    this.#add({
      ...{ rule: row.id, ...this.#span(node, values[0] ?? node) },
      severity,
      confidence: sure ? (remote ? 0.85 : 0.65) : certain ? 0.5 : 0.4,
      way: this.#way(worst, node),
      what: { label: worst.label, ...(worst.source ? { source: worst.source.what } : {}) },
    });
  }

  #reaching(node: Node, sink: Node): Value {
    const value = this.#flow.guarded(this.#flow.valueOf(node), sink);
    return value.some(({ parameter }) => parameter !== undefined) ? this.#flow.expand(value) : value;
  }

  setting(row: Setting, node: Node, args: readonly Node[]): void {
    if (this.hits.length >= MOST_HITS) return;
    const subject = { node, args };
    if (!holds(row.when, subject, this.names)) return;
    if (row.unless !== undefined && holds(row.unless, subject, this.names)) return;
    const at = (row.when && offender(row.when, subject, this.names)) ?? node;
    const fix =
      row.fix && at !== node && at.start >= node.start && at.end <= node.end
        ? { from: at.start, to: at.end, text: row.fix.value }
        : undefined;
    this.#add({
      ...{ rule: row.id, ...this.#span(node, at), severity: row.severity, confidence: row.confidence ?? 0.8, way: [] },
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
    const way = [{ offset: origin.node.start, text: origin.label }];
    for (const node of nodes) {
      const text = this.#flow.label(node);
      if (text !== way.at(-1)?.text) way.push({ offset: node.start, text });
    }
    const callee = sink.callee ?? sink.left ?? sink.tag ?? sink;
    const shown = way.length > 3 ? [...way.slice(0, 1), ...way.slice(-2)] : way;
    return [...shown, { offset: sink.start, text: this.#flow.label(callee) }];
  }
}

/** Where even a value that nobody can trace is worth a remark. */
const WORST: ReadonlySet<string> = new Set(["shell", "code", "html", "sql"]);

function counts(row: Sink, { reach, joined }: Origin): boolean {
  if (row.onlyJoined && !joined) return false;
  if (reach === FOREIGN) return true;
  if (row.from === "source" || (row.joined && !joined)) return false;
  return reach === PARAMETER || row.from === "anything" || (row.from === undefined && WORST.has(row.danger));
}

function weight({ reach, sure, source }: Origin): number {
  return reach * 4 + (sure ? 2 : 0) + (source?.remote ? 1 : 0);
}
