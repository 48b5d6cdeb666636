import { expect, it } from "vitest";
import { classifyFile } from "../../../src/analysis/classify-file.ts";
import { riskFile } from "../../../src/analysis/risk/risk-facts.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";

function changed(path: string, known: Partial<ChangedFile> = {}): ChangedFile {
  const hunks = [{ newStart: 1, newEnd: 1, added: [1] }];
  return { path, status: "modified", mode: "100644", binary: false, addedLines: 1, deletedLines: 2, hunks, ...known };
}

it.each([
  ["src/a.ts", "code"],
  ["src/a.test.ts", "test"],
  ["docs/guide.md", "docs"],
  ["LICENSE", "docs"],
  ["CHANGELOG.txt", "docs"],
  ["CMakeLists.txt", "code"],
  ["docs/conf.py", "code"],
  ["package-lock.json", "lock"],
  ["vendor/x/y.go", "vendored"],
  ["dist/app.js", "generated"],
  ["lib/app.min.js", "generated"],
])("RISK-1: %s is %s", (path, kind) => {
  const file = changed(path);
  const expected = { path, kind, addedLines: 1, deletedLines: 2, pureRename: false };
  expect(riskFile(file, classifyFile(file, Buffer.from("x\n")))).toEqual(expected);
});

it("RISK-1: a file that only moved is a pure rename, one that moved and changed is not", () => {
  const moved = changed("src/b.ts", { status: "renamed", oldPath: "src/a.ts" });
  expect(riskFile({ ...moved, hunks: [] }, { test: false }).pureRename).toBe(true);
  expect(riskFile(moved, { test: false }).pureRename).toBe(false);
});
