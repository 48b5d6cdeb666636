import { gatherFacts } from "../facts.ts";
import { Flow, type Tables } from "../flow.ts";
import { NameTable } from "../name-pattern.ts";
import { Budget, Names, nameOfFunction, propertyOf } from "../names.ts";
import { asNode, type Binding, bare, isFunction, isWithin, keyName, type Node, returnedBy } from "../node.ts";
import { type Cleaner, type Danger, LOOKS, type Source } from "../row.ts";
import { bitOf } from "../value.ts";
import { readPython } from "./read-python.ts";
import { CLEANERS, SOURCES } from "./rules/sources.ts";

const CONSTANT = /^_?[A-Z][A-Z0-9_]{0,60}$/;
/** What the classes of an ORM call their tables. */
const OF_MODEL = /^(?:db_table|__tablename__|table_name|tablename)$/;
const QUOTING = /^(?:quote_name|quote_ident|quote_identifier|quote_column|quote_table|Identifier)$/;
/** What such a call gives is made of what it is called on. */
const OF_RECEIVER = /^(?:upper|lower|strip|rstrip|lstrip|title|format|keys|copy|join)$/;
/** What such a call gives is made of its first argument. */
const OF_ARGUMENT = /^(?:str|sorted|list|tuple|set|reversed|enumerate)$/;
const DEEPEST = 12;

/** Which of the texts that a file puts together are made of pieces that the program chooses. */
export class OwnText {
  readonly #names: Names;
  readonly #flow: Flow;
  /** Names on the way to the answer: what is made of itself and of own pieces is own. */
  readonly #asked = new Set<Binding>();

  constructor(text: string) {
    const budget = new Budget(LOOKS.least + LOOKS.perCharacter * text.length);
    this.#names = new Names(gatherFacts(readPython(text), text), budget);
    this.#flow = new Flow(this.#names, TABLES);
  }

  /**
   * Whether all texts that are put together between two offsets take in constants, numbers, choices of a list or a table, and what was
   * quoted, and nothing else. Undecided cases are no, and so is a place where nothing is put together.
   */
  isPutTogether(from: number, to: number): boolean {
    const composed = this.#names.facts.composed.filter(
      ({ start, end, up }) => start < to && end > from && !(up !== undefined && this.#isPart(up, from, to)),
    );
    return composed.length > 0 && composed.every((each) => this.#isOwn(each, "sql"));
  }

  /** The same of what the call around an offset is given first: the command. */
  isCommand(at: number): boolean {
    const calls = this.#names.facts.calls.filter(({ start, end }) => start <= at && at < end);
    const innermost = calls.reduce<Node | undefined>(
      (inner, each) => (inner === undefined || isWithin(each, inner) ? each : inner),
      undefined,
    );
    const [command] = innermost?.arguments ?? [];
    return command !== undefined && this.#isOwn(command, "shell");
  }

  #isPart(up: Node, from: number, to: number): boolean {
    return /^(?:TemplateLiteral|BinaryExpression)$/.test(up.type) && up.start < to && up.end > from;
  }

  #isOwn(node: Node, danger: Danger, depth = 0): boolean {
    if (depth > DEEPEST || this.#names.budget.spent) return false;
    this.#names.budget.left -= 1;
    const all = (nodes: readonly (Node | null | undefined)[] | undefined) =>
      (nodes ?? []).every((each) => each != null && this.#isOwn(each, danger, depth + 1));
    const inner = bare(node, true);
    switch (inner.type) {
      case "Literal":
        return true;
      case "TemplateLiteral":
        return all(inner.expressions);
      case "BinaryExpression":
        // `["?"] * len(ids)`
        return inner.operator === "*" ? all([inner.left]) : all(partsOf(inner));
      case "LogicalExpression":
        return all([inner.left, inner.right]);
      case "ConditionalExpression":
        return all([asNode(inner.consequent), inner.alternate]) || this.#isHarmless(inner, danger);
      case "ArrayExpression":
        return all(inner.elements);
      case "Identifier":
        return this.#isOwnName(inner, danger, depth) || this.#isHarmless(inner, danger);
      case "MemberExpression":
        return this.#isOwnMember(inner, danger, depth) || this.#isHarmless(inner, danger);
      case "CallExpression":
        return this.#isOwnCall(inner, danger, depth) || this.#isHarmless(inner, danger);
      default:
        return false;
    }
  }

  /** What is followed to where it comes from, and was checked or cleaned on all ways. */
  #isHarmless(node: Node, danger: Danger): boolean {
    const value = this.#flow.guarded(this.#flow.valueOf(node), node);
    return value.length > 0 && value.every(({ clean }) => (clean & bitOf(danger)) !== 0);
  }

  #isOwnName(node: Node, danger: Danger, depth: number): boolean {
    const binding = this.#names.bindingOf(node);
    // What a file calls a constant is one in a query; a command is worth a look at its value.
    if (CONSTANT.test(String(node.name)) && (danger === "sql" || binding?.kind !== "variable")) return true;
    if (binding === undefined || binding.access.length > 0) return false;
    if (this.#asked.has(binding)) return true;
    this.#asked.add(binding);
    const own = this.#isOwnBinding(binding, danger, depth);
    this.#asked.delete(binding);
    return own;
  }

