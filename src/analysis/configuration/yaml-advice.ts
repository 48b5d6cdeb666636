import type { YAMLParseError } from "yaml";
import { openBracket, quoted, unquotedTexts } from "./unquoted-texts.ts";

/** What to do about a YAML mistake. `line` is 1-based, and `message` is a sentence in Markdown. */
interface Advice {
  readonly line: number;
  readonly message: string;
}

/** Explains the first error of the parser by the line it is in (CONF-1). @param at 1-based line of the error */
export function adviceOf({ code, message }: YAMLParseError, text: string, at: number): Advice {
  const lines = text.split("\n");
  const line = lines[at - 1] ?? "";
  const say = (advice: string, where = at) => ({ line: where, message: advice });
  const conflict = lines.findIndex((each) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(each));
  if (conflict !== -1) return say("A merge conflict is left in the file. Resolve it.", conflict + 1);
  const blank = strangeSpace(lines, at);
  if (blank) return say(`This line has a space that YAML does not know (${blank.name}). Use a plain one.`, blank.line);
  if (code === "TAB_AS_INDENT") return say("YAML cannot be indented by tabs. Use spaces.");
  if (code === "MULTIPLE_DOCS") return say("The file holds more than one document. Remove the line `---`.");
  if (code === "BAD_DQ_ESCAPE") return say("In double quotes a `\\` begins an escape. Use single quotes.");
  const [special] = unquotedTexts(line);
  if (special) return say(putQuotes(special.text, special.because));
  const open = openBracket(lines);
  if (open) return say(`The \`${open.bracket}\` in this line is never closed.`, open.line);
  if (code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY") return say(...keyAdvice(lines, at));
  if (code === "BAD_INDENT" && /same column/.test(message)) {
    return say("The settings of a group must begin in the same column. Correct the indentation of this line.");
  }
  const quote = /closing (.)quote/.exec(message)?.[1];
  if (quote) return say(`The closing \`${quote}\` is missing before here.`);
  if (/quote/.test(message)) return say("A text in quotes is not closed. Add the closing quote.");
  if (/block-seq-ind/.test(message))
    return say("A list begins on a line of its own, or is written in brackets: `[a, b]`.");
  if (/\[ {0,9}(?:"[^"]{0,200}"|'[^']{0,200}') {1,9}["']/.test(line))
    return say("A comma is missing between two texts of this list.");
  if (/["'][^"']*["'][^\s,\]}:]/.test(line)) {
    return say("A quote inside the text ends it. Use the other kind of quotes around the text.");
  }
  if (/followed by map values/.test(message)) return say(missingColon(line));
  return say(
    "The file is not valid YAML from here on. Check colons, quotes and brackets in this line and the one above.",
  );
}

/** `because` follows "a text that". A text that cannot be shown whole is not repeated. */
export function putQuotes(text: string, because: string): string {
  const example = text.includes("`") || text.length > 70 ? "" : `: write ${code(quoted(text))}`;
  return `Put quotes around a text that ${because}${example}.`;
}

/** A snippet of the file as code: backticks in it would end the code, and a long one would fill the page. */
export function code(snippet: string): string {
  const plain = snippet.replaceAll("`", "'");
  return `\`${plain.length > 80 ? `${plain.slice(0, 79)}…` : plain}\``;
}

/** Where the parser found a key that it did not expect. */
function keyAdvice(lines: readonly string[], at: number): [message: string, line: number] {
  const line = lines[at - 1] ?? "";
  const value = settingOf(line);
  if (value?.includes(": ")) return [putQuotes(value, "has a colon and a space in it"), at];
  const indent = (text: string) => text.length - text.trimStart().length;
  const next = lines.findIndex((text, index) => index >= at && text.trim() !== "");
  if (value && next !== -1 && indent(lines[next]!) > indent(line)) {
    return [`This line is indented too far: line ${at} has a value already.`, next + 1];
  }
  return [missingColon(line), at];
}

function missingColon(line: string): string {
  const name = line.trim();
  return /^[\w-]+$/.test(name)
    ? `A colon is missing: write ${code(`${name}:`)}.`
    : "A setting is written as `name: value`, with a colon and a space.";
}

/** The text after the first `: ` of a line. */
function settingOf(line: string): string | undefined {
  const at = line.indexOf(": ");
  return at === -1 ? undefined : line.slice(at + 2).trim();
}

/** Spaces that look like the one of a keyboard, in the line of a mistake or the one above. */
function strangeSpace(lines: readonly string[], at: number): { name: string; line: number } | undefined {
  for (const line of [at, at - 1, at + 1]) {
    const [found] = /(?! )[\p{Zs}\u200b\ufeff]/u.exec(lines[line - 1] ?? "") ?? [];
    if (found) return { name: `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`, line };
  }
  return undefined;
}
