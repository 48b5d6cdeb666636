import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/safety/redact.ts";
import { fill } from "../analysis/secrets/sample-text.ts";
import fc from "../properties.ts";

/** Random letters and digits, as tokens are; no vendor's prefix, so that only its being known gives it away. */
const token = fc.integer({ min: 1, max: 100_000 }).map((seed) => `q7Z${fill("{w37}", seed)}`);

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString("base64");

/** Ways to write a value that somebody who knows of the redaction would try. */
const DISGUISES: Readonly<Record<string, (value: string) => string>> = {
  "as it is": (value) => value,
  hex: (value) => Buffer.from(value).toString("hex"),
  "hex in capitals, with colons": (value) => Buffer.from(value).toString("hex").toUpperCase().match(/../g)!.join(":"),
  base64: base64,
  "base64, one byte before": (value) => base64(`x${value}`),
  "base64, two bytes before": (value) => base64(`xy${value}z`),
  "base64 twice": (value) => base64(base64(value)),
  "base64 twice, at another offset": (value) => base64(`a${base64(`bc${value}`)}`),
  base64url: (value) => Buffer.from(value).toString("base64url"),
  "base64 in lines": (value) => base64(value).replace(/.{20}/g, "$&\n"),
  "base64 of hex": (value) => base64(Buffer.from(value).toString("hex")),
  "base64 of UTF-16": (value) => base64(Buffer.from(value, "utf16le")),
  "in percent codes": (value) => [...value].map((each) => `%${each.charCodeAt(0).toString(16)}`).join(""),
  "in Unicode escapes": (value) => [...value].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(""),
  "in hex escapes": (value) => [...value].map((each) => `\\x${each.charCodeAt(0).toString(16)}`).join(""),
  "in entities": (value) => [...value].map((each) => `&#${each.charCodeAt(0)};`).join(""),
  "in character codes": (value) => [...value].map((each) => each.charCodeAt(0)).join(", "),
  backwards: (value) => [...value].reverse().join(""),
  "in capitals": (value) => value.toUpperCase(),
  "over lines": (value) => value.replace(/.{8}/g, "$&\n    "),
  "in a sum of strings": (value) => value.replace(/.{6}/g, `$&" + "`),
  "one letter after the other": (value) => [...value].map((each) => `'${each}'`).join(","),
  "with zero-width spaces": (value) => [...value].join("\u200b"),
  "with spaces": (value) => [...value].join(" "),
  "cut off": (value) => value.slice(0, 24),
  "without its beginning": (value) => value.slice(16),
};

describe("SEC-6: a known value is found", () => {
  it.each(Object.keys(DISGUISES))("%s", (name) => {
    fc.assert(
      fc.property(token, fc.constantFrom("", "x = ", "log: "), (value, before) => {
        const redact = createRedactor([value, "hunter2hunter2"]);
        const disguised = DISGUISES[name]!(value);
        const redacted = redact(`${before}${disguised} end`);
        expect(redacted).toContain("[redacted]");
        // Hardly anything of it is left: less than an eighth of its letters and digits.
        const left = redacted.replaceAll("[redacted]", "").replace(/[^A-Za-z0-9]/g, "").length;
        const given = disguised.replace(/[^A-Za-z0-9]/g, "").length;
        expect(left - `${before}end`.replace(/[^A-Za-z0-9]/g, "").length).toBeLessThan(given / 8 + 3);
      }),
      { numRuns: 40 },
    );
  });

  it("with long runs of small letters, as chance has it now and then", () => {
    const value = "q7ZrhhIdjrow97PqusoZPMwqNYRHYR857vkxKgsc";
    expect(createRedactor([value])(base64(value).replace(/.{20}/g, "$&\n"))).toBe(
      "[redacted]\n[redacted]\n[redacted]w==",
    );
  });

  it("among many, far into a text, over the end of what is looked at in one go, and leaves the rest", () => {
    const values = Array.from({ length: 200 }, (_, at) => fill("{w40}", at + 1));
    const redact = createRedactor(values);
    const filling = "the quick brown fox jumps over 13 lazy dogs; ";
    for (const at of [65_520, 65_536, 131_050]) {
      const text = `${filling.repeat(4_000).slice(0, at)}${values[77]}${filling}`;
      expect(redact(text)).toBe(`${filling.repeat(4_000).slice(0, at)}[redacted]${filling}`);
    }
  });

  it("but what stands between its parts stays, as it may be code", () => {
    const value = fill("q7Z{w37}", 5);
    const hidden = `${value.slice(0, 20)}";${"+!![]".repeat(50)};"${value.slice(20)}`;
    expect(createRedactor([value])(hidden)).toBe(`[redacted]";${"+!![]".repeat(50)};"[redacted]`);
  });

  it("and a value of words only as a whole", () => {
    const redact = createRedactor(["correct-horse-battery-staple"]);
    expect(redact("a correct horse, a battery-staple")).toBe("a correct horse, a battery-staple");
    expect(redact("pw=correct-horse-battery-staple;")).toBe("pw=[redacted];");
  });
});
