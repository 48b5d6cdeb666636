import { contentTypeOf, saidByHeaders } from "./content-type.ts";
import { frameworkIn } from "./frameworks.ts";
import { lastOfPath } from "./name-pattern.ts";
import { cooked, type Names } from "./names.ts";
import { bare, functionAround, isWithin, type Node } from "./node.ts";

const DEEPEST = 8;

/**
 * Whether a browser takes for HTML what this call or assignment sends: by what the framework makes of such a value, by the content type that
 * the code names, and by how the text begins where nobody names one.
 */
export function sendsHtml(node: Node, args: readonly Node[], names: Names): boolean {
  if (node.type === "ReturnStatement")
    return args[0] !== undefined && kindOf(args[0], names) === "text" && contentTypeOf(node, names) !== "other";
  const target = node.callee ?? node.left;
  const path = target === undefined ? "" : names.pathOf(target);
  // `send(event, text, type)` of h3.
  if (path === "h3:send") return /html/.test(String(names.constant(args[2]) ?? ""));
  const [value] = args;
  if (value === undefined || target === undefined) return false;
  const framework = frameworkIn(path) ?? frameworkOfName(target, names);
  const method = lastOfPath(path);
  const said = contentTypeOf(node, names);
  // An object is JSON to all of them, whatever is said of it.
  const kind = kindOf(value, names);
  if (kind === "object") return false;
  if (said !== undefined) return said === "html" && method !== "json" && method !== "text";
  if (method === "html") return true;
  // What is below a framework: the answer of Node's server.
  if (/\.(?:raw|res|node\.res|nodeRes)\.\w+$/.test(path)) return isTakenForHtml(value, node, names);
  if (kind === "bytes") return false;
  switch (framework) {
    case "fastify":
    case "restify":
    case "h3":
      return false;
    case "hono":
      return args.some((each, index) => index > 0 && saidByHeaders(each, names) === "html");
    case "koa":
    case "http":
    case "next":
      return isTakenForHtml(value, node, names);
    case "hapi":
      return true;
    case "express":
    case undefined:
      return method === "send" || method === "response" || isTakenForHtml(value, node, names);
  }
}

/** `reply` is how those of Fastify call it. */
function frameworkOfName(target: Node, names: Names): "fastify" | undefined {
  let root = bare(target);
  for (let depth = 0; depth < DEEPEST * 4; depth += 1) {
    if (root.type === "MemberExpression" && root.object) root = bare(root.object);
    else if (root.type === "CallExpression" && root.callee) root = bare(root.callee);
    else break;
  }
  return root.type === "Identifier" && root.name === "reply" && names.bindingOf(root)?.kind === "parameter"
    ? "fastify"
    : undefined;
}

/** What a framework looks at before it sends: objects become JSON, bytes and streams are sent as they are. */
type Kind = "text" | "object" | "bytes" | "unknown";

const TEXT = /\.(?:toString|trim|toLowerCase|toUpperCase|slice|replace|replaceAll|join|padStart|padEnd|toFixed)$/;
const OBJECT =
  /^(?:JSON\.parse|Object\.(?:assign|fromEntries|keys|values|entries)|Array\.(?:from|of)|structuredClone|Set|Map|Error|URL)$|\.(?:map|filter|flatMap|entries|keys|values|lean|toObject|toJSON)$/;
const BYTES =
  /^(?:Buffer\.|(?:fs|fs-extra|graceful-fs):createReadStream|stream:|zlib:create)|\.(?:pipe|arrayBuffer|openReadStream|createReadStream)$/;
/** Whole, as parsers make them. */
const OF_REQUEST =
  /^@(?:request|context)(?:~[a-z\d]+)?\.(?:request\.|req\.)?(query|body|params|headers|cookies|signedCookies|files?|payload|state|raw|session|user|auth)$/;
