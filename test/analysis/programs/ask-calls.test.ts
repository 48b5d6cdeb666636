import { expect, it } from "vitest";
import { findCalls } from "../../../src/analysis/child/find-calls.ts";
import { type AskCalls, askCalls } from "../../../src/analysis/programs/ask-calls.ts";
import { createFileFinder } from "../../../src/analysis/programs/find-file.ts";
import { findPrograms } from "../../../src/analysis/programs/find-programs.ts";
import { filesForPeople } from "../../../src/analysis/unattended/files-for-people.ts";
import { ForgeError } from "../../../src/domain/errors.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import { callsHere } from "../calls-here.ts";

const { signal } = new AbortController();
const file = (path: string): ChangedFile => ({
  ...{ path, status: "modified", mode: "100644", binary: false, addedLines: 1, deletedLines: 0, hunks: [] },
});

function changeOf(texts: Record<string, string>, ask: AskCalls) {
  const contents = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)] as const));
  const change = { files: Object.keys(texts).map(file), contents, oldContents: contents };
  const tree = {
    paths: [...Object.keys(texts), "Makefile"],
    readMany: async () => new Map([["Makefile", Buffer.from("all:\n")]]),
  };
  return {
    programs: () => findPrograms({ ...change, oldContents: new Map() }, tree, signal, ask),
    people: () =>
      filesForPeople({
        ...change,
        tree,
        signal,
        scratchRoot: "",
        readGraph: () => Promise.reject(new Error("not read")),
        askCalls: ask,
      }),
  };
}

const WHY = "what it runs was not looked for";
const hanging: AskCalls = async (files) => ({
  results: new Map(),
  unread: files.map(({ id }) => ({ id, reason: "reading it took longer than 20 s" })),
});
const dead: AskCalls = () =>
  Promise.reject(new ForgeError("analyser_unavailable", "It did not start.", { source: "resource" }));

it.each<[string, AskCalls, string]>([
  ["hangs", hanging, "reading it took longer than 20 s"],
  ["does not start", dead, "the reading process did not start"],
])(
  "GH-11a: where what reads calls %s, each file that it was asked for is a gap, and all wait for a person",
  async (_, ask, reason) => {
    const { programs, people } = changeOf({ "docs/a.md": "# A\n", "run.sh": "sh docs/a.md\n" }, ask);
    const { unread, byPath } = await programs();
    expect(byPath.size).toBe(0);
    expect(unread).toEqual(["run.sh", "Makefile"].map((path) => ({ path, reason: `${WHY}: ${reason}`, gap: true })));
    expect(await changeOf({ "docs/a.md": "# A\n" }, ask).people()).toEqual(["docs/a.md"]);
    expect(await people()).toEqual(["run.sh"]);
    expect(await changeOf({ "docs/a.md": "# A\n" }, callsHere).people()).toEqual([]);
  },
);

it("SEC-8: a file with more patterns of programs than can be looked for is a gap, and the others are read", async () => {
  const paths = Array.from({ length: 100 }, (_, at) => `a/${at}.txt`);
  const patterns = Array.from({ length: 30 }, (_, at) => `a/${at}*x`);
  const read = findCalls(paths, createFileFinder(paths, 2_000));
  const asked = [
    {
      path: "Makefile",
      text: `all:\n${patterns.map((pattern) => `\tsh ${pattern}\n`).join("")}`,
      calls: "all" as const,
    },
    { path: "run.sh", text: "sh a/1.txt\n", calls: "new" as const },
  ];
  const few: AskCalls = async (files) => ({
    results: new Map(await Promise.all(files.map(async (each) => [each.id, await read(each)] as const))),
    unread: [],
  });
  const { read: known, unread } = await askCalls(asked, paths, signal, few);
  expect(known.map(({ commands }) => commands.map(({ path }) => path))).toEqual([["a/1.txt"]]);
  expect(unread).toEqual([
    { path: "Makefile", reason: `${WHY}: its patterns of programs are too many to look for`, gap: true },
  ]);
});

it("GH-11a: a calling file that is too large to be read is a gap, and data is none", async () => {
  const large = " ".repeat(300 * 1024);
  const { unread } = await changeOf({ "package.json": large, "data.json": large }, callsHere).programs();
  expect(unread).toEqual([{ path: "package.json", reason: `${WHY}: it is larger than 256 KiB`, gap: true }]);
});

it("asks nothing of a change that has nothing run", async () => {
  const none: AskCalls = () => Promise.reject(new Error("asked"));
  const { unread } = await changeOf({ "src/a.ts": "export const a = 1;\n" }, none).programs();
  expect(unread).toEqual([]);
});
