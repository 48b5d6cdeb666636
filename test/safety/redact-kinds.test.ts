import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/safety/redact.ts";
import { DECOYS } from "../analysis/secrets/decoys.ts";
import { fill } from "../analysis/secrets/sample-text.ts";
import { SAMPLES } from "../analysis/secrets/samples.ts";
import { SERVICE_SAMPLES } from "../analysis/secrets/service-samples.ts";

const redact = createRedactor([]);

/** What only a name or entropy makes a secret: replacing it everywhere would destroy code. Found by the scanner, it is a known value. */
const LEFT_TO_THE_SCANNER = new Set(["assigned-key", "assigned-password", "twilio-account"]);

describe("SEC-6: redaction knows the kinds of the scanner", () => {
  it.each(Object.keys(SAMPLES).filter((rule) => !LEFT_TO_THE_SCANNER.has(rule)))("%s", (rule) => {
    for (const seed of [3, 11]) {
      const secret = fill(SAMPLES[rule]!, seed);
      for (const text of [secret, `export A=1\n${secret}\nexport B=2`, `{"log": "A=1\\n${secret}\\nB=2"}`]) {
        const redacted = redact(text);
        expect(redacted).toContain("[redacted]");
        expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
        expect(redact(redacted)).toBe(redacted);
      }
    }
  });

  it.each(Object.keys(SERVICE_SAMPLES))("%s, by the name of its service", (rule) => {
    const [name, value] = SERVICE_SAMPLES[rule]!;
    const secret = fill(value, rule.length);
    for (const text of [`${name}_token = "${secret}"`, `A=1\n${name.toUpperCase()}_API_KEY=${secret}\n`]) {
      expect(redact(text)).not.toContain(secret);
    }
    expect(redact(`const revision = "${secret}";`)).toContain(secret);
  });

  it("and leaves look-alikes alone, but for passwords of manuals in an address and what a vendor's own prefix begins", () => {
    const hit = DECOYS.filter(([, text]) => redact(text) !== text);
    const careful = /:\/\/|EXAMPLE|gh[p]_|AI[z]a|xo[x]b/;
    const others = hit.filter(([reason, text]) => !careful.test(text) && reason !== "called an example");
    expect(others.map(([, text]) => text)).toEqual([]);
  });
});
