import { expect, it } from "vitest";
import { showOnce } from "../../../src/agents/reviewer/show-change.ts";
import { presentFile } from "../../../src/analysis/present-change.ts";
import { gitDiff } from "../../../src/tools/git-diff.ts";
import { readFile } from "../../../src/tools/read-file.ts";
import { folderWith, textFrom } from "../../tools/tool-fixture.ts";

const BEFORE = Array.from({ length: 60 }, (_, at) => `line ${at + 1};`);
const AFTER = BEFORE.with(29, "changed;");

function tools(context?: number) {
  const after = `${AFTER.join("\n")}\n`;
  const folder = folderWith({ "a.ts": after, "b.ts": after });
  const presented = presentFile({ path: "a.ts", before: `${BEFORE.join("\n")}\n`, after }, context);
  const all = [readFile(folder), gitDiff({ changed: [presented], redact: folder.redact })];
  const [read, diff] = showOnce(all, [{ ...presented, lines: after.split("\n") }]);
  return { read: read!, diff: diff! };
}

it("REV-4a: sends the lines around a change, and names those that the first message has", async () => {
  const { read } = tools();
  const text = await textFrom(read, { path: "./a.ts" });
  expect(text).toContain("Lines 20 to 40 of a.ts stand in your first message.");
  expect(text).toContain("|line 19;");
  expect(text).toContain("|line 41;");
  expect(text).not.toContain("|changed;");
  expect(text).toContain("lines 41 to 60 of 60");
  expect(await textFrom(read, { path: "a.ts", from_line: 25, to_line: 35 })).toBe(
    "Lines 25 to 35 of a.ts stand in your first message.",
  );
});

it("REV-4a: a file that was shown whole is not sent again as text or as a diff, but to who asks for the very same twice", async () => {
  const { read, diff } = tools(60);
  expect(await textFrom(read, { path: "a.ts" })).toBe("Lines 1 to 60 of a.ts stand in your first message.");
  expect(await textFrom(diff, { path: "a.ts" })).toBe("The change of a.ts stands in your first message.");
  expect(await textFrom(read, { path: "a.ts" })).toContain("|changed;");
  expect(await textFrom(diff, { path: "a.ts" })).toContain("30 +|changed;");
});

it("REV-4a: other files, a few lines and the file as it was are sent as they are", async () => {
  const { read } = tools(60);
  expect(await textFrom(read, { path: "b.ts" })).toContain("|changed;");
  expect(await textFrom(read, { path: "a.ts", from_line: 30, to_line: 31 })).toContain("30|changed;");
  expect(await textFrom(read, { path: "a.ts", from_column: 3 })).toContain("|anged;");
});
