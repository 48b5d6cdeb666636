import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/safety/redact.ts";
import { fill } from "../analysis/secrets/sample-text.ts";
import { SAMPLES } from "../analysis/secrets/samples.ts";

const redact = createRedactor([]);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const numbers = (text: string, begin: string, end = "") =>
  [...text].map((each) => `${begin}${hex(each)}${end}`).join("");

const WRITINGS: Readonly<Record<string, (secret: string) => string>> = {
  base64,
  "base64 behind another text": (secret) => base64(`a:${secret}`),
  "base64 for addresses": (secret) => Buffer.from(`user:${secret}`).toString("base64url"),
  "base64 twice": (secret) => base64(base64(secret)),
  "base64 three times": (secret) => base64(base64(base64(secret))),
  "base64 of hex": (secret) => base64(hex(secret)),
  "base64 of UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("base64"),
  "base64 over lines": (secret) =>
    base64(`${"words before it ".repeat(6)}\n${secret}\n`)
      .match(/.{1,60}/g)!
      .join("\n"),
  "base64 over lines in JSON": (secret) =>
    JSON.stringify(
      base64(`${"words before it ".repeat(6)}\n${secret}\n`)
        .match(/.{1,60}/g)!
        .join("\n"),
    ),
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
  "percent signs": (secret) => numbers(secret, "%"),
  "percent signs twice": (secret) => numbers(secret, "%25"),
  "numbers of JavaScript": (secret) => numbers(secret, "\\u00"),
  "numbers of C": (secret) => numbers(secret, "\\x"),
  "numbers of HTML": (secret) => numbers(secret, "&#x", ";"),
};
const KINDS = ["github-token", "stripe-key", "aws-access-key", "slack-token"].filter((rule) => rule in SAMPLES);

describe("SEC-6: redaction decodes what nobody told it of", () => {
  it("knows kinds to try", () => expect(KINDS.length).toBeGreaterThan(1));

  it.each(Object.keys(WRITINGS))("%s", (writing) => {
    for (const kind of KINDS) {
      const written = WRITINGS[writing]!(fill(SAMPLES[kind]!, 5).trim());
      const given = `before it\n${written}\nafter it`;
      const redacted = redact(given);
      expect(redacted, kind).toContain("[redacted]");
      expect(redacted, kind).toMatch(/^before it\n[\s\S]*\nafter it$/);
      expect(redacted.split("\n")).toHaveLength(given.split("\n").length);
      // Nothing is left of which the value could be had.
      const kept = written.length - redacted.length + "before it\n\nafter it".length;
      expect(kept, kind).toBeGreaterThan(0);
      expect(redact(redacted)).toBe(redacted);
    }
  });

  it.each([
    "const theNameOfThisFunctionIsLong = anotherNameThatIsAsLong(andOneMore);",
    "src/analysis/commands/command-dangers.ts",
    `"integrity": "sha512-${base64("\u0001\u0099".repeat(22))}"`,
    `"commit": "${"0123456789abcdef".repeat(2)}01234567"`,
    `const picture = "data:image/svg+xml;base64,${base64("<svg><path d='M0 0h24v24H0z'/></svg>")}";`,
    "const words = '\\u0068\\u0065\\u006c\\u006c\\u006f';",
    "https://example.com/?q=a%20long%20question%20about%20nothing",
  ])("lets be: %s", (text) => expect(redact(text)).toBe(text));

  it("takes only the secret out of what is encoded", () => {
    const before = "the first words of a file that stays as it is, ".repeat(3);
    const redacted = redact(base64(`${before}${fill(SAMPLES["github-token"]!, 5)}`));
    expect(redacted.startsWith(base64(before).slice(0, 100))).toBe(true);
  });
});

it("hides an encoded text whole that is too long to be decoded", () => {
  const token = base64(`xy:${"gh"}p_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`);
  const text = `before ${"QUJD".repeat(300_000)}${token} after`;
  expect(redact(text)).toMatch(/^before \[redacted\]=* after$/);
});