  #isOwnBinding(binding: Binding, danger: Danger, depth: number): boolean {
    const assignments = this.#names.assignmentsTo(binding);
    const assigned = assignments.every(
      ({ left, right }) => left?.type === "Identifier" && right !== undefined && this.#isOwn(right, danger, depth + 1),
    );
    if (!assigned) return false;
    const added = this.#names
      .additionsTo(binding)
      .every((call) => (call.arguments ?? []).every((each) => this.#isOwn(each, danger, depth + 1)));
    switch (binding.kind) {
      case "variable":
        return added && assignments.length > 0;
      case "element":
        return binding.node.right !== undefined && this.#isOwn(binding.node.right, danger, depth + 1);
      case "parameter":
        return this.#isChosen(binding) || this.#isGivenOwn(binding, danger, depth);
      case "import":
      case "function":
      case "class":
      case "other":
        return false;
    }
  }

  /** A number, or one of a few. */
  #isChosen({ pattern }: Binding): boolean {
    const name = pattern?.type === "AssignmentPattern" ? pattern.left : pattern;
    return name?.chosen === true;
  }

  /** A parameter of a function that is called in this file alone, as its name says. */
  #isGivenOwn({ node: fn, index, pattern }: Binding, danger: Danger, depth: number): boolean {
    if (index === undefined || !/^_[^_]/.test(nameOfFunction(fn) ?? "")) return false;
    const calls = this.#names.callsOf(fn);
    const fallback = pattern?.type === "AssignmentPattern" ? pattern.right : undefined;
    const name = String((pattern?.type === "AssignmentPattern" ? pattern.left : pattern)?.name);
    return (
      calls.length > 0 &&
      calls.every((call) => {
        const args = call.arguments ?? [];
        const last = args.at(-1);
        const named = last?.type === "ObjectExpression" ? propertyOf(last, name) : undefined;
        const given = named ?? (args[index]?.type === "ObjectExpression" ? undefined : args[index]) ?? fallback;
        return given !== undefined && this.#isOwn(given, danger, depth + 1);
      })
    );
  }

  #isOwnMember(node: Node, danger: Danger, depth: number): boolean {
    const object = bare(node.object!);
    const key = keyName(node.property, node.computed);
    if (node.computed) return this.#isTable(object);
    if (key === undefined) return false;
    if (CONSTANT.test(key) || OF_MODEL.test(key)) return true;
    if (object.type === "ThisExpression") {
      const values = this.#names.fieldValues(node, key);
      return values.length > 0 && values.every((each) => !isFunction(each) && this.#isOwn(each, danger, depth + 1));
    }
    // `sort.value` of an enum.
    return /^(?:value|name)$/.test(key) && object.type === "Identifier" && this.#isOwn(object, danger, depth + 1);
  }

  /** A table of constants: what is taken out of it was written into it. */
  #isTable(object: Node): boolean {
    const name = object.type === "Identifier" ? object.name : keyName(object.property, object.computed);
    if (CONSTANT.test(String(name))) return true;
    const table = this.#names.objectOf(object);
    return table !== undefined && (table.properties ?? []).every(({ value }) => asNode(value)?.type === "Literal");
  }

  #isOwnCall(node: Node, danger: Danger, depth: number): boolean {
    const callee = bare(node.callee!);
    const args = node.arguments ?? [];
    const [first, second] = args;
    const cleaner = this.#flow.cleanerAt(this.#names.pathOf(callee));
    if (cleaner !== undefined && (cleaner.clean === "all" || cleaner.clean.includes(danger))) return true;
    const name = String(callee.type === "MemberExpression" ? callee.property?.name : callee.name);
    if (danger === "sql" && QUOTING.test(name)) return true;
    if (callee.type !== "MemberExpression" || callee.object === undefined)
      return OF_ARGUMENT.test(name) && first !== undefined && this.#isOwn(first, danger, depth + 1);
    const receiver = bare(callee.object);
    if (name === "get" && this.#isTable(receiver))
      return second === undefined || this.#isOwn(second, danger, depth + 1);
    if (name === "map") {
      const body = asNode(this.#names.functionOf(first)?.body);
      const results = body?.type === "BlockStatement" ? returnedBy(body) : body === undefined ? [] : [body];
      return results.length > 0 && results.every((each) => this.#isOwn(each, danger, depth + 1));
    }
    return (
      OF_RECEIVER.test(name) &&
      this.#isOwn(receiver, danger, depth + 1) &&
      args.every((each) => this.#isOwn(each, danger, depth + 1))
    );
  }
}

/** Of a sum, however long. */
function partsOf(sum: Node): (Node | undefined)[] {
  const parts: (Node | undefined)[] = [];
  let at: Node | undefined = sum;
  while (at?.type === "BinaryExpression" && at.operator === sum.operator) {
    parts.push(at.right);
    at = at.left && bare(at.left);
  }
  return [...parts, at];
}

const TABLES: Tables = { sources: new NameTable<Source>(), cleaners: new NameTable<Cleaner>() };
for (const row of SOURCES) TABLES.sources.add(row, row.values, undefined, true);
for (const row of CLEANERS) TABLES.cleaners.add(row, row.calls, row.on, true);
