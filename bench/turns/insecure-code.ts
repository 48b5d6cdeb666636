type Make = readonly [string, (size: number) => string];

/** A handler of requests with these lines. */
export function handler(...lines: readonly string[]): string {
  return ['import { exec } from "node:child_process";', 'app.get("/", async (req, res) => {', ...lines, "});"].join(
    "\n",
  );
}

const each = (size: number, line: (at: number) => string) => Array.from({ length: size }, (_, at) => line(at));

export const CALLS: readonly Make[] = [
  ["parts of one text", (size) => handler(`exec(${each(size, (at) => `req.query.a${at}`).join(" + ")});`)],
  [
    "assignments to one name",
    (size) => handler("let a;", ...each(size, (at) => `a = a + req.query.a${at};`), "exec(a);"),
  ],
  [
    "functions that call each other",
    (size) =>
      `${each(size, (at) => `function f${at}(x) { return f${(at + 1) % size}(x) + g(x); }`).join("\n")}\n${handler("exec(f0(req.query.a));")}`,
  ],
  [
    "checks and commands",
    (size) => handler(...each(size, (at) => `if (a${at}(req.query.b)) return; exec(req.query.a${at});`)),
  ],
  [
    "calls of one helper",
    (size) => `function list(a) { exec(a); }\n${handler(...each(size, (at) => `list(req.query.a${at});`))}`,
  ],
];

export const DOCKERFILES: readonly Make[] = [
  ["instructions", (size) => "FROM a\n".concat("RUN chmod 777 /a\n".repeat(size / 17))],
  ["commands of one", (size) => `RUN ${"curl -k a && ".repeat(size / 13)}ls\n`],
  ["lines of one", (size) => `RUN ${"ls \\\n".repeat(size / 5)}\n`],
  ["words of one", (size) => `RUN chmod ${"-R ".repeat(size / 3)}\nCOPY ${"a ".repeat(size / 2)}\n`],
  ["pairs", (size) => `ENV ${"A=1 ".repeat(size / 4)}\n`],
  ["quotes", (size) => `ENV ${'A="b '.repeat(size / 5)}\n`],
  ["texts of their own", (size) => "RUN <<A\nls\n".repeat(size / 11)],
];
