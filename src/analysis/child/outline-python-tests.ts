import { pythonModules } from "../imports/python-modules.ts";
import type { OutlinedAssertion, OutlinedTest, TestOutline } from "../tests/test-outline.ts";

interface Block {
  readonly indent: number;
  readonly name: string;
  readonly skipped: OutlinedTest["skipped"];
}

/** The tests of a Python file, as pytest and unittest name them. */
export function outlinePythonTests(text: string): TestOutline {
  const lines = pythonLines(text);
  const tests: OutlinedTest[] = [];
  let around: Block[] = [];
  let decorators: string[] = [];
  for (const [at, { code, indent, line }] of lines.entries()) {
    around = around.filter((block) => block.indent < indent);
    if (code.startsWith("@")) {
      decorators.push(code);
      continue;
    }
    const [, declared, name = ""] = /^(?:async\s+)?(def|class)\s+(\w{1,200})/.exec(code) ?? [];
    const own = skippedBy(decorators);
    const outer = around.at(-1)?.skipped ?? "no";
    const skipped = outer === "yes" ? "yes" : own === "no" ? outer : own;
    if (declared === "class") around.push({ indent, name, skipped });
    if (declared === "def" && name.startsWith("test")) {
      const body = bodyOf(lines, at);
      const names = [...around.map((block) => block.name), name].join(" > ");
      tests.push(
        outlineTest(names, line, body, {
          skipped,
          table: decorators.some((each) => /parametri[sz]e|expand/.test(each)),
        }),
      );
    }
    decorators = [];
  }
  const assertions = lines.filter(({ code }) => pythonAssertion(code) !== undefined).length;
  return { tests, assertions, imports: [...pythonModules(text)] };
}

function bodyOf(lines: readonly PythonLine[], at: number): readonly PythonLine[] {
  const indent = lines[at]?.indent ?? 0;
  let end = at + 1;
  while (end < lines.length && (lines[end]?.indent ?? 0) > indent) end += 1;
  return lines.slice(at + 1, end);
}

