import { type Framework, frameworkOf, frameworkOfFile, frameworkOfType, roleIn } from "./frameworks.ts";
import { matchesCode } from "./match-code.ts";
import { lastOfPath, type NameTable, receiverOf } from "./name-pattern.ts";
import { type Names, nameOfFunction } from "./names.ts";
import {
  asNode,
  type Binding,
  bare,
  functionAround,
  isExported,
  isFunction,
  keyName,
  type Node,
  statementsOf,
} from "./node.ts";
import type { Handler } from "./row.ts";

/** Types that say what a parameter is, wherever the function is registered. */
const BY_TYPE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:Request|ExpressRequest|PageProps|NextApiRequest|NextRequest|FastifyRequest|IncomingMessage|HttpRequest|VercelRequest|FunctionRequest|AuthRequest|AuthenticatedRequest|GetServerSidePropsContext)$/,
    "@request",
  ],
  [
    /^(?:Response|ExpressResponse|NextApiResponse|FastifyReply|ServerResponse|HttpResponse|VercelResponse)$/,
    "@response",
  ],
  [/^(?:APIGateway\w*Event\w*|SQSEvent|SNSEvent|S3Event|ALBEvent|LambdaFunctionURLEvent|EventBridgeEvent)$/, "@event"],
  [/^(?:Context|ParameterizedContext|KoaContext|RouterContext|HonoContext|ExtendableContext)$/, "@context"],
];

/** Decorators of NestJS and its like. */
const BY_DECORATOR: Readonly<Record<string, string>> = {
  Body: "@input",
  Query: "@input",
  Param: "@input",
  Headers: "@input",
  Cookies: "@input",
  UploadedFile: "@input",
  UploadedFiles: "@input",
  MessageBody: "@input",
  Payload: "@input",
  Args: "@input",
  Arg: "@input",
  RawBody: "@input",
  HostParam: "@input",
  Req: "@request",
  Request: "@request",
  Res: "@response",
  Response: "@response",
  Ctx: "@context",
};

/** Names that everybody uses for one thing. */
const BY_NAME: Readonly<Record<string, string>> = {
  req: "@request",
  request: "@request",
  res: "@response",
  response: "@response",
  reply: "@response",
  ctx: "@context",
};

/** Of a worker's module: `export default { fetch(request, env) { … } }`. */
const BY_WORKER: Readonly<Record<string, readonly string[]>> = {
  fetch: ["@request"],
  queue: ["@socket"],
  email: ["@socket"],
};

/** What the parameters of functions are, by where the function is registered, by their types, decorators and names. */
export class Roles {
  readonly #names: Names;
  readonly #handlers: NameTable<Handler>;
  readonly #known = new Map<Node, readonly (string | undefined)[]>();
  #framework: Framework | undefined | "unasked" = "unasked";

  /** @param handlers made ready once for all files */
  constructor(names: Names, handlers: NameTable<Handler>) {
    this.#names = names;
    this.#handlers = handlers;
  }

  roleOf(binding: Binding): string | undefined {
    if (binding.kind !== "parameter" || binding.index === undefined || !binding.pattern) return undefined;
    let roles = this.#known.get(binding.node);
    if (roles === undefined) {
      this.#known.set(binding.node, []);
      roles = this.#rolesOf(binding.node);
      this.#known.set(binding.node, roles);
    }
    return roles[binding.index];
  }

