import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBlocking } from "../../../src/domain/findings.ts";
import { createModels } from "../../../src/llm/create-models.ts";
import { type FolderReview, reviewFolder } from "../../../src/pipeline/review/folder/review-folder.ts";
import { useRawServer } from "../../llm/raw-server.ts";
import { aiDependencies } from "./ai-powers.ts";
import { CASES, type Case } from "./bad-replies.ts";

const CODE = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  if (sum == "") return 1;
  return sum;
}
`;
/** What the analysers find in it, whatever a model says. */
const FOUND = "biome/suspicious/noDoubleEquals";

interface Place {
  readonly server: ReturnType<typeof useRawServer>;
  readonly folder: string;
  readonly scratchRoot: string;
}

async function review({ answers, streaming, timeoutMs, limitUsd }: Case, { server, folder, scratchRoot }: Place) {
  server.answer(...answers);
  const models = await createModels({
    anthropic: { apiKey: "a-key-for-tests-only", baseUrl: server.url() },
    toolCalling: "native",
    prices: {},
    ...(timeoutMs ? { timeoutMs } : {}),
  });
  if (!models.configured) throw new Error(models.reason);
  const dependencies = { ...aiDependencies(models.fast[0]), models };
  const spend = dependencies.spend;
  const used: { scope: "phase"; key: string; limitUsd: number }[] = [];
  const watching: typeof spend = {
    ...spend,
    reserve: async (call) => {
      const limits = call.limits.map((limit) => (limitUsd === undefined ? limit : { ...limit, limitUsd }));
      used.push(...(limits as typeof used));
      return spend.reserve({ ...call, limits });
    },
  };
  const reviewed = await reviewFolder({
    ...{ folder, all: true, scratchRoot, signal: new AbortController().signal },
    ai: {
      dependencies: { ...dependencies, spend: watching },
      packages: { root: join(scratchRoot, "packages"), maxBytes: 1e9, registries: [] },
      ...(streaming ? { onEvent: () => {} } : {}),
    },
  });
  // Spent and reserved: what is still reserved would stand above what was paid.
  const standing = used[0] ? (await spend.used())(used[0]) : 0;
  return { reviewed, standing, slept: dependencies.slept };
}

function layerOf({ coverage }: FolderReview) {
  return coverage.layers.find(({ layer }) => layer === "ai");
}

/** Reviews with a model that gives the replies of these names, as tests. */
export function tryReplies(names: readonly string[]): void {
  const server = useRawServer();
  let place: Place;
  beforeAll(() => {
    const [folder, scratchRoot] = ["", "scratch-"].map((name) => mkdtempSync(join(tmpdir(), `forge-replies-${name}`)));
    place = { server, folder: folder!, scratchRoot: scratchRoot! };
    mkdirSync(join(place.folder, "src"));
    writeFileSync(join(place.folder, "src/total.js"), CODE);
  });
  afterAll(() => {
    for (const each of [place.folder, place.scratchRoot]) rmSync(each, { recursive: true });
  });

  describe("a review whose model answers with", () => {
    it.each(names)("LLM-1: %s: ends, keeps what the analysers found, and is never green", async (name) => {
      const expected = CASES[name]!;
      const { reviewed, standing, slept } = await review(expected, place);
      const layer = layerOf(reviewed);
      expect(layer).toMatchObject({ state: expected.state });
      if (expected.reason) expect(layer?.reason).toMatch(expected.reason);
      expect(layer?.reason ?? "").not.toContain("a-key-for-tests-only");
      expect((layer?.reason ?? "").length).toBeLessThan(600);
      expect(reviewed.findings.map(({ rule }) => rule).sort()).toEqual([...(expected.found ?? []), FOUND].sort());
      // Whatever it claims, nothing has shown it.
      for (const finding of reviewed.findings) if (finding.source === "ai") expect(isBlocking(finding)).toBe(false);
      expect(reviewed.verdict.conclusion).toBe(expected.state === "ran" ? "neutral" : "action_required");
      expect(server.requests.length).toBe(expected.requests);
      expect(slept).toEqual(expected.slept ?? []);
      // Each call is rounded up to a millionth.
      const rounded = standing - reviewed.ai!.cost.usd;
      expect(rounded).toBeGreaterThan(-1e-9);
      expect(rounded).toBeLessThan(expected.abandoned ? 0.01 : 1e-6 * expected.requests + 1e-9);
      expect(standing > 0).toBe(expected.free !== true);
    });
  });
}
