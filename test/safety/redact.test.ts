import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/safety/redact.ts";
import { redactValue } from "../../src/safety/redact-value.ts";
import fc from "../properties.ts";

const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2";
/** Token-shaped strings are put together here, so that none stands in the repository. */
const githubToken = `gh${"s"}_${letters}`;
const keyBlock = [
  "-----BEGIN RSA",
  " PRIVATE KEY-----\n",
  `${letters}\n${letters}`,
  "\n-----END RSA",
  " PRIVATE KEY-----",
].join("");

describe("SEC-6: redaction", () => {
  const redact = createRedactor([]);

  it.each([
    ["a GitHub token", `got ${githubToken}.`, "got [redacted]."],
    ["a fine-grained token", `x=${"github"}_pat_${letters}`, "x=[redacted]"],
    ["a key block", `a ${keyBlock} b`, "a [redacted]\n[redacted]\n[redacted]\n[redacted] b"],
    ["a cut-off key block", `a ${keyBlock.slice(0, 60)}`, "a [redacted]\n[redacted]"],
    ["a bearer header", `Authorization: Bearer ${letters}`, "Authorization: Bearer [redacted]"],
    ["a header in JSON", `{"authorization":"token ${letters}","a":1}`, '{"authorization":"token [redacted]","a":1}'],
    ["a header without a scheme", `authorization=${letters}`, "authorization=[redacted]"],
    ["a bare bearer", `curl -H bearer ${letters}`, "curl -H bearer [redacted]"],
    ["a password in a URL", "https://me:pa:ss@example.com/x", "https://me:[redacted]@example.com/x"],
    ["a token in a URL", `https://${letters}@example.com/x`, "https://[redacted]@example.com/x"],
    ["a JWT", `t ${"ey"}J${letters}.${letters}.${letters} u`, "t [redacted] u"],
    ["a model key", `${"sk"}-ant-${letters}`, "[redacted]"],
    ["a cloud key", `${"AK"}IA${"ABCDEFGH12345678"}`, "[redacted]"],
  ])("hides %s", (_what, given, expected) => {
    expect(redact(given)).toBe(expected);
  });

  it("GH-11a: shows what stands where a signed token has its claims and is none: a reader has to see code", () => {
    const encoded = (text: string) => Buffer.from(text).toString("base64url");
    const code = encoded('process.mainModule.require("child_process").exec(query.q)\xff\x01');
    const text = `const part = "${encoded('{"alg":"HS256"}')}.${code}.x9Kd82hsQ7aB3dE5";`;
    expect(redact(text)).toBe(text);
    const token = [encoded('{"alg":"HS256"}'), encoded('{"sub":"4711","admin":true}'), letters].join(".");
    expect(redact(`const part = "${token}";`)).toBe('const part = "[redacted]";');
  });

  it("leaves ordinary text alone", () => {
    const text =
      "missing authorization: anyone may call it; Basic authentication is used; git@github.com:a/b.git https://a.example:8080/x sk-short task-sk-not ssh://git@host/x";
    expect(redact(text)).toBe(text);
  });

  it("hides a known value in every form it may take", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, maxLength: 60 }).filter((secret) => secret.trim().length >= 12),
        fc.string({ maxLength: 5 }),
        (secret, before) => {
          const value = secret.trim();
          const known = createRedactor([secret]);
          const encoded = Buffer.from(`${before}${value}tail`).toString("base64");
          const inner = Buffer.from(value).toString("base64").slice(0, 8);
          expect(known(`a ${value} b`)).not.toContain(value);
          expect(known(encodeURIComponent(value))).toContain("[redacted]");
          expect(known(JSON.stringify({ x: value }))).toContain("[redacted]");
          expect(known(encoded)).toContain("[redacted]");
          expect(known(Buffer.from(value).toString("base64"))).not.toContain(inner);
        },
      ),
    );
  });

  it("hides single lines of a known key and ignores values that are too short to look for", () => {
    const key = `HEADER\n${letters}${letters}\n${letters}x\nEND`;
    expect(createRedactor([key])(`line: ${letters}x`)).toBe("line: [redacted]");
    expect(createRedactor(["abc", ""])("abcdef")).toBe("abcdef");
  });

  it("hides a known value of several lines, however they end and however plain it is", () => {
    for (const value of ["!  \r      !      !", "correct horse\nbattery staple", "!  \\r      !"]) {
      expect(createRedactor([value])(`a ${value} b`)).not.toContain(value);
    }
  });

  it("changes nothing more when applied twice", () => {
    const piece = fc.constantFrom(
      "https://",
      "a:b@",
      githubToken,
      "bearer ",
      "authorization: ",
      letters,
      " ",
      "[redacted]",
      "eyJ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join(""));
        expect(redact(once)).toBe(once);
      }),
    );
  });
});

describe("SEC-6: redaction of values for the log", () => {
  const redact = createRedactor(["hunter2hunter2"]);

  it("redacts strings at any depth, secret members by name, and errors", () => {
    const error = new Error("no hunter2hunter2 here", { cause: { headers: { Authorization: "x" } } });
    delete error.stack;
    expect(
      redactValue(
        { a: ["hunter2hunter2"], token: "t", clientSecret: 1, tokens: 5, error, at: new Date(0), n: 3n },
        redact,
      ),
    ).toEqual({
      a: ["[redacted]"],
      token: "[redacted]",
      clientSecret: "[redacted]",
      tokens: 5,
      error: { name: "Error", message: "no [redacted] here", cause: { headers: { Authorization: "[redacted]" } } },
      at: "1970-01-01T00:00:00.000Z",
      n: "3",
    });
  });

  it("survives cycles, depth, bytes and getters that throw", () => {
    const cyclic: Record<string, unknown> = { bytes: Buffer.from("abc") };
    cyclic.self = cyclic;
    Object.defineProperty(cyclic, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(redactValue(cyclic, redact)).toEqual({ bytes: "[3 bytes]", self: "[circular]", bad: "[unreadable]" });
    let deep: unknown = "end";
    for (let level = 0; level < 20; level += 1) deep = { deep };
    expect(JSON.stringify(redactValue(deep, redact))).toContain("[too deep]");
  });
});
