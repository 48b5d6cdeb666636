import { expect, it } from "vitest";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import { fullStore, mirrorStore } from "../../../src/workspace/git-store.ts";
import { expectOk, startFixture } from "../../workspace/fixture.ts";
import { type Landing, land, pastOf } from "./past-changes.ts";

const lines = (...numbers: readonly (number | string)[]) =>
  `${numbers.map((one) => `const value_${one} = ${one};`).join("\n")}\n`;
const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const LATER: Landing = { day: 900, message: "Add notes", files: { "notes.md": "later\n" } };

/** For each landing whether it was mended; undefined where it is no change of code. */
async function mendedOf(landings: readonly Landing[]): Promise<(boolean | undefined)[]> {
  await using fixture = await startFixture();
  const shas = land(fixture.origin, [...landings, LATER]);
  const { changes } = await pastOf(fullStore(fixture.origin.directory), shas.at(-1)!);
  const found = new Map(changes.map(({ sha, mendedAt }) => [sha, mendedAt !== undefined]));
  return shas.slice(0, -1).map((sha) => found.get(sha));
}

const FIRST: Landing = { day: 0, message: "Add values", files: { "src/a.js": lines(...TEN) } };
const SECOND: Landing = { day: 1, message: "Add more", files: { "src/a.js": lines(...TEN, 11, 12) } };

it("RISK-1: a change is mended when a fix takes away lines that it wrote, and only that change", async () => {
  const fix = { day: 20, message: "Fix the eleventh value", files: { "src/a.js": lines(...TEN, "11b", 12) } };
  expect(await mendedOf([FIRST, SECOND, fix])).toEqual([false, true, false]);
});

it("RISK-1: lines keep their change while lines around them come and go, and while their file is renamed", async () => {
  expect(
    await mendedOf([
      FIRST,
      SECOND,
      { day: 2, message: "Add to the top", files: { "src/a.js": lines("x", "y", ...TEN, 11, 12) } },
      { day: 3, message: "Move", files: { "src/a.js": undefined, "lib/b.js": lines("x", "y", ...TEN, 11, 12) } },
      { day: 4, message: "fix: a crash", files: { "lib/b.js": lines("x", "y", ...TEN, 11, "12b") } },
    ]),
  ).toEqual([false, true, false, false, false]);
});

it.each<[string, Landing]>([
  ["later than 90 days", { day: 92, message: "Fix the value", files: { "src/a.js": lines(...TEN, "11b", 12) } }],
  ["without a word of mending", { day: 5, message: "Improve", files: { "src/a.js": lines(...TEN, "11b", 12) } }],
  [
    "which only fixes a typo",
    { day: 5, message: "Fix a typo in a comment", files: { "src/a.js": lines(...TEN, "11b", 12) } },
  ],
  [
    "which is documentation by its word",
    { day: 5, message: "docs: fix it", files: { "src/a.js": lines(...TEN, "11b", 12) } },
  ],
  [
    "which changes white space only",
    { day: 5, message: "Fix it", files: { "src/a.js": lines(...TEN, 11, 12).replaceAll(" = ", "=") } },
  ],
  [
    "which moves the lines within the file",
    { day: 5, message: "Fix the order", files: { "src/a.js": lines(11, 12, ...TEN) } },
  ],
  [
    "which moves the lines to another file",
    { day: 5, message: "Fix the place", files: { "src/a.js": lines(...TEN), "src/c.js": lines(11, 12) } },
  ],
  [
    "by a bot",
    { day: 5, message: "Fix it", by: ["renovate[bot]", "bot@example.com"], files: { "src/a.js": lines(...TEN) } },
  ],
  ["which only adds lines", { day: 5, message: "Fix it", files: { "src/a.js": lines(...TEN, 11, 12, 13) } }],
])("RISK-1: a change is not mended by one %s", async (_, fix) => {
  const [, second] = await mendedOf([FIRST, SECOND, fix]);
  expect(second).toBe(false);
});

it("RISK-1: comments that a fix takes away mend nothing, tests and data neither", async () => {
  const files = { "src/a.js": `// why\n${lines(1)}`, "test/a.test.js": lines(1), "data.json": "[1]\n" };
  const fixed = { "src/a.js": `// because\n${lines(1)}`, "test/a.test.js": lines(2), "data.json": "[2]\n" };
  expect(
    await mendedOf([
      { day: 0, message: "Add", files },
      { day: 5, message: "Fix it", files: fixed },
    ]),
  ).toEqual([false, false]);
});

