import { describe, expect, it } from "vitest";
import { reviewAsText } from "../../src/cli/review-text.ts";
import type { Finding } from "../../src/domain/findings.ts";
import { codeFrames, HIDDEN_LINE } from "../../src/pipeline/review/folder/code-frames.ts";
import type { FolderReview } from "../../src/pipeline/review/folder/review-folder.ts";
import { reachVerdict } from "../../src/pipeline/review/verdict.ts";
import { sourceFile } from "../analysis/change-of.ts";

const CODE = `const app = express();
app.get("/", (request, response) => {
\tconst dir = String(request.query.dir);
\texec("ls " + dir, (error, out) => response.send(out));
});
const name = "漢字"; name == 1;
`;

const shell: Finding = {
  ...{ id: "F-9M4D", fingerprint: "a", source: "security", rule: "patterns/program/shell", severity: "error" },
  ...{ category: "security", confidence: 0.9, file: "src/run.ts", line: 4, column: 2, endLine: 4, endColumn: 18 },
  message: "`request.query.dir` comes from the request and goes into a command that a shell runs.",
  why: "`?dir=;id` runs `id` on the server.",
  remedy: "Run the program itself.",
  flow: [
    { line: 3, text: "request.query.dir" },
    { path: "src/shell.ts", line: 4, text: "exec" },
  ],
  fix: {
    file: "src/run.ts",
    startLine: 4,
    endLine: 4,
    before: '\texec("ls " + dir);',
    after: '\texecFile("ls", ["--", dir]);',
  },
};
const loose: Finding = {
  ...{ id: "F-2222", fingerprint: "b", source: "static", rule: "biome/suspicious/noDoubleEquals", severity: "warning" },
  ...{ category: "correctness", confidence: 0.7, file: "src/run.ts", line: 6, column: 27, endLine: 6, endColumn: 29 },
  message: "Values are compared after conversion (`==` or `!=`).",
};
const note: Finding = { ...loose, id: "F-3333", severity: "info", line: 1, column: 1, endLine: 1, endColumn: 6 };
const key: Finding = {
  ...{
    id: "F-4444",
    fingerprint: "d",
    source: "security",
    rule: "secrets/npm-token",
    severity: "critical",
    secret: true,
  },
  ...{ category: "security", confidence: 0.9, file: "a.ts", line: 2, column: 1, endLine: 2, endColumn: 9 },
  message: "This adds an npm token to the repository.",
};

function review(findings: readonly Finding[], change: Partial<FolderReview["coverage"]> = {}): FolderReview {
  const none = "0".repeat(40);
  const coverage: FolderReview["coverage"] = {
    ...{ headSha: none, baseSha: none, mergeBaseSha: none, files: 2, filesCovered: 2 },
    ...{ addedLines: 9, addedLinesCovered: 9, uncovered: [], layers: [], notes: [], ...change },
  };
  const files = [sourceFile("src/run.ts", CODE), sourceFile("a.ts", "const a = 1;\nlogin('npm_secret');\nb();\n")];
  const frames = codeFrames(findings, new Map(files.map((file) => [file.path, file])));
  return { findings, beyondLimit: 0, coverage, verdict: reachVerdict([...findings], coverage), frames };
}

const plain = { colors: false, info: false };

