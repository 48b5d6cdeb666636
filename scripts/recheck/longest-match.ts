/**
 * The most characters that one try of a pattern at one place looks at, with what it looks ahead and behind; infinite where a repetition has no
 * bound, or where a group is matched again. What is finite takes a bounded number of steps at each place: its time grows with the text.
 */
export function longestMatch(source: string): number {
  const reader = { source, at: 0 };
  const longest = readAlternatives(reader);
  if (reader.at < source.length) throw new Error(`not a pattern: ${source}`);
  return longest;
}

interface Reader {
  readonly source: string;
  at: number;
}

function readAlternatives(reader: Reader): number {
  let longest = 0;
  for (;;) {
    longest = Math.max(longest, readSequence(reader));
    if (reader.source[reader.at] !== "|") return longest;
    reader.at += 1;
  }
}

function readSequence(reader: Reader): number {
  let sum = 0;
  for (let next = reader.source[reader.at]; next !== undefined && next !== "|" && next !== ")"; ) {
    const one = readOne(reader);
    const times = readTimes(reader);
    sum += one === 0 ? 0 : one * times;
    next = reader.source[reader.at];
  }
  return sum;
}

function readOne(reader: Reader): number {
  const character = reader.source[reader.at];
  if (character === "(") return readGroup(reader);
  if (character === "[") return readClass(reader);
  reader.at += 1;
  if (character === "^" || character === "$") return 0;
  if (character !== "\\") return 1;
  const escaped = /^(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<\w+>|.)/iu.exec(
    reader.source.slice(reader.at),
  )!;
  reader.at += escaped[0].length;
  if (/^[1-9k]/.test(escaped[0])) return Number.POSITIVE_INFINITY;
  return /^[bB]$/.test(escaped[0]) ? 0 : 1;
}

function readGroup(reader: Reader): number {
  reader.at += /^\((?:\?(?:<?[=!]|<\w+>|[a-z-]*:))?/.exec(reader.source.slice(reader.at))![0].length;
  const longest = readAlternatives(reader);
  reader.at += 1;
  return longest;
}

/** One character, whatever it is made of; with the flag `v` a class may hold classes. */
function readClass(reader: Reader): number {
  let depth = 0;
  for (; reader.at < reader.source.length; reader.at += 1) {
    const character = reader.source[reader.at];
    if (character === "\\") reader.at += 1;
    else if (character === "[" && (depth === 0 || /\](?:--|&&)\[/.test(reader.source))) depth += 1;
    else if (character === "]") depth -= 1;
    if (depth === 0) break;
  }
  reader.at += 1;
  return 1;
}

function readTimes(reader: Reader): number {
  const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at));
  if (quantifier === null) return 1;
  reader.at += quantifier[0].length;
  const [written, least, comma, most] = quantifier;
  if (written.startsWith("?")) return 1;
  if (least === undefined) return Number.POSITIVE_INFINITY;
  if (comma === "") return Number(least);
  return most === "" ? Number.POSITIVE_INFINITY : Number(most);
}
