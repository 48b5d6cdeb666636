import { describe, expect, it } from "vitest";
import { checkPlaces } from "../../../src/pipeline/ai/checked-places.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/a.ts": "1\n2\n3\n",
  "app/[id]/page (old).tsx": "1\n2",
  Makefile: "all:\n",
  "empty.py": "",
};
const files = {
  list: async () => ({ ok: true, paths: Object.keys(FILES), truncated: false }) as const,
  readMany: async (paths: readonly string[]) =>
    // A file that is too large to be read is left out.
    new Map(paths.filter((path) => path !== "empty.py").map((path) => [path, Buffer.from(FILES[path] ?? "")])),
};
const check = (answer: string, shown?: (path: string) => string) =>
  checkPlaces(answer, files, new AbortController().signal, shown);

describe("CLI-6: places in an answer", () => {
  it.each([
    ["Look at `src/a.ts:3`, src/a.ts:1-2 and (src/a.ts:1,3).", ["src/a.ts:3", "src/a.ts:1"]],
    ['`./src/a.ts:2:14` and "Makefile:1"', ["src/a.ts:2", "Makefile:1"]],
    ["`parse(text), src/a.ts:3`", ["src/a.ts:3"]],
    ["`parse(text, {a:1}) in app/[id]/page (old).tsx:2`", ["app/[id]/page (old).tsx:2"]],
    ["`node:24 reads (src/a.ts:3)`", ["src/a.ts:3"]],
    ["from=src/a.ts:3", ["src/a.ts:3"]],
    ["**src/a.ts:2** and *Makefile:1*", ["src/a.ts:2", "Makefile:1"]],
    ["`app/[id]/page (old).tsx:2`", ["app/[id]/page (old).tsx:2"]],
  ])("leaves what is there: %s", async (answer, places) => {
    const checked = await check(answer);
    expect(checked.text).toBe(answer.replace("./", ""));
    expect(checked.places.map(({ path, line }) => `${path}:${line}`)).toEqual(places);
    expect(checked.missing).toBe(0);
  });

  it.each([
    ["at `src/a.ts:4`", "at `src/a.ts` (no line 4)"],
    ["at src/a.ts:2-9.", "at src/a.ts (no line 9)."],
    ["at `src/a.ts:0`", "at `src/a.ts` (no line 0)"],
    ["at `src/b.ts:1` and lib/none.xyz:7", "at `src/b.ts` (no such file) and lib/none.xyz (no such file)"],
    ["at `../../etc/passwd.py:1`", "at `../../etc/passwd.py` (no such file)"],
    ["at `/etc/hosts.yml:1`", "at `/etc/hosts.yml` (no such file)"],
    ["at `src/a.ts#L4` and src/a.ts:L9", "at `src/a.ts` (no line 4) and src/a.ts (no line 9)"],
    ["at src/a.ts#L1-L9", "at src/a.ts (no line 9)"],
    ["at `parse(x), src/a.ts:4`", "at `parse(x),` `src/a.ts` (no line 4)"],
    ["at `parse(x), src/gone.ts:4`", "at `parse(x),` `src/gone.ts` (no such file)"],
    ["at `src/a.ts:4:2 throws`", "at `src/a.ts` (no line 4) `throws`"],
    ["at `docs/my file.md:1`", "at `docs/my file.md` (no such file)"],
    ["at `app/(group)/page.tsx:1`", "at `app/(group)/page.tsx` (no such file)"],
    ["at `empty.py:1`", "at `empty.py` (line not checked)"],
  ])("never leaves as a place what is not there, or was not looked up: %s", async (answer, text) => {
    expect(await check(answer)).toMatchObject({ text, places: [] });
  });

  it.each([
    "http://127.0.0.1:3000/a.ts:1",
    "127.0.0.1:80",
    "localhost:3000",
    "12:30",
    "a ratio of 3:1",
    "`{a:1}`",
    "node:24",
  ])("takes no address, time or ratio for a place: %s", async (answer) =>
    expect(await check(answer)).toEqual({ text: answer, places: [], missing: 0 }),
  );

  it("reads places as GitHub links them, and writes them in one way", async () => {
    const checked = await check("`src/a.ts#L2-L3` and src/a.ts:L1");
    expect(checked).toMatchObject({ text: "`src/a.ts:2-3` and src/a.ts:1", missing: 0 });
  });

  it.each([
    ["src/a.ts:1,Makefile:1", "src/a.ts:1,Makefile:1", ["src/a.ts:1", "Makefile:1"], 0],
    ["`src/a.ts:1-2 and ./Makefile:1`", "`src/a.ts:1-2` and `Makefile:1`", ["src/a.ts:1", "Makefile:1"], 0],
    ["`src/a.ts:2:7 -> src/a.ts:3:1`", "`src/a.ts:2:7` -> `src/a.ts:3:1`", ["src/a.ts:2", "src/a.ts:3"], 0],
    ["src/a.ts:1,Makefile:9.", "src/a.ts:1,Makefile (no line 9).", ["src/a.ts:1"], 1],
    ["`src/a.ts:9:2, Makefile:1`", "`src/a.ts` (no line 9), `Makefile:1`", ["Makefile:1"], 1],
    [
      "`src/b.ts:1; src/c.ts:2; src/a.ts:3`",
      "`src/b.ts` (no such file); `src/c.ts` (no such file); `src/a.ts:3`",
      ["src/a.ts:3"],
      2,
    ],
    ["`src/a.ts:1 is where it begins`", "`src/a.ts:1 is where it begins`", ["src/a.ts:1"], 0],
  ])("looks up each place of one word: %s", async (answer, text, places, missing) => {
    const checked = await check(answer);
    const found = checked.places.map(({ path, line }) => `${path}:${line}`);
    expect({ ...checked, places: found }).toEqual({ text, places, missing });
  });

  it("says of no file that it is not there where the list of files was cut", async () => {
    const cut = { ...files, list: async () => ({ ok: true, paths: ["src/a.ts"], truncated: true }) as const };
    const checked = await checkPlaces("`src/b.ts:1`", cut, new AbortController().signal);
    expect(checked.text).toBe("`src/b.ts` (file not checked)");
  });

  it("shows paths as the reader can open them, and each place once", async () => {
    const checked = await check("`src/a.ts:1` `src/a.ts:1` `src/a.ts:99`", (path) => `../shop/${path}`);
    expect(checked).toEqual({
      text: "`../shop/src/a.ts:1` `../shop/src/a.ts:1` `../shop/src/a.ts` (no line 99)",
      places: [{ path: "src/a.ts", line: 1 }],
      missing: 1,
    });
  });
});