describe("CLI-2: the text of a review", () => {
  it("is grouped by file, in the order of lines, with code, reason, data flow and fix, and ends with the verdict", () => {
    expect(reviewAsText(review([shell, loose, note]), { ...plain, columns: 80 })).toMatchInlineSnapshot(`
      "src/run.ts
        4:2   error    Command injection (CWE-78)                program/shell  F-9M4D
              3 |   const dir = String(request.query.dir);
            > 4 |   exec("ls " + dir, (error, out) => response.send(out));
                |   ^^^^^^^^^^^^^^^^
              \`request.query.dir\` comes from the request and goes into a command that
              a shell runs. \`?dir=;id\` runs \`id\` on the server.
              Data flow: line 3 \`request.query.dir\` -> \`src/shell.ts\` line 4 \`exec\`
              Fix: Run the program itself.
              -   exec("ls " + dir);
              +   execFile("ls", ["--", dir]);

        6:27  warning  Loose equality (== or !=) (CWE-597)      noDoubleEquals  F-2222
              5 | });
            > 6 | const name = "漢字"; name == 1;
                |                             ^^
              Values are compared after conversion (\`==\` or \`!=\`).
              Fix: Use \`===\` or \`!==\`.

      Changes requested: 1 blocking finding. In all: 1 error, 1 warning, 1 note. 1
      note is hidden; --info shows it. Reviewed 2 of 2 files, 9 lines added. Not
      reviewed: nothing.
      "
    `);
  });

  it("has the worst file last, hides the lines of secrets, and shows notes when asked", () => {
    const text = reviewAsText(review([key, shell, note]), { ...plain, info: true });
    expect(text).toMatch(/^src\/run\.ts\n {2}1:1 .*\n\n {2}4:2 .*\n\na\.ts\n/s);
    expect(text).toContain("      > 2 | [hidden: this line contains a secret]\n");
    expect(text).not.toContain("npm_secret");
    expect(text).not.toContain("hidden;");
    expect(text).toMatch(/\nNeeds a maintainer: 2 blocking findings\. In all: 1 critical, 1 error, 1 note\. Reviewed /);
  });

  it("SEC-6: hides a password that was there before the change, and one whose finding is not shown", () => {
    const before = sourceFile("src/run.ts", 'const password = "Tr0ub4dor&3-horse";\nlogin(password == name);\n');
    const files = new Map([[before.path, before]]);
    const found = { ...loose, line: 2, column: 16, endLine: 2, endColumn: 18 };
    expect(codeFrames([found], files)).toEqual({
      "F-2222": { from: 1, lines: [HIDDEN_LINE, "login(password == name);"] },
    });
    const cut = { ...found, id: "F-5555", rule: "secrets/npm-token", line: 1, endLine: 1, secret: true };
    const plainly = new Map([[before.path, sourceFile("src/run.ts", "login('abc');\nlogin(a == b);\n")]]);
    expect(codeFrames([found], plainly, [found, cut])["F-2222"]?.lines[0]).toBe(HIDDEN_LINE);
  });

  it("fits the width of a terminal, whatever is in the code, and is whole in a pipe", () => {
    const long = {
      ...shell,
      message: `\`dir\` ${"comes from far ".repeat(20)}`,
      line: 6,
      column: 1,
      endLine: 6,
      endColumn: 30,
    };
    for (const columns of [60, 80, 120])
      for (const line of reviewAsText(review([long]), { ...plain, columns }).split("\n"))
        expect([...line].length + (line.match(/[漢字]/g)?.length ?? 0), line).toBeLessThanOrEqual(columns);
    expect(reviewAsText(review([long]), plain)).toContain("comes from far ".repeat(20).trim());
  });

  it("colors by severity, where colors are wanted", () => {
    const text = reviewAsText(review([shell, loose]), { ...plain, colors: true });
    expect(text).toContain("\u001b[31merror\u001b[0m");
    expect(text).toContain("\u001b[33mwarning\u001b[0m");
    expect(reviewAsText(review([shell, loose]), plain)).not.toContain("\u001b");
  });

  it("names what was not reviewed, and says approved of what was", () => {
    const uncovered = [{ path: "dist/\u001b[2J.js", reason: "generated", gap: false }];
    expect(reviewAsText(review([], { uncovered }), plain)).toBe(
      "Not reviewed: dist/\\u001b[2J.js: generated\nApproved: no findings. Reviewed 2 of 2 files, 9 lines added. Not reviewed: 1 item, listed above.\n",
    );
    expect(reviewAsText(review([note]), plain)).toBe(
      "Approved: 1 finding, none blocking. 1 note is hidden; --info shows it. Reviewed 2 of 2 files, 9 lines added. Not reviewed: nothing.\n",
    );
  });
});
