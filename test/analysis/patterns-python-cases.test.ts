import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { findLineStarts, placeOf } from "../../src/analysis/source-file.ts";

const FOLDER = new URL("./patterns/python/", import.meta.url);
const read = findInsecureCode();

/** What a line says that is found in it. */
const MARK = /# found: (\S+ \w+)$/;

describe("REV-6: Python as it is written for Flask, Django, FastAPI and aiohttp", () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".py"));

  it.each(names)("%s", (name) => {
    const text = readFileSync(new URL(name, FOLDER), "utf8");
    const starts = findLineStarts(text);
    const wanted = text.split("\n").flatMap((line, at) => {
      const mark = MARK.exec(line)?.[1];
      return mark === undefined ? [] : [`${at + 1} ${mark}`];
    });
    // The name says it, too: a mark that is lost is not a file that is silent.
    expect(wanted.length > 0).toBe(name.startsWith("found-"));
    const result = read({ id: 0, text, dialect: "py" });
    if ("unread" in result) throw new Error(result.unread);
    const hits = result.hits.map(({ rule, severity, from }) => `${placeOf(starts, from).line} ${rule} ${severity}`);
    expect(hits).toEqual(wanted);
  });
});
