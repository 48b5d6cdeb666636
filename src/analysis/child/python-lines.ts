/** One statement of Python over however many lines, without comments; what strings hold is left as it is. */
export interface PythonLine {
  /** 1-based, of its beginning. */
  readonly line: number;
  readonly indent: number;
  readonly code: string;
}

/** The statements of a Python file by brackets, strings and line ends: no parser, and never wrong by more than one statement. */
export function pythonLines(text: string): PythonLine[] {
  const found: PythonLine[] = [];
  let code = "";
  let started = 1;
  let line = 1;
  let depth = 0;
  let at = 0;
  const close = () => {
    if (code.trim() !== "") {
      const indent = /^[ \t]*/.exec(code)?.[0].replaceAll("\t", "        ").length ?? 0;
      found.push({ line: started, indent, code: code.trim() });
    }
    code = "";
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
      code += string.replaceAll("\n", "\\n");
      at = end;
      continue;
    }
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    if (char === "\n") {
      line += 1;
      const goesOn = depth > 0 || code.endsWith("\\");
      if (goesOn) code = code.replace(/\\$/, " ");
      else close();
    } else if (char !== "\r") code += char;
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
export function splitOutside(text: string, mark: RegExp): string[] {
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
