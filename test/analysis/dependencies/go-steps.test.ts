import { describe, expect, it } from "vitest";
import { reportsOf } from "./reports-of.ts";
import { stepsOf } from "./steps-of.ts";

/** After what Go 1.19.8 wrote and took for a module of three. */
const MOD = `module example.com/m

go 1.19

require example.com/odd v0.1.2

require (
	example.com/deep v1.0.0 // indirect
	example.com/own v0.0.0
	example.com/left v1.3.0
)

replace example.com/own => ./own

replace example.com/left => example.com/fork v1.3.1
`;
const SUM = `example.com/deep v1.0.0 h1:qBnctZa37SEws175ebZfkxvPzUxbdH1s5M+WgQhmEhc=
example.com/deep v1.0.0/go.mod h1:y44AtkxZI9V2hJ83r491Uq5qb+19QDCNdT7SXpsxM1E=
example.com/fork v1.3.1 h1:CG6FsKvVurgicO0tDTrb0+aqcYYCbSrWPI6IRU/pDnM=
example.com/fork v1.3.1/go.mod h1:/Vua/lU0iKcQXurX1Wm4HuG58SFx4Yr/hfcDj3ujbL8=
example.com/odd v0.1.2 h1:RAWMO+wGyw5na2zeaoP/bWJB6I6C4MDdLGZhsX2h6S8=
example.com/odd v0.1.2/go.mod h1:uFl8uCVdaq964ePAb6wsrd6afCNRikBB01kyWZ1BdX0=
`;

/** Without the lines that begin so. */
const without = (...starts: readonly string[]) =>
  SUM.split("\n")
    .filter((line) => !starts.some((start) => line.startsWith(start)))
    .join("\n");

describe("REV-8: go.sum is held against go.mod as Go does it", () => {
  it.each([
    ["all of it", MOD, SUM, []],
    [
      "hashes that nothing needs",
      MOD,
      `${SUM}example.com/more v1.0.0 h1:CG6FsKvVurgicO0tDTrb0+aqcYYCbSrWPI6IRU/pDnM=\n`,
      [],
    ],
    [
      "no hash of a manifest",
      MOD,
      without("example.com/deep v1.0.0/go.mod"),
      [{ name: "example.com/deep", wanted: "v1.0.0", locked: "half of its hashes" }],
    ],
    [
      "no hash of a content from which it imports",
      MOD,
      without("example.com/odd v0.1.2 "),
      [{ name: "example.com/odd", wanted: "v0.1.2", locked: "half of its hashes" }],
    ],
    ["no hash of a content that others may not need", MOD, without("example.com/deep v1.0.0 "), []],
    [
      "another version",
      MOD.replace("odd v0.1.2", "odd v0.2.0"),
      SUM,
      [{ name: "example.com/odd", wanted: "v0.2.0", locked: "v0.1.2" }],
    ],
    ["what stands in for a module", MOD, without("example.com/fork"), [{ name: "example.com/fork", wanted: "v1.3.1" }]],
  ])("%s", (_, mod, sum, drifts) => {
    expect(stepsOf(mod, "go.sum", sum).drifts).toEqual(drifts);
  });

  it("is reported at the line that requires the module, and not within a workspace", async () => {
    const files = { "go.sum": SUM, "go.mod": MOD.replace("odd v0.1.2", "odd v0.2.0") };
    expect(await reportsOf(files, ["go.mod"])).toEqual(["go.mod:5 example.com/odd"]);
    const workspace = { ...files, "go.work": "go 1.19\n\nuse .\n" };
    await expect(reportsOf(workspace, ["go.mod"])).resolves.toEqual([]);
  });
});
