/** A text without quotes that YAML reads as something else. */
export interface UnquotedText {
  readonly text: string;
  /** Follows "a text that". */
  readonly because: string;
}

/** Characters that a plain text in YAML cannot begin with. */
const RESERVED = "*&!@%`|>?";

/** The texts of one line that need quotes, in order. Looks at each character a few times at most. */
export function unquotedTexts(line: string): UnquotedText[] {
  const found: UnquotedText[] = [];
  for (const { text, inList } of textsOf(line)) {
    const because = reasonOf(text, inList);
    if (because !== undefined) found.push({ text, because });
  }
  return found;
}

function reasonOf(text: string, inList: boolean): string | undefined {
  const first = text.charAt(0);
  if (first === "" || first === '"' || first === "'") return undefined;
  if (RESERVED.includes(first) && !/^(?:[|>][-+\d]{0,2}|[!?])$/.test(text)) return `begins with ${mark(first)}`;
  if ((first === "{" || first === "[") && closesBeforeEnd(text)) return `begins with ${mark(first)}`;
  const bracket = /[[{\]}]/.exec(text)?.[0];
  return inList && bracket !== undefined && first !== bracket ? `has ${mark(bracket)} in it` : undefined;
}

/** A character as code: a backtick needs two around it. */
function mark(character: string): string {
  return character === "`" ? "`` ` ``" : `\`${character}\``;
}

/** `{a,b}/**`: the bracket that begins it is closed, and text follows. */
function closesBeforeEnd(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{" || text[at] === "[") open += 1;
    if ((text[at] === "}" || text[at] === "]") && --open === 0) return at < text.length - 1 && text[at + 1] !== ",";
  }
  return false;
}

/** The keys, values and items of a line, in order. Items of `[a, b]` come one by one. */
function textsOf(line: string): { text: string; inList: boolean }[] {
  let rest = withoutComment(line.trim());
  while (rest.startsWith("- ")) rest = rest.slice(2).trimStart();
  const colon = rest.startsWith('"') || rest.startsWith("'") ? -1 : rest.search(/:(?: |$)/);
  const parts = colon === -1 ? [rest] : [rest.slice(0, colon), rest.slice(colon + 1).trim()];
  return parts.flatMap((part) => {
    const inList = part.startsWith("[") && !closesBeforeEnd(part);
    return (inList ? itemsOf(part) : [part]).map((text) => ({ text, inList }));
  });
}

function withoutComment(line: string): string {
  const at = line.startsWith("#") ? 0 : line.indexOf(" #");
  return at === -1 ? line : line.slice(0, at).trimEnd();
}

/** The items of `[a, {b,c}/**]`: commas within braces do not part them. */
function itemsOf(list: string): string[] {
  const items: string[] = [];
  let open = 0;
  let from = 1;
  for (let at = 1; at < list.length; at += 1) {
    const character = list[at]!;
    if (character === "{" || character === "[") open += 1;
    const ends = character === "]" && open === 0;
    if ((character === "}" || character === "]") && open > 0) open -= 1;
    if (ends || (character === "," && open === 0)) {
      items.push(list.slice(from, at).trim());
      from = at + 1;
    }
    if (ends) return items;
  }
  return [...items, list.slice(from).trim()];
}

/** A text as YAML takes it as text. */
export function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** The last bracket of a file that is not closed, with its 1-based line. Brackets in quotes and comments are not counted. */
export function openBracket(lines: readonly string[]): { bracket: string; line: number } | undefined {
  const open: { bracket: string; line: number }[] = [];
  for (const [index, text] of lines.entries()) {
    let quote: string | undefined;
    let before = "";
    for (const character of withoutComment(text)) {
      const begins = quote === undefined && (before === "" || ":,-[{".includes(before));
      if (quote !== undefined) quote = character === quote ? undefined : quote;
      else if (begins && (character === '"' || character === "'")) quote = character;
      else if (character === "[" || character === "{") open.push({ bracket: character, line: index + 1 });
      else if (character === "]" || character === "}") open.pop();
      if (character !== " ") before = character;
    }
  }
  return open.at(-1);
}
