import { type Values, variableKey, type Yielded } from "./values.ts";

/** A line of a script that hands a value on through one of the files that the runner reads. */
export interface Write {
  readonly file: "OUTPUT" | "ENV" | "PATH";
  /** Empty in `GITHUB_PATH`. */
  readonly name: string;
  readonly yields: readonly Yielded[];
  /** Between two lines that hold a mark; `fixed` where the mark is written out, so that a value can hold it too. */
  readonly between?: "fixed" | "random";
  /** The line of the script, unchanged. */
  readonly line: string;
}

const FILE = /\bGITHUB_(OUTPUT|ENV|PATH)\b/;
const HERE_DOCUMENT = /<<-?\s{0,9}(["']?)(\w{1,99})\1/;
const VARIABLE = /\$\{(?:env:)?(\w{1,99})\}|\$(?:env:)?(\w{1,99})/gi;
const BEGINNING = /^\s{0,99}(?:(?:echo|printf|write-output)\s{1,9}(?:-\w{1,9}\s{1,9}){0,3})?(["']?)/i;
const NAMED = /^([\w-]{1,99})(=|<<)/;

/** A script that looks at a value like this may refuse it. */
const CHECKS = /=~|\bcase\b|\bgrep\b|\bexit\b|-n?match\b|\bthrow\b/;

/**
 * The variables that a script writes unchanged into the files of the runner: `echo "title=$TITLE" >> "$GITHUB_OUTPUT"`, in
 * blocks and here-documents too. What comes through a program, or in a script that may refuse it, does not count.
 */
export function writesOf(script: string, values: Values): Write[] {
  if (!FILE.test(script) || CHECKS.test(script)) return [];
  const lines = script.split("\n");
  const own = assignedIn(lines);
  const found: Write[] = [];
  let inside: { name: string; mark: string } | undefined;
  for (const { text, line, file } of writtenLines(lines).flatMap(commandsOf)) {
    if (inside !== undefined && text.includes(inside.mark)) {
      inside = undefined;
      continue;
    }
    const { name, sign, value } = splitLine(text);
    if (sign === "<<") {
      inside = { name, mark: value.trim().replace(/["'\s].*$/s, "") };
      if (inside.mark === "") inside = undefined;
      continue;
    }
    const yields = variablesIn(inside === undefined ? value : text, own).flatMap(
      (variable) => values.get(variableKey(variable)) ?? [],
    );
    if (yields.length === 0) continue;
    if (inside !== undefined) {
      const between = /[$`]/.test(inside.mark) ? "random" : "fixed";
      found.push({ file, name: inside.name, yields, between, line });
    } else if (sign === "=" || file === "PATH") found.push({ file, name: file === "PATH" ? "" : name, yields, line });
  }
  return found;
}

interface WrittenLine {
  readonly text: string;
  readonly line: string;
  readonly file: Write["file"];
}

/** The lines that go into such a file: by themselves, in a block `{ … } >> file`, or in a here-document. */
function writtenLines(lines: readonly string[]): WrittenLine[] {
  const found: WrittenLine[] = [];
  let block: string[] | undefined;
  let document: { readonly file: Write["file"] | undefined; readonly end: string; readonly plain: boolean } | undefined;
  for (const line of lines) {
    const text = line.trim();
    const file = FILE.exec(text)?.[1] as Write["file"] | undefined;
    if (document !== undefined) {
      if (text === document.end) document = undefined;
      else if (document.file !== undefined && !document.plain) found.push({ text, line, file: document.file });
      continue;
    }
    const here = text.startsWith("echo") ? null : HERE_DOCUMENT.exec(text);
    if (here !== null) document = { file, end: here[2] ?? "", plain: here[1] !== "" };
    else if (text === "{" || text === "(") block = [];
    else if (block !== undefined && /^[})]/.test(text)) {
      if (file !== undefined) found.push(...block.map((each) => ({ text: each.trim(), line: each, file })));
      block = undefined;
    } else if (file !== undefined) found.push({ text, line, file });
    else block?.push(line);
  }
  return found;
}

/** What a line prints, command by command: `[ -n "$T" ] && echo "t=$T" >> file`. */
function commandsOf(written: WrittenLine): WrittenLine[] {
  const parts = written.text.split(/(?=\b(?:echo|printf)\s)/);
  return parts.map((text) => ({ ...written, text }));
}

function splitLine(text: string): { name: string; sign: string; value: string } {
  const [before = "", quote = ""] = BEGINNING.exec(text) ?? [];
  const rest = text.slice(before.length);
  // Between single quotes a shell puts no values in.
  const value = quote === "'" ? "" : rest;
  const [named = "", name = "", sign = ""] = NAMED.exec(rest) ?? [];
  return { name, sign, value: sign === "" ? value : quote === "'" && sign === "=" ? "" : rest.slice(named.length) };
}

/** Variables that a text contains unchanged. What follows `$(` is ignored, because it may be inside. */
function variablesIn(text: string, own: ReadonlySet<string>): string[] {
  const [before = ""] = text.split(/\$\(|`/, 1);
  return [...before.matchAll(VARIABLE)]
    .map(([, braced, plain]) => braced ?? plain ?? "")
    .filter((one) => !own.has(one));
}

/** Names to which the script gives a value of its own. */
function assignedIn(lines: readonly string[]): Set<string> {
  const named = lines.flatMap((line) => {
    const [, name] =
      /^\s{0,99}(?:(?:export|local|readonly|declare|read)\s{1,9}(?:-\w{1,9}\s{1,9}){0,3}|\$(?:env:)?)?(\w{1,99})\s{0,9}(?:=|$)/i.exec(
        line,
      ) ?? [];
    return name ?? [];
  });
  return new Set(named);
}
