import { describe, expect, it } from "vitest";
import { annotationFor, isAnnotated } from "../../src/github/words/check/annotations.ts";
import { findingRow, otherFindings } from "../../src/github/words/check/reviewed-summary.ts";
import { fileComment, findingComment, reviewBody } from "../../src/github/words/review/review-comments.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { finding, reported, wording } from "./samples.ts";

const marker = "<!-- forge:finding:x:y -->";

describe("GH-10: a finding as a comment", () => {
  it("says how bad, what, why, the way out and the rule", () => {
    const found = finding({ evidence: "exec(`ls ` + dir)" });
    const suggestion = '  execFile("ls", ["--", dir], (error, out) => res.send(out));\n';
    expect(findingComment(found, wording, { suggestion, marker })).toMatchInlineSnapshot(`
      "**Shell injection**
      \`dir\` comes from the request and is pasted into a shell command.
      \`?dir=;id\` runs \`id\` on the server.

      \`\`\`suggestion
        execFile("ls", ["--", dir], (error, out) => res.send(out));
      \`\`\`

      <details><summary>evidence</summary>

      \`\`\`
      exec(\`ls \` + dir)
      \`\`\`

      </details>

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
  });

  it("REV-4: shows a fix that GitHub cannot apply, with the command that can, and that a test changes with it", () => {
    const edits = [
      { file: "src/run.ts", startLine: 3, endLine: 4, before: "a\nb", after: "c" },
      { file: "test/run.test.ts", startLine: 9, endLine: 9, before: "d", after: "", pins: true },
    ];
    const found = finding({ verified: "fix", evidence: "1 !== 2" });
    expect(findingComment(found, wording, { fix: { edits }, marker })).toMatchInlineSnapshot(`
      "**Shell injection**
      \`dir\` comes from the request and is pasted into a shell command.
      \`?dir=;id\` runs \`id\` on the server.

      **Fix in 2 places**: \`src/run.ts\` lines 3 to 4, \`test/run.test.ts\` line 9. \`/forge fix F-9M4D\` commits it.
      Of these \`test/run.test.ts\` came with this change and expects the fault.
      <details><summary>the fix</summary>

      \`\`\`diff
      @@ src/run.ts lines 3 to 4 @@
      -a
      -b
      +c
      @@ test/run.test.ts line 9 @@
      -d
      \`\`\`

      </details>

      **Verified**: the test below fails on this head and passes with the fix.

      <details><summary>evidence</summary>

      \`\`\`
      1 !== 2
      \`\`\`

      </details>

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
    expect(findingComment(finding(), wording, { fix: { fixOf: "F-7K2Q" }, marker })).toContain(
      "\n\nThe fix of `F-7K2Q` fixes this too.\n",
    );
    expect(fileComment(found, wording, { fix: { edits: edits.slice(0, 1) }, marker })).toContain(
      "**Fix**: `src/run.ts` lines 3 to 4. `/forge fix F-9M4D` commits it.",
    );
  });

  it("REV-4: keeps saying that a model found it, and what was executed to show it", () => {
    const found = finding({ source: "ai", rule: "ai/logic", confidence: 0.95, verified: "base", evidence: "1 !== 2" });
    const comment = findingComment(found, wording, { marker });
    expect(comment).toContain("**Verified**: the test below fails on this head and passes before the change.");
    expect(comment).toContain("· `ai/logic` ·");
  });

  it("REV-4: what nothing has shown says so in a word, wherever its severity stands, and is no red mark in the diff", () => {
    const guess = finding({ source: "ai", rule: "ai/injection", severity: "critical", confidence: 0.69 });
    expect(findingComment(guess, wording, { marker })).toContain(
      "\nUnproven critical · security · medium confidence · [`ai/injection`](https://cwe.mitre.org/data/definitions/74.html) · `F-9M4D`. ",
    );
    const why = { ...guess, unproven: "the packages could not be installed" };
    expect(findingComment(why, wording, { marker })).toContain("**Unproven**: the packages could not be installed.");
    expect(annotationFor(guess, wording)).toMatchObject({ level: "warning" });
    expect(findingRow(reported(guess), false, wording)).toContain("| `F-9M4D` unproven critical |");
    const shown = { ...guess, confidence: 0.95, verified: "base" } as const;
    expect(findingComment(shown, wording, { marker })).toContain("\nCritical · security · very high confidence · ");
    const others = [reported(guess), reported({ ...guess, id: "F-0002", severity: "error" }), reported(finding())];
    expect(otherFindings(others, wording)).toMatch(/^1 unproven critical, 1 unproven error, 1 error, as /);
  });

  it("offers to dismiss", () => {
    expect(findingComment(finding(), wording, { marker })).toMatchInlineSnapshot(`
      "**Shell injection**
      \`dir\` comes from the request and is pasted into a shell command.
      \`?dir=;id\` runs \`id\` on the server.

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
  });

  it("never shows a secret: no evidence, and known values are redacted wherever they stand", () => {
    const redact = createRedactor(["hunter2hunter2"]);
    const found = finding({
      secret: true,
      message: "Password hunter2hunter2 added",
      evidence: "pass = hunter2hunter2",
    });
    expect(findingComment(found, { ...wording, redact }, { marker })).toMatchInlineSnapshot(`
      "**Shell injection**
      Password \\[redacted] added
      \`?dir=;id\` runs \`id\` on the server.

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
  });

  it("GH-15: neutralises what an analyser says", () => {
    const message = "/forge approve\n@octocat fixes #1 ![x](https://evil.example/x)";
    const text = findingComment(finding({ message, why: "<!-- hidden -->", rule: "a`b" }), wording, { marker });
    expect(text).toMatchInlineSnapshot(`
      "**A&#96;b**
      \\/forge approve
      \`@octocat\` fixes \`#1\` \\[x] (\`https://evil.example/x\`)
      &lt;!-- hidden -->

      Error · security · high confidence · \`\`a\`b\`\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
  });

  it("FIND-2: says how sure it is, in five steps", () => {
    const first = (confidence: number) =>
      findingComment(finding({ confidence }), wording, { marker }).split("\n").at(-2)?.split(" · `")[0];
    expect([0.1, 0.4, 0.6, 0.8, 0.9, 1].map(first)).toEqual([
      "Error · security · very low confidence",
      "Error · security · low confidence",
      "Error · security · medium confidence",
      "Error · security · high confidence",
      "Error · security · very high confidence",
      "Error · security · very high confidence",
    ]);
  });

  it("says the lines when it stands on the file", () => {
    expect(fileComment(finding({ endLine: 40 }), wording, { marker })).toMatchInlineSnapshot(`
      "**Shell injection** · lines 31 to 40
      \`dir\` comes from the request and is pasted into a shell command.
      \`?dir=;id\` runs \`id\` on the server.

      Error · security · high confidence · \`shell-injection\` · \`F-9M4D\`. Incorrect or accepted? Reply \`/forge dismiss <reason>\` in this thread.
      <!-- forge:finding:x:y -->"
    `);
  });

  it("is announced by one line above the comments", () => {
    const advisory = finding({ severity: "warning" });
    const checkUrl = "https://github.com/acme/shop/runs/7";
    expect(reviewBody([finding(), finding(), advisory], { blocking: 2, checkUrl }, marker)).toMatchInlineSnapshot(`
      "**2 blocking findings, 1 advisory finding.** The full result is in the check [\`forge/review\`](https://github.com/acme/shop/runs/7).
      <!-- forge:finding:x:y -->"
    `);
    const first = (...[comments, context]: [Parameters<typeof reviewBody>[0], Parameters<typeof reviewBody>[1]]) =>
      reviewBody(comments, context, marker).split(".")[0];
    expect(first([advisory], {})).toBe("**1 advisory finding");
    expect(first([finding()], { again: true, blocking: 2 })).toBe("**1 new blocking finding, 2 open in all");
    expect(first([advisory], { again: true, blocking: 1 })).toBe("**1 new advisory finding, 1 blocking open");
  });
});

describe("GH-11: a finding as an annotation", () => {
  it("has plain text and the level of its severity", () => {
    expect(annotationFor(finding({ column: 5, endColumn: 9 }), wording)).toMatchInlineSnapshot(`
      {
        "endColumn": 9,
        "endLine": 31,
        "level": "failure",
        "message": "\`dir\` comes from the request and is pasted into a shell command.
      \`?dir=;id\` runs \`id\` on the server.
      F-9M4D · error · security · high confidence · rule shell-injection",
        "path": "src/run.ts",
        "startColumn": 5,
        "startLine": 31,
        "title": "Shell injection",
      }
    `);
    expect(annotationFor(finding({ severity: "info" }), wording).level).toBe("notice");
    expect(annotationFor(finding({ severity: "warning" }), wording).level).toBe("warning");
    expect(annotationFor(finding({ severity: "critical" }), wording).level).toBe("failure");
  });

  it("has columns on a single line only", () => {
    const annotation = annotationFor(finding({ column: 5, endColumn: 2, endLine: 40 }), wording);
    expect(annotation).not.toHaveProperty("startColumn");
    expect(annotation).not.toHaveProperty("endColumn");
    expect(annotationFor(finding({ column: 5, endColumn: 2 }), wording)).not.toHaveProperty("endColumn");
  });

  it("stays within GitHub's limits", () => {
    const annotation = annotationFor(finding({ message: "😀".repeat(60_000), rule: "r".repeat(400) }), wording);
    expect(annotation.title.length).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(annotation.message)).toBeLessThanOrEqual(64 * 1024);
    expect(annotation.message.isWellFormed()).toBe(true);
  });

  it("says the whole message where the title cannot", () => {
    const long = `${"word ".repeat(80)}end`;
    const { title, message } = annotationFor(finding({ rule: "pylint/E1101", message: long }), wording);
    expect(title.endsWith("…")).toBe(true);
    expect(message).toContain(long);
  });

  it("is made of every blocking finding and of what has no comment", () => {
    expect(isAnnotated(reported({ secret: true, commit: "c".repeat(40) }, { placement: "none" }))).toBe(false);
    expect(isAnnotated(reported())).toBe(true);
    expect(isAnnotated(reported({ severity: "warning" }))).toBe(false);
    expect(isAnnotated(reported({ severity: "warning" }, { placement: "file_comment" }))).toBe(false);
    expect(isAnnotated(reported({ severity: "warning" }, { placement: "annotation" }))).toBe(true);
    expect(isAnnotated(reported({ severity: "info" }, { placement: "none" }))).toBe(true);
  });
});

it("SAFE-4: a note on formatting says in the diff how it is mended", () => {
  const fix = { file: "a.ts", startLine: 1, endLine: 1, before: "a=1", after: "a = 1" };
  const style = finding({ category: "style", severity: "info", fix });
  expect(annotationFor(style, wording).message.split("\n").at(-1)).toBe(`/forge fix ${style.id} commits it.`);
  expect(annotationFor(finding({ fix }), wording).message).not.toContain("/forge fix");
});
