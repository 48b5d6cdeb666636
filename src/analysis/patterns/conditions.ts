import { sendsHtml } from "./answers.ts";
import { matchesCode } from "./match-code.ts";
import type { Names } from "./names.ts";
import { propertyOf } from "./names.ts";
import { asNode, bare, functionAround, keyName, type Node } from "./node.ts";
import type { Condition, Constant } from "./row.ts";
import { hasNoPrototype } from "./without-prototype.ts";

/** A call or whatever else a row is about, as conditions see it. */
export interface Subject {
  readonly node: Node;
  readonly args: readonly Node[];
}

/** Whether what a row asks for is so. Where that is unknown (an argument that comes from elsewhere) it is not. */
export function holds(condition: Condition | undefined, subject: Subject, names: Names): boolean {
  if (condition === undefined) return true;
  const { all, any, not, text, file, statement, within, callee, sends, withoutPrototype } = condition;
  if (all !== undefined && !all.every((each) => holds(each, subject, names))) return false;
  if (any !== undefined && !any.some((each) => holds(each, subject, names))) return false;
  if (not !== undefined && holds(not, subject, names)) return false;
  const { text: source } = names.facts;
  const { start, end } = subject.node;
  if (text !== undefined && !matchesCode(text, source, start, end, 4_000)) return false;
  if (file !== undefined && !names.fileMatches(file)) return false;
  if (statement !== undefined && !matchesCode(statement, statementBefore(subject.node, source))) return false;
  if (callee !== undefined && !(subject.node.callee && matchesCode(callee, names.pathOf(subject.node.callee))))
    return false;
  if (within !== undefined) {
    const around = functionAround(subject.node) ?? names.facts.program;
    if (!matchesCode(within, source, around.start, around.end)) return false;
  }
  if (sends === "html" && !sendsHtml(subject.node, subject.args, names)) return false;
  if (withoutPrototype && !hasNoPrototype(bare(subject.node.left ?? subject.node).object, names)) return false;
  return ofArgument(condition, subject, names);
}

/** The part of a call that makes a condition hold, for people to look at. */
export function offender(condition: Condition, subject: Subject, names: Names): Node | undefined {
  const inner = [...(condition.all ?? []), ...(condition.any?.filter((each) => holds(each, subject, names)) ?? [])];
  for (const each of inner) {
    const found = offender(each, subject, names);
    if (found !== undefined) return found;
  }
  if (condition.argument === undefined && condition.option === undefined) return undefined;
  const found = place(condition, subject.args, names);
  return typeof found === "string" ? undefined : found;
}

function ofArgument(condition: Condition, { args }: Subject, names: Names): boolean {
  const { is, isNot, missing, present, below, written, reads, path } = condition;
  if (!is && !isNot && !missing && !present && below === undefined && !written && !reads && !path) return true;
  const found = place(condition, args, names);
  if (missing) return found === "missing";
  if (found === "missing" || found === "unknown") return false;
  if (present) return true;
  if (path !== undefined && !matchesCode(path, names.pathOf(found))) return false;
  if (reads !== undefined && !matchesCode(reads, names.facts.text, found.start, found.end, 2_000)) return false;
  const value = names.constant(found);
  if (below !== undefined && !(typeof value === "number" && value < below)) return false;
  if (written && !(typeof value === "string" && value !== "")) return false;
  if (is !== undefined && !isOne(found, value, is, names)) return false;
  return isNot === undefined || (value !== undefined && !isOne(found, value, isNot, names));
}

/** The argument, or the member of the object there. */
export function place(
  condition: Pick<Condition, "argument" | "option">,
  args: readonly Node[],
  names: Names,
): Node | "missing" | "unknown" {
  const { argument = 0, option } = condition;
  const at = argument < 0 ? args.at(argument) : args[argument];
  if (at === undefined) return args.some(({ type }) => type === "SpreadElement") ? "unknown" : "missing";
  if (at.type === "SpreadElement") return "unknown";
  if (option === undefined) return at;
  let object: Node | undefined = at;
  for (const key of option.split(".")) {
    const literal: Node | undefined = object?.type === "JSXOpeningElement" ? object : names.objectOf(object);
    if (literal === undefined) return "unknown";
    const found = memberOf(literal, key);
    if (found === undefined) {
      const open = (literal.properties ?? []).some((each) => each.type === "SpreadElement" || each.computed);
      return open ? "unknown" : "missing";
    }
    object = found;
  }
  return object;
}

function memberOf(object: Node, key: string): Node | undefined {
  if (object.type === "ObjectExpression") return propertyOf(object, key);
  return asNode((object.attributes ?? []).find((each) => keyName(asNode(each.name), false) === key)?.value);
}

function isOne(node: Node, value: unknown, wanted: readonly Constant[], names: Names): boolean {
  const inner = bare(node);
  if (inner.type === "ArrayExpression")
    return (inner.elements ?? []).some((each) => each !== null && isOne(each, names.constant(each), wanted, names));
  if (value === undefined)
    return inner.type === "Identifier" && inner.name === "undefined" && wanted.includes("undefined");
  return wanted.some((each) =>
    each instanceof RegExp ? typeof value === "string" && names.valueMatches(each, value) : each === value,
  );
}

const STATEMENT =
  /^(?:VariableDeclarator|ExpressionStatement|ReturnStatement|Property|PropertyDefinition|AssignmentExpression|MethodDefinition|FunctionDeclaration)$/;

/** Names that say what a value is for: what it is assigned to, the function that returns it. */
function statementBefore(node: Node, source: string): string {
  let said = "";
  for (let at = node.up, depth = 0; at !== undefined && depth < 12; at = at.up, depth += 1) {
    if (at.type === "Program" || (at.type === "BlockStatement" && said !== "" && !/return/.test(said))) break;
    if (!STATEMENT.test(at.type)) continue;
    const end = /^(?:Method|Function)/.test(at.type)
      ? Math.min(at.start + 60, at.end)
      : Math.min(node.start, at.start + 120);
    said = `${source.slice(at.start, end).split("(", 1)[0] ?? ""} ${said}`;
  }
  return said;
}
