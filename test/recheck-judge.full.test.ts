import { expect, it } from "vitest";
import { judgePattern } from "../scripts/recheck/judge-pattern.ts";

// Called linear, since it is tried at one place, such a pattern took 9 s for 64 KiB of backslashes: its scanner tried it at each of them.
it("SEC-8: a sticky pattern is judged by what it takes when it is tried at every place", async () => {
  const [sticky, global] = [await judgePattern("\\\\+x", "y"), await judgePattern("\\\\+x", "g")];
  expect(sticky).toEqual(global);
  expect(sticky.verdict).toBe("vulnerable");
  expect(await judgePattern("[a-z]{1,4}=", "y")).toMatchObject({ verdict: "safe" });
});
