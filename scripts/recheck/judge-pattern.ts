import { requireTool } from "../tools.ts";

// The package tries a native binary and Java first. Its JavaScript runs everywhere, and takes longer.
process.env.RECHECK_BACKEND ??= "pure";
const { check } = requireTool("recheck") as typeof import("recheck");

/** For each of two ways to judge. Where both take longer, the verdict is unknown. */
const TIME_MS = 20_000;

/** What the checker found. */
export interface Verdict {
  readonly verdict: "safe" | "vulnerable" | "unknown";
  /** How the time of a match grows with the text, such as `2nd degree polynomial`, or why there is no verdict. */
  readonly complexity: string;
}

/**
 * Has `recheck` judge a pattern: by proof, and where that takes too long by a search for a slow text, which its answer calls `(fuzz)`. It
 * knows neither the flag `d`, which changes no match, nor `v`, of which it reads what `u` has too. A sticky pattern is judged as one that looks
 * everywhere, since a scanner tries it at every place.
 */
export async function judgePattern(source: string, flags: string): Promise<Verdict> {
  const known = flags
    .replace("d", "")
    .replace("v", "u")
    .replace("y", flags.includes("g") ? "" : "g");
  const proof = await check(source, known, { timeout: TIME_MS });
  const found =
    proof.status === "unknown" && proof.error.kind === "timeout"
      ? await check(source, known, { timeout: TIME_MS, checker: "fuzz" })
      : proof;
  const complexity = found.status === "unknown" ? found.error.kind : found.complexity.summary;
  return { verdict: found.status, complexity };
}
