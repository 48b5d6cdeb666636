import { describe, expect, it } from "vitest";
import { readAftermath } from "../../src/workspace/aftermath.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { expectOk, startFixture } from "./fixture.ts";

const OLD = "one();\ntwo();\nthree();\n";
const NEW = "one();\ntwo(2);\nthree();\nfour();\n";

type Later = { readonly message: string; readonly content?: string; readonly path?: string };

/** A pull request of two commits, merged in one of three ways; then what came later. */
async function since(how: "squash" | "rebase" | "merge", ...later: readonly (Later | ((landed: string) => Later))[]) {
  await using fixture = await startFixture();
  const { origin } = fixture;
  const write = (branch: string, parents: string[], content: string, message: string, path = "a.ts") => {
    return origin.commit({ branch, parents, files: [{ path, content }], message });
  };
  const base = write("main", [], OLD, "base");
  const first = write("topic", [base], OLD.replace("two()", "two(2)"), "Two");
  const head = write("topic", [first], NEW, "Four");
  const moved = write("main", [base], "readme\n", "Meanwhile", "README.md");
  const landed = {
    squash: () => write("main", [moved], NEW, "Change totals (#7)"),
    rebase: () => write("main", [write("main", [moved], OLD.replace("two()", "two(2)"), "Two")], NEW, "Four"),
    merge: () => write("main", [moved, head], NEW, "Merge pull request #7 from ana/topic\n\nChange totals"),
  }[how]();
  let branchHead = landed;
  for (const one of later) {
    const { message, content = NEW, path } = typeof one === "function" ? one(landed) : one;
    branchHead = write("main", [branchHead], content, message, path);
  }
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [landed, head, branchHead] }));
  const { signal } = new AbortController();
  const { found } = expectOk(await readAftermath(mirror, { landed, head, pull: 7, branchHead, signal }));
  return found && `${found.is}${found.critical ? ", critical" : ""}`;
}

describe.each(["squash", "rebase", "merge"] as const)("what came after a pull request that landed by %s", (how) => {
  it("is a fix of lines that it had written, and not one of lines of others, nor a change that says no fix", async () => {
    const wrong = NEW.replace("two(2)", "two(3)");
    expect(await since(how, { message: "Fix two", content: wrong })).toBe("mended");
    expect(await since(how, { message: "Merge pull request #9 from x\n\nfix: two", content: wrong })).toBe("mended");
    expect(await since(how, { message: "Fix a security hole", content: wrong })).toBe("mended, critical");
    expect(await since(how, { message: "Improve two", content: wrong })).toBeUndefined();
    expect(await since(how, { message: "docs: fix two", content: wrong })).toBeUndefined();
    expect(await since(how, { message: "Fix a typo", content: wrong })).toBeUndefined();
    expect(await since(how, { message: "Fix one", content: NEW.replace("one()", "one(1)") })).toBeUndefined();
    expect(await since(how, { message: "Fix more", content: `${NEW}five();\n` })).toBeUndefined();
    expect(await since(how, { message: "Fix", content: "x\n", path: "other.ts" })).toBeUndefined();
  });

  it("is a revert, by its word or because the files are as they were", async () => {
    const told = (text: string): Later => ({ message: text, content: NEW.replace("four", "4") });
    expect(await since(how, (landed) => told(`Undo\n\nThis reverts commit ${landed}.`))).toBe("reverted");
    expect(await since(how, told('Revert "Change totals (#7)" (#9)'))).toBe("reverted");
    expect(await since(how, told('Revert "Change totals" (#9)\n\nReverts acme/shop#7'))).toBe("reverted");
    expect(await since(how, told('Revert "Change totals (#77)"\n\nReverts acme/shop#70'))).toBeUndefined();
    expect(await since(how, told('Revert "Revert "Change totals (#7)""'))).toBeUndefined();
    expect(await since(how, { message: "Clean up", content: OLD })).toBe("reverted");
    expect(await since(how, { message: "Clean up", content: OLD.replace("three", "3") })).toBeUndefined();
  });
});
