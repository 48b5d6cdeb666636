import { SEVERITIES } from "../../domain/severities.ts";
import { place } from "./conditions.ts";
import { gatherFacts, lastName } from "./facts.ts";
import type { Imports } from "./file-summary.ts";
import { Flow } from "./flow.ts";
import { frameworkOfFile } from "./frameworks.ts";
import { matchesCode } from "./match-code.ts";
import { lastOfPath, NameTable, receiverOf } from "./name-pattern.ts";
import { Budget, Names } from "./names.ts";
import { asNode, bare, functionAround, keyName, type Node } from "./node.ts";
import { Roles } from "./roles.ts";
import { type Cleaner, type Handler, LOOKS, rowKeys, type Setting, type Sink, type Source } from "./row.ts";
import { type PatternHit, Search } from "./search.ts";
import { isSlow } from "./slow-regex.ts";
import { type Exports, summarise } from "./summarise.ts";

export interface RuleTables {
  readonly sources: readonly Source[];
  readonly cleaners: readonly Cleaner[];
  readonly handlers: readonly Handler[];
  readonly sinks: readonly Sink[];
  readonly settings: readonly Setting[];
  /** Of a language whose own modules do not look different from packages: a name says as little of either. */
  readonly anyReceiver?: true;
}

/** A file beside others that it imports. */
export interface ModuleContext {
  readonly path: string;
  readonly imports: Imports;
}

export interface Found {
  readonly hits: PatternHit[];
  /** The file cost more than it may, so that this is not all. */
  readonly cut: boolean;
  /** For files that import it, where its place among them is known. */
  readonly exports?: Exports;
}

/** Tables made ready once for many files. */
export class PatternFinder {
  readonly #sources = new NameTable<Source>();
  readonly #cleaners = new NameTable<Cleaner>();
  readonly #handlers = new NameTable<Handler>();
  readonly #calls = new NameTable<Sink | Setting>();
  readonly #writes = new NameTable<Sink | Setting>();
  readonly #tags = new NameTable<Sink>();
  readonly #attributes = new Map<string, Sink[]>();
  readonly #properties = new Map<string, (Sink | Setting)[]>();
  readonly #slow: Setting[] = [];
  readonly #elements = new Map<string, Setting[]>();
  readonly #texts: Setting[] = [];
  readonly #compared: Setting[] = [];
  readonly #composed: Sink[] = [];
  readonly #returned: Sink[] = [];
  readonly #unlessSaid = new Map<string, readonly string[]>();
  readonly #unlessReached = new Map<string, readonly string[]>();
  readonly #keys: ReadonlyMap<Sink | Setting, string>;

  constructor({ sources, cleaners, handlers, sinks, settings, anyReceiver }: RuleTables) {
    for (const row of sources) this.#sources.add(row, row.values, undefined, true);
    for (const row of cleaners) this.#cleaners.add(row, row.calls, row.on, true);
    for (const row of handlers) this.#handlers.add(row, row.calls, row.on, true);
    this.#keys = rowKeys({ sinks, settings });
    for (const row of [...sinks, ...settings]) {
      // A setting says more by its values than by the name of what it is handed to.
      const anywhere = anyReceiver === true || !("danger" in row);
      if (row.calls) this.#calls.add(row, row.calls, row.on, anywhere);
      if (row.writes) this.#writes.add(row, row.writes, row.on, anywhere);
      if (row.unlessReached) this.#unlessReached.set(row.id, row.unlessReached.split(" "));
      if (row.unlessSaid) this.#unlessSaid.set(row.id, row.unlessSaid.split(" "));
    }
    for (const row of sinks) {
      if (row.composes) this.#composed.push(row);
      if (row.returnedBy) this.#returned.push(row);
      if (row.tags) this.#tags.add(row, row.tags);
      for (const name of row.properties?.split(" ") ?? [])
        this.#properties.set(name, [...(this.#properties.get(name) ?? []), row]);
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
      if (row.slow) this.#slow.push(row);
    }
  }

