import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import { fullStore, mirrorStore } from "../../../src/workspace/git-store.ts";
import { expectOk, startFixture } from "../../workspace/fixture.ts";
import { DAY_MS, type Landing, land, pastOf, START } from "./past-changes.ts";

const text = (...words: readonly string[]) => `${words.map((word) => `const ${word} = "${word}";`).join("\n")}\n`;
const ADDED: Landing = { day: 0, message: "Add", files: { "a.js": text("one", "two", "three") } };
const MENDED: Landing = { day: 3, message: "Fix two", files: { "a.js": text("one", "second", "three") } };

async function past(landings: readonly Landing[], more: Parameters<typeof pastOf>[2] = {}) {
  await using fixture = await startFixture();
  const shas = land(fixture.origin, landings);
  const { changes, until } = await pastOf(fullStore(fixture.origin.directory), shas.at(-1)!, more);
  return {
    shas,
    until,
    changes,
    mended: changes.filter((one) => one.mendedAt !== undefined).map(({ sha }) => shas.indexOf(sha)),
  };
}

it("RISK-1: messages of 100,000 characters end the list early, and what was read until then counts", async () => {
  const long = Array.from({ length: 30 }, (_, at): Landing => {
    return { day: at, message: `Add\n\n${"fix ".repeat(25_000)}`, files: { [`${at}.js`]: text(`v${at}`) } };
  });
  const { changes, shas } = await past(long, { limits: { listBytes: 1_000_000 } });
  expect(changes.length).toBeGreaterThanOrEqual(5);
  expect(changes.length).toBeLessThanOrEqual(10);
  expect(changes.at(-1)!.sha).toBe(shas.at(-1));
});

it("RISK-1: clocks that go back or far ahead do not move the other changes", async () => {
  const calm = (day: number): Landing => ({ day, message: "Add", files: { [`${day}.js`]: text(`v${day}`) } });
  const days = [1, 2, 4, 5, 6, 7, 8];
  const { changes, mended } = await past([
    ADDED,
    calm(1),
    { ...calm(2), day: -9_000 },
    MENDED,
    ...days.slice(2).map(calm),
    { ...calm(9), day: 30_000 },
    ...[10, 11, 12, 13].map(calm),
  ]);
  expect(mended).toEqual([0]);
  const times = changes.map(({ at }) => (at - START) / DAY_MS);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(Math.max(...times)).toBeLessThanOrEqual(13);
});

it("RISK-1: a history that was rewritten is read anew from its head, and nothing of the old one is left", async () => {
  await using fixture = await startFixture();
  const [, old] = land(fixture.origin, [ADDED, MENDED]);
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [old!] }));
  expect(
    (await pastOf(mirrorStore(mirror), old!)).changes.filter(({ mendedAt }) => mendedAt !== undefined),
  ).toHaveLength(1);
  fixture.origin.git("update-ref", "-d", "refs/heads/main");
  const [, now] = land(fixture.origin, [ADDED, { ...MENDED, message: "Improve two" }]);
  expectOk(await fetchCommits(mirror, { shas: [now!] }));
  const { changes } = await pastOf(mirrorStore(mirror), now!);
  expect(changes.map(({ mendedAt }) => mendedAt)).toEqual([undefined, undefined]);
});

it("RISK-1: binary files, submodules, huge files and strange names are counted, and their lines are not known", async () => {
  const huge = `${"x();\n".repeat(200_000)}`;
  const strange = { '"a\\"b\\tc.js"': text("one"), '"caf\\303\\251.js"': text("one"), '"\\377.js"': text("one") };
  const first: Landing = {
    day: 0,
    message: "Add",
    files: {
      ...strange,
      "a.js": text("one"),
      "b.bin": randomBytes(1_000),
      lib: { submodule: "1".repeat(40) },
      "h.js": huge,
    },
  };
  const fix: Landing = {
    day: 1,
    message: "Fix all",
    files: {
      ...strange,
      '"caf\\303\\251.js"': text("two"),
      "b.bin": randomBytes(900),
      lib: { submodule: "2".repeat(40) },
      "h.js": "y();\n",
    },
  };
  const { changes, mended } = await past([first, fix]);
  expect(changes).toHaveLength(2);
  expect(changes[0]!.linesAdded).toBeLessThan(10);
  expect(mended).toEqual([0]);
});

it("RISK-1: a change of more files than the limit is passed over, and its lines are nobody's", async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.js`, text(`v${at}`)]));
  const after = { day: 2, message: "Fix it", files: { "3.js": text("other"), "a.js": text("one") } };
  const { changes, mended, shas } = await past([ADDED, { day: 1, message: "Add", files: many }, after], {
    limits: { files: 20 },
  });
  expect(changes.map(({ sha }) => shas.indexOf(sha))).toEqual([0, 2]);
  expect(mended).toEqual([0]);
});

it("RISK-1: a patch above the limit is passed over, and the older ones are read all the same", async () => {
  const wide = {
    day: 1,
    message: "Add",
    files: { "wide.js": text(...Array.from({ length: 2_000 }, (_, at) => `w${at}`)) },
  };
  const { changes, shas } = await past([ADDED, wide, MENDED], { limits: { portionBytes: 20_000 } });
  expect(changes.map(({ sha }) => shas.indexOf(sha))).toEqual([0, 2]);
});

it("RISK-1: contents that the server does not have any more cost their changes and no others, and never the mirror", async () => {
  await using fixture = await startFixture();
  const lost = { day: 1, message: "Add", files: { "lost.js": text("lost") } };
  const shas = land(fixture.origin, [ADDED, lost, MENDED]);
  const blob = fixture.origin.git("rev-parse", `${shas[1]}:lost.js`);
  const { directory } = fixture.origin;
  const loose = join(directory, "objects", blob.slice(0, 2), blob.slice(2));
  const before = await pastOf(fullStore(directory), shas[2]!);
  expect(before.changes).toHaveLength(3);
  rmSync(loose);
  const { changes } = await pastOf(fullStore(directory), shas[2]!);
  expect(changes.map(({ sha }) => shas.indexOf(sha))).toEqual([0, 2]);
  expect(changes[0]!.mendedAt).toBeDefined();
});

it("RISK-1: lines that look like the heads of a patch or of a commit are lines", async () => {
  const poison = ["diff --git a/x.js b/x.js", "--- a/x.js", "+++ b/x.js", "@@ -1,3 +1,9 @@", "commit 0000", ""].join(
    "\n",
  );
  const { changes, mended } = await past([
    ADDED,
    { day: 1, message: `Add\n\n${poison}`, files: { "x.js": poison } },
    { day: 2, message: "Improve", files: { "x.js": poison.replaceAll("x.js", "y.js") } },
    MENDED,
  ]);
  expect(changes).toHaveLength(4);
  expect(mended).toEqual([0]);
});

it("RISK-1: a head that is no object id is refused, and reading ends when it is stopped", async () => {
  await using fixture = await startFixture();
  const [sha] = land(fixture.origin, [ADDED]);
  const store = fullStore(fixture.origin.directory);
  await expect(pastOf(store, "--upload-pack=touch /tmp/x")).rejects.toThrow(/revision|object/i);
  await expect(pastOf(store, sha!, { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(/stopped/);
});
