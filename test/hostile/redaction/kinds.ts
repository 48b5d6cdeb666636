import fc from "../../properties.ts";

/** A made-up secret of a kind that a scanner knows. */
export interface Secret {
  readonly kind: string;
  readonly value: string;
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const HEX = [..."0123456789abcdef"];
const CAPITALS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"];

const of = (alphabet: readonly string[], length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((all) => all.join(""));
const after = (begin: string, alphabet: readonly string[], length: number) =>
  of(alphabet, length).map((rest) => begin + rest);

/** Beginnings are taken apart, so that no such string stands in the repository. */
const KINDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  github: after(["gh", "p_"].join(""), LETTERS, 36),
  "github oauth": after(["gh", "o_"].join(""), LETTERS, 36),
  stripe: after(["sk", "_live_"].join(""), LETTERS, 24),
  "stripe restricted": after(["rk", "_live_"].join(""), LETTERS, 24),
  aws: after(["AK", "IA"].join(""), CAPITALS, 16),
  anthropic: of(LETTERS, 93).map((rest) => `${["sk", "-ant-api03-"].join("")}${rest}AA`),
  google: after(["AI", "za"].join(""), LETTERS, 35),
  slack: fc
    .tuple(of([..."123456789"], 12), of([..."123456789"], 12), of(LETTERS, 24))
    .map(([a, b, c]) => `${["xo", "xb-"].join("")}${a}-${b}-${c}`),
  sendgrid: fc.tuple(of(LETTERS, 22), of(LETTERS, 43)).map(([a, b]) => `${["S", "G."].join("")}${a}.${b}`),
  npm: after(["np", "m_"].join(""), LETTERS, 36),
  gitlab: after(["gl", "pat-"].join(""), LETTERS, 20),
  digitalocean: after(["do", "p_v1_"].join(""), HEX, 64),
  shopify: after(["sh", "pat_"].join(""), HEX, 32),
  "hugging face": after(["h", "f_"].join(""), LETTERS.slice(0, 52), 34),
  linear: after(["li", "n_api_"].join(""), LETTERS, 40),
  databricks: after(["da", "pi"].join(""), HEX, 32),
};

/** One of each kind, other ones with each seed. */
export function secretsOf(seed: number): Secret[] {
  return Object.entries(KINDS).map(([kind, made]) => ({ kind, value: fc.sample(made, { seed, numRuns: 1 })[0]! }));
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** How a value may be written so that it is still had by whoever reads it. */
export const WRITINGS: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  base64,
  "base64 twice": (value) => base64(base64(value)),
  hex: (value) => Buffer.from(value).toString("hex"),
  "hex in capitals": (value) => Buffer.from(value).toString("hex").toUpperCase(),
  "percent signs": (value) =>
    [...value]
      .map((each) => (/[_\-.]/.test(each) ? `%${each.charCodeAt(0).toString(16).toUpperCase()}` : each))
      .join(""),
  "base64 for addresses": (value) => Buffer.from(`x:${value}`).toString("base64url"),
  "invisible letters": (value) => [...value].join("\u200b"),
  "split over lines": (value) => value.match(/.{1,12}/g)!.join("\n"),
};

const numbers = (value: string, begin: string) =>
  [...value].map((each) => `${begin}${each.charCodeAt(0).toString(16)}`).join("");

/** How a value may be written so that whoever knows its kind can find it all the same. */
export const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  base64,
  "base64 twice": (value) => base64(base64(value)),
  "base64 of more": (value) => base64(`the key of this is ${value}, and more`),
  "base64 of hex": (value) => base64(Buffer.from(value).toString("hex")),
  "base64 of UTF-16": (value) => Buffer.from(value, "utf16le").toString("base64"),
  hex: (value) => Buffer.from(value).toString("hex"),
  "all percent signs": (value) => numbers(value, "%"),
  "numbers of JavaScript": (value) => numbers(value, "\\x"),
};
