import { describe, expect, it } from "vitest";
import { ENDINGS, openingsFor, PARTS, READERS } from "./readers.ts";

/** Enough for a pattern that tries every way to never come to an end; `npm run bench:turns` measures how the others grow. */
const LENGTH = 512;

describe("a pump for every pattern that reads on the main thread (SEC-1)", () => {
  it.each(Object.keys(READERS))("%s: comes to an end on each", (name) => {
    const read = READERS[name]!;
    let texts = 0;
    for (const part of PARTS) {
      for (const opening of openingsFor(name)) {
        for (const ending of ENDINGS) {
          read(`${opening}${part.repeat(Math.ceil(LENGTH / part.length))}${ending}`);
          texts += 1;
        }
      }
    }
    expect(texts).toBeGreaterThan(150);
  });
});
