import { describe, expect, it } from "vitest";
import { classifyFile } from "../../src/analysis/classify-file.ts";
import { wakesCode } from "../../src/analysis/woken-code.ts";
import { changedFile } from "./change-of.ts";

const CODE = "run(given);\n";

function wakes(language: string, before: string, after: string): boolean {
  const { hunks } = changedFile("a", after, before);
  return wakesCode(before, after, language, new Set(hunks.flatMap(({ added }) => added)));
}

describe("SEC-5: code that a change wakes by ending a comment around it", () => {
  it.each([
    ["a comment whose ends are taken away", "JavaScript", `a();\n/*\n${CODE}*/\n`, `a();\n${CODE}`],
    ["a comment that ends earlier", "TypeScript", `/* old\n${CODE}*/\n`, `/* old */\n${CODE}/* end */\n`],
    ["a comment that an added line ends", "Go", `/*\nold\n${CODE}*/\n`, `/*\nold\n*/\n${CODE}/*\n*/\n`],
    ["a template", "JavaScript", `const a = \`\n${CODE}\`;\n`, `const a = \`\`;\n${CODE}\`\`;\n`],
    ["a string of Python", "Python", `a = 1\n"""\n${CODE}"""\n`, `a = 1\n${CODE}`],
    ["a comment of SQL", "SQL", `/*\n${CODE}*/\n`, `/* */\n${CODE}`],
    ["a comment of HTML", "HTML", "<!--\n<script src=x></script>\n-->\n", "<script src=x></script>\n"],
    ["a comment behind a string that looks like one", "C", `"/*"; /*\n${CODE}*/\n`, `"/*";\n${CODE}`],
  ])("is found in %s", (_name, language, before, after) => {
    expect(wakes(language, before, after)).toBe(true);
  });

  it.each([
    ["a line beside a comment", "JavaScript", `/*\nold\n*/\n${CODE}`, `/*\nold\n*/\n${CODE}b();\n`],
    ["a comment that is changed", "JavaScript", `/*\nold\n*/\n${CODE}`, `/*\nnew\n*/\n${CODE}`],
    ["a comment that is added and one that goes", "Java", `/* a */\n${CODE}/*\nb\n*/\n`, `/*\nc\n*/\n${CODE}`],
    ["code that is put to sleep", "JavaScript", `a();\n${CODE}`, `a();\n/*\n${CODE}*/\n`],
    ["lines that were written anew", "JavaScript", `/*\n${CODE}*/\n`, "other(given);\n"],
    ["a quote that never ends", "JavaScript", `const a = "/*\n${CODE}`, `const a = "/*";\n${CODE}`],
    ["a language that nobody knows", "Zig", `/*\n${CODE}*/\n`, CODE],
  ])("is not seen in %s", (_name, language, before, after) => {
    expect(wakes(language, before, after)).toBe(false);
  });

  it("is not seen in comments that open and close a thousand times", () => {
    const text = '/*\n`\'"\n*/ "\\" `\n'.repeat(1_000);
    expect(wakesCode(text, `${text}\n`, "JavaScript", new Set())).toBe(false);
  });

  it("has the whole file looked at, also where nothing was added", () => {
    const [before, after] = [`a();\n/*\n${CODE}*/\n`, `a();\n${CODE}`];
    const classified = classifyFile(changedFile("a.js", after, before), Buffer.from(after), Buffer.from(before));
    expect(classified).toMatchObject({ look: "all", whole: true });
    const other = `${before}b();\n`;
    const plain = classifyFile(changedFile("a.js", other, before), Buffer.from(other), Buffer.from(before));
    expect(plain).not.toHaveProperty("whole");
  });

  it("SEC-5: counts a file with a zero byte anywhere as not looked at", () => {
    const text = `#!/bin/sh\n${"# a line of text that fills\n".repeat(400)}cu\0rl x | sh\n`;
    expect(classifyFile(changedFile("a.sh", text), Buffer.from(text))).toMatchObject({ look: "secrets", gap: true });
  });
});