it("RISK-1: a sweep that only puts lines into another form is no change, and leaves them whose they were", async () => {
  const many = Object.fromEntries(TEN.map((one) => [`src/${one}.js`, lines(one)]));
  const formed = Object.fromEntries(TEN.map((one) => [`src/${one}.js`, `const value_${one} = (${one});\n`]));
  const fix = { day: 9, message: "Fix the third", files: { "src/3.js": "const value_3 = 4;\n" } };
  const sweep = { day: 5, message: "Run prettier", files: formed };
  expect(await mendedOf([{ day: 0, message: "Add", files: many }, sweep, fix])).toEqual([true, undefined, false]);
});

it("RISK-1: a revert mends what it names, also where it takes nothing away", async () => {
  await using fixture = await startFixture();
  const taken = { day: 1, message: "Take the tenth", files: { "src/a.js": lines(...TEN.slice(0, 9)) } };
  const [first, second] = land(fixture.origin, [FIRST, taken]);
  const revert = {
    day: 3,
    message: `Revert "Take the tenth"\n\nThis reverts commit ${second}.`,
    files: { "src/a.js": lines(...TEN) },
  };
  const head = land(fixture.origin, [revert, LATER]).at(-1)!;
  const { changes } = await pastOf(fullStore(fixture.origin.directory), head);
  expect(changes.filter(({ mendedAt }) => mendedAt !== undefined).map(({ sha }) => sha)).toEqual([second]);
  expect(changes.map(({ sha }) => sha)).toContain(first);
});

it("RISK-1: a merged pull request is one change, of its author and by its title; a merge of branches is none", async () => {
  const by = ["Ben", "7+ben@users.noreply.github.com"] as const;
  const merged = (files: Landing["files"], message: string, day: number): Landing => {
    return { day, message, files: files ?? {}, merges: [{ day: day - 0.5, message: "wip", by, files: files ?? {} }] };
  };
  expect(
    await mendedOf([
      FIRST,
      merged({ "src/a.js": lines(...TEN, 11) }, "Merge pull request #3 from ben/more\n\nAdd the eleventh", 2),
      merged({ "src/a.js": lines(...TEN, "11b") }, "Merge pull request #4 from ben/eleven\n\nFix the eleventh", 4),
      merged({ "src/a.js": lines(...TEN, "11b", 12) }, "Merge branch 'next'", 6),
      { day: 8, message: "Fix the twelfth", files: { "src/a.js": lines(...TEN, "11b", "12b") } },
    ]),
  ).toEqual([false, true, false, undefined, false]);
});

it("RISK-1: the past is scored by the formula, from what the base knew then", async () => {
  await using fixture = await startFixture();
  const by = ["Ben", "7+ben@users.noreply.github.com"] as const;
  const shas = land(fixture.origin, [
    FIRST,
    SECOND,
    { day: 2, message: "Add", by, files: { "src/a.js": lines(...TEN, 11, 12, 13) } },
    LATER,
  ]);
  const { changes, until } = await pastOf(fullStore(fixture.origin.directory), shas.at(-1)!);
  expect(changes.map(({ linesAdded }) => linesAdded)).toEqual([10, 2, 1]);
  const [first, second, third] = changes.map(({ points }) => points);
  // Whoever came before has experience there, a newcomer has none; and the file has a history by then.
  expect(third![4]! / third![0]!).toBeCloseTo(1, 1);
  expect(second![4]! / second![0]!).toBeLessThan(0.9);
  expect([first![2], second![2]! > 0]).toEqual([0, true]);
  expect(until).toBeGreaterThan(changes.at(-1)!.at);
});

it("RISK-1: a mirror without contents gets those that were written, in portions, and keeps what it got", async () => {
  await using fixture = await startFixture();
  const landings = TEN.map((one) => {
    const files = {
      "src/a.js": lines(...TEN.slice(0, one)),
      "package-lock.json": `{"v":${one}}\n`,
      "dist/a.js": lines(one),
    };
    return { day: one, message: one % 3 === 0 ? "Fix it" : "Add", files };
  });
  const head = land(fixture.origin, [...landings, LATER]).at(-1)!;
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [head] }));
  const portions: number[] = [];
  const goOn = async () => portions.push(1) > 0;
  const whole = await pastOf(mirrorStore(mirror), head, { limits: { portion: 3 }, goOn });
  expect(portions).toHaveLength(4);
  expect(whole).toEqual(await pastOf(fullStore(fixture.origin.directory), head));
  const asked = fixture.server.requests.length;
  expect(await pastOf(mirrorStore(mirror), head)).toEqual(whole);
  expect(fixture.server.requests).toHaveLength(asked);
  const { execFileSync } = await import("node:child_process");
  const blobs = execFileSync("git", [
    "--git-dir",
    mirror.places.gitDirectory,
    "cat-file",
    "--batch-all-objects",
    "--batch-check",
  ]);
  // Ten of the code and one of the notes; nothing of what nobody wrote.
  expect(blobs.toString().match(/ blob /g)).toHaveLength(11);
});
