import fc from "../../properties.ts";

/** A glob, and a name that it is slow to say no to. */
export interface SlowGlob {
  readonly name: string;
  readonly glob: string;
  readonly path: string;
}

const LONG = "a".repeat(120);

export const SLOW_GLOBS: readonly SlowGlob[] = [
  { name: "stars", glob: `${"*a".repeat(12)}b`, path: LONG },
  { name: "six stars", glob: "*a*a*a*a*a*a*b", path: "a".repeat(203) },
  { name: "star folders", glob: `${"**/a/".repeat(12)}b`, path: `${"a/".repeat(40)}a` },
  { name: "braces", glob: `${"{a,b}".repeat(18)}c`, path: "a".repeat(18) },
  { name: "braces in braces", glob: `${"{a,".repeat(24)}b${"}".repeat(24)}`, path: LONG },
  { name: "numbers", glob: "{1..10000000}", path: "1" },
  { name: "alternatives", glob: `${"+(a|aa)".repeat(20)}b`, path: LONG },
  { name: "negations", glob: `${"!(".repeat(12)}a${")".repeat(12)}`, path: LONG },
  { name: "classes", glob: `${"[!b]*".repeat(14)}b`, path: LONG },
  { name: "open classes", glob: "[".repeat(5_000), path: LONG },
  { name: "question marks", glob: `${"?*".repeat(20)}b`, path: LONG },
  { name: "optional", glob: `${"?(a)".repeat(25)}b`, path: "a".repeat(25) },
];

const atom = fc.constantFrom(
  "*",
  "**",
  "**/",
  "?",
  "a",
  "{a,aa}",
  "+(a)",
  "*(a|aa)",
  "!(b)",
  "[a-z]",
  "@(a|a)",
  "\\",
  "{,a}",
  "/",
);

/** Globs that nobody thought of, against names that nearly match. */
export function chanceGlobs(seed: number, count: number): SlowGlob[] {
  const globs = fc.array(atom, { minLength: 12, maxLength: 30 }).map((atoms) => `${atoms.join("")}b`);
  return fc.sample(globs, { seed, numRuns: count }).map((glob, at) => ({ name: `chance ${at + 1}`, glob, path: LONG }));
}
