import { describe, expect, it } from "vitest";
import { limitsOf } from "../../src/safety/write-budget.ts";

const said = (write: Parameters<typeof limitsOf>[0]) =>
  limitsOf(write).map(({ of, withinMs, most }) => `${most} ${of} in ${withinMs / 60_000} min`);

describe("the write budget of an installation", () => {
  it("holds content to GitHub's limits of content and of points", () => {
    const content = { content: true, courtesy: false };
    expect(said(content)).toEqual(["80 content in 1 min", "500 content in 60 min", "180 any in 1 min"]);
  });

  it("holds check-runs to the points alone", () => {
    expect(said({ content: false, courtesy: false })).toEqual(["180 any in 1 min"]);
  });

  it("leaves a quarter of each to what people wait for", () => {
    const courtesy = { content: true, courtesy: true };
    expect(said(courtesy)).toEqual(["60 content in 1 min", "375 content in 60 min", "135 any in 1 min"]);
  });
});
