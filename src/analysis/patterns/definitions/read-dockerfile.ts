import { type Extent, identifier, literal, make, type Node, statement } from "../node.ts";

/** A longer command is data. */
const LONGEST = 4_000;

/**
 * A Dockerfile as the tree that the search for insecure code reads: a call for each instruction, `USER("node")`, for each command of a
 * shell, `RUN("npm ci")`, and for each pair of `ENV` and `ARG`. The `USER` with which the image runs knows whom it replaces:
 * `USER("root", { after: "node" })`.
 */
export function readDockerfile(text: string): Node {
  const calls = instructionsOf(text).flatMap((instruction) => callsOf(instruction));
  const body = withUser(calls).map((each) => statement({ from: each.start, to: each.end }, each));
  return make("Program", { from: 0, to: text.length }, { body });
}

interface Instruction {
  readonly name: string;
  readonly from: number;
  /** What follows the name, in the length that it has in the file: comments and ends of lines that go on are blanks. */
  readonly rest: string;
  /** Offset of that. */
  readonly at: number;
}

const NAME = /^[ \t]*(?:ONBUILD[ \t]+)?([A-Z]+)(?=[ \t]|$)/i;
const HEREDOC = /<<-?(["']?)([A-Za-z_]\w{0,100})\1/;

function instructionsOf(text: string): Instruction[] {
  const mark = /^(?:#[^\n]*\n)*#[ \t]*escape[ \t]*=[ \t]*`/i.test(text) ? "`" : "\\";
  const lines = text.split("\n");
  const found: Instruction[] = [];
  let offset = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const from = offset;
    const first = lines[at] ?? "";
    offset += first.length + 1;
    const name = NAME.exec(first);
    if (name === null || isComment(first)) continue;
    const parts: string[] = [];
    let goesOn = push(parts, first, mark);
    while (goesOn && at + 1 < lines.length) {
      at += 1;
      const line = lines[at] ?? "";
      offset += line.length + 1;
      if (isComment(line) || line.trim() === "") parts.push(" ".repeat(line.length));
      else goesOn = push(parts, line, mark);
    }
    const end = HEREDOC.exec(parts.join(" "))?.[2];
    const isScript = end !== undefined && /^RUN$/i.test(name[1] ?? "");
    let joined = parts.join(" ");
    for (let done = end === undefined; !done && at + 1 < lines.length; ) {
      at += 1;
      const line = lines[at] ?? "";
      offset += line.length + 1;
      done = line.trim() === end;
      if (isScript) joined += `\n${done || isComment(line) ? " ".repeat(line.length) : line}`;
    }
    const start = name[0].length;
    found.push({ name: (name[1] ?? "").toUpperCase(), from, rest: joined.slice(start), at: from + start });
  }
  return found;
}

function isComment(line: string): boolean {
  return /^\s*#/.test(line);
}

/** Adds a line without what says that it goes on. @returns whether it does */
function push(parts: string[], line: string, mark: string): boolean {
  const end = line.trimEnd().length;
  const goesOn = line[end - 1] === mark;
  parts.push(goesOn ? `${line.slice(0, end - 1)}${" ".repeat(line.length - end + 1)}` : line);
  return goesOn;
}

function callsOf({ name, from, rest, at }: Instruction): Node[] {
  if (name === "RUN" || name === "CMD" || name === "ENTRYPOINT")
    return commandsIn(rest).map((each) => call(name, rest, each, at));
  if (name === "ENV" || name === "ARG") return pairsIn(rest).map((each) => call(name, rest, each, at));
  const whole = call(name, rest, { from: 0, to: rest.length }, at);
  return [make("CallExpression", { from, to: whole.end }, { callee: whole.callee, arguments: whole.arguments })];
}

function call(name: string, rest: string, { from, to }: Extent, at: number): Node {
  const text = rest.slice(from, Math.min(to, from + LONGEST));
  const place = { from: at + from + (text.length - text.trimStart().length), to: at + from + text.trimEnd().length };
  const said = wordsOf(text).replace(/\s+/g, " ").trim();
  return make("CallExpression", place, { callee: identifier(name, place), arguments: [literal(said, place)] });
}

/** `["curl", "-k"]` as one writes it for a shell. */
function wordsOf(text: string): string {
  if (!/^\s*\[/.test(text)) return text;
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.join(" ") : text;
  } catch {
    return text;
  }
}

/** The commands of a line of a shell, what is piped together as one. */
function commandsIn(rest: string): Extent[] {
  if (/^\s*\[/.test(rest)) return [{ from: 0, to: rest.length }];
  const commands: Extent[] = [];
  let from = 0;
  let quote = "";
  for (let at = 0; at < rest.length; at += 1) {
    const char = rest[at] ?? "";
    if (char === "\\") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ";" || char === "\n" || (/[&|]/.test(char) && rest[at + 1] === char)) {
      commands.push({ from, to: at });
      if (char === "&" || char === "|") at += 1;
      from = at + 1;
    }
  }
  return [...commands, { from, to: rest.length }].filter(({ from, to }) => rest.slice(from, to).trim() !== "");
}

/** `A=b C="d e"`, the old `A b c`, and the name alone. */
function pairsIn(rest: string): Extent[] {
  if (/^\s*\w+\s+[^\s=]/.test(rest) && !/^\s*\w+\s+\w+=/.test(rest)) return [{ from: 0, to: rest.length }];
  return Array.from(rest.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ({ index, 0: pair }) => ({
    from: index,
    to: index + pair.length,
  }));
}

/** Tells the last `USER` of the last stage whom it replaces. */
function withUser(calls: readonly Node[]): readonly Node[] {
  const nameOf = ({ callee }: Node) => callee?.name;
  const stage = calls.findLastIndex((each) => nameOf(each) === "FROM");
  const users = calls.slice(stage + 1).filter((each) => nameOf(each) === "USER");
  const [last] = users.slice(-1);
  const before = users.at(-2)?.arguments?.[0];
  if (last === undefined || before === undefined) return calls;
  const place = { from: last.start, to: last.end };
  const after = make("Property", place, {
    key: identifier("after", place),
    value: before,
    kind: "init",
    computed: false,
  });
  const args = [...(last.arguments ?? []), make("ObjectExpression", place, { properties: [after] })];
  const told = make("CallExpression", place, { callee: last.callee, arguments: args });
  return calls.map((each) => (each === last ? told : each));
}