/** Bodies that are text or bytes: only where the file asks for such a parser. */
const TEXT_BODY = /\b(?:express|bodyParser|parser)\s*\.\s*(?:text|raw)\s*\(|enableTypes|addContentTypeParser/;

function kindOf(node: Node, names: Names, depth = 0): Kind {
  const inner = bare(node, true);
  if (depth > DEEPEST || names.budget.spent) return "unknown";
  names.budget.left -= 1;
  switch (inner.type) {
    case "ObjectExpression":
    case "ArrayExpression":
      return "object";
    case "TemplateLiteral":
    case "Literal":
    case "TaggedTemplateExpression":
      return "text";
    case "BinaryExpression":
      return inner.operator === "+" ? "text" : "object";
    case "ConditionalExpression":
      return either(kindOf(inner.consequent as Node, names, depth + 1), kindOf(inner.alternate!, names, depth + 1));
    case "LogicalExpression":
      return either(kindOf(inner.left!, names, depth + 1), kindOf(inner.right!, names, depth + 1));
    case "CallExpression":
    case "NewExpression": {
      const path = names.pathOf(inner.callee!);
      if (OBJECT.test(path)) return "object";
      if (BYTES.test(path)) return "bytes";
      // With a name it gives one text: `c.req.query("q")`.
      const part = inner.arguments?.length === 0 ? ofRequest(path, names) : undefined;
      if (part !== undefined) return part;
      return path === "String" || path === "JSON.stringify" || TEXT.test(path) ? "text" : "unknown";
    }
    case "Identifier":
    case "MemberExpression": {
      const part = ofRequest(names.pathOf(inner), names);
      if (part !== undefined) return part;
      if (inner.type !== "Identifier") return "unknown";
      const binding = names.bindingOf(inner);
      const value = binding && binding.access.length === 0 ? names.valueOf(binding) : undefined;
      if (value !== undefined) return kindOf(value, names, depth + 1);
      return binding?.kind === "variable" && names.objectOf(binding.node.init) !== undefined ? "object" : "unknown";
    }
    default:
      return "unknown";
  }
}

function ofRequest(path: string, names: Names): Kind | undefined {
  const part = OF_REQUEST.exec(path)?.[1];
  if (part === undefined) return undefined;
  if (part === "raw") return "bytes";
  return (part === "body" || part === "payload") && names.fileMatches(TEXT_BODY) ? "unknown" : "object";
}

function either(one: Kind, other: Kind): Kind {
  return one === other ? one : "unknown";
}

/** Where no content type is named a browser looks at the beginning: a tag makes it HTML, anything else but white space makes it text. */
function isTakenForHtml(value: Node, node: Node, names: Names): boolean {
  const begin = beginningOf(firstWritten(node, names) ?? value, names);
  return begin === undefined ? true : /^\s*(?:<|$)/.test(begin);
}

/** What an earlier `write` of the same function sends: the page begins with it. */
function firstWritten(node: Node, names: Names): Node | undefined {
  const around = functionAround(node);
  if (around === undefined) return undefined;
  const earlier = (names.facts.callsByName.get("write") ?? []).find(
    (each) => each.end <= node.start && isWithin(each, around) && names.pathOf(each.callee!).startsWith("@"),
  );
  return earlier?.arguments?.[0];
}

/** The constant text at the beginning; undefined where input is there. */
function beginningOf(node: Node, names: Names, depth = 0): string | undefined {
  const inner = bare(node, true);
  if (depth > DEEPEST || names.budget.spent) return undefined;
  names.budget.left -= 1;
  const constant = names.constant(inner);
  if (constant !== undefined) return String(constant);
  switch (inner.type) {
    case "TemplateLiteral": {
      const [first] = inner.quasis ?? [];
      const text = first === undefined ? "" : cooked(first);
      const [input] = inner.expressions ?? [];
      return text !== "" || input === undefined ? text : beginningOf(input, names, depth + 1);
    }
    case "BinaryExpression": {
      let left: Node = inner;
      for (let at = 0; left.type === "BinaryExpression" && left.left && at < 1_000; at += 1) left = bare(left.left);
      return beginningOf(left, names, depth + 1);
    }
    case "CallExpression": {
      const path = names.pathOf(inner.callee!);
      // An object, a list, a number, a text in quotes.
      if (path === "JSON.stringify" || path === "util:inspect") return "{";
      return undefined;
    }
    case "Identifier":
    case "MemberExpression": {
      // The way of a request begins with a slash.
      if (/^@(?:request|context)(?:~[a-z\d]+)?\.(?:url|originalUrl|path)$/.test(names.pathOf(inner))) return "/";
      const binding = inner.type === "Identifier" ? names.bindingOf(inner) : undefined;
      if (binding === undefined || binding.access.length > 0) return undefined;
      // Text that is added to begins as it was.
      const value =
        names.valueOf(binding) ??
        (binding.kind === "variable" ? onlyAdded(binding.node.init, names.assignmentsTo(binding)) : undefined);
      return value && beginningOf(value, names, depth + 1);
    }
    default:
      return undefined;
  }
}

function onlyAdded(init: Node | null | undefined, assignments: readonly Node[]): Node | undefined {
  return init && assignments.every(({ operator }) => operator === "+=") ? init : undefined;
}
