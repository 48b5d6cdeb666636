/** One alternative of a pattern of names, as `row.ts` describes them. */
interface NamePattern {
  /** The package or role at the root; undefined: a global, or anything. */
  readonly root: string | undefined;
  readonly anyDepth: boolean;
  readonly anything: boolean;
  /** With the last name: `a.b`. */
  readonly path: string;
  readonly last: string;
  readonly on: RegExp | undefined;
}

/** Rows by the last name of what they are about. */
export class NameTable<Row> {
  readonly #byLast = new Map<string, { readonly pattern: NamePattern; readonly row: Row }[]>();

  add(row: Row, patterns: string, on?: RegExp): void {
    for (const pattern of parsePatterns(patterns, on)) {
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
    const rows: Row[] = [];
    for (const { pattern, row } of this.#byLast.get(last) ?? [])
      if (
        !rows.includes(row) &&
        (matches(pattern, path, receiver) || (written !== receiver && matches(pattern, path, written)))
      )
        rows.push(row);
    return rows;
  }
}

function parsePatterns(text: string, on: RegExp | undefined): NamePattern[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((one) => {
      const colon = one.indexOf(":");
      const roots = colon === -1 ? [undefined] : one.slice(0, colon).split("|");
      const member = one.slice(colon + 1);
      const role = /^(@\w+)(\.\.|\.|$)/.exec(member);
      const root = role?.[1];
      const rest = role ? member.slice(role[1]!.length + (role[2] === "." ? 1 : 0)) : member;
      const anyDepth = rest.startsWith("..");
      const anything = rest.startsWith("*.");
      const tail = anyDepth || anything ? rest.slice(2) : rest;
      const [first = ""] = tail.split("|");
      const shared = first.slice(0, first.lastIndexOf(".") + 1);
      return roots.flatMap((each) =>
        tail.split("|").map((name) => {
          const path = name.includes(".") ? name : shared + name;
          return {
            root: each === undefined ? root : `${each}:`,
            anyDepth,
            anything,
            path,
            last: path.slice(path.lastIndexOf(".") + 1),
            on: anything ? on : undefined,
          };
        }),
      );
    });
}

function matches({ root, anyDepth, anything, path, on }: NamePattern, full: string, receiver: string): boolean {
  if (on !== undefined && !on.test(receiver)) return false;
  // What a file of the project gives away whole is known by the name it gets: `const db = require("./db"); db.query(…)`.
  if (anything)
    return full.endsWith(`.${path}`) || (on !== undefined && OF_A_FILE.test(full) && full.endsWith(`:${path}`));
  if (root === undefined) return full === path;
  if (!full.startsWith(root)) return false;
  let rest = full.slice(root.length);
  if (root.startsWith("@") && !root.endsWith(":") && rest !== "") {
    if (!/^[.(]/.test(rest)) return false;
    rest = rest.replace(/^\./, "");
  }
  return rest === path || (anyDepth && rest.endsWith(`.${path}`));
}

const OF_A_FILE = /^\.{1,2}\//;

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
  return (name === "" ? before.replace(/:$/, "") : name).replace(/^[?#@]/, "");
}
