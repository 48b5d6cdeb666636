import { expect, it } from "vitest";
import { noteUntried } from "../../../../src/pipeline/review/ai/note-untried.ts";

const none = async () => ({ unavailable: "The program bwrap is missing: install the package bubblewrap." });
const there = async () => ({}) as never;

it("SEC-1: says why nothing was run to show what models found, where there was something to show", async () => {
  expect(await noteUntried([{}], none)).toEqual([
    "Nothing that the AI layer found was tried, as there is no sandbox here: The program bwrap is missing: install the package bubblewrap.",
  ]);
  expect(await noteUntried([], none)).toEqual([]);
  expect(await noteUntried([{}], there)).toEqual([]);
});
