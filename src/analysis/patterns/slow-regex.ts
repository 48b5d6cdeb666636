/** Longer ones are tables of words. */
const LONGEST = 1_000;

interface Group {
  /** What stands in it may be repeated without end. */
  repeats: boolean;
  /** Alternatives that begin with the same character, or a repetition that nothing else stands beside. */
  ambiguous: boolean;
  parts: number;
  starts: Set<string>;
  atStart: boolean;
}

/**
 * Whether a regular expression has a repetition in a repetition, `(a+)+`, or one of alternatives that begin alike, `(a|ab)*`: such
 * expressions can take time that doubles with each character. What is told apart by a character of its own (`(a+,)*`) is not meant.
 */
export function isSlow(pattern: string): boolean {
  if (pattern.length > LONGEST) return false;
  const stack: Group[] = [empty()];
  for (let at = 0; at < pattern.length; at += 1) {
    const top = stack.at(-1)!;
    const char = pattern[at]!;
    if (char === "(") {
      stack.push(empty());
      if (pattern[at + 1] === "?")
        at += /^\?(?:<?[=!]|:|<[^>]*>)/.exec(pattern.slice(at + 1, at + 40))?.[0].length ?? 1;
      continue;
    }
    if (char === "|") {
      top.atStart = true;
      top.parts = 0;
      continue;
    }
    const closed = char === ")" ? stack.pop() : undefined;
    if (closed !== undefined && stack.length === 0) return false;
    const atom = closed === undefined ? atomAt(pattern, at) : "(";
    if (closed === undefined) at += atom.length - 1;
    const around = stack.at(-1)!;
    const quantifier = /^(?:[*+]|\{\d+,\})/.exec(pattern.slice(at + 1, at + 12))?.[0];
    if (quantifier !== undefined) {
      if (closed !== undefined && (closed.ambiguous || (closed.repeats && closed.parts === 1))) return true;
      around.repeats = true;
      at += quantifier.length;
    }
    if (around.atStart && atom !== "(" && !/^[$^]$/.test(atom)) {
      if (around.starts.has(atom) && closed === undefined) around.ambiguous = true;
      around.starts.add(atom);
    }
    around.atStart = false;
    // What may be left out tells nothing apart.
    const isOptional = quantifier?.startsWith("*") || pattern[at + 1] === "?";
    if (!isOptional) around.parts += 1;
    if (pattern[at + 1] === "?") at += 1;
  }
  return false;
}

function empty(): Group {
  return { repeats: false, ambiguous: false, parts: 0, starts: new Set(), atStart: true };
}

/** A character, an escape or a class. */
function atomAt(pattern: string, at: number): string {
  if (pattern[at] === "\\") return pattern.slice(at, at + 2);
  if (pattern[at] !== "[") return pattern[at]!;
  for (let end = at + 1; end < pattern.length; end += 1) {
    if (pattern[end] === "\\") end += 1;
    else if (pattern[end] === "]") return pattern.slice(at, end + 1);
  }
  return pattern.slice(at);
}
