/** Repeatable characters without a pattern: tokens are made here and never written down. */
function characters(alphabet: string, count: number, seed: number): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state ^ (state >>> 13)) >>> 0;
  };
  return Array.from({ length: count }, () => alphabet[next() % alphabet.length]).join("");
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";

/** Letters of the templates: what each stands for. */
const ALPHABETS: Readonly<Record<string, string>> = {
  w: UPPER + LOWER + DIGITS,
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  l: LOWER + DIGITS,
  U: UPPER + DIGITS,
  B: `${UPPER}234567`,
  a: UPPER + LOWER,
  d: "123456789",
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  s: `${UPPER}${LOWER}${DIGITS}-_`,
  q: "abcdefghijklmnopqrstuvwxyz234567",
  g: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  c: "abcdefghijklmnopqrstuvwxyzABCDEFGHJKLMNP23456789!#%^&*",
};

const inBase64Url = (json: string) => Buffer.from(json).toString("base64url");
const JWT = `${inBase64Url('{"alg":"HS256","typ":"JWT"}')}.${inBase64Url('{"sub":"shop-77","role":"admin"}')}.{w43}`;

/**
 * Fills a template: `{w36}` is 36 letters and digits, `{h32}` hex, `{u}` a UUID, `{j...}}` JSON in base64url, `{k...}}` in base64, `{t}` a JWT, `{e...}` its
 * filled content in base64. A `|` is nothing at all, it keeps a prefix from looking like a token here; `{bar}` is one.
 */
export function fill(template: string, seed = 7): string {
  let place = seed * 1_000;
  const fillRandom = (text: string) =>
    text.replace(/\{([whHlUBadbsqgc])(\d+)\}/g, (_, kind: string, count: string) => {
      place += 1;
      return characters(ALPHABETS[kind] ?? "", Number(count), place);
    });
  const withTokens = template
    .replaceAll("|", "")
    .replaceAll("{bar}", "|")
    .replaceAll("{t}", JWT)
    .replaceAll("{u}", "{h8}-{h4}-4{h3}-a{h3}-{h12}")
    .replace(/\{j([^}]*)\}\}/g, (_, json: string) => inBase64Url(`{${json}}`))
    .replace(/\{k([^}]*)\}\}/g, (_, json: string) => Buffer.from(`{${json}}`).toString("base64"));
  return fillRandom(
    withTokens.replace(/\{e((?:[^{}]|\{\w+\})*)\}/g, (_, text: string) =>
      Buffer.from(fillRandom(text)).toString("base64"),
    ),
  );
}
