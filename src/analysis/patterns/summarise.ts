import { moduleName, rootName } from "./facts.ts";
import type { FileSummary, Outlet } from "./file-summary.ts";
import type { Flow } from "./flow.ts";
import type { Names } from "./names.ts";
import { asNode, bare, isFunction, keyName, type Node } from "./node.ts";
import type { Search } from "./search.ts";
import { FOREIGN, type Origin } from "./value.ts";

export type Exports = Omit<FileSummary, "imports">;

const MOST_OUTLETS = 8;

/** What a file that was searched does with what others hand to it. */
export function summarise(names: Names, flow: Flow, { inlets }: Search, path: string): Exports {
  const { functions, others, passedOn } = exposedBy(names);
  return {
    path,
    functions: [...functions].map(([name, fn]) => [
      name,
      {
        inlets: inlets.get(fn) ?? [],
        returns: flow
          .returnsOf(fn, 0)
          .flatMap((origin) => outletOf(origin, fn, path))
          .slice(0, MOST_OUTLETS),
      },
    ]),
    others: [...others],
    passedOn,
  };
}

function outletOf(origin: Origin, fn: Node, path: string): Outlet[] {
  const { parameter, clean, joined, sure, resolved, label, node, reach, source, came } = origin;
  const how = { clean, joined, sure, label, ...(resolved ? { resolved } : {}) };
  const steps = [...(came ?? []), { path, offset: node.start, text: label }].slice(0, 1);
  if (parameter !== undefined)
    return parameter.node === fn && parameter.index !== undefined
      ? [{ ...how, parameter: parameter.index, access: parameter.access, steps: [] }]
      : [];
  if (reach !== FOREIGN || source === undefined) return [{ ...how, steps: [] }];
  const { id, what, remote } = source;
  return [{ ...how, source: { id, what, remote }, steps }];
}

const MOST_EXPORTS = 500;

/** What leaves a file under which name: functions, and paths of everything else that has one. */
interface Exposed {
  readonly functions: Map<string, Node>;
  readonly others: Map<string, string>;
  readonly passedOn: string[];
}

/** Reads `export` and `module.exports`. */
function exposedBy(names: Names): Exposed {
  const exposed: Exposed = { functions: new Map(), others: new Map(), passedOn: [] };
  for (const statement of (names.facts.program.body ?? []) as readonly Node[]) readStatement(statement, names, exposed);
  for (const write of names.facts.writes) {
    const name = exportedName(write.left);
    if (name !== undefined && write.right) expose(name, write.right, names, exposed);
  }
  return exposed;
}

function readStatement(statement: Node, names: Names, exposed: Exposed): void {
  const { declaration, source } = statement;
  switch (statement.type) {
    case "ExportNamedDeclaration": {
      for (const specifier of statement.specifiers ?? []) {
        const outer = nameOf(specifier.exported);
        const inner = nameOf(specifier.local);
        if (outer === undefined || inner === undefined) continue;
        const name = outer === "default" ? "" : outer;
        const from = source?.value;
        if (typeof from === "string")
          exposed.others.set(name, `${moduleName(from)}:${inner === "default" ? "" : inner}`);
        else if (specifier.local) expose(name, specifier.local, names, exposed);
      }
      if (!declaration) return;
      for (const each of declaration.declarations ?? [])
        if (each.id?.type === "Identifier" && each.init) expose(String(each.id.name), each.init, names, exposed);
      if (declaration.id) expose(String(declaration.id.name), declaration, names, exposed);
      return;
    }
    case "ExportDefaultDeclaration":
      if (declaration) expose("", declaration, names, exposed);
      return;
    case "ExportAllDeclaration": {
      const from = source?.value;
      const outer = nameOf(statement.exported ?? undefined);
      if (typeof from !== "string") return;
      if (outer === undefined) exposed.passedOn.push(moduleName(from));
      else exposed.others.set(outer, `${moduleName(from)}:`);
      return;
    }
    case "TSExportAssignment":
      if (statement.expression) expose("", statement.expression, names, exposed);
      return;
    default:
  }
}

/** `find` of `exports.find` and `module.exports.find`, empty of `module.exports`. */
function exportedName(left: Node | undefined): string | undefined {
  const root = rootName(left);
  if (left?.type !== "MemberExpression" || (root !== "module" && root !== "exports")) return undefined;
  const parts: string[] = [];
  for (let at: Node | undefined = left; at?.type === "MemberExpression"; at = at.object) {
    const key = keyName(at.property, at.computed);
    if (key === undefined || parts.length > 3) return undefined;
    parts.unshift(key);
  }
  if (root === "module" && parts.shift() !== "exports") return undefined;
  return parts[0] === "default" ? parts.slice(1).join(".") : parts.join(".");
}

function expose(name: string, node: Node, names: Names, exposed: Exposed, depth = 0): void {
  if (depth > 4 || exposed.functions.size > MOST_EXPORTS) return;
  const inner = bare(node);
  const fn = names.functionOf(inner);
  if (fn !== undefined) {
    exposed.functions.set(name, fn);
    return;
  }
  if (isFunction(inner)) return;
  const object = names.objectOf(inner);
  if (object !== undefined) {
    for (const property of (object.properties ?? []).slice(0, MOST_EXPORTS)) {
      const value = asNode(property.type === "SpreadElement" ? property.argument : property.value);
      const key = keyName(property.key, property.computed);
      if (property.type === "SpreadElement" && value) {
        const path = names.pathOf(value);
        if (name === "" && path.endsWith(":")) exposed.passedOn.push(path.slice(0, -1));
      } else if (value && key !== undefined) expose(below(name, key), value, names, exposed, depth + 1);
    }
    return;
  }
  const made = inner.type === "NewExpression" && inner.callee ? classOf(inner.callee, names) : undefined;
  const declared = made ?? classOf(inner, names);
  if (declared !== undefined) {
    const statics = new Set(membersOf(declared).flatMap(({ static: own, key }) => (own ? [keyName(key, false)] : [])));
    const owner = (key: string) => (made !== undefined || statics.has(key) ? name : `${name}()`);
    for (const [key, values] of names.classes.methodsOf(declared)) {
      const value = values.find(isFunction);
      if (value !== undefined && key !== "constructor") exposed.functions.set(below(owner(key), key), value);
    }
    const base = names.classes.foreignBaseOf(declared);
    const path = base === undefined ? "" : names.pathOf(base);
    if (/^[\w@./~-]+:/.test(path)) exposed.others.set(made === undefined ? `${name}()` : name, `${path}()`);
    return;
  }
  const path = names.pathOf(inner);
  if (/^[\w@./~-]+:/.test(path)) exposed.others.set(name, path);
}

function classOf(node: Node, names: Names): Node | undefined {
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression") return node;
  if (node.type !== "Identifier") return undefined;
  const binding = names.bindingOf(node);
  if (binding?.kind === "class") return binding.node;
  const value = binding && names.valueOf(binding);
  return value?.type === "ClassExpression" ? value : undefined;
}

function membersOf(declared: Node): readonly Node[] {
  const body = asNode(declared.body);
  return ((body?.body ?? []) as readonly Node[]).slice(0, MOST_EXPORTS);
}

function below(name: string, key: string): string {
  return name === "" ? key : `${name}.${key}`;
}

function nameOf(node: Node | undefined): string | undefined {
  const name = node?.name ?? node?.value;
  return typeof name === "string" ? name : undefined;
}
