import { describe, expect, it } from "vitest";
import { externalIdFor, findMarker, markerFor } from "../../src/github/marker.ts";

const review = { kind: "review.post", key: "pull_request:1:7/abc/review.post/d1" };

describe("GH-13: the marker of a write", () => {
  it("is a comment that is the same every time and fits a check-run's external id", () => {
    expect(markerFor(review, "s")).toBe(markerFor(review, Buffer.from("s")));
    expect(markerFor(review, "s")).toMatch(/^<!-- forge:review\.post:[0-9a-f]{12}:[0-9a-f]{32} -->$/);
    expect(externalIdFor(review, "s")).toMatch(/^forge:review\.post:[0-9a-f]{12}:[0-9a-f]{32}$/);
  });

  it("is found in a longer text", () => {
    expect(findMarker(`text\n${markerFor(review, "s")}\nmore`, review, "s")).toBe(true);
  });

  it("is not believed when forged, cut, or of something else", () => {
    const marker = markerFor(review, "s");
    expect(findMarker(markerFor(review, "guess"), review, "s")).toBe(false);
    expect(findMarker(marker.replace(/[0-9a-f]{32}/, "0".repeat(32)), review, "s")).toBe(false);
    expect(findMarker(marker.slice(0, -8), review, "s")).toBe(false);
    expect(findMarker(markerFor({ ...review, key: `${review.key}0` }, "s"), review, "s")).toBe(false);
    const relabelled = markerFor({ ...review, kind: "check.open" }, "s").replace("check.open", "review.post");
    expect(findMarker(relabelled, review, "s")).toBe(false);
  });
});
