import { describe, expect, it } from "vitest";
import { createRedactor, REDACTED } from "../../src/safety/redact.ts";

const redact = createRedactor([]);
const PASSWORD = "xK9mQ2vT7pL4";

describe("SEC-6: passwords of curl", () => {
  it.each([
    ["on one line", `curl -s -u me:${PASSWORD} https://x.example`],
    ["behind a line that goes on", `curl -s \\\n-u me:${PASSWORD} https://x.example`],
    ["behind a line of Windows that goes on", `curl -s \\\r\n  -u me:${PASSWORD} https://x.example`],
    ["behind a backslash", `curl -s \\a -u me:${PASSWORD} https://x.example`],
  ])("finds one: %s", (_where, text) => {
    expect(redact(text)).toBe(text.replace(PASSWORD, REDACTED));
  });

  it.each(["\\\r", "\\", "\\\\\r", "\\\r\n"])("SEC-8: there is one way to read any number of %j", (part) => {
    const text = `curl ${part.repeat(100)}|`;
    expect(redact(text)).toBe(text);
  });
});
