export interface Stripped {
  readonly text: string;
  /** HTML comments, and definitions of links that hold words instead of an address. */
  readonly comments: number;
  /** Alternative texts, attributes and elements that a reader of the page does not see. */
  readonly hidden: number;
}

/** Longer than any tag or alternative text that people write: what is not closed within it is no tag. */
const LONGEST = 1_000;

/** Attributes whose value a reader can at least reach, and names and measures, which hold no sentence. */
const KEPT_ATTRIBUTE =
  /\b(?:(?:href|src)[ \t]*=[ \t]*(?:"[^"<>]{0,500}"|'[^'<>]{0,500}')|(?:name|id|align|width|height)[ \t]*=[ \t]*"[\w.%-]{0,40}")/gi;
const INVISIBLE_ELEMENT = /\shidden\b|display[ \t]*:[ \t]*none|visibility[ \t]*:[ \t]*hidden/i;

/**
 * Markdown or HTML prose as a person sees it on the page (SEC-5): without HTML comments, alternative texts, hidden attributes and hidden
 * elements. Line breaks stay, so that line numbers do.
 */
export function stripHidden(text: string): Stripped {
  const uncommented = withoutComments(text);
  const untagged = withoutAttributes(uncommented.text);
  const described = withoutAlternatives(untagged.text);
  const defined = withoutTitles(described.text);
  return {
    text: defined.text,
    comments: uncommented.count + defined.count,
    hidden: untagged.count + described.count,
  };
}

interface Counted {
  readonly text: string;
  readonly count: number;
}

/** A comment without an end hides everything after it, as it does on the page. */
function withoutComments(text: string): Counted {
  let kept = "";
  let count = 0;
  let done = 0;
  for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", done)) {
    const close = text.indexOf("-->", start + 4);
    const end = close === -1 ? text.length : close + 3;
    kept += text.slice(done, start) + lineBreaks(text.slice(start, end));
    count += 1;
    done = end;
  }
  return { text: kept + text.slice(done), count };
}

function withoutAttributes(text: string): Counted {
  let kept = "";
  let count = 0;
  let done = 0;
  const opening = /<([a-zA-Z][a-zA-Z0-9-]{0,30})(?=[\s/])/g;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const attributesAt = tag.index + tag[0].length;
    let end = endOfTag(text, attributesAt);
    if (end === undefined) continue;
    const attributes = text.slice(attributesAt, end - 1);
    if (!/=|\shidden/i.test(attributes)) continue;
    const wanted = (attributes.match(KEPT_ATTRIBUTE) ?? []).map((each) => ` ${each}`).join("");
    const invisible = INVISIBLE_ELEMENT.test(attributes);
    if (invisible) end = endOfElement(text, end, tag[1] ?? "");
    if (invisible || attributes.replace(KEPT_ATTRIBUTE, "").trim().replace("/", "") !== "") count += 1;
    kept += `${text.slice(done, tag.index)}<${tag[1]}${wanted}>${lineBreaks(text.slice(tag.index, end))}`;
    done = end;
    opening.lastIndex = end;
  }
  return { text: kept + text.slice(done), count };
}

/** The place behind the `>` that closes a tag; a `>` in quotes does not. */
function endOfTag(text: string, from: number): number | undefined {
  let quote = "";
  for (let at = from; at < Math.min(text.length, from + LONGEST); at += 1) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
    else if (character === "<") return undefined;
  }
  return undefined;
}

function endOfElement(text: string, from: number, name: string): number {
  const closing = new RegExp(`</${RegExp.escape(name)}[ \\t]*>`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

function withoutAlternatives(text: string): Counted {
  const ends = endsOfAlternatives(text);
  let kept = "";
  let count = 0;
  let done = 0;
  for (const [start, end] of ends) {
    if (start < done) continue;
    kept += `${text.slice(done, start)}![${lineBreaks(text.slice(start, end))}`;
    count += 1;
    done = end;
  }
  return { text: kept + text.slice(done), count };
}

/** For each `![` with something in its brackets, in order: the place of the `]` that belongs to it. Every bracket is looked at once. */
function endsOfAlternatives(text: string): (readonly [start: number, end: number])[] {
  const ends: (readonly [number, number])[] = [];
  if (!text.includes("![")) return ends;
  const open: number[] = [];
  for (const { index, 0: bracket } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") {
      open.push(index);
      continue;
    }
    const begin = open.pop();
    if (begin === undefined || text[begin - 1] !== "!") continue;
    const length = index - begin - 1;
    if (length > 0 && length < LONGEST) ends.push([begin - 1, index]);
  }
  return ends.sort(([a], [b]) => a - b);
}

/** `[name]: address "title"` is never shown; people and attackers hide words in the title. */
function withoutTitles(text: string): Counted {
  let count = 0;
  const stripped = text.replace(
    /^( {0,3}\[[^[\]\n]{1,200}\]:[ \t]{0,8}[^\s]{1,2000})[ \t]{1,8}["'(].{0,2000}$/gm,
    (_, kept: string) => {
      count += 1;
      return kept;
    },
  );
  return { text: stripped, count };
}

/** What tells a program how to treat the page, and has no words of its own. */
const MARK_FOR_PROGRAMS =
  /<!--[ \t]{0,9}(?:prettier-ignore(?:-start|-end)?|markdownlint-(?:disable|enable|capture|restore)(?:-file|-line|-next-line)?(?:[ \t]MD\d{3}){0,9}|cspell:(?:disable|enable)(?:-line|-next-line)?|(?:doc)?toc(?:stop)?|vale[ \t](?:on|off)|more)[ \t]{0,9}-->/gi;
/** Of at most three words: the name of a picture, a class or a role. No sentence that anybody has to have read. */
const NAME = String.raw`(?:[\p{L}\p{N}_.+#&:%/-]{1,24}[ \t]){0,2}[\p{L}\p{N}_.+#&:%/-]{0,24}`;
const NAMED = new RegExp(
  String.raw`(?<=!\[)${NAME}(?=\])|\s(?:alt|title|class|role|rel|target|loading|style|type|media|srcset|lang|dir|valign|border)[ \t]{0,9}=[ \t]{0,9}(?:"${NAME}"|'${NAME}')`,
  "giu",
);

/**
 * A line without what `stripHidden` may take away of it and still somebody has looked at it: by its shape it can only be a mark for a program or
 * a name. Without its spaces, to be compared.
 */
export function withoutKnownMarks(line: string): string {
  return line.replace(MARK_FOR_PROGRAMS, "").replace(NAMED, "").replace(/\s+/g, "").replaceAll("/>", ">");
}

function lineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, "");
}
