import type { ChildFile } from "../child/protocol.ts";
import { findLineStarts } from "../source-file.ts";
import { CODE, COMMENT, type Regions, regionsOf, STRING } from "./code-regions.ts";
import { findDirected, findOffScreen, isRightToLeft } from "./displaced-text.ts";
import { findUnseen } from "./invisible.ts";
import { findLookAlikeHost, likenessOf, skeletonOf } from "./look-alikes.ts";
import { showFar, showLine } from "./show.ts";

const DISGUISES = [
  "bidi-override",
  "bidi-open",
  "bidi-code",
  "bidi-idle",
  "mixed-script",
  "mixed-script-in-string",
  "beside-script",
  "whole-script",
  "letter-like-mark",
  "other-form",
  "wide-form",
  "invisible-code",
  "invisible-text",
  "invisible-in-word",
  "invisible-payload",
  "look-alike-host",
  "hidden-line",
  "odd-line-break",
  "terminal-escape",
  "other-encoding",
  "off-screen",
  "off-screen-data",
  "escaped-name",
] as const;

/** The language of texts of names and values: TOML, `.env`, lists of packages. */
export const SETTINGS = "settings";

export interface Disguise {
  readonly kind: (typeof DISGUISES)[number];
  readonly offset: number;
  /** The characters that it is about, each once. */
  readonly characters: readonly string[];
  /** What is seen, and what is run. */
  readonly shown: string;
}

/** Values under names, and pages: their words are compared and looked up, and no grammar of code tells where. */
const DATA = new Set(["JSON", "YAML", SETTINGS, "HTML", "SVG", "Vue", "Svelte", "Astro", "MDX", "Procfile", "systemd"]);

/** Without a form of their own, side by side or on one line: so many are not typed, but a decoder reads them. */
const PAYLOAD_RUN = 4;
const PAYLOAD_LINE = 12;

