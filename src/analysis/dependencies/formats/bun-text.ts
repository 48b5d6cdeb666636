import { parseJson } from "../json-blocks.ts";

/** JSON whose lists and objects may have a comma behind their last entry. */
export function parseBunText(text: string): ReturnType<typeof parseJson> {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === "," && isLast(text, at + 1)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parseJson([...parts, text.slice(start)].join(""));
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

const SPACES = new Set([" ", "\t", "\r", "\n"]);

function isLast(text: string, start: number): boolean {
  let at = start;
  while (SPACES.has(text[at] ?? "")) at += 1;
  return text[at] === "}" || text[at] === "]";
}
