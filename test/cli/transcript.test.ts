import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../src/agents/library.ts";
import { createTranscript } from "../../src/cli/run/transcript.ts";
import { createRedactor } from "../../src/safety/redact.ts";

const SECRET = "correct-horse-battery-staple";

function transcript(events: readonly LoopEvent[]): string {
  let written = "";
  const hear = createTranscript((text) => (written += text), createRedactor([SECRET]));
  for (const event of events) hear(event);
  return written;
}

const started = (callId: string, tool: string, input: unknown): LoopEvent => ({
  type: "tool_started",
  callId,
  tool,
  input,
});
const printed = (callId: string, chunk: string): LoopEvent => ({ type: "tool_output", callId, chunk });
const ended = (callId: string, tool: string, isError = false): LoopEvent => ({
  ...{ type: "tool_ended", callId, tool, isError, ms: 2_400 },
});

describe("CLI-4: forge run --verbose", () => {
  it("shows thinking, words and output of tools in whole lines, each under what it belongs to", () => {
    const written = transcript([
      { type: "step_started", step: 1, model: "claude-sonnet-5-5" },
      { type: "thinking", text: "The price is in cen" },
      { type: "thinking", text: "ts.\n\nSo I divide" },
      { type: "text", text: "I look first." },
      started("1", "read_file", { path: "src/price.js" }),
      ended("1", "read_file"),
      started("2", "run_command", { command: "npm test" }),
      started("3", "run_tests", {}),
      printed("2", "1 passed\n2 fai"),
      printed("3", "ok\n"),
      printed("2", "led"),
      ended("2", "run_command", true),
      ended("3", "run_tests"),
      { type: "step_ended", step: 1, costUsd: 0.01, ms: 9 },
    ]);
    expect(written).toBe(
      `thinking:
  The price is in cents.
  So I divide
answer:
  I look first.
reading src/price.js:
running npm test:
running tests:
running npm test:
  1 passed
running tests:
  ok
running npm test:
  2 failed
  failed after 2 s
`,
    );
  });

  it("SEC-6: shows no secret, whether a stream cuts it in two or a line is too long to be shown", () => {
    const halves = [SECRET.slice(0, 11), SECRET.slice(11)];
    const long = "x".repeat(64 * 1024 - 10);
    const written = transcript([
      ...halves.map((text): LoopEvent => ({ type: "thinking", text })),
      started("1", "run_command", { command: `echo ${SECRET}` }),
      ...halves.map((chunk) => printed("1", chunk)),
      printed("1", `\n${long}${SECRET}\nlast`),
      ended("1", "run_command"),
    ]);
    for (const piece of [SECRET, ...halves]) expect(written).not.toContain(piece);
    expect(written).toContain("  [redacted]\n");
    expect(written).toMatch(/ {2}x{3999}…\n {2}last\n$/);
  });

  it("SEC-5: prints nothing that moves the cursor, hides or reorders", () => {
    const written = transcript([
      { type: "text", text: "a\u001b[2J\u001b]0;title\u0007b\rc\u202ed\n" },
      started("1", "run_command", { command: "x\u001b[1A" }),
      printed("1", "\u001b[31mred\u001b[0m\r\n"),
    ]);
    for (const hidden of ["\u001b", "\u0007", "\r", "\u202e"]) expect(written).not.toContain(hidden);
    expect(written).toContain("red");
  });

  it("SEC-6: hides a private key, which comes line by line, also where its output ends in the middle", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const long = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    for (const key of [privateKey, long]) {
      const pem = String(key.export({ type: "pkcs8", format: "pem" }));
      const lines = pem.trimEnd().split("\n");
      const body = lines.slice(1, -1);
      for (const text of [pem, lines.slice(0, -1).join("\n"), lines.slice(0, 2).join("\n")]) {
        const written = transcript([
          started("1", "run_command", { command: "cat key.pem" }),
          ...text.split(/(?<=\n)/).map((part) => printed("1", part)),
          ended("1", "run_command"),
          started("2", "run_command", { command: "ls" }),
          printed("2", "a.txt\n"),
          ended("2", "run_command"),
        ]);
        expect(body.filter((line) => written.includes(line))).toEqual([]);
        expect(written).toContain("a.txt");
      }
    }
  });
});