  #rolesOf(fn: Node): readonly (string | undefined)[] {
    const params = fn.params ?? [];
    if (isAction(fn, this.#names.facts.program)) return params.map(() => "@input");
    const own = params.map((each) => this.#declared(each));
    const registered = own.some((role) => role !== undefined) ? [] : (this.#typed(fn) ?? this.#registered(fn));
    const names = params.map((each) => nameOf(each));
    return params.map((_, index) => {
      const role = own[index] ?? (registered[index] === "-" ? undefined : registered[index]);
      if (role !== undefined) return role;
      const name = names[index];
      const known = name !== undefined && Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
      if (known === "@context" && !this.#usesContext()) return undefined;
      if (known !== undefined) return roleIn(known, this.#frameworkOfFile());
      // `handler(event, context)` of Lambda and its like.
      // Second argument of Next's routes: `{ params }`.
      if (
        index === 1 &&
        own[0]?.startsWith("@request") &&
        /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(nameOfFunction(fn) ?? "")
      )
        return own[0];
      if (index !== 0) return undefined;
      const called = nameOfFunction(fn) ?? "";
      if (/^on(?:message|messageerror)$/.test(called)) return "@page-event";
      if (/^getServerSideProps$|^(?:loader|action)$/.test(called) && isExported(fn)) return "@request~next";
      if (isRouteOfFile(fn, called)) return "@request~next";
      if (name === "event" && isHandlerName(called)) return "@event";
      if (isHandlerType(this.#names.typeName(fn.up?.id ?? undefined))) return "@event";
      return undefined;
    });
  }

  /** Of the file, where its modules say it. */
  #frameworkOfFile(): Framework | undefined {
    if (this.#framework === "unasked") this.#framework = frameworkOfFile(this.#names.modules());
    return this.#framework;
  }

  #usesContext(): boolean {
    return /\b(?:koa|Koa|router|app)\b/.test(this.#names.facts.text);
  }

  #declared(pattern: Node): string | undefined {
    const inner = pattern.type === "TSParameterProperty" ? (pattern.parameter ?? pattern) : pattern;
    for (const decorator of inner.decorators ?? pattern.decorators ?? []) {
      const call = decorator.expression;
      const name = call?.type === "CallExpression" ? call.callee?.name : call?.name;
      if (call?.arguments?.some(isParsing)) return CHECKED;
      if (typeof name === "string" && Object.hasOwn(BY_DECORATOR, name)) {
        const role = BY_DECORATOR[name] ?? "";
        return roleIn(role, this.#frameworkOfType(inner) ?? "express");
      }
    }
    const type = this.#names.typeName(inner);
    if (type === undefined) return undefined;
    const right = (type as unknown as { right?: Node }).right;
    const name = String(type.name ?? right?.name ?? "");
    const role = BY_TYPE.find(([pattern]) => matchesCode(pattern, name))?.[1];
    return role && roleIn(role, this.#frameworkOfType(inner) ?? this.#frameworkOfFile());
  }

  #frameworkOfType(pattern: Node): Framework | undefined {
    const path = this.#names.typePath(pattern) ?? "";
    const type = this.#names.typeName(pattern);
    const right = (type as unknown as { right?: Node } | undefined)?.right;
    const module = path.slice(0, Math.max(path.indexOf(":"), 0));
    return frameworkOfType(String(type?.name ?? right?.name ?? ""), module === "" ? undefined : module);
  }

  /** `const save: Koa.Middleware = async (ctx) => …`, by the package of the type. */
  #typed(fn: Node): readonly string[] | undefined {
    const { id } = fn.up ?? {};
    if (fn.up?.type !== "VariableDeclarator" || !id) return undefined;
    const path = this.#names.typePath(id) ?? "";
    const framework = frameworkOf(path.slice(0, Math.max(path.indexOf(":"), 0)));
    if (framework === undefined || !/Handler|Middleware|Listener|Method/.test(path)) return undefined;
    if (framework === "koa" || framework === "hono") return [roleIn("@context", framework)];
    return framework === "h3" ? undefined : ["@request", "@response"].map((role) => roleIn(role, framework));
  }

  /** By the call that the function, or its name, is handed to. */
  #registered(fn: Node): readonly string[] {
    const direct = this.#byCall(fn, fn);
    if (direct !== undefined) return direct;
    const up = fn.up;
    if (up?.type === "CallExpression" && up.callee !== fn) {
      // A wrapper around the handler: `app.get("/", wrap(async (req, res) => …))`.
      const wrapped = this.#byCall(up, up);
      if (wrapped !== undefined) return wrapped;
    }
    if (up?.type === "Property" || up?.type === "MethodDefinition") {
      const member = this.#byMember(fn, up);
      if (member !== undefined) return member;
    }
    const name = nameOfFunction(fn);
    if (name !== undefined && up?.type !== "Property") {
      for (const use of this.#names.facts.handed.get(name) ?? []) {
        this.#names.budget.left -= 1;
        const roles = this.#byCall(use, use);
        if (roles !== undefined && this.#names.functionOf(use) === fn) return roles;
      }
    }
    return [];
  }

  #byCall(argument: Node, inner: Node): readonly string[] | undefined {
    const call = inner.up?.type === "ArrayExpression" ? inner.up.up : inner.up;
    if ((call?.type !== "CallExpression" && call?.type !== "NewExpression") || call.callee === argument)
      return undefined;
    const path = this.#names.pathOf(call.callee!);
    const index = (call.arguments ?? []).indexOf(inner.up?.type === "ArrayExpression" ? inner.up : argument);
    const found = this.#handlers
      .find(path, lastOfPath(path), receiverOf(path))
      .find(
        ({ member, argument: at, event }) =>
          member === undefined && (at === undefined || at === index) && this.#isEvent(event, call.arguments?.[0]),
      );
    if (!found) return undefined;
    const fn = isFunction(bare(argument)) ? bare(argument) : undefined;
    const roles = this.#inFramework(found, path);
    // Handlers of errors have the error first.
    if (
      fn !== undefined &&
      fn.params?.length === 4 &&
      found.parameters[0] === "@request" &&
      found.parameters.length < 4
    )
      return ["-", ...roles];
    return roles;
  }

  #isEvent(event: RegExp | undefined, said: Node | undefined): boolean {
    return event === undefined || event.test(String(this.#names.constant(said) ?? "data").slice(0, 20));
  }

  #inFramework({ parameters }: Handler, path: string): readonly string[] {
    const framework = frameworkOf(path.slice(0, Math.max(path.indexOf(":"), 0))) ?? this.#frameworkOfFile();
    return framework === undefined ? parameters : parameters.map((role) => roleIn(role, framework));
  }

  #byMember(fn: Node, property: Node): readonly string[] | undefined {
    const object = property.up;
    const call = object?.up;
    const name = keyName(property.key, property.computed);
    if (!object || !call) return undefined;
    if (isResolver(property, name, this.#names)) return RESOLVER;
    if (call.type === "CallExpression" || call.type === "NewExpression") {
      const path = this.#names.pathOf(call.callee!);
      const found = this.#handlers.find(path, lastOfPath(path), receiverOf(path)).find((each) => each.member === name);
      return found && this.#inFramework(found, path);
    }
    const isModule = call.type === "ExportDefaultDeclaration" && functionAround(fn) === undefined;
    return isModule && name !== undefined && Object.hasOwn(BY_WORKER, name) ? BY_WORKER[name] : undefined;
  }
}

/** What a resolver of GraphQL is given: the parent, the arguments, the context. */
const RESOLVER = ["-", "@input", "-"];
const ROOTS = /^(?:Query|Mutation|Subscription)$/;

/** `{ Query: { user(parent, args) { … } } }`, `const Mutation = { … }`, `resolve` of a field. */
function isResolver(property: Node, name: string | undefined, names: Names): boolean {
  const around = property.up?.up;
  if (name === "resolve" || name === "subscribe") return names.fileMatches(/\bgraphql|GraphQL\w+\(/);
  if (around?.type === "Property") return ROOTS.test(keyName(around.key, around.computed) ?? "");
  return around?.type === "VariableDeclarator" && ROOTS.test(String(around.id?.name ?? ""));
}

/** The role of a parameter that a framework hands over only as what it should be. */
const CHECKED = "@checked";

/** `ParseIntPipe`, or one that is made: nothing else gets past it. */
function isParsing(argument: Node): boolean {
  const name = argument.type === "NewExpression" ? argument.callee?.name : argument.name;
  return /^Parse(?:Int|Float|Bool|UUID|Enum|Date)Pipe$/.test(String(name));
}

/** Functions that a framework finds by their file and calls with what the address says: pages of Next, routes of SvelteKit and Astro. */
function isRouteOfFile(fn: Node, called: string): boolean {
  const [first] = fn.params ?? [];
  if (first?.type !== "ObjectPattern" || !isExported(fn)) return false;
  const taken = new Set((first.properties ?? []).map(({ key, computed }) => keyName(key, computed)));
  if (fn.up?.type === "ExportDefaultDeclaration" || called === "generateMetadata")
    return taken.has("searchParams") || (taken.has("params") && /Page$|^generateMetadata$/.test(called));
  if (!/^(?:load|GET|POST|PUT|PATCH|DELETE)$/.test(called)) return false;
  return taken.has("url") || taken.has("params") || taken.has("request");
}

/** `"use server"`, at the beginning of the function or of the file that gives it away: pages call it over the network. */
function isAction(fn: Node, program: Node): boolean {
  return says(fn.body, "use server") || (says(program, "use server") && isExported(fn));
}

function says(block: unknown, directive: string): boolean {
  const [first] = statementsOf(asNode(block));
  return first?.type === "ExpressionStatement" && first.expression?.value === directive;
}

function nameOf(pattern: Node): string | undefined {
  let at: Node | undefined = pattern;
  if (at.type === "TSParameterProperty") at = at.parameter;
  if (at?.type === "AssignmentPattern") at = at.left;
  return at?.type === "Identifier" ? (at.name as string) : undefined;
}

/** `const save: SQSHandler = async (event) => …` */
function isHandlerType(type: Node | undefined): boolean {
  return /^(?:SQS|SNS|S3|APIGateway|ALB|DynamoDB|Kinesis|EventBridge|Lambda)\w*Handler/.test(String(type?.name ?? ""));
}

function isHandlerName(name: string): boolean {
  return /^(?:handler|main|lambda\w*|\w*Handler|index)$/.test(name);
}