const OTHER = /\P{ASCII}/u;
const ALL_OTHER = /\P{ASCII}/gu;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u01c0-\u01c3]*/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPE = /[\u001b\u009b]\[?[0-9;?]*[A-HJKSTfhlsu]|[\u001b\u009b]\[(?:\d*;)*8m|\u0008/;
const ESCAPED = /\\u+(?:00[2-7][\da-f]|\{0{0,9}[2-7][\da-f]\})/gi;
/** Encodings in which other characters than those that are seen are code. */
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const PLAIN_CODING = /^(?:utf[-_]?8(?:-sig)?|ascii|us-ascii|latin[-_]?1|iso[-_]8859[-_]\d+|cp125\d|windows-125\d)$/i;

/** Everything on the added lines of a text that is not what it looks like; at most one of a kind on a line. */
export function findDisguises(file: ChildFile): Disguise[] {
  const { text, language, dialect, addedLines = [] } = file;
  const regions = regionsOf(text, language, dialect);
  const lineStarts = findLineStarts(text);
  const plain = new Set(text.match(/[A-Za-z_$][\w$]+/g) ?? []);
  const found: Disguise[] = [];
  for (const number of addedLines) {
    const start = lineStarts[number - 1];
    if (start === undefined) continue;
    const end = lineStarts[number];
    const line = text.slice(start, end === undefined ? undefined : end - 1).replace(/\r$/, "");
    const of = { line, start, regions, language, number, plain };
    const onLine = [
      ...directions(of),
      ...unseen(of),
      ...words(of),
      ...breaks(of),
      ...coding(of),
      ...farAway(of),
      ...hosts(of),
      ...escapes(of),
    ];
    for (const { kind, at, characters } of onLine)
      found.push({
        kind,
        offset: start + at,
        characters: [...new Set(characters)].slice(0, 5),
        shown: kind.startsWith("off-screen") ? showFar(line, at) : showLine(line, at),
      });
  }
  return found;
}

interface Line {
  readonly line: string;
  readonly start: number;
  readonly regions: Regions | undefined;
  readonly language: string | undefined;
  readonly number: number;
  /** Words in plain Latin letters of the whole text. */
  readonly plain: ReadonlySet<string>;
}

interface DisguiseMatch {
  readonly kind: Disguise["kind"];
  readonly at: number;
  readonly characters: readonly string[];
}

function directions({ line, start, regions }: Line): DisguiseMatch[] {
  const directed = findDirected(line, start, regions);
  if (directed === undefined) return [];
  const kinds = {
    override: "bidi-override",
    open: "bidi-open",
    crosses: "bidi-open",
    code: "bidi-code",
    idle: "bidi-idle",
  } as const;
  return [
    {
      kind: kinds[directed.how],
      at: directed.offset,
      characters: line.match(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g) ?? [],
    },
  ];
}

function unseen({ line, start, regions, language }: Line): DisguiseMatch[] {
  const all = findUnseen(line);
  const [first] = all;
  if (first === undefined) return torn({ line, start, regions, language });
  let run = 0;
  let longest = 0;
  let next = -1;
  for (const { offset, character } of all) {
    run = offset === next ? run + 1 : 1;
    next = offset + character.length;
    longest = Math.max(longest, run);
  }
  const characters = all.slice(0, 50).map(({ character }) => character);
  if (longest >= PAYLOAD_RUN || all.length >= PAYLOAD_LINE)
    return [{ kind: "invisible-payload", at: first.offset, characters }];
  const inCode = all.find(({ offset }) => regions?.[start + offset] === CODE);
  if (inCode) return [{ kind: "invisible-code", at: inCode.offset, characters }];
  const inWord = torn({ line, start, regions, language });
  if (inWord.length > 0 || regions === undefined) return inWord;
  return [{ kind: "invisible-text", at: first.offset, characters }];
}

const INVISIBLE = String.raw`[[\p{DI}\u2800\ufeff]--[\u00ad\ufe0e\ufe0f\u061c\u200e\u200f]]{1,1000}`;
const MARK = String.raw`[\u061c\u200e\u200f]{1,1000}`;
/**
 * Within a word, or between it and the quotation mark: no language is written so, and the word is equal to no other. Marks of direction
 * also stand before numbers and signs.
 */
const TORN = new RegExp(
  String.raw`(?<=[A-Za-z0-9_])${INVISIBLE}(?=[A-Za-z0-9_"'\x60])|(?<=["'\x60])${INVISIBLE}(?=[A-Za-z0-9_])|(?<=[A-Za-z_]{2})${MARK}(?=[A-Za-z_]{2}|["'\x60])|(?<=["'\x60])${MARK}(?=[A-Za-z_]{3})`,
  "v",
);

function torn({
  line,
  start,
  regions,
  language,
}: Pick<Line, "line" | "start" | "regions" | "language">): DisguiseMatch[] {
  const at = line.search(TORN);
  const isText = (DATA.has(language ?? "") || regions?.[start + at] === STRING) && !isRightToLeft(line);
  return at === -1 || !isText
    ? []
    : [{ kind: "invisible-in-word", at, characters: [String.fromCodePoint(line.codePointAt(at) ?? 0)] }];
}

function hosts({ line }: Line): DisguiseMatch[] {
  const found = findLookAlikeHost(line);
  return found === undefined ? [] : [{ kind: "look-alike-host", ...found }];
}

function words({ line, start, regions, language, plain }: Line): DisguiseMatch[] {
  const data = regions === undefined && DATA.has(language ?? "");
  if (regions === undefined && !data) return [];
  const found = new Map<Disguise["kind"], DisguiseMatch>();
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (!OTHER.test(word) || (data && !standsAlone(line, index, word))) continue;
    const region = data ? STRING : regions?.[start + index];
    const kind = region === COMMENT ? undefined : kindOf(word, region === STRING, language, plain);
    if (kind) found.set(kind, found.get(kind) ?? { kind, at: index, characters: word.match(ALL_OTHER) ?? [] });
  }
  return [...found.values()];
}

/** Whether a word of data is a key, a name or a part of one, and not of a sentence. */
function standsAlone(line: string, index: number, word: string): boolean {
  const before = line.slice(Math.max(0, index - 100), index);
  const after = line.slice(index + word.length, index + word.length + 100);
  return (
    /(?:^\s*(?:- |export )?|["']|: |=\s{0,9})[^\s"':=]*$/.test(before) &&
    /^[^\s"':=]*(?:["']|\s{0,9}=|:(?:\s|$)|\s*$)/.test(after)
  );
}

function kindOf(word: string, string: boolean, language: string | undefined, plain: ReadonlySet<string>) {
  const likeness = likenessOf(word);
  if (likeness === "mixed") return string ? "mixed-script-in-string" : "mixed-script";
  if (likeness === undefined || string) return undefined;
  if (likeness === "mark") return "letter-like-mark";
  if (likeness === "beside") return "beside-script";
  if (likeness === "form") return language === "Python" ? "other-form" : "wide-form";
  return plain.has(skeletonOf(word)) ? "whole-script" : undefined;
}

/** Where a line ends for programs that run or show it, and not for git. */
function breaks({ line, start, regions, language }: Line): DisguiseMatch[] {
  const found: DisguiseMatch[] = [];
  const separator = line.search(/[\u2028\u2029\u0085]/);
  const script = language === "JavaScript" || language === "TypeScript" || language === "C#";
  if (script && separator !== -1 && regions?.[start + separator] !== STRING)
    found.push({ kind: "odd-line-break", at: separator, characters: [line[separator] ?? ""] });
  const back = line.search(/\r(?=[^\r\n]*\S)/);
  if (back !== -1) found.push({ kind: "hidden-line", at: back, characters: ["\r"] });
  const moved = line.search(ESCAPE);
  if (moved !== -1) found.push({ kind: "terminal-escape", at: moved, characters: [line[moved] ?? ""] });
  return found;
}

function farAway({ line, start, regions, language }: Line): DisguiseMatch[] {
  const at = language === undefined ? undefined : findOffScreen(line, start, regions);
  return at === undefined ? [] : [{ kind: regions ? "off-screen" : "off-screen-data", at, characters: [] }];
}

/** Letters of plain names that are written by their numbers: `\\u0065val` is `eval`. */
function escapes({ line, start, regions, language }: Line): DisguiseMatch[] {
  if (language !== "JavaScript" && language !== "TypeScript" && language !== "Java") return [];
  for (const { index } of line.matchAll(ESCAPED))
    if (regions?.[start + index] === CODE) return [{ kind: "escaped-name", at: index, characters: [] }];
  return [];
}

function coding({ line, number, language }: Line): DisguiseMatch[] {
  const name = language === "Python" && number <= 2 ? CODING.exec(line)?.[1] : undefined;
  return name === undefined || PLAIN_CODING.test(name) ? [] : [{ kind: "other-encoding", at: 0, characters: [] }];
}
