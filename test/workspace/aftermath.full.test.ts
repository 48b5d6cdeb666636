import { describe, expect, it } from "vitest";
import { readAftermath } from "../../src/workspace/aftermath.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { expectOk, startFixture } from "./fixture.ts";

const OLD = "one();\ntwo();\nthree();\n";
const NEW = "one();\ntwo(2);\nthree();\nfour();\n";

type Later = { readonly message: string; readonly content?: string; readonly path?: string };

/** A pull request of two commits, merged in one of three ways. */
async function land(how: "squash" | "rebase" | "merge") {
  const fixture = await startFixture();
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
  const mirror = fixture.mirror();
  let futures = 0;
  /** What is found where these came later, on a branch of their own. */
  const since = async (...later: readonly (Later | ((landed: string) => Later))[]) => {
    futures += 1;
    let branchHead = landed;
    for (const one of later) {
      const { message, content = NEW, path } = typeof one === "function" ? one(landed) : one;
      branchHead = write(`future-${futures}`, [branchHead], content, message, path);
    }
    expectOk(await fetchCommits(mirror, { shas: [landed, head, branchHead] }));
    const { signal } = new AbortController();
    const { found } = expectOk(await readAftermath(mirror, { landed, head, pull: 7, branchHead, signal }));
    return found && `${found.is}${found.critical ? ", critical" : ""}`;
  };
  return { since, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

describe("what came after a pull request that landed by squash", () => {
  it("is a fix of lines that it had written, and not one of lines of others, nor a change that says no fix", async () => {
    await using world = await land("squash");
    const { since } = world;
    const wrong = NEW.replace("two(2)", "two(3)");
    expect(await since({ message: "Merge pull request #9 from x\n\nfix: two", content: wrong })).toBe("mended");
    expect(await since({ message: "Fix a security hole", content: wrong })).toBe("mended, critical");
    expect(await since({ message: "Improve two", content: wrong })).toBeUndefined();
    expect(await since({ message: "docs: fix two", content: wrong })).toBeUndefined();
    expect(await since({ message: "Fix a typo", content: wrong })).toBeUndefined();
    expect(await since({ message: "Fix more", content: `${NEW}five();\n` })).toBeUndefined();
    expect(await since({ message: "Fix", content: "x\n", path: "other.ts" })).toBeUndefined();
  });

  it("is a revert by its words", async () => {
    await using world = await land("squash");
    const { since } = world;
    const told = (text: string): Later => ({ message: text, content: NEW.replace("four", "4") });
    expect(await since(told('Revert "Change totals (#7)" (#9)'))).toBe("reverted");
    expect(await since(told('Revert "Change totals" (#9)\n\nReverts acme/shop#7'))).toBe("reverted");
    expect(await since(told('Revert "Change totals (#77)"\n\nReverts acme/shop#70'))).toBeUndefined();
    expect(await since(told('Revert "Revert "Change totals (#7)""'))).toBeUndefined();
  });
});

describe.each(["squash", "rebase", "merge"] as const)("what came after a pull request that landed by %s", (how) => {
  it("is told from the commits and files that it brought", async () => {
    await using world = await land(how);
    const { since } = world;
    expect(await since({ message: "Fix two", content: NEW.replace("two(2)", "two(3)") })).toBe("mended");
    expect(await since({ message: "Fix one", content: NEW.replace("one()", "one(1)") })).toBeUndefined();
    const undone = (landed: string) => ({
      message: `Undo\n\nThis reverts commit ${landed}.`,
      content: NEW.replace("four", "4"),
    });
    expect(await since(undone)).toBe("reverted");
    expect(await since({ message: "Clean up", content: OLD })).toBe("reverted");
    expect(await since({ message: "Clean up", content: OLD.replace("three", "3") })).toBeUndefined();
  });
});
