import { frameworkOf } from "./frameworks.ts";

/** One alternative of a pattern of names, as `row.ts` describes them. */
interface NamePattern {
  /** The package or role at the root; undefined: a global, or anything. */
  readonly root: string | undefined;
  readonly anyDepth: boolean;
  readonly anything: boolean;
  /** Nothing else has such a name, or what it is called on is known: not only a name that anybody may give. */
  readonly telling: boolean;
  /** Also of what other packages make. */
  readonly anywhere: boolean;
  /** With the last name: `a.b`. */
  readonly path: string;
  readonly last: string;
  readonly on: RegExp | undefined;
}

/** A row, and whether more than a name says that it is about this: the package, the framework, a name of one thing only. */
export interface Match<Row> {
  readonly row: Row;
  readonly known: boolean;
}

/** Rows by the last name of what they are about. */
export class NameTable<Row> {
  readonly #byLast = new Map<string, { readonly pattern: NamePattern; readonly row: Row }[]>();

  /** @param anywhere a name of any receiver (`*.query`) is also one of what other packages make */
  add(row: Row, patterns: string, on?: RegExp, anywhere = false): void {
    for (const pattern of parsePatterns(patterns, on, anywhere)) {
      const known = this.#byLast.get(pattern.last);
      if (known === undefined) this.#byLast.set(pattern.last, [{ pattern, row }]);
      else known.push({ pattern, row });
    }
  }

  /** Whether anything ends so: spares making the path. */
  knows(last: string): boolean {
    return this.#byLast.has(last);
  }

