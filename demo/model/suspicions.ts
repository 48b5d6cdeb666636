import type { ShownLine } from "./conversation.ts";

/** What a verifier says of a claim; the code that answers adds its number. */
export interface Opinion {
  readonly verdict: "stands" | "refuted" | "unsure";
  readonly reason: string;
  readonly demonstration?: Demonstration;
}

/** A test file that fails because of the fault. */
interface Demonstration {
  readonly path: string;
  readonly content: string;
}

/** Something that the scripted model knows how to doubt: as a reader it claims it, as a verifier it looks whether it is so. */
export interface Suspicion {
  /** A line of the change that looks wrong. */
  readonly sees: RegExp;
  readonly kind: string;
  readonly claim: string;
  readonly scenario: string;
  readonly confidence: number;
  /** What should be there instead; without it no fix is proposed. */
  readonly mended?: (text: string) => string;
  /** @param code lines of the files that the verifier opened */
  readonly judge: (code: readonly string[]) => Opinion;
}

const COUNTS_LINES: Suspicion = {
  sees: /Math\.ceil\(lines\.length \/ \w+\)/,
  kind: "logic",
  claim: "The lines of the basket are counted, not its pieces: a line with many pieces fills one parcel.",
  scenario: "A basket with one line of 11 cups fills 2 parcels, and 1 is returned.",
  confidence: 0.9,
  mended: (text) => text.replace("lines.length", "lines.reduce((sum, line) => sum + line.quantity, 0)"),
  judge: (code) => {
    const faulty = code.find((line) => COUNTS_LINES.sees.test(line));
    const quantity = code.find((line) => /readonly quantity: number/.test(line));
    if (!faulty) return { verdict: "refuted", reason: "The pieces are counted: `lines.length` is divided nowhere." };
    if (!quantity) return { verdict: "unsure", reason: "It hangs on what a line holds, which was not to be seen." };
    const reason = `\`${faulty.trim()}\` does not look at \`${quantity.trim()}\`.`;
    return { verdict: "stands", reason, demonstration: demonstrate(code) };
  },
};

/** One piece more than a parcel holds, on one line. */
function demonstrate(code: readonly string[]): Demonstration {
  const pieces = Number(/PIECES_IN_A_PARCEL = (\d+)/.exec(code.join("\n"))?.[1] ?? 10) + 1;
  const lines = [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { parcels } from "../src/delivery.ts";',
    "",
    'test("pieces fill parcels, not lines", () => {',
    `  assert.equal(parcels([{ productId: "cup", quantity: ${pieces} }]), 2);`,
    "});",
  ];
  return { path: "test/parcels.test.ts", content: `${lines.join("\n")}\n` };
}

/** Plausible, and wrong: what it fears is provided for in another file. */
const SUM_IS_NAN: Suspicion = {
  sees: /\btotal\(lines\) >= \w+/,
  kind: "edge-case",
  claim: "The sum is NaN when a product of the basket is not known, so delivery is never free then.",
  scenario: "Two tea pots and a product that was taken off the list: 69 euros are reached, and the fee is charged.",
  confidence: 0.7,
  judge: (code) => {
    const guard = code.find((line) => /\?\? 0\b/.test(line));
    if (!guard) return { verdict: "unsure", reason: "It hangs on `total`, which was not to be seen." };
    return { verdict: "refuted", reason: `A product that is not known counts as 0: \`${guard.trim()}\`` };
  },
};

export const SUSPICIONS: readonly Suspicion[] = [COUNTS_LINES, SUM_IS_NAN];

/** The suspicions that a line of the change raises. */
export function raisedBy({ text }: ShownLine): readonly Suspicion[] {
  return SUSPICIONS.filter(({ sees }) => sees.test(text));
}
