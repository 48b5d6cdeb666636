import { type Names, nameOfFunction, propertyOf } from "./names.ts";
import { type Binding, bare, isExported, type Node } from "./node.ts";

const DEEPEST = 4;

/**
 * Whether an object surely has no prototype, so that `__proto__` is a name like others in it: `Object.create(null)`, through names and through
 * a parameter that each call in this file gives such an object.
 */
export function hasNoPrototype(node: Node | undefined, names: Names, depth = 0): boolean {
  if (node === undefined || depth > DEEPEST || names.budget.spent) return false;
  names.budget.left -= 1;
  const inner = bare(node);
  switch (inner.type) {
    case "CallExpression":
      return isNull(inner.arguments?.[0]) && names.pathOf(inner.callee!) === "Object.create";
    case "ObjectExpression":
      return isNull(propertyOf(inner, "__proto__"));
    case "NewExpression":
      return inner.callee?.type === "Identifier" && makesNone(inner.callee, names, depth);
    case "Identifier": {
      const binding = names.bindingOf(inner);
      return binding !== undefined && holdsNone(binding, names, depth);
    }
    default:
      return false;
  }
}

/** `function Empty() {}` with `Empty.prototype = Object.create(null)`. */
function makesNone(callee: Node, names: Names, depth: number): boolean {
  const binding = names.bindingOf(callee);
  if (binding === undefined) return false;
  return names
    .writesTo(binding)
    .some(
      ({ left, right }) =>
        left?.object?.type === "Identifier" &&
        names.keyOf(left) === "prototype" &&
        hasNoPrototype(right, names, depth + 1),
    );
}

function holdsNone(binding: Binding, names: Names, depth: number): boolean {
  if (binding.access.length > 0 || binding.fallback !== undefined) return false;
  const given = names.assignmentsTo(binding).map(({ operator, right }) => (operator === "=" ? right : undefined));
  if (binding.kind === "variable" && binding.node.init) given.push(binding.node.init);
  if (binding.kind === "parameter") {
    const { index } = binding;
    const calls = index === undefined || isGivenAway(binding.node, names) ? [] : names.callsOf(binding.node);
    if (calls.length === 0) return false;
    given.push(...calls.map((call) => call.arguments?.[index ?? 0]));
  } else if (binding.kind !== "variable") return false;
  return given.length > 0 && given.every((each) => hasNoPrototype(each, names, depth + 1));
}

/** Others may call it with anything. */
function isGivenAway(fn: Node, names: Names): boolean {
  const name = nameOfFunction(fn);
  if (name === undefined || isExported(fn)) return true;
  const { program, writes } = names.facts;
  const isSaid = (program.body as readonly Node[]).some(({ specifiers = [] }) =>
    specifiers.some(({ type, local }) => type === "ExportSpecifier" && local?.name === name),
  );
  return (
    isSaid || writes.some(({ right }) => right?.type === "ObjectExpression" && propertyOf(right, name) !== undefined)
  );
}

function isNull(node: Node | undefined): boolean {
  return node?.type === "Literal" && node.value === null && !node.regex;
}
