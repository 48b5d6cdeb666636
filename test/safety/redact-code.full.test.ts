import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/safety/redact.ts";
import { fill } from "../analysis/secrets/sample-text.ts";

const redact = createRedactor([]);
const [BEGIN, END] = [["-----BEGIN RSA", " PRIVATE KEY-----"].join(""), ["-----END RSA", " PRIVATE KEY-----"].join("")];
const KEY_LINES = [fill("{b64}", 1), fill("{b64}", 2), fill("{b20}==", 3)];

describe("SEC-6: redaction keeps code", () => {
  it.each([
    "highp_float_texture_lookup_table",
    "const xghs_something_very_long_that_is_a_name = 1;",
    '<div class="sk-folding-cube-animation-container-wide sk-fading-circle-12">',
    "Authorization: Bearer v1-compatible-tokens-documentation",
    'expect(headers.authorization).toBe("Basic authentication-required-here1");',
    'const header = "Bearer my-test-token-number-1";',
    "authorization = requestContext.headers2.authorization.value;",
    'headers: { Authorization: "Bearer " + token }',
    ["headers: { Authorization: `Bearer $", "{session.accessToken}` }"].join(""),
    'const u = "http://a:";require("child_process").exec(process.argv[2]);"@"',
    "secret-management-and-configuration-for-deployment",
    "import { pat_token_of_the_day_and_of_the_night } from './pat-token-of-the-day.ts';",
  ])("%s", (line) => {
    expect(redact(line)).toBe(line);
  });

  it("takes the first line of a key for a literal where no key follows", () => {
    const text = [`const header = "${BEGIN}";`, "if (pem.startsWith(header)) eval(process.argv[2]);", "done();"].join(
      "\n",
    );
    expect(redact(text)).toBe(text);
    expect(redact(`${BEGIN}\n\nconst x = 1;\nreturn x;\n`)).toBe(`${BEGIN}\n\nconst x = 1;\nreturn x;\n`);
  });

  it.each([
    ["", ""],
    ["// ", ""],
    ["   12 +|", ""],
    ['    "', '\\n" +'],
    ["  ", "\r"],
  ])("hides a key without an end line by line, and goes no further: %j %j", (before, after) => {
    const code = ["const a = 1;", "require('child_process').exec(process.argv[2]);"];
    const lines = [BEGIN, ...KEY_LINES.slice(0, 2)].map((line) => `${before}${line}${after}`);
    const redacted = redact([...lines, ...code].join("\n")).split("\n");
    expect(redacted.slice(3)).toEqual(code);
    expect(redacted).toHaveLength(5);
    expect(redacted.slice(0, 3).join("\n")).not.toMatch(/[A-Za-z0-9+/]{16}/);
    expect(redacted.slice(0, 3).every((line) => line.includes("[redacted]"))).toBe(true);
  });

  it("hides a whole key with headers, and in one string", () => {
    const key = [BEGIN, "Proc-Type: 4,ENCRYPTED", "", ...KEY_LINES, END];
    expect(redact(["a", ...key, "b"].join("\n"))).not.toMatch(/[A-Za-z0-9+/]{20}/);
    const inString = `key = "${[BEGIN, ...KEY_LINES, END].join("\\n")}"; run();`;
    expect(redact(inString)).toMatch(/^key = "\[redacted\][^A-Za-z0-9]*.*run\(\);$/);
    expect(redact(inString)).not.toContain(KEY_LINES[1]);
  });

  it("does not hide what stands between two halves of a key", () => {
    const code = "require('child_process').execSync(Buffer.from(process.argv[2], 'base64') + '');";
    expect(redact([BEGIN, KEY_LINES[0], code, KEY_LINES[1], END].join("\n"))).toContain(code);
  });

  it("leaves Forge's own source as it is, but for an address and a pattern", () => {
    const root = join(import.meta.dirname, "../../src");
    const changed = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => {
        const text = readFileSync(join(root, path), "utf8").split("\n");
        const redacted = redact(text.join("\n")).split("\n");
        expect(redacted).toHaveLength(text.length);
        return redacted.filter((line, at) => line !== text[at]).map((line) => `${path}: ${line.trim()}`);
      });
    expect(changed.length, changed.join("\n")).toBeLessThanOrEqual(6);
  });
});
