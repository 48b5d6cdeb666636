import { describe, expect, it } from "vitest";
import { presentChange, presentFile } from "../../src/analysis/present-change.ts";

/** How many threads work started. */
async function threadsOf<T>(work: () => Promise<T>): Promise<{ result: T; threads: number }> {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on("worker", count);
  try {
    const result = await work();
    return { result, threads };
  } finally {
    process.off("worker", count);
  }
}

describe("a change as a model reads it", () => {
  it("numbers the lines of the new side and marks what changed", () => {
    const { text } = presentFile({ path: "a.ts", before: "one\ntwo\nthree\n", after: "one\n2\nthree\nfour\n" });
    expect(text).toBe(
      ["### a.ts", "    1  |one", "      -|two", "    2 +|2", "    3  |three", "    4 +|four", ""].join("\n"),
    );
  });

  it("shows a new file whole, a deleted one by name only, a renamed one with its old name", () => {
    expect(presentFile({ path: "b.ts", after: "x\n" }).text).toBe("### b.ts (new file)\n    1 +|x\n");
    expect(presentFile({ path: "b.ts", before: "x\n" }).text).toBe("### b.ts (deleted)\n");
    expect(presentFile({ path: "b.ts", oldPath: "a.ts", before: "x\n", after: "x\ny\n" }).text).toContain("(was a.ts)");
  });

  it("REV-4a: says what modes say: links with what is told by them, and what may be run", () => {
    const title = (modes: { mode?: string; oldMode?: string }, before?: string) =>
      presentFile({ path: "a", ...(before === undefined ? {} : { before }), after: "../b", ...modes }).text.split(
        "\n",
      )[0];
    expect(title({ mode: "120000" })).toBe("### a (new file; a symbolic link; its text is where it leads)");
    expect(title({ mode: "120000", oldMode: "100644" }, "x")).toBe(
      "### a (a symbolic link now; its text is where it leads)",
    );
    expect(title({ mode: "100644", oldMode: "120000" }, "x")).toBe("### a (a symbolic link before)");
    expect(title({ mode: "100755", oldMode: "100644" }, "x")).toBe("### a (made executable)");
    expect(title({ mode: "100755" }, "x")).toBe("### a");
    expect(title({ mode: "100644", oldMode: "100755" }, "x")).toBe("### a (no longer executable)");
  });

  it("leaves out what is far from any change", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);
    const after = [...lines];
    after[9] = "changed";
    after[89] = "changed too";
    const { text } = presentFile({ path: "a.ts", before: lines.join("\n"), after: after.join("\n") });
    expect(text).toContain("   10 +|changed");
    expect(text).toContain("⋮");
    expect(text).not.toContain("|line 50");
  });

  const lines = (length: number, lineOf: (at: number) => string) =>
    Array.from({ length }, (_, at) => lineOf(at)).join("\n");

  it("SEC-1: a thread shows whole what was changed in too many lines to compare", async () => {
    const change = {
      path: "a.ts",
      before: lines(80_000, (at) => `old ${at}`),
      after: lines(80_000, (at) => `new ${at}`),
    };
    const { result, threads } = await threadsOf(() => presentChange(change));
    expect(result.text).toMatch(/^### a\.ts \(rewritten\)\n {4}1 \+\|new 0\n/);
    expect(threads).toBe(1);
  });

  it("SEC-1: a thread compares a megabyte of the shortest lines", async () => {
    const after = (at: number) => (at % 1_100 === 0 ? "b" : "a");
    const change = { path: "a.ts", before: lines(500_000, () => "a"), after: lines(500_000, after) };
    const { result, threads } = await threadsOf(() => presentChange(change));
    expect(result).toEqual(presentFile(change));
    expect(result.text).toContain(" 1101 +|b");
    expect(threads).toBe(1);
  });

  it("SEC-1: compares here what is small, whatever its lines are", async () => {
    const change = { path: "a.ts", before: "\n".repeat(32_000), after: "a\n".repeat(16_000) };
    const { result, threads } = await threadsOf(() => presentChange(change));
    expect(result).toEqual(presentFile(change));
    expect(threads).toBe(0);
  });
});
