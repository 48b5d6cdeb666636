import type { Severity } from "../../domain/findings.ts";

/** Weights of CVSS 3, from its specification (first.org/cvss/v3.1/specification-document, section 7.4). */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** Privileges weigh more where the attack leaves its own scope. */
const PRIVILEGES_IN_CHANGED_SCOPE: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Base score of a CVSS 3.x vector, 0 to 10; undefined for what is none. */
export function cvssScore(vector: string): number | undefined {
  if (!vector.startsWith("CVSS:3")) return undefined;
  const metrics = new Map(vector.split("/").map((part) => part.split(":") as [string, string]));
  const changed = metrics.get("S") === "C";
  const weight = (name: string) => {
    const value = metrics.get(name) ?? "";
    return name === "PR" && changed ? PRIVILEGES_IN_CHANGED_SCOPE[value] : WEIGHTS[name]?.[value];
  };
  const [av, ac, pr, ui, c, i, a] = ["AV", "AC", "PR", "UI", "C", "I", "A"].map(weight);
  if (av === undefined || ac === undefined || pr === undefined || ui === undefined) return undefined;
  if (c === undefined || i === undefined || a === undefined) return undefined;
  const base = 1 - (1 - c) * (1 - i) * (1 - a);
  const impact = changed ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  if (impact <= 0) return 0;
  const total = (impact + 8.22 * av * ac * pr * ui) * (changed ? 1.08 : 1);
  return Math.ceil(Math.min(10, Math.round(total * 100_000) / 100_000) * 10 - 1e-9) / 10;
}

export function severityOfScore(score: number): Severity {
  if (score >= 9) return "critical";
  if (score >= 7) return "error";
  return score >= 4 ? "warning" : "info";
}

const WORDS: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "error",
  moderate: "warning",
  medium: "warning",
  low: "info",
};

/** By the words that advisory databases use; undefined for others. */
export function severityOfWord(word: string): Severity | undefined {
  return WORDS[word.toLowerCase()];
}
