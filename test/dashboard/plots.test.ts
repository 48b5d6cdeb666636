import { describe, expect, it } from "vitest";
import { axisOf, fewText, meanOfText, shareText, spreadText } from "../../src/dashboard/metrics-words.ts";
import { barCell } from "../../src/dashboard/plots/bar-cell.ts";
import { linePlot } from "../../src/dashboard/plots/line-plot.ts";
import { stackedPlot } from "../../src/dashboard/plots/stacked-plot.ts";

const FRAME = { said: 'What "it" shows: 1 <of> 2', written: String, ends: ["Nov 1", "Nov 3"] } as const;
const LAYERS = [
  { mark: "hit", called: "In" },
  { mark: "rest", called: "Out" },
] as const;

const attributes = (markup: unknown, name: string) =>
  [...String(markup).matchAll(new RegExp(`<${name} ([^>]*)/>`, "g"))].map((match) => match[1]!);

describe("MET-1: plots", () => {
  it("stacks counts from the bottom up, leaves out what is nothing, and ends the axis at a round number", () => {
    const plot = String(
      stackedPlot(FRAME, LAYERS, [
        [1, 2],
        [0, 0],
        [3, 0],
      ]),
    );
    const drawn = attributes(plot.slice(plot.indexOf("<svg viewBox")), "rect");
    expect(drawn).toEqual([
      expect.stringMatching(/^class="hit" .* y="75" height="25"$/),
      expect.stringMatching(/^class="hit" .* y="25" height="75"$/),
      expect.stringMatching(/^class="rest" .* y="25" height="50"$/),
    ]);
    expect(plot).toContain("<span>4</span><span>2</span><span>0</span>");
    expect(plot).toContain('role="img" aria-label="What &quot;it&quot; shows: 1 &lt;of&gt; 2"');
  });

  it("draws a line that ends where nothing was counted, and a dot for each value", () => {
    const plot = String(linePlot(FRAME, [1, 2, undefined, 4, undefined]));
    const [line = "", ...dots] = attributes(plot, "path");
    expect(line).toBe('class="line" d="M10,75L30,50M70,0Z"');
    expect(dots).toEqual(["10,75", "30,50", "70,0"].map((at) => `class="dot" d="M${at}h0"`));
  });

  it("draws an empty plot without values", () => {
    for (const plot of [
      linePlot(FRAME, []),
      linePlot(FRAME, [0]),
      stackedPlot(FRAME, LAYERS, []),
      barCell(0, [["hit", 0]]),
    ]) {
      expect(String(plot)).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("fills a cell by the share of the largest value", () => {
    expect(
      attributes(
        barCell(8, [
          ["hit", 4],
          ["bad", 0],
          ["rest", 2],
        ]),
        "rect",
      ),
    ).toEqual([
      'class="hit" x="0%" width="50%" y="1" height="10"',
      'class="rest" x="50%" width="25%" y="1" height="10"',
    ]);
  });
});

describe("MET-1: numbers in words", () => {
  it("tell a share of few without a percentage, and say that they are few", () => {
    expect(shareText({ sum: 2, of: 3 })).toBe("2 of 3");
    expect(fewText({ of: 3 })).toBe("Only 3: one more can change this a lot.");
    expect(shareText({ sum: 1_400, of: 1_800 })).toBe("1,400 of 1,800 (78 %)");
    expect(fewText({ of: 10 })).toBeUndefined();
    expect(shareText({ sum: 0, of: 0 })).toBe("none");
  });

  it("tell a mean with what it is of", () => {
    expect(meanOfText("seconds", { sum: 360, of: 2 }, "review")).toBe("3 min, of 2 reviews");
    expect(meanOfText("usd", { sum: 0.42, of: 1 }, "run")).toBe("$0.42, of 1 run");
    expect(meanOfText("count", { sum: 0, of: 0 }, "run")).toBe("none");
  });

  it("tell how times are spread, of few without the longest", () => {
    expect(spreadText(64, 1_024, 12)).toBe(
      "This is the mean. At least half took less than 1 min 4 s, and nine of ten less than 17 min 4 s.",
    );
    expect(spreadText(64, 1_024, 3)).toBe("This is the mean. At least half took less than 1 min 4 s.");
    expect(spreadText(64, 1_024, 2)).toBeUndefined();
  });

  it.each([
    [40, "20 s"],
    [600, "5 min"],
    [20_000, "2.5 h"],
    [400_000, "2 d"],
  ])("write an axis of %i seconds in a unit of its size", (most, half) => {
    const { by, written } = axisOf("seconds", most);
    expect(written(Number.parseFloat(half))).toBe(half);
    expect(most / by).toBeLessThan(120);
    expect(written(0)).toBe("0");
  });
});
