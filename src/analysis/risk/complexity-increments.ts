import { type Node, type Program, visitorKeys } from "oxc-parser";
import { defined } from "../../domain/defined.ts";

export interface Increment {
  readonly offset: number;
  readonly points: number;
}

/** An outermost function with everything in it that counts; offsets in UTF-16 units. */
export interface MeasuredFunction {
  readonly name?: string;
  /** Called as `this.name()`, where others are called as `name()`. */
  readonly member: boolean;
  readonly start: number;
  readonly end: number;
  readonly increments: Increment[];
}

interface Named {
  readonly name: string;
  readonly member: boolean;
}

interface Visit {
  readonly node: Node;
  /** How many counted structures and functions are around it, within its outermost function. */
  readonly nesting: number;
  readonly unit: MeasuredFunction | undefined;
  readonly named?: Named | undefined;
  readonly isElseIf?: boolean;
}

type Child = Pick<Visit, "node"> & { readonly deeper?: boolean; readonly isElseIf?: boolean; readonly named?: Named };

/**
 * The increments of cognitive complexity in every outermost function:
 * - `if`, `?:`, `switch`, loops and `catch` count 1, and 1 more for each such structure, and each function, around them;
 * - `else`, `else if`, a `break` or `continue` to a label count 1, however deep they stand;
 * - each run of the same operator, `&&` or `||`, counts 1: `a && b && c` once, `a && b || c` twice; `??` and `?.` count nothing;
 * - the first call of a function to itself by its name counts 1;
 * - code outside functions counts nothing.
 * Walks without recursion, so that the depth of the code does not matter.
 */
export function findIncrements(program: Program): MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  const recursive = new Set<MeasuredFunction>();
  const pending: Visit[] = [{ node: program, nesting: 0, unit: undefined }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { node, nesting } = visit;
    let { unit } = visit;
    const startsUnit = unit === undefined && isFunction(node);
    if (startsUnit) {
      const named = nameOf(node) ?? visit.named ?? { member: false };
      unit = { ...named, start: node.start, end: node.end, increments: [] };
      found.push(unit);
    }
    if (unit !== undefined) {
      unit.increments.push(...incrementsOf(visit));
      if (callsItself(node, unit) && !recursive.has(unit)) {
        recursive.add(unit);
        unit.increments.push({ offset: node.start, points: 1 });
      }
    }
    for (const { deeper, ...child } of childrenOf(node, startsUnit)) {
      pending.push({ ...child, nesting: nesting + (deeper && unit !== undefined ? 1 : 0), unit });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function incrementsOf({ node, nesting, isElseIf }: Visit): Increment[] {
  switch (node.type) {
    case "IfStatement": {
      const own = { offset: node.start, points: isElseIf ? 1 : 1 + nesting };
      const { alternate } = node;
      const hasElse = alternate !== null && alternate.type !== "IfStatement";
      return hasElse ? [own, { offset: alternate.start, points: 1 }] : [own];
    }
    case "ConditionalExpression":
    case "SwitchStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "CatchClause":
      return [{ offset: node.start, points: 1 + nesting }];
    case "BreakStatement":
    case "ContinueStatement":
      return node.label === null ? [] : [{ offset: node.start, points: 1 }];
    case "LogicalExpression":
      return operatorRuns(node).runs;
    default:
      return [];
  }
}

/** Parts that stand inside a counted structure; the others are read at its own depth. */
const DEEPER_PARTS: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ["consequent", "alternate"],
  ConditionalExpression: ["consequent", "alternate"],
  SwitchStatement: ["cases"],
  ForStatement: ["body"],
  ForInStatement: ["body"],
  ForOfStatement: ["body"],
  WhileStatement: ["body"],
  DoWhileStatement: ["body"],
  CatchClause: ["body"],
};

function childrenOf(node: Node, startsUnit: boolean): Child[] {
  if (isCounted(node)) return operatorRuns(node).operands.map((operand) => ({ node: operand }));
  const deeper = isFunction(node) && !startsUnit ? ["body"] : (DEEPER_PARTS[node.type] ?? []);
  const named = nameOf(node);
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const part = (node as unknown as Record<string, Node | null | (Node | null)[]>)[key];
    const nodes = (Array.isArray(part) ? part : [part]).filter((child) => child !== null && child !== undefined);
    return nodes.map((child): Child => {
      const isElseIf = node.type === "IfStatement" && key === "alternate" && child.type === "IfStatement";
      return {
        node: child,
        deeper: deeper.includes(key) && !isElseIf,
        ...defined({ isElseIf: isElseIf || undefined, named }),
      };
    });
  });
}

/** The operators of a whole expression in the order they are written, as runs of equal ones, and what stands between them. */
function operatorRuns(root: Node): { runs: Increment[]; operands: Node[] } {
  const runs: Increment[] = [];
  const operands: Node[] = [];
  const pending: (Node | { readonly operator: string; readonly offset: number })[] = [root];
  let last: string | undefined;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (!("type" in part)) {
      if (part.operator !== last) runs.push({ offset: part.offset, points: 1 });
      last = part.operator;
    } else if (isCounted(part)) {
      pending.push(part.right, { operator: part.operator, offset: part.right.start }, part.left);
    } else operands.push(part);
  }
  return { runs, operands };
}

function isCounted(node: Node): node is Extract<Node, { type: "LogicalExpression" }> {
  return node.type === "LogicalExpression" && node.operator !== "??";
}

function isFunction(node: Node): boolean {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** The name that a function has, or that a declaration or member gives to the function in it. */
function nameOf(node: Node): Named | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return node.id === null ? undefined : { name: node.id.name, member: false };
    case "VariableDeclarator":
      return node.id.type === "Identifier" ? { name: node.id.name, member: false } : undefined;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "Property":
      return node.key.type === "Identifier" ? { name: node.key.name, member: true } : undefined;
    default:
      return undefined;
  }
}

function callsItself(node: Node, { name, member }: MeasuredFunction): boolean {
  if (node.type !== "CallExpression" || name === undefined) return false;
  const { callee } = node;
  if (!member) return callee.type === "Identifier" && callee.name === name;
  const onThis = callee.type === "MemberExpression" && callee.object.type === "ThisExpression";
  return onThis && callee.property.type === "Identifier" && callee.property.name === name;
}