  find(program: Node, text: string, place?: ModuleContext): Found {
    const budget = new Budget(LOOKS.least + LOOKS.perCharacter * text.length);
    const names = new Names(gatherFacts(program, text), budget);
    const roles = new Roles(names, this.#handlers);
    names.roleOf = (binding) => roles.roleOf(binding);
    const flow = new Flow(names, { sources: this.#sources, cleaners: this.#cleaners });
    if (place?.imports.any) names.imports = place.imports;
    const search = new Search({ names, flow, keys: this.#keys, path: place?.path });
    for (const call of names.facts.calls) this.#readCall(call, search);
    for (const write of names.facts.writes) this.#readWrite(write, search);
    for (const tagged of names.facts.tagged) this.#readTagged(tagged, search);
    for (const attribute of names.facts.attributes) this.#readAttribute(attribute, search);
    for (const property of names.facts.properties) this.#readProperty(property, search);
    for (const element of names.facts.elements) this.#readElement(element, search);
    for (const literal of names.facts.texts) {
      for (const row of this.#texts)
        if (row.texts && matchesCode(row.texts, literal.value as string)) search.setting(row, literal, [literal]);
    }
    for (const expression of names.facts.expressions)
      if (isSlow(expression.regex?.pattern ?? ""))
        for (const row of this.#slow) search.setting(row, expression, [expression]);
    for (const comparison of names.facts.comparisons) this.#readComparison(comparison, search);
    if (this.#returned.length > 0) for (const returned of names.facts.returned) this.#readReturned(returned, search);
    // Last: what a call was already told for is not said of the text as well.
    for (const composed of names.facts.composed) this.#readComposed(composed, search);
    const hits = this.#once(search.hits, text).sort((a, b) => a.from - b.from);
    const cut = budget.left <= 0 || names.isCut;
    return {
      hits,
      cut,
      ...(place === undefined || budget.left <= 0 ? {} : { exports: summarise(names, flow, search, place.path) }),
    };
  }

  /** Of two rows that say the same of the same code the one that says more, with the fix of either. */
  #once(hits: readonly PatternHit[], text: string): PatternHit[] {
    const silent = new Map<PatternHit, PatternHit>();
    const kept = hits.filter((hit) => {
      const further = this.#unlessReached.get(hit.rule);
      if (further && hits.some((other) => further.includes(other.rule) && isFurther(other, hit))) return false;
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
    const imported = names.imports?.functionOf(names.pathOf(callee));
    for (const inlet of imported?.inlets ?? []) search.handsOn(call, inlet);
    if (callee.type === "MemberExpression") {
      const key = keyName(callee.property, callee.computed);
      if (key !== undefined && !this.#calls.knows(key)) return;
    }
    const path = names.pathOf(callee);
    const last = lastOfPath(path);
    if (!this.#calls.knows(last)) return;
    const rows = this.#calls.matches(path, last, receiverOf(path), lastName(callee.object));
    // A method of this file has its name by chance: what it does is looked at where it stands.
    if (rows.length > 0 && callee.type === "MemberExpression" && names.functionOf(callee) !== undefined) return;
    for (const { row, known } of rows) {
      const args = call.arguments ?? [];
      const values = "danger" in row && row.argument === "key" ? keysOf(callee) : undefined;
      if ("danger" in row) search.sink(row, call, values ?? argumentsOf(row, args, names), args, known);
      else search.setting(row, call, args, known);
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
        if (name === undefined || !(row.compares && matchesCode(row.compares, name))) continue;
        const against = bare(other);
        const said = lastName(against);
        if (
          against.type === "Literal"
            ? typeof against.value !== "string" || against.value === ""
            : against.type === "UnaryExpression"
        )
          continue;
        if (OTHER_KIND.test(name) && against.type !== "MemberExpression") continue;
        if (
          said === undefined
            ? against.type !== "CallExpression" && against.type !== "Literal"
            : against.type === "Identifier"
              ? OTHER_KIND.test(said)
              : OTHER_MEMBER.test(said)
        )
          continue;
        search.setting(row, node, [one, other]);
        return;
      }
    }
  }

  /** A text becomes HTML where Express sends it, and plain text with Fastify: it blocks only where the file says which of them does. */
  #readReturned(node: Node, search: Search): void {
    const { argument } = node;
    const decorators = functionAround(node)?.up?.decorators;
    if (!argument || decorators === undefined || decorators.length === 0) return;
    const framework = frameworkOfFile(search.names.modules());
    if (framework !== undefined && framework !== "express") return;
    const names = decorators.map(({ expression }) => lastName(expression?.callee ?? expression));
    for (const row of this.#returned)
      if (names.some((name) => name !== undefined && row.returnedBy?.test(name)))
        search.sink(row, node, [argument], [argument], framework === "express");
  }

  #readComposed(node: Node, search: Search): void {
    const { text } = search.names.facts;
    for (const row of this.#composed)
      if (row.composes && matchesCode(row.composes, text, node.start, node.end, 400))
        search.sink(row, node, [node], [node]);
  }

  #readWrite(write: Node, search: Search): void {
    const { left, right } = write;
    if (!left || !right) return;
    const key = search.names.keyOf(left);
    if (key === undefined ? !this.#writes.knows("[]") : !this.#writes.knows(key)) return;
    const path = search.names.pathOf(left);
    for (const { row, known } of this.#writes.matches(path, key ?? "[]", receiverOf(path), lastName(left.object))) {
      if ("danger" in row) search.sink(row, write, row.argument === "key" ? keysOf(left) : [right], [right], known);
      else search.setting(row, write, [right], known);
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
    const args = [value, property.up!];
    for (const row of rows)
      if ("danger" in row) search.sink(row, property, [value], args);
      else search.setting(row, property, args);
  }

  #readElement(element: Node, search: Search): void {
    const name = keyName(asNode(element.name), false);
    if (name === undefined) return;
    for (const row of this.#elements.get(name) ?? []) search.setting(row, element, [element]);
  }
}

/** Farther apart on one line two calls have nothing to do with each other. */
const ONE_PLACE = 200;

/** The same input at a later place of its way, and no milder. */
function isFurther({ from, way, severity }: PatternHit, other: PatternHit): boolean {
  const [begin] = way;
  const [same] = other.way;
  if (begin === undefined || begin.offset !== same?.offset || begin.path !== same.path) return false;
  return from > other.from && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(other.severity);
}

/** On the same line, and no milder. */
function saysAsMuch(hit: PatternHit, other: PatternHit, text: string): boolean {
  const [from, to] = [Math.min(hit.from, other.from), Math.max(hit.from, other.from)];
  const isMilder = SEVERITIES.indexOf(hit.severity) < SEVERITIES.indexOf(other.severity);
  return !isMilder && to - from < ONE_PLACE && !text.slice(from, to).includes("\n");
}

/** What a secret is compared with where no attacker guesses: its repetition, constants. */
const OTHER_KIND = /^[A-Z_\d]+$|[cC]onfirm|[rR]epeat|[aA]gain|undefined|[oO]ld|[pP]revious|[kK]ind|[tT]ype/;

const OTHER_MEMBER = /[cC]onfirm|[rR]epeat|[aA]gain|undefined|[oO]ld|[pP]revious|[kK]ind|[tT]ype/;

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