function outlineTest(
  name: string,
  line: number,
  body: readonly PythonLine[],
  { skipped, table }: Pick<OutlinedTest, "skipped" | "table">,
): OutlinedTest {
  const code = body.map((each) => each.code).join("\n");
  const first = body.find((each) => !/^(?:"""|'''|"|')/.test(each.code))?.code ?? "";
  const skips = /^(?:pytest\.skip|self\.skipTest|raise\s+(?:unittest\.)?SkipTest|pytest\.xfail)\b/;
  const inside = skips.test(first) ? "yes" : body.some((each) => skips.test(each.code)) ? "unclear" : "no";
  return {
    name,
    line,
    skipped: skipped === "yes" || inside === "no" ? skipped : inside,
    only: false,
    table,
    assertions: body.flatMap((each) => pythonAssertion(each.code) ?? []),
    body: code.replace(/\s+/g, "").slice(0, 20_000),
    words: [...new Set(code.match(/[A-Za-z_]\w*/g))],
  };
}

function skippedBy(decorators: readonly string[]): OutlinedTest["skipped"] {
  if (decorators.some((each) => /\b(?:skipif|skipIf|skipUnless)\b/.test(each))) return "unclear";
  if (decorators.some((each) => /\bxfail\(.*\w/.test(each) && !/^@[\w.]*xfail\(\s*(?:reason|strict)\s*=/.test(each)))
    return "unclear";
  return decorators.some((each) => /^@(?:[\w.]+\.)?(?:skip|xfail|expectedFailure)\b/.test(each)) ? "yes" : "no";
}

const WEAK_METHODS = /^assert(?:True|False|IsNotNone|NotEqual|IsInstance|Greater|Less|GreaterEqual|LessEqual|_called)$/;

/** An assertion of pytest or unittest, or undefined where the statement is none. */
export function pythonAssertion(code: string): OutlinedAssertion | undefined {
  const text = code.replace(/\s+/g, "").slice(0, 2_000);
  if (/^(?:async\s+)?with\s.*\b(?:pytest\.raises|self\.assertRaises\w*|pytest\.warns)\(/.test(code))
    return { text, subject: "raises", strength: "strong" };
  const [, plain] = /^assert\b\s*(.+)$/s.exec(code) ?? [];
  if (plain !== undefined) return { text, ...comparison(splitOutside(plain, /,/y)[0] ?? "") };
  const [, method = "", given = ""] = /^(?:self|cls)\.(assert\w{0,60})\((.*)\)$/s.exec(code) ?? [];
  if (method === "") return undefined;
  const parts = splitOutside(given, /,/y).map((each) => each.trim());
  if (method === "assertTrue") return { text, ...comparison(parts[0] ?? "") };
  const empty = parts.length > 1 && isLiteral(parts[0] ?? "") && isLiteral(parts[1] ?? "");
  const strength = empty ? "empty" : WEAK_METHODS.test(method) ? "weak" : "strong";
  return { text, subject: squeezed(parts[0] ?? ""), strength };
}

function comparison(condition: string): Pick<OutlinedAssertion, "subject" | "strength"> {
  const sides = splitOutside(condition, /(?<=\s|\)|\]|\w)(?:==|!=|<=|>=|<|>)|\b(?:is not|is|not in|in)\b/y);
  const left = sides[0]?.trim() ?? "";
  if (sides.length === 1) {
    const checked = /^isinstance\((.+)\)$/s.exec(left)?.[1];
    const subject = squeezed(checked === undefined ? left : (splitOutside(checked, /,/y)[0] ?? ""));
    return { subject, strength: isLiteral(left) ? "empty" : "weak" };
  }
  const right = sides.at(-1)?.trim() ?? "";
  if (isLiteral(left) && isLiteral(right)) return { subject: squeezed(left), strength: "empty" };
  const operator = condition.slice(sides[0]?.length ?? 0, condition.length - (sides.at(-1)?.length ?? 0)).trim();
  const strong = /^(?:==|in\b|is$|is\s*$)/.test(operator) && !/^not\b/.test(right);
  return { subject: squeezed(left), strength: strong ? "strong" : "weak" };
}

function isLiteral(text: string): boolean {
  return /^(?:True|False|None|-?\d[\d_.]*|"[^"]*"|'[^']*')$/.test(text.trim());
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** One statement of Python over however many lines, without comments; what strings hold is left as it is. */
interface PythonLine {
  /** 1-based, of its beginning. */
  readonly line: number;
  readonly indent: number;
  readonly code: string;
}

/** The statements of a Python file by brackets, strings and line ends: no parser, and never wrong by more than one statement. */
function pythonLines(text: string): PythonLine[] {
  const found: PythonLine[] = [];
  // Joined once for each line of code: what is looked at again while it grows takes time by the square.
  let pieces: string[] = [];
  let started = 1;
  let line = 1;
  let depth = 0;
  let at = 0;
  const close = () => {
    const code = pieces.join("");
    if (code.trim() !== "") {
      const indent = /^[ \t]*/.exec(code)?.[0].replaceAll("\t", "        ").length ?? 0;
      found.push({ line: started, indent, code: code.trim() });
    }
    pieces = [];
    started = line;
  };
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === "#") {
      while (at < text.length && text[at] !== "\n") at += 1;
      continue;
    }
    if (char === '"' || char === "'") {
      const end = endOfString(text, at, char);
      const string = text.slice(at, end);
      line += string.split("\n").length - 1;
      pieces.push(string.replaceAll("\n", "\\n"));
      at = end;
      continue;
    }
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    if (char === "\n") {
      line += 1;
      const last = pieces.at(-1);
      if (last?.endsWith("\\")) pieces.splice(-1, 1, `${last.slice(0, -1)} `);
      else if (depth === 0) close();
    } else if (char !== "\r") pieces.push(char);
    at += 1;
  }
  close();
  return found;
}

/** Where a string ends; one that never does ends with its line, or with the text where it has three quotes. */
function endOfString(text: string, from: number, quote: string): number {
  const triple = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : undefined;
  const mark = triple ?? quote;
  let at = from + mark.length;
  while (at < text.length) {
    if (text[at] === "\\") at += 2;
    else if (text.startsWith(mark, at)) return at + mark.length;
    else if (triple === undefined && text[at] === "\n") return at;
    else at += 1;
  }
  return text.length;
}

/** The parts of a text between commas, or another mark, that stand in no bracket and no string. */
function splitOutside(text: string, mark: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      at = endOfString(text, at, char);
      continue;
    }
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    mark.lastIndex = at;
    const hit = depth === 0 ? mark.exec(text)?.[0] : undefined;
    if (hit) {
      parts.push(text.slice(from, at));
      at += hit.length;
      from = at;
    } else at += 1;
  }
  return [...parts, text.slice(from)];
}
