import { expect, it } from "vitest";
import { createRedactor, REDACTED_AT_ONCE } from "../../src/safety/redact.ts";
import { redactBeginning } from "../../src/safety/redact-beginning.ts";
import { redactValue } from "../../src/safety/redact-value.ts";
import { onlyAside } from "../only-aside.ts";

/** So much of a long text is left. */
const BEGINNING = 24 * 1024;
const KNOWN = "a known secret value";
/** Throws where it is given more than is redacted at once. */
const redact = onlyAside(createRedactor([KNOWN]));

it.each<[string, string, string]>([
  ["short", `x ${KNOWN}`, "x [redacted]"],
  ["as long as is redacted at once", "x".repeat(REDACTED_AT_ONCE), "x".repeat(REDACTED_AT_ONCE)],
  ["long", `${KNOWN}${"x".repeat(10 * REDACTED_AT_ONCE)}`, `[redacted]${"x".repeat(BEGINNING - KNOWN.length)}`],
  ["a secret at the cut", "x".repeat(REDACTED_AT_ONCE - 5) + KNOWN, "x".repeat(BEGINNING)],
  ["many secrets, and one at the cut", `${KNOWN.padEnd(32)}`.repeat(1_023) + " ".repeat(20) + KNOWN, ""],
])("OPS-8, SEC-6: the beginning of a text: %s", (_, text, expected) => {
  const beginning = redactBeginning(text, redact);
  if (expected !== "") expect(beginning).toBe(expected);
  expect(beginning).not.toContain("known");
});

it("OPS-8: of a value for the log no more is searched than of one text", () => {
  const long = "x".repeat(REDACTED_AT_ONCE);
  expect(redactValue({ a: `${long}x`, b: [KNOWN, 1] }, redact)).toEqual({
    a: `${"x".repeat(BEGINNING)} [too long]`,
    b: ["[too long]", 1],
  });
  let searched = 0;
  const counting = (text: string) => {
    searched += text.length;
    return text;
  };
  redactValue({ texts: Array(100).fill("x".repeat(1_000)) }, counting);
  expect(searched).toBeLessThanOrEqual(REDACTED_AT_ONCE + 1_000);
});
