import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Analyser } from "../../src/analysis/analyser.ts";
import { openAnalysisCache } from "../../src/analysis/open-analysis-cache.ts";
import type { Observation } from "../../src/domain/findings.ts";
import { analyse, scratchFolder } from "./change-of.ts";

const observation = (file: string, message = "x"): Observation => ({
  source: "static",
  rule: "probe/rule",
  severity: "info",
  category: "style",
  file,
  line: 1,
  endLine: 1,
  message,
  confidence: 0.5,
});
const key = (digit: number) => digit.toString(16).padStart(64, "0");

/** An analyser that counts what it reads and says one thing about each file. */
function probe(extra: Partial<Analyser> = {}): { analyser: Analyser; read: string[] } {
  const read: string[] = [];
  const analyser: Analyser = {
    name: "probe",
    version: "1",
    layer: "static",
    readsFilesAlone: true,
    appliesTo: () => true,
    analyse: async (files) => {
      read.push(...files.map(({ path }) => path));
      return { observations: files.map(({ path }) => observation(path)), filesRead: files.length, problems: [] };
    },
    ...extra,
  };
  return { analyser, read };
}

describe("the cache of analyses", () => {
  it("REV-1: reads after a push only the files that it touched, and says the same", async () => {
    const cache = openAnalysisCache(scratchFolder());
    const { analyser, read } = probe();
    const first = await analyse({ "a.js": "a();\n", "b.js": "b();\n" }, { analysers: [analyser], cache });
    const second = await analyse({ "a.js": "a();\n", "b.js": "b(1);\n" }, { analysers: [analyser], cache });
    expect(read).toEqual(["a.js", "b.js", "b.js"]);
    expect([first.cache, second.cache]).toEqual([
      { hits: 0, misses: 2 },
      { hits: 1, misses: 1 },
    ]);
    expect(second.observations.map(({ file }) => file)).toEqual(["a.js", "b.js"]);
    expect(second.coverage.layers[0]?.tools).toEqual([{ name: "probe", version: "1", files: 2 }]);
  });

  it("counts no reading of an analyser that did not run", async () => {
    const cache = openAnalysisCache(scratchFolder());
    const nothing = { observations: [], filesRead: 0, problems: [] };
    const { analyser } = probe({ analyse: async () => ({ ...nothing, idle: true, notes: ["too much at once"] }) });
    const { cache: counts } = await analyse({ "a.js": "a();\n" }, { analysers: [analyser], cache });
    expect(counts).toEqual({ hits: 0, misses: 0 });
  });

  it("takes no other path, version, old text or set of added lines for the same", async () => {
    const cache = openAnalysisCache(scratchFolder());
    const { analyser, read } = probe();
    const options = { analysers: [analyser], cache };
    await analyse({ "a.js": "a();\nb();\n" }, options);
    await analyse({ "test/a.js": "a();\nb();\n" }, options);
    await analyse({ "a.js": ["a();\nb();\n", "a();\n"] }, options);
    await analyse({ "a.js": ["a();\nb();\n", "b();\n"] }, options);
    await analyse({ "a.js": "a();\nb();\n" }, { ...options, analysers: [{ ...analyser, version: "2" }] });
    await analyse({ "a.js": "a();\nb();\n" }, { ...options, analysers: [{ ...analyser, name: "other" }] });
    expect(read).toHaveLength(6);
  });

  it("keeps nothing of a file that was not read whole, of a fix, or of an analyser that reads files together", async () => {
    const fix = { file: "a.js", startLine: 1, endLine: 1, before: "private();", after: "" };
    const folder = scratchFolder();
    const cache = openAnalysisCache(folder);
    const results = [
      { problems: [{ file: "a.js", reason: "it hangs", gap: true }], observations: [] },
      { problems: [{ reason: "it hangs", gap: true }], observations: [] },
      { problems: [], observations: [{ ...observation("a.js"), fix }] },
      { problems: [], observations: [], notes: ["not installed"] },
    ];
    for (const result of results) {
      const { analyser } = probe({ analyse: async () => ({ filesRead: 0, ...result }) });
      await analyse({ "a.js": "private();\n" }, { analysers: [analyser], cache });
      const again = await analyse({ "a.js": "private();\n" }, { analysers: [analyser], cache });
      expect(again.cache).toEqual({ hits: 0, misses: 1 });
    }
    const together = probe({ readsFilesAlone: false });
    await analyse({ "a.js": "private();\n" }, { analysers: [together.analyser], cache });
    await analyse({ "a.js": "private();\n" }, { analysers: [together.analyser], cache });
    expect(together.read).toHaveLength(2);
    expect(() => readFileSync(join(folder, "analysis.jsonl"))).toThrow();
  });

  it("survives a restart, and entries that are corrupt, foreign or another's", async () => {
    const folder = scratchFolder();
    await openAnalysisCache(folder).put(key(1), [observation("a.js")]);
    const line = readFileSync(join(folder, "analysis.jsonl"), "utf8");
    appendFileSync(
      join(folder, "analysis.jsonl"),
      `${line.slice(0, 90)}\n["${key(2)}",{}]\n["${key(3)}",[{"rule":1}]]\nnonsense\n["${key(4)}",[`,
    );
    const cache = openAnalysisCache(folder);
    expect(await cache.get(key(2))).toBeUndefined();
    expect(await cache.get(key(3))).toBeUndefined();
    expect(await cache.get(key(4))).toBeUndefined();
    await cache.put(key(5), []);
    expect(await openAnalysisCache(folder).get(key(5))).toEqual([]);
    writeFileSync(join(folder, "analysis.jsonl"), line);
    expect(await openAnalysisCache(folder).get(key(1))).toEqual([observation("a.js")]);
  });

  it("stays below its limit, and what was used last stays longest", async () => {
    const folder = scratchFolder();
    const cache = openAnalysisCache(folder, 10_000);
    for (let digit = 0; digit < 200; digit += 1) {
      await cache.put(key(digit), [observation("a.js")]);
      await cache.get(key(0));
      expect(statSync(join(folder, "analysis.jsonl")).size).toBeLessThanOrEqual(10_000);
    }
    expect(await cache.get(key(0))).toBeDefined();
    expect(await cache.get(key(1))).toBeUndefined();
    expect(await openAnalysisCache(folder, 10_000).get(key(199))).toBeDefined();
  });

  it("costs no review when its folder cannot be written", async () => {
    const file = join(scratchFolder(), "a file");
    writeFileSync(file, "");
    const cache = openAnalysisCache(join(file, "cache"));
    const { analyser } = probe();
    const result = await analyse({ "a.js": "a();\n" }, { analysers: [analyser], cache });
    expect(result.observations).toHaveLength(1);
  });
});
