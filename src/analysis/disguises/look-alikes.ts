import { domainToUnicode } from "node:url";

/** Letters that look like others in the usual fonts, by what they look like (UTS 39). Only those that also may stand in names. */
const LOOK_LIKE: Readonly<Record<string, string>> = {
  a: "аαɑａ",
  b: "ЬƄ",
  c: "сϲⅽᴄ",
  d: "ԁⅾ",
  e: "еҽ",
  f: "ƒք",
  g: "ɡցԍ",
  h: "һհԧ",
  i: "іιıɩⅰӏ",
  j: "јϳյ",
  k: "кκ",
  l: "ⅼǀ",
  m: "ⅿ",
  n: "пոռη",
  o: "оοօσ",
  p: "рρ",
  q: "ԛզ",
  r: "г",
  s: "ѕꜱ",
  t: "тτ",
  u: "υսц",
  v: "νѵᴠⅴ",
  w: "ѡԝաωᴡ",
  x: "хχⅹ",
  y: "уγүყ",
  z: "ᴢ",
  A: "АΑᎪ",
  B: "ВΒᏴ",
  C: "СϹᏟ",
  D: "ᎠⅮ",
  E: "ЕΕᎬ",
  F: "ϜҒ",
  G: "ԌᏀ",
  H: "НΗᎻ",
  I: "ІΙӀⅠ",
  J: "ЈᎫ",
  K: "КΚᏦK",
  L: "Ꮮ",
  M: "МΜᎷ",
  N: "ΝꓠͿ",
  O: "ОΟՕ",
  P: "РΡᏢ",
  S: "ЅᏚՏ",
  T: "ТΤᎢ",
  U: "Սꓴ",
  V: "ᏙѴ",
  W: "ᎳԜ",
  X: "ХΧⅩ",
  Y: "УΥҮᎩ",
  Z: "ΖᏃ",
};

const LATIN_OF = new Map(
  Object.entries(LOOK_LIKE).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Greek letters that stand for themselves in formulas beside Latin ones: `dα`, `x_ν`. */
const OF_FORMULAS = /^[\p{Ll}--[οϲϳ]]$/v;

/** Letters that look like marks of punctuation: `if (testǃ=live)` assigns. */
const LIKE_MARKS = /[\u01c0-\u01c3\ua78c]/;

const LATIN = /\p{Script=Latin}/u;
const GREEK = /\p{Script=Greek}/u;
/** Scripts that share words with Latin letters in good faith (UTS 39, highly restrictive). */
const BESIDE_LATIN =
  /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** The text as it is seen: letters that look like Latin ones as those, and everything in its plain form. */
export function skeletonOf(text: string): string {
  return [...text.normalize("NFKC")].map((character) => LATIN_OF.get(character) ?? character).join("");
}

type Likeness =
  /** Latin letters and look-alikes of another script in one word. */
  | "mixed"
  /** Latin letters and others, none of which is mistaken for one. */
  | "beside"
  /** Every letter looks like a Latin one and none is. */
  | "whole"
  /** A letter that looks like punctuation. */
  | "mark"
  /** Another form of Latin letters, which some languages take for the plain ones. */
  | "form";

/** How a word may be mistaken for another; undefined for words that are what they look like. */
export function likenessOf(word: string): Likeness | undefined {
  if (LIKE_MARKS.test(word)) return "mark";
  const plain = word.normalize("NFKC");
  if (/^[\x20-\x7e]+$/.test(plain) && word !== plain) return "form";
  let beside = false;
  // What underscores, digits and capitals set apart is read apart.
  for (const part of word.split(/[_$\d]+|(?<=\p{Ll})(?=\p{Lu})/u)) {
    const letters = [...part];
    if (!letters.some((letter) => LATIN.test(letter))) continue;
    const others = letters.filter((letter) => !BESIDE_LATIN.test(letter));
    if (others.some((letter) => LATIN_OF.has(letter) && !isOfFormula(letter, letters))) return "mixed";
    beside ||= others.some((letter) => !GREEK.test(letter));
  }
  if (beside) return "beside";
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter));
  const alike = letters.length > 1 && letters.every((letter) => LATIN_OF.has(letter) || /[A-Za-z]/.test(letter));
  return alike && letters.some((letter) => LATIN_OF.has(letter)) ? "whole" : undefined;
}

/** One Greek letter beside one Latin one, or at the end of a word as in `sinα`, is a symbol and imitates nothing. */
function isOfFormula(letter: string, letters: readonly string[]): boolean {
  if (!GREEK.test(letter) || !OF_FORMULAS.test(letter)) return false;
  const greek = letters.filter((each) => GREEK.test(each)).length;
  return greek === 1 && (letters.length === 2 || letters[0] === letter || letters.at(-1) === letter);
}

/** The host of an address, or of a repository that is told as `git@host:path`. */
const HOST =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:[/\\]{2}(?:[^\s/?#@"'<>()`]{0,100}@)?|\bgit@)([^\s/?#:"'<>()`\\,;]{3,253})/giu;
const WORTH_A_LOOK = /\P{ASCII}|xn--/iu;

/** Marks that look like those which end a host or part it, and are neither. */
const HOST_MARKS = /[\u2044\u2215\u29f8\uff0f\u2571\u3033\u1735\u2024\ufe52\uff20\p{Cf}\p{DI}\u2800]/u;
const DOTS = /[.\u3002\uff0e\uff61]/;

/** Host names in which no language would use the accents. */
const KNOWN = new Set(
  "github githubusercontent gitlab bitbucket npmjs npm yarnpkg pypi pythonhosted docker google googleapis gstatic microsoft azure windows amazon amazonaws apple cloudflare jsdelivr unpkg cdnjs rubygems crates golang debian ubuntu fastly vercel netlify heroku slack paypal stripe".split(
    " ",
  ),
);

interface CharacterMatch {
  readonly at: number;
  readonly characters: readonly string[];
}

/** The first address on a line whose host is taken for another one. */
export function findLookAlikeHost(line: string): CharacterMatch | undefined {
  if (!WORTH_A_LOOK.test(line)) return undefined;
  for (const match of line.matchAll(HOST)) {
    const host = match[1] ?? "";
    if (!WORTH_A_LOOK.test(host) || !imitates(host)) continue;
    const at = match.index + match[0].length - host.length;
    return { at, characters: host.match(/\P{ASCII}/gu) ?? [] };
  }
  return undefined;
}

function imitates(host: string): boolean {
  const marks = /\P{ASCII}/u.exec(host)?.[0];
  if (marks !== undefined && HOST_MARKS.test(host)) return true;
  const labels = host.split(DOTS).map((label) => (/^xn--/i.test(label) ? domainToUnicode(label.toLowerCase()) : label));
  if (labels.length < 2) return false;
  const isLatinDomain = /^[\x21-\x7e]*$/.test(labels.at(-1) ?? "");
  return labels.some((label) => {
    if (/^[\x20-\x7e]*$/.test(label)) return false;
    const parts = label.split("-").map(likenessOf);
    if (parts.some((likeness) => likeness === "mixed" || likeness === "mark" || likeness === "form")) return true;
    if (isLatinDomain && parts.includes("whole")) return true;
    return KNOWN.has(skeletonOf(label.normalize("NFD").replace(/\p{M}/gu, "")).toLowerCase());
  });
}
