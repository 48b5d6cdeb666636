import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLASSIFIED_AT_ONCE, classifyFiles, type FileToClassify } from "../../src/analysis/classify-files.ts";
import { changedFile } from "./change-of.ts";

const { signal } = new AbortController();
const pnpmPackage = (at: number) => `  a${at}@1.0.0:\n    resolution: {integrity: sha512-a}\n`;

let threads = 0;
const count = () => {
  threads += 1;
};
beforeEach(() => {
  threads = 0;
  process.on("worker", count);
});
afterEach(() => void process.off("worker", count));

/** Counts how often this thread makes text of the bytes, which has to come before any scan. */
function watched(text: string) {
  const content = Buffer.from(text);
  let reads = 0;
  const toText = content.toString.bind(content);
  content.toString = (...options) => {
    reads += 1;
    return toText(...options);
  };
  return { content, reads: () => reads };
}

function lockOf(bytes: number, more = ""): string {
  const packages = Array.from({ length: Math.ceil(bytes / pnpmPackage(0).length) }, (_, at) => pnpmPackage(at));
  return `lockfileVersion: '9.0'\npackages:\n${packages.join("")}${more}`;
}

const asked = (path: string, content: Buffer, old?: Buffer): FileToClassify => ({
  ...{ file: changedFile(path, "a\n"), content, old, unread: false },
});

describe("classifying the files of a change", () => {
  it("OPS-8, SEC-7: another thread reads a large lock file, and this one never makes text of it", async () => {
    const lock = watched(lockOf(CLASSIFIED_AT_ONCE.lock));
    const foreign = watched(lockOf(CLASSIFIED_AT_ONCE.lock, "$(curl x)\n"));
    const small = Buffer.from("const a = 1;\n");
    const result = await classifyFiles(
      [asked("pnpm-lock.yaml", lock.content), asked("a.ts", small), asked("b/pnpm-lock.yaml", foreign.content)],
      signal,
    );
    expect(result).toMatchObject([
      { look: "secrets", reason: "a lock file", compared: true },
      { look: "all", language: { dialect: "ts" } },
      { look: "all", gap: true, reason: expect.stringMatching(/^called a lock file, and line \d+ is not of one$/) },
    ]);
    expect([lock.reads(), foreign.reads(), threads]).toEqual([0, 0, 1]);
  });

  it("OPS-8: another thread compares both sides of a large script", async () => {
    const now = watched("a();\n".repeat(CLASSIFIED_AT_ONCE.both / 5));
    const before = watched("b();\n".repeat(100));
    const result = await classifyFiles([asked("a.ts", now.content, before.content)], signal);
    expect(result).toMatchObject([{ look: "all", gap: false, language: { name: "TypeScript" } }]);
    expect([now.reads(), before.reads(), threads]).toEqual([0, 0, 1]);
    // A small file shares its memory with others: none of it is taken away.
    expect(before.content.subarray(0, 5).equals(Buffer.from("b();\n"))).toBe(true);
  });

  it("OPS-8: needs no thread for small files, nor for a large new script", async () => {
    const script = Buffer.from("a();\n".repeat(CLASSIFIED_AT_ONCE.both));
    const result = await classifyFiles(
      [asked("pnpm-lock.yaml", Buffer.from(lockOf(100))), asked("a.ts", script)],
      signal,
    );
    expect(result).toMatchObject([{ compared: true }, { look: "all" }]);
    expect(threads).toBe(0);
  });

  it("OPS-3: a review that was stopped starts no thread", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    const content = Buffer.from(lockOf(CLASSIFIED_AT_ONCE.lock));
    await expect(classifyFiles([asked("pnpm-lock.yaml", content)], stopped)).rejects.toThrow("stopped");
    expect(threads).toBe(0);
  });
});
