import { expect, it } from "vitest";
import { wordsOfAuthor } from "../../../../src/pipeline/review/ai/words-of-author.ts";
import { createRedactor, REDACTED_AT_ONCE } from "../../../../src/safety/redact.ts";

const KNOWN = "a known secret value";

it("OPS-8, SEC-6: a long commit message is redacted in another thread, and then cut", async () => {
  const redact = createRedactor([KNOWN]);
  let longest = 0;
  const counting = Object.assign(
    (text: string) => {
      longest = Math.max(longest, text.length);
      return redact(text);
    },
    { aside: redact.aside! },
  );
  const message = `${"x ".repeat(595)}${KNOWN}${" y".repeat(REDACTED_AT_ONCE)}`;
  const words = await wordsOfAuthor({ description: `Fix it with ${KNOWN}`, messages: ["Fix it", message] }, counting);
  expect(words.messages).toEqual(["Fix it", `${"x ".repeat(595)}[redacted]`]);
  // Its reader redacts a short text.
  expect(words.description).toBe(`Fix it with ${KNOWN}`);
  expect(longest).toBe(0);
});
