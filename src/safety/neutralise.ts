import { codeSpan, fence, onOneLine } from "./code-text.ts";
import { visibleText } from "./visible-text.ts";

export interface NeutraliseOptions {
  /** Hosts that links may lead to, as in a URL (`github.com`, `ghe.example:8443`), in lower case. */
  readonly allowedHosts: readonly string[];
  /** One line, without block structure. */
  readonly inline?: boolean;
  /** For a table cell: one line, and no pipe that would end the cell. */
  readonly table?: boolean;
}

/**
 * Text by a model or from a repository as Markdown that can do nothing (GH-15): code spans, fences, lists and links to allowed hosts stay;
 * mentions, references to issues (and so closing keywords), other addresses and mathematics become code; images, HTML and every other mark
 * become the characters they are written with; invisible characters go; no line begins like a bot command or a heading.
 *
 * Nothing of the input's own Markdown is passed on: what is kept is written anew, so that GitHub's reading and ours cannot differ.
 */
export function neutraliseText(text: string, options: NeutraliseOptions): string {
  const visible = visibleText(text);
  if (options.inline || options.table) return neutraliseLine(onOneLine(visible).trim(), options);
  const lines = visible.split("\n");
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/.exec(lines[at]!);
    if (!opening) {
      blocks.push(neutraliseLine(lines[at]!, options));
      continue;
    }
    const end = closingFence(lines, at + 1, opening[1]!);
    blocks.push(fence(lines.slice(at + 1, end).join("\n"), opening[2]));
    at = end;
  }
  return blocks.join("\n");
}

/** Index of the line that closes the fence, or the number of lines when none does. */
function closingFence(lines: readonly string[], from: number, opening: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!.trim();
    if (line.length >= opening.length && line === opening[0]!.repeat(line.length)) return at;
  }
  return lines.length;
}

function neutraliseLine(line: string, options: NeutraliseOptions): string {
  const [, indent = "", rest = ""] = /^( *)(.*)$/s.exec(line.replaceAll("\t", "  ")) ?? [];
  const [markers = ""] = /^(?:(?:[*+-]|\d{1,9}[.)]) +)*(?=\S)/.exec(rest) ?? [];
  const body = joined(inlineParts(rest.slice(markers.length), options));
  const list = markers.replace(/[*+]/g, "-").replace(/ +/g, " ");
  // A fourth space would make a code block of a paragraph.
  return `${indent.slice(0, 3)}${list}${BLOCK_START.test(body) ? "\\" : ""}${body}`;
}

/** What would begin a command, a heading or a quote, or make a title or a table of the line above. */
const BLOCK_START = /^(?:[/>#=]|[:-][:\- ]*$)/;

function inlineParts(text: string, options: NeutraliseOptions): string[] {
  return splitCode(text).flatMap(({ code, text: part }) =>
    code ? [codeSpan(part, options)] : linkParts(part, options),
  );
}

/** Splits a line at its code spans: a run of backticks up to the next run of the same length. */
function splitCode(line: string): { code: boolean; text: string }[] {
  const runs = [...line.matchAll(/`+/g)];
  const byLength = new Map<number, number[]>();
  for (const { 0: run, index } of runs.toReversed()) {
    const positions = byLength.get(run.length);
    if (positions) positions.push(index);
    else byLength.set(run.length, [index]);
  }
  const parts: { code: boolean; text: string }[] = [];
  let done = 0;
  for (const { 0: run, index } of runs) {
    const sameLength = byLength.get(run.length)!;
    if (index < done) continue;
    while (sameLength.length > 0 && sameLength.at(-1)! <= index) sameLength.pop();
    const close = sameLength.at(-1);
    if (close === undefined) continue;
    parts.push({ code: false, text: line.slice(done, index) });
    parts.push({ code: true, text: line.slice(index + run.length, close) });
    done = close + run.length;
  }
  parts.push({ code: false, text: line.slice(done) });
  return parts.filter((part) => part.text !== "");
}

function linkParts(text: string, options: NeutraliseOptions): string[] {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(/(!?)\[([^[\]]{1,200})\]\(([^()\s<>]{1,2000})\)/g)) {
    const [whole, image, label = "", url = ""] = match;
    parts.push(...wordParts(text.slice(done, match.index), options));
    const words = joined(wordParts(label, options));
    if (image === "" && isAllowedUrl(url, options.allowedHosts)) parts.push(`[${words}](${url})`);
    else parts.push("\\[", words, "] (", codeSpan(url, options), ")");
    done = match.index + whole.length;
  }
  return [...parts, ...wordParts(text.slice(done), options)];
}

/** What GitHub turns into a mention, a reference, a link or a formula, and everything near enough to it. */
const ACTIVE_WORD = /[@$]|#\d|gh-\d|:\/\/|www\.|mailto:|xmpp:/i;

function wordParts(text: string, options: NeutraliseOptions): string[] {
  return text.split(/(\s+|`+)/).flatMap((word) => {
    // Of spaces side by side HTML shows one, and it may be them that is spoken of.
    if (/^ {2,}$/.test(word)) return [`${"&nbsp;".repeat(word.length - 1)} `];
    if (!ACTIVE_WORD.test(word)) return [escapeMarks(word, options)];
    const { lead, core, trail } = peel(word);
    // The angle brackets end the address: nothing that follows can make another host of it.
    const safe = isAllowedUrl(core, options.allowedHosts) ? `<${core}>` : codeSpan(core, options);
    return [escapeMarks(lead, options), safe, escapeMarks(trail, options)];
  });
}

const OPENING = new Set("([{<\"'*_~");
const CLOSING = new Set(")]}>.,;:!?\"'*_~");

/** Takes the punctuation off both ends of a word. */
function peel(word: string): { lead: string; core: string; trail: string } {
  let start = 0;
  let end = word.length;
  while (start < end && OPENING.has(word[start]!)) start += 1;
  while (end > start && CLOSING.has(word[end - 1]!)) end -= 1;
  return { lead: word.slice(0, start), core: word.slice(start, end), trail: word.slice(end) };
}

/**
 * Marks become text. Backticks, pipes in tables and `<` need entities: a backslash before them is not enough everywhere. `&` is always
 * escaped, as what follows it may come from the next part.
 */
function escapeMarks(text: string, { table }: NeutraliseOptions): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("`", "&#96;")
    .replace(/[\\*~[]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, "\\$&")
    .replaceAll("|", table ? "&#124;" : "\\|");
}

/** Two code spans side by side would become one: a space keeps them apart. */
function joined(parts: readonly string[]): string {
  let afterCode = false;
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const separator = afterCode && part.startsWith("`") ? " " : "";
      afterCode = part.endsWith("`");
      return `${separator}${part}`;
    })
    .join("");
}

/** Only characters that can neither end a Markdown link nor be read as Markdown beside one. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:/_%?&=+,#-]+$/i;

/** Links to these make GitHub note a cross-reference there, and "fixes" before one closes it. */
const REFERENCE = /\/(?:issues|pulls?|discussions)\/\d|#\d/i;

/** Whether a link may be posted (GH-15): a plain http(s) address on one of the hosts (with port, lower case), and not a reference to an issue. */
function isAllowedUrl(url: string, allowedHosts: readonly string[]): boolean {
  if (!PLAIN_URL.test(url) || REFERENCE.test(url) || !URL.canParse(url)) return false;
  return allowedHosts.includes(new URL(url).host);
}
