import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactor, hideHostPaths, openRedactor, REDACTED_AT_ONCE, redactAside } from "../../src/safety/redact.ts";
import { redactStringsInTurns } from "../../src/safety/redact-value.ts";
import { onlyAside } from "../only-aside.ts";
import { turnsDuring } from "../turns.ts";

const KNOWN = "a known secret value";
const LONG = `${"a line of text\n".repeat(REDACTED_AT_ONCE / 10)}it is ${KNOWN}`;

let threads = 0;
const count = () => {
  threads += 1;
};
beforeEach(() => {
  threads = 0;
  process.on("worker", count);
});
afterEach(() => void process.off("worker", count));

describe("redacting long texts", () => {
  it("OPS-8, SEC-6: another thread redacts a long text as this one does, and the loop turns meanwhile", async () => {
    const redact = createRedactor([KNOWN]);
    const { result, turns } = await turnsDuring(() => redactAside(LONG, onlyAside(redact)));
    expect(result).toBe(redact(LONG));
    expect(result.endsWith("it is [redacted]")).toBe(true);
    expect(turns).toBeGreaterThan(1);
  });

  it("OPS-8, SEC-6: the thread knows a token that was minted later, and host paths stay hidden", async () => {
    const { redact, learn } = openRedactor([KNOWN]);
    const hidden = hideHostPaths(onlyAside(redact), ["/srv/forge"]);
    expect(await redactAside(`${LONG} minted-later at /srv/forge/x`, hidden)).toMatch(
      /it is \[redacted\] minted-later at \[a path of Forge's machine\]$/,
    );
    learn("minted-later");
    expect(await redactAside(`${LONG} minted-later`, hidden)).toMatch(/it is \[redacted\] \[redacted\]$/);
  });

  it("OPS-8, SEC-6: a thread keeps redactors apart, also when it had to forget one", async () => {
    const redactors = Array.from({ length: 6 }, (_, at) => createRedactor([`secret number ${at}`]));
    const text = `${LONG} ${redactors.map((_, at) => `secret number ${at}`).join(", ")}`;
    for (const [at, redact] of [...redactors, ...redactors].entries()) {
      const shown = await redactAside(text, redact);
      expect(shown.match(/secret number \d/g)).toHaveLength(5);
      expect(shown).not.toContain(`secret number ${at % 6}`);
    }
  });

  it("OPS-8: redacts short texts here, and long members of a value in another thread", async () => {
    const redact = onlyAside(createRedactor([KNOWN]));
    const value = { short: `x ${KNOWN}`, long: [LONG, LONG.slice(0, -1)], other: 1 };
    const result = await redactStringsInTurns(value, redact);
    expect(result.short).toBe("x [redacted]");
    expect(result.long[0]).toMatch(/\[redacted\]$/);
    expect(result.other).toBe(1);
    expect(threads).toBeLessThanOrEqual(1);
  });
});