  names(): string[] {
    return [...this.#byLast.keys()];
  }

  /** @param path as `Names.pathOf` gives it @param receiver name of what stands before the last dot @param written the same as it is written */
  find(path: string, last: string, receiver: string, written = receiver): Row[] {
    return this.matches(path, last, receiver, written).map(({ row }) => row);
  }

  /** As `find`, with what is known of each. */
  matches(path: string, last: string, receiver: string, written = receiver): Match<Row>[] {
    const candidates = this.#byLast.get(last);
    if (candidates === undefined) return [];
    const place = placeOf(path);
    const found = new Map<Row, boolean>();
    for (const { pattern, row } of candidates) {
      if (found.get(row) === true) continue;
      if (!matches(pattern, place, receiver) && (written === receiver || !matches(pattern, place, written))) continue;
      found.set(row, (found.get(row) ?? false) || isKnown(pattern, place));
    }
    return [...found].map(([row, known]) => ({ row, known }));
  }
}

function parsePatterns(text: string, on: RegExp | undefined, anywhere: boolean): NamePattern[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((one) => {
      const guessed = one.startsWith("?");
      const said = guessed ? one.slice(1) : one;
      const colon = said.indexOf(":");
      const roots = colon === -1 ? [undefined] : said.slice(0, colon).split("|");
      const member = said.slice(colon + 1);
      const role = /^(@[\w-]+)(\.\.|\.|$)/.exec(member);
      const root = role?.[1];
      const rest = role ? member.slice(role[1]!.length + (role[2] === "." ? 1 : 0)) : member;
      const anyDepth = rest.startsWith("..");
      const named = rest.startsWith("*!.");
      const anything = named || rest.startsWith("*.");
      const tail = anyDepth ? rest.slice(2) : named ? rest.slice(3) : anything ? rest.slice(2) : rest;
      const [first = ""] = tail.split("|");
      const shared = first.slice(0, first.lastIndexOf(".") + 1);
      return roots.flatMap((each) =>
        tail.split("|").map((name) => {
          const path = name.includes(".") ? name : shared + name;
          return {
            root: each === undefined ? root : `${each}:`,
            anyDepth,
            anything,
            anywhere: anywhere || named,
            telling: named || (!anything && !guessed),
            path,
            last: path.slice(path.lastIndexOf(".") + 1),
            on: anything ? on : undefined,
          };
        }),
      );
    });
}

/** A path, told apart once for all patterns. */
interface Place {
  /** Without the framework of a role: `@response.send` of `@response~express.send`. */
  readonly path: string;
  /** A role that nothing but the name of a parameter speaks for. */
  readonly isNamedOnly: boolean;
  /** It is made by a package. */
  readonly isOfPackage: boolean;
}

/** Roles that some name of a parameter may give. The others are given by what registers the function. */
const BY_NAME = /^@(?:request|response|context)\b/;
/** Modules of the project itself: by their way, or by what projects commonly put before it. */
const OF_A_FILE = /^(?:\.{1,2}\/|[~@#$]?\/|(?:src|app|lib|server)\/)/;

/** What a framework makes of itself: `express:()`, `hono:Hono()`. */
const APP = /^([\w@/.-]+):(?:\w+\.)?(?:[A-Z]\w*|server|fastify)?\(\)/;
/** What frameworks hang below their objects, with methods of its own. */
const OF_FRAMEWORK = new Set(
  "raw body query params headers cookies session socket connection log url nextUrl files file node".split(" "),
);
const INNER = new Set(["req", "res", "request", "response"]);

/** The project itself put it below an object of a framework: `req.db.query`, `app.locals.db.query`. @param rest behind that object */
function isPutThere(rest: string): boolean {
  const [, first, ...more] = rest.split(".");
  if (first === undefined || more.length === 0) return false;
  if (INNER.has(first)) return isPutThere(`.${more.join(".")}`);
  return first.endsWith("()") ? first === "get()" : !OF_FRAMEWORK.has(first);
}

function placeOf(path: string): Place {
  if (path.startsWith("@")) {
    const role = /^(@[a-z-]+)~[a-z\d]+/.exec(path);
    if (role) {
      const rest = path.slice(role[0].length);
      return { path: role[1] + rest, isNamedOnly: false, isOfPackage: !isPutThere(rest) };
    }
    if (BY_NAME.test(path)) return { path, isNamedOnly: true, isOfPackage: false };
  }
  const isOfPackage = /^[\w@/.-]*:/.test(path) && !OF_A_FILE.test(path);
  const app = isOfPackage ? APP.exec(path) : null;
  const isPut = app !== null && frameworkOf(app[1] ?? "") !== undefined && isPutThere(path.slice(app[0].length));
  return { path, isNamedOnly: false, isOfPackage: isOfPackage && !isPut };
}

function isKnown({ telling }: NamePattern, { isNamedOnly }: Place): boolean {
  return telling && !isNamedOnly;
}

function matches(
  { root, anyDepth, anything, anywhere, path, on }: NamePattern,
  place: Place,
  receiver: string,
): boolean {
  const { path: full } = place;
  if (on !== undefined && !on.test(receiver)) return false;
  // What a file of the project gives away whole is known by the name it gets: `const db = require("./db"); db.query(…)`.
  // What another package makes is none of this, whatever its methods are called.
  if (anything)
    return (
      (anywhere || !place.isOfPackage) &&
      (full.endsWith(`.${path}`) || (on !== undefined && OF_A_FILE.test(full) && full.endsWith(`:${path}`)))
    );
  if (root === undefined) return full === path;
  if (!full.startsWith(root)) return false;
  let rest = full.slice(root.length);
  if (root.startsWith("@") && !root.endsWith(":") && rest !== "") {
    if (!/^[.(]/.test(rest)) return false;
    rest = rest.replace(/^\./, "");
  }
  return rest === path || (anyDepth && rest.endsWith(`.${path}`));
}

/** The last name of a path: `use` of `express:().use`, nothing of `axios:`. */
export function lastOfPath(path: string): string {
  if (path.startsWith("@") && !/[.:]/.test(path)) return "";
  return path.slice(Math.max(path.lastIndexOf("."), path.lastIndexOf(":")) + 1);
}

/** A path as far as the calls at its end: `db` of `db()()`. */
export function withoutCalls(path: string): string {
  let end = path.length;
  while (path.endsWith("()", end)) end -= 2;
  return path.slice(0, end);
}

/** The name before the last dot, without calls: `db` of `?this.db.query`. */
export function receiverOf(path: string): string {
  const before = withoutCalls(path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf(":"), 0)));
  const name = before.slice(Math.max(before.lastIndexOf("."), before.lastIndexOf(":")) + 1);
  // What a package makes is known by the package.
  return (name === "" ? before.replace(/:$/, "") : name).replace(/^[?#@]/, "").replace(/~[a-z\d]+$/, "");
}
