import { visibleText } from "./visible-text.ts";

/** Languages whose fences GitHub does not show as text: they would be applied, drawn or typeset. */
const ACTIVE_LANGUAGES = new Set(["suggestion", "mermaid", "geojson", "topojson", "stl", "math"]);

/**
 * A line that a bot may take for a command even inside code: many read the raw text of a comment. The blanks hold no end of a line of any
 * kind, so each line is read once.
 */
const COMMAND_LINE = /^([^\S\n\r\u2028\u2029]*)(?=\/[a-z])/gim;

/** Whether any line begins like a bot command, `/word`. */
export function hasCommandLine(text: string): boolean {
  return text.search(COMMAND_LINE) !== -1;
}

/**
 * Foreign text as one inline code span that nothing in it can end; line breaks become spaces.
 * In a table (`table: true`) a pipe would end the cell even inside a span, and a backslash before it would show elsewhere: it becomes `¦`.
 */
export function codeSpan(text: string, { table = false }: { table?: boolean } = {}): string {
  const visible = onOneLine(visibleText(text)) || " ";
  const line = table ? visible.replaceAll("|", "¦") : visible;
  const delimiter = "`".repeat(longestRun(line) + 1);
  // GitHub takes one space off each side when both are there; without them a backtick at an end would join the delimiter.
  const padding = /^[ `]|[ `]$/.test(line) && line.trim() !== "" ? " " : "";
  return `${delimiter}${padding}${line}${padding}${delimiter}`;
}

/** Line breaks and tabs, with the spaces around them, as one space; spaces side by side stay, as it may be them that is spoken of. */
export function onOneLine(text: string): string {
  const parts = text.split(/[\n\t]+/);
  const last = parts.length - 1;
  return parts
    .map((part, at) => (at < last ? part.trimEnd() : part))
    .reduce((line, part) => `${line} ${part.trimStart()}`);
}

/**
 * Foreign text as a fenced code block that nothing in it can end. A line that begins like a bot command gets a bar before it. An active
 * language (`suggestion`, `mermaid`, ...) or one that is not a plain word is left out; words of our own use `suggestionFence`.
 */
export function fence(text: string, language = ""): string {
  const name = /^[a-z0-9+#.-]{1,20}$/i.test(language) && !ACTIVE_LANGUAGES.has(language.toLowerCase()) ? language : "";
  return fenced(visibleText(text).replace(COMMAND_LINE, "| $1"), name);
}

/** Whether a text can be offered as a suggestion: exactly these characters would be committed, so nothing may be hidden or changed. */
export function isSuggestable(text: string): boolean {
  const lines = text.replace(/\r\n/g, "\n");
  return visibleText(lines) === lines && !hasCommandLine(lines);
}

/** A GitHub suggestion block that replaces the commented lines by `after`; an empty `after` deletes them. Ask `isSuggestable` first. */
export function suggestionFence(after: string): string {
  return fenced(after.replace(/\r\n/g, "\n"), "suggestion");
}

function fenced(text: string, language: string): string {
  const delimiter = "`".repeat(Math.max(3, longestRun(text) + 1));
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${delimiter}${language}\n${body}${delimiter}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
