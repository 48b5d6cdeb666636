/** A kind of secret, for people. */
export interface SecretKind {
  /** After `secrets/`. */
  readonly rule: string;
  /** With its article: "an AWS access key id". */
  readonly what: string;
  readonly confidence: number;
  /** False for kinds that are often harmless (test keys, tokens that browsers see): they warn and do not block. */
  readonly sure: boolean;
  /** True where tests use such values of their own so often that they only warn there. */
  readonly mildInTests?: boolean;
}

/** A kind of secret that is known by what it looks like. */
export interface SecretFormat extends SecretKind {
  /**
   * Global and linear: no repetition inside a repetition, every repetition bounded or followed by what it cannot match itself.
   * Group 1, where there is one, is the secret itself; it is what placeholders are judged by.
   */
  readonly pattern: RegExp;
  /** Plain texts of which every match contains one: most files are done after looking for them. */
  readonly hints: readonly string[];
  /** Characters of a match that may stand before its hint, at most; absent where every match begins with one. */
  readonly inside?: number;
  /** Finds the places where a match may be where a hint says too little; global. The place is where the hint would be. */
  readonly seek?: RegExp;
  /** What a pattern cannot say: whether the text inside, once decoded, is what it looks like. */
  readonly accepts?: (value: string) => boolean;
  /** Whether a checksum inside the secret fits, which chance does once in billions. */
  readonly proven?: (value: string) => boolean;
}

/** One place of a text. `value` is the secret itself, inside the match or all of it. */
export interface FoundSecret {
  readonly rule: string;
  readonly offset: number;
  readonly length: number;
  readonly value: string;
  readonly proven?: boolean;
}

/** One text that every match contains, or several of which it contains one. */
export type Hint = string | readonly string[];

type Options = Partial<Pick<SecretFormat, "confidence" | "mildInTests" | "accepts" | "proven" | "inside" | "seek">>;

/** An escaped line feed is followed by what begins a line, although the `n` looks like a part of it. */
const BEFORE = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))`;
const AFTER = "(?![A-Za-z0-9])";

/** Known by its vendor's prefix: hardly ever anything else. `body` is the whole token, as the source of a regular expression. */
export function token(rule: string, what: string, hint: Hint, body: string, options: Options = {}): SecretFormat {
  const pattern = new RegExp(`${BEFORE}(?:${inEitherCase(body)})${AFTER}`, "g");
  return { rule, what, hints: [hint].flat(), pattern, confidence: 0.95, sure: true, ...options };
}

/** Programs print hex in capitals too, and who copies it does not ask its maker. */
function inEitherCase(body: string): string {
  return body.replace(/\[(?:a-f0-9|0-9a-f)\]/g, "[a-fA-F0-9]");
}

/** As `token`, for what may be meant to be public or for tests. */
export function mildToken(rule: string, what: string, hint: Hint, body: string, options: Options = {}): SecretFormat {
  return { ...token(rule, what, hint, body, { confidence: 0.8, ...options }), sure: false };
}

/** Lower-case UUID in either case, as the source of a regular expression. */
export const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
