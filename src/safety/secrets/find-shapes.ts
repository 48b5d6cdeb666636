import type { Span } from "../text-spans.ts";
import { LOOSE_FORMATS } from "./loose-formats.ts";
import { findNamedValues } from "./named-values.ts";
import { isPlaceholder } from "./placeholders.ts";
import { lookForKey, lookForPuttyKey } from "./private-keys.ts";
import { meanRun } from "./randomness.ts";
import type { SecretFormat } from "./secret-format.ts";
import { SECRET_FORMATS } from "./secret-formats.ts";
import { SERVICE_SECRETS, serviceRuleOf } from "./service-secrets.ts";

/** Adds to `spans` what stands around a hint at `at`, and gives the place from which on it is to be asked again. */
export type Look = (text: string, at: number, spans: Span[]) => number;

/** What a text is looked through for: its first characters, and what to do where they stand. */
export interface Lookout {
  readonly hint: string;
  /** Whether capitals are others than small letters in it. */
  readonly exact: boolean;
  readonly look: Look;
}

/** Characters that are looked at after a hint that stands inside of what it is a hint of, and how many of them one secret may need. */
const AFTER = 700;
const LONGEST_AFTER = 450;
/** Characters from the name of a service to the end of its secret, and how many of them are done with after one look. */
const SERVICE_REACH = 400;
const SERVICE_STEP = 50;
/** Enough of a long value to tell words from chance. */
const SAMPLE = 200;
/** Words have runs of letters that chance has not, where the kind is certain and where it is less so. */
const LONGEST_RUN = 4.5;
const LONGEST_RUN_IN_DOUBT = 3.5;

/** Private keys are found with their lines; that a name has to stand before is `LOOSE_FORMATS`' own. */
const ELSEWHERE = new Set(["private-key", "putty-key"]);

/** Kinds that are certain enough to be replaced wherever they stand; what only entropy or a word makes a secret is left to the scanner. */
const CERTAIN = SECRET_FORMATS.filter(
  ({ rule, confidence }) => !ELSEWHERE.has(rule) && (confidence >= 0.7 || rule === "url-parameter"),
);

/** Everything that a hint gives away. */
export const LOOKOUTS: readonly Lookout[] = [
  ...CERTAIN.filter(({ seek }) => seek === undefined).flatMap((format) => {
    const look = lookFor(format);
    return format.hints.map((hint) => ({ hint, exact: true, look }));
  }),
  ...LOOSE_FORMATS.flatMap(({ hints, pattern, accepts, goesOn }) => {
    const look = lookHere(pattern, accepts ?? (() => true), goesOn);
    return hints.map((hint) => ({ hint, exact: false, look }));
  }),
  { hint: "-----BEGIN ", exact: true, look: lookForKey },
  { hint: "Private-Lines", exact: true, look: lookForPuttyKey },
  ...SERVICE_SECRETS.flatMap(({ words }) => expandWords(words)).map((hint) => ({
    hint,
    exact: false,
    look: lookForService,
  })),
];

/** What no hint gives away, by patterns that are quick to search a whole text with. */
export const SOUGHT: readonly { readonly seek: RegExp; readonly look: Look }[] = CERTAIN.flatMap((format) =>
  format.seek === undefined ? [] : [{ seek: format.seek, look: lookFor(format) }],
);

function lookFor(format: SecretFormat): Look {
  const { rule, pattern, accepts, inside, confidence } = format;
  const isSecret = (value: string, whole: string) =>
    // The cheapest question first: a text may be made of what is none.
    (accepts !== undefined || isNoName(value.slice(0, SAMPLE), confidence)) &&
    !isPlaceholder(rule, whole, value) &&
    accepts?.(value) !== false;
  if (inside !== undefined) return lookAround(pattern, inside, isSecret);
  return lookHere(new RegExp(pattern.source, `${pattern.flags.replace("g", "")}y`), isSecret);
}

/** Names of classes and variables may begin like a token, and go on in words. */
function isNoName(value: string, confidence: number): boolean {
  const longest = confidence < 0.8 ? LONGEST_RUN_IN_DOUBT : LONGEST_RUN;
  return !/^[\w.-]+$/.test(value) || meanRun(value) < longest;
}

/** For what begins with its hint. */
function lookHere(pattern: RegExp, isSecret: (value: string, whole: string) => boolean, goesOn = false): Look {
  return (text, at, spans) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || !isSecret(match[1] ?? match[0], match[0])) return at + 1;
    const span = spanOf(match, at);
    const to = goesOn ? endOfToken(text, span.to) : span.to;
    spans.push({ ...span, to });
    return to;
  };
}

const TOKEN_CHARACTERS = /[A-Za-z0-9._~+/=-]*/y;

function endOfToken(text: string, from: number): number {
  TOKEN_CHARACTERS.lastIndex = from;
  return from + (TOKEN_CHARACTERS.exec(text)?.[0].length ?? 0);
}

/** For what stands around its hint. Where hints stand close to each other the text is looked through once. */
function lookAround(pattern: RegExp, inside: number, isSecret: (value: string, whole: string) => boolean): Look {
  return (text, at, spans) => {
    // Two characters more, for what looks behind.
    const start = Math.max(0, at - inside - 2);
    for (const match of text.slice(start, at + AFTER).matchAll(pattern)) {
      const cutOff = match.index === 0 && start > 0;
      if (!cutOff && isSecret(match[1] ?? match[0], match[0])) spans.push(spanOf(match, start + match.index));
    }
    return at + AFTER - LONGEST_AFTER;
  };
}

/** Group 1, where there is one: the last of its like in the match, as names come first. */
function spanOf(match: RegExpExecArray | RegExpMatchArray, at: number): Span {
  const value = match[1];
  const within = value === undefined ? 0 : match[0].lastIndexOf(value);
  return { from: at + within, to: at + within + (value ?? match[0]).length };
}

function lookForService(text: string, at: number, spans: Span[]): number {
  // A hint of another service may have stood before this one, and did not reach so far.
  const start = Math.max(0, at - SERVICE_STEP);
  const part = text.slice(start, at + SERVICE_REACH);
  if (!/[A-Za-z0-9_+/.-]{14}/.test(part)) return at + SERVICE_STEP;
  for (const named of findNamedValues(part)) {
    if (serviceRuleOf(named) === undefined) continue;
    spans.push({ from: start + named.offset, to: start + named.offset + named.value.length });
  }
  return at + SERVICE_STEP;
}

/** Every text that such alternatives stand for: `data_?dog|dd_` is "datadog", "data_dog" and "dd_". Knows `|` and a `?` behind a character. */
function expandWords(words: string): string[] {
  return words.split("|").flatMap(expandOptional);
}

function expandOptional(word: string): string[] {
  const at = word.indexOf("?");
  if (at === -1) return [word];
  const rest = expandOptional(word.slice(at + 1));
  return rest.flatMap((end) => [`${word.slice(0, at - 1)}${end}`, `${word.slice(0, at)}${end}`]);
}
