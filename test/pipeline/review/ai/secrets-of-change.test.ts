import { expect, it } from "vitest";
import type { Observation } from "../../../../src/domain/findings.ts";
import { hidingFound } from "../../../../src/pipeline/review/ai/secrets-of-change.ts";
import { createRedactor, REDACTED_AT_ONCE, redactAside } from "../../../../src/safety/redact.ts";
import { onlyAside } from "../../../only-aside.ts";

const VALUE = "q7Rz2Lw9Xk4Tb8Vn1Mc6Yd3Hs5Gf0Jp";
const found = [{ rule: "secrets/generic", file: "a.ts", line: 1, endLine: 1 } as Observation];
const contents = new Map([["a.ts", Buffer.from(`key("${VALUE}")\n`)]]);

it("OPS-8, SEC-6: what was found in a change is hidden in each text of it, in a long one by another thread", async () => {
  const redact = hidingFound(onlyAside(createRedactor([])), found, contents);
  const short = `so ${[...VALUE].join("-")} it is`;
  expect(redact(short)).toBe("so [redacted] it is");
  const long = `${"words of a text\n".repeat(REDACTED_AT_ONCE / 10)}${short}`;
  expect((await redactAside(long, redact)).endsWith("\nso [redacted] it is")).toBe(true);
});
