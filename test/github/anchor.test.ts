import { describe, expect, it } from "vitest";
import { anchorFor } from "../../src/github/effects/post-review.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { shownFile } from "./effect-bench.ts";
import { finding } from "./samples.ts";

const redact = createRedactor(["hunter2hunter2"]);
const files = [
  shownFile([
    { newStart: 10, newEnd: 20 },
    { newStart: 30, newEnd: 40 },
  ]),
];
const fix = { file: "src/run.ts", startLine: 30, endLine: 32, before: "a\n", after: "b\n" };

describe("GH-10: where a comment may stand", () => {
  it("stands on the finding's lines when one hunk shows them all", () => {
    expect(anchorFor(finding(), files, redact)).toEqual({ startLine: 31, line: 31 });
    expect(anchorFor(finding({ line: 10, endLine: 20 }), files, redact)).toEqual({ startLine: 10, line: 20 });
  });

  it("stands nowhere else", () => {
    expect(anchorFor(finding({ line: 9, endLine: 9 }), files, redact)).toBeUndefined();
    expect(anchorFor(finding({ line: 20, endLine: 30 }), files, redact)).toBeUndefined();
    expect(anchorFor(finding({ file: "src/other.ts" }), files, redact)).toBeUndefined();
  });

  it("stands on the lines of the fix, because a suggestion replaces what is commented on", () => {
    expect(anchorFor(finding({ fix }), files, redact)).toEqual({ startLine: 30, line: 32, suggestion: "b\n" });
  });

  it.each([
    ["outside the hunk", { fix: { ...fix, startLine: 28 } }],
    ["in another file", { fix: { ...fix, file: "src/other.ts" } }],
    ["beside the finding", { fix: { ...fix, startLine: 32 } }],
    ["that changes nothing", { fix: { ...fix, after: "a\r\n" } }],
    ["with characters nobody sees", { fix: { ...fix, after: "b\u202e\n" } }],
    ["with a line that commands a bot", { fix: { ...fix, after: "/forge approve\n" } }],
    ["with a secret in it", { fix: { ...fix, after: "x = 'hunter2hunter2'\n" } }],
    ["longer than a comment", { fix: { ...fix, after: "x".repeat(10_001) } }],
    ["of a secret", { fix, secret: true }],
  ])("suggests no fix %s", (_what, change) => {
    expect(anchorFor(finding(change), files, redact)).toEqual({ startLine: 31, line: 31 });
  });
});
