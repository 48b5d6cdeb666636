import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { SuggestedFix } from "../../../src/domain/findings.ts";
import { checkFixes } from "../../../src/pipeline/review/fix/check-fixes.ts";
import { fitFixes } from "../../../src/pipeline/review/fix/fit-fixes.ts";
import { fixCommitMessage } from "../../../src/pipeline/review/fix/make-fixes.ts";

function wanted(id: string, startLine: number, before: string, after: string) {
  const endLine = startLine + before.split("\n").length - 1;
  const fix: SuggestedFix = { file: "a.ts", startLine, endLine, before, after };
  return { findingId: id, fix };
}

/** Of one file. */
function fitOne(text: string, fixes: Parameters<typeof fitFixes>[1]) {
  const { texts, ...rest } = fitFixes(new Map([["a.ts", text]]), fixes);
  return { text: texts.get("a.ts"), ...rest };
}

const ids = (list: readonly { readonly findingId: string }[]) => list.map(({ findingId }) => findingId);

describe("fitting fixes into a file", () => {
  it("replaces lines, takes lines away and adds some, wherever the others stand", () => {
    const { text, applied, left } = fitOne("one\ntwo\nthree\nfour\n", [
      wanted("F-1", 4, "four", "4"),
      wanted("F-2", 1, "one", ""),
      wanted("F-3", 2, "two\nthree", "2\n2.5\n3"),
    ]);
    expect(text).toBe("2\n2.5\n3\n4\n");
    expect([ids(applied), left]).toEqual([["F-1", "F-2", "F-3"], []]);
  });

  it("finds lines that were moved, where they stand in one place only, and leaves out what has changed", () => {
    const text = "new\none\ntwo\ntwo\n}\n";
    expect(fitOne(text, [wanted("F-1", 1, "one", "1")]).text).toBe("new\n1\ntwo\ntwo\n}\n");
    const changed = [wanted("F-1", 9, "two", "2"), wanted("F-2", 1, "}", ""), wanted("F-3", 2, "One", "1")];
    // The old place is no proof where the same lines stand elsewhere as well.
    changed.push(wanted("F-4", 3, "two", "2"));
    expect(fitOne(text, changed)).toMatchObject({ text, applied: [] });
    expect(fitOne(text, changed).left.map(({ why }) => why)).toEqual([
      ...["ambiguous", "changed", "changed", "ambiguous"],
    ]);
  });

  it("takes the first of two for the same lines, and both where they say the same", () => {
    const { text, applied, left } = fitOne("one\ntwo\n", [
      wanted("F-1", 1, "one", "1"),
      wanted("F-2", 1, "one\ntwo", "2"),
      wanted("F-3", 1, "one", "1"),
    ]);
    expect(text).toBe("1\ntwo\n");
    expect(ids(applied)).toEqual(["F-1", "F-3"]);
    expect(left).toEqual([{ findingId: "F-2", file: "a.ts", why: "overlaps", what: "F-1" }]);
  });

  it("keeps line endings, and a last line without one", () => {
    expect(fitOne("one\r\ntwo", [wanted("F-1", 1, "one", "1\n1"), wanted("F-2", 2, "two", "2")]).text).toBe(
      "1\r\n1\r\n2",
    );
  });
});

describe("REV-4, SEC-6: what is committed", () => {
  const dependencies = { scratchRoot: tmpdir(), signal: new AbortController().signal };
  const file = "export const a = 1;\nexport const b = 2;\n";

  it("parses, and has no secret that was not there before", async () => {
    const token = ["ghp", "_", "k3JxQ9mW7vT2pLs8YcR4nBd6HfZ1gAe5UoXi"].join("");
    const { contents, applied, left } = await checkFixes(
      new Map([["a.ts", Buffer.from(`\ufeff${file}export const c = 3;\n`)]]),
      [
        wanted("F-1", 1, "export const a = 1;", "export const a = ;"),
        wanted("F-2", 2, "export const b = 2;", "export const b = 22;"),
        wanted("F-3", 3, "export const c = 3;", `export const c = "${token}";`),
      ],
      dependencies,
    );
    expect(contents.get("a.ts")?.toString()).toBe(
      "\ufeffexport const a = 1;\nexport const b = 22;\nexport const c = 3;\n",
    );
    expect(ids(applied)).toEqual(["F-2"]);
    expect(left.map(({ findingId, why }) => [findingId, why])).toEqual([
      ["F-1", "breaks"],
      ["F-3", "secret"],
    ]);
  });

  it("has all edits of a fix or none of them, in whatever files, and a fix of two findings once", async () => {
    const edit = (path: string, before: string, after: string) => ({ ...wanted("", 1, before, after).fix, file: path });
    const files = new Map(["a.ts", "b.ts", "c.ts"].map((path) => [path, Buffer.from("const a = 1;\nconst b = 2;\n")]));
    const both = {
      ...edit("a.ts", "const a = 1;", "const a = 3;"),
      also: [edit("b.ts", "const b = 2;", "const b = 4;")],
    };
    const fixes = [
      { findingId: "F-1", fix: both },
      { findingId: "F-2", fix: both },
      {
        findingId: "F-3",
        fix: { ...edit("a.ts", "const b = 2;", "const b = 5;"), also: [edit("c.ts", "gone", "here")] },
      },
      {
        findingId: "F-4",
        fix: { ...edit("a.ts", "const b = 2;", "const b = ;"), also: [edit("c.ts", "const a = 1;", "const a = 6;")] },
      },
      { findingId: "F-5", fix: { ...edit("c.ts", "const b = 2;", "const b = 7;"), also: [edit("d.ts", "x", "y")] } },
    ];
    const { contents, applied, left } = await checkFixes(
      new Map<string, Buffer | undefined>(files),
      fixes,
      dependencies,
    );
    expect([...contents].map(([path, content]) => [path, content.toString()])).toEqual([
      ["a.ts", "const a = 3;\nconst b = 2;\n"],
      ["b.ts", "const a = 1;\nconst b = 4;\n"],
    ]);
    expect(ids(applied)).toEqual(["F-1", "F-2"]);
    expect(left).toEqual([
      { findingId: "F-3", file: "c.ts", why: "changed" },
      { findingId: "F-5", file: "d.ts", why: "no_file" },
      { findingId: "F-4", file: "a.ts", why: "breaks" },
    ]);
  });

  it("is text", async () => {
    const fix = wanted("F-1", 1, "a", "b");
    expect(await checkFixes(new Map([["a.ts", Buffer.of(97, 10, 0xff, 10)]]), [fix], dependencies)).toEqual({
      contents: new Map(),
      applied: [],
      left: [{ findingId: "F-1", file: "a.ts", why: "no_file" }],
    });
  });

  it("says for which findings it is, and for whom", () => {
    const by = { login: "ben", id: 7, kind: "user" } as const;
    const nine = Array.from({ length: 9 }, (_, index) => `F-${index}`);
    expect(fixCommitMessage(nine, by)).toBe(
      "fix: apply 9 suggested fixes of Forge\n\nF-0, F-1, F-2, F-3, F-4, F-5, F-6, F-7\nF-8\n\nCo-authored-by: ben <7+ben@users.noreply.github.com>\n",
    );
    expect(fixCommitMessage(["F-1"], by)).toMatch(/^fix: apply a suggested fix of Forge\n\nF-1\n/);
  });
});
