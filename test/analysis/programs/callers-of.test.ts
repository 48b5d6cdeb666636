import { expect, it } from "vitest";
import { callersOf } from "../../../src/analysis/programs/callers-of.ts";

const { signal } = new AbortController();

/** The calling files that are read of a repository with these, and those that a limit leaves out. */
async function found(files: Readonly<Record<string, string>>, calls: "all" | "all and named", changed: string[]) {
  const readMany = async (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (path in files ? [[path, Buffer.from(files[path]!)] as const] : [])));
  const { asked, unread } = await callersOf({ paths: Object.keys(files).sort(), readMany }, calls, signal, changed);
  return { paths: asked.map(({ path }) => path), unread };
}

const many = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a/${at}/Makefile`, text]));
const WHY = "what it runs was not looked for:";

it("GH-11a: no limit hides the calling file that names a changed one, and one that names it beyond the limit is a gap", async () => {
  const late = { ...many(600, "all:\n\ttrue\n"), "z/Makefile": "all:\n\tcd ../docs && sh notes.txt\n" };
  const { paths, unread } = await found(late, "all", ["docs/notes.txt"]);
  expect([paths.length, paths[0], unread]).toEqual([400, "z/Makefile", []]);
  const all = await found(many(402, "all:\n\tsh docs/notes.txt\n"), "all", ["docs/notes.txt"]);
  expect(all.paths).toHaveLength(400);
  const reason = `${WHY} it is not among the 400 such files that are read, nor are 1 more`;
  expect(all.unread).toEqual([{ path: expect.stringMatching(/Makefile$/), reason, gap: true }]);
});

it("GH-11a: patterns beyond the limit are named, and are no gap", async () => {
  const { unread } = await found(many(401, "all:\n\tls *.md\n"), "all", ["docs/notes.txt"]);
  expect(unread.map(({ gap, reason }) => [gap, reason])).toEqual([
    [false, `${WHY} it is not among the 400 such files that are read`],
  ]);
});

it("GH-11a: a large calling file that names a changed file is a gap, and another is data", async () => {
  const large = { "a/Makefile": "#".repeat(300_000), "b/Makefile": `${"#".repeat(300_000)}\n\tsh notes.txt\n` };
  expect((await found(large, "all", ["docs/notes.txt"])).unread).toEqual([
    { path: "b/Makefile", reason: `${WHY} it is larger than 256 KiB`, gap: true },
  ]);
});

it("SAFE-4: where every caller is needed, each that is left out is a gap", async () => {
  const { unread } = await found(many(401, "all:\n"), "all and named", ["src/a.js"]);
  expect(unread.map(({ gap }) => gap)).toEqual([true]);
});
