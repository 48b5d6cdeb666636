import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startScriptedModel } from "../../../simulator/models/scripted-model.ts";
import { createModels } from "../../../src/llm/create-models.ts";
import { reviewFolder } from "../../../src/pipeline/review/folder/review-folder.ts";
import { aiDependencies } from "../../hostile/model/ai-powers.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";
import { type Registry, startRegistry } from "../../workspace/test-registry.ts";

const MANIFEST = {
  name: "shop",
  version: "1.0.0",
  scripts: { test: "node --test" },
  dependencies: { traced: "1.0.0" },
};

/** Reviews a folder in which nobody installed anything, with a model that opens a package. */
async function review({ host }: Pick<Registry, "host">) {
  const [folder, scratchRoot] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, "src/total.js"), "export const total = (items) => items.length;\n");
  const looks = { calls: [{ name: "read_package", input: { name: "traced" } }] };
  const done = { calls: [{ name: "complete", input: { summary: "Counts.", findings: [] } }] };
  const model = await startScriptedModel([looks, done]);
  try {
    const models = await createModels({
      anthropic: { apiKey: "a-key-for-tests-only", baseUrl: model.anthropicUrl },
      ...{ toolCalling: "native", prices: {} },
    });
    if (!models.configured) throw new Error(models.reason);
    const env = { npm_config_registry: `http://${host}`, npm_config_fetch_retries: "0" };
    const { coverage } = await reviewFolder({
      ...{ folder, all: true, scratchRoot, signal: new AbortController().signal },
      ai: {
        dependencies: { ...aiDependencies(models.fast[0]), models },
        packages: { root: temporaryFolder(), maxBytes: 1e9, registries: [host], env },
      },
    });
    return { notes: coverage.notes, answer: JSON.stringify(model.asked[1]?.messages.at(-1)) };
  } finally {
    await model.stop();
  }
}

describeInSandbox("OPS-1, REV-4a: packages of a folder that is reviewed", () => {
  it("are installed beside it where nobody did", async () => {
    const { notes, answer } = await review(await startRegistry());
    expect(answer).toContain(String.raw`{\"version\":\"1.0.0\"}`);
    expect(notes).toContainEqual(expect.stringContaining("there is no lock file"));
  });

  it("that cannot be had are named", async () => {
    const { notes, answer } = await review({ host: "127.0.0.1:1" });
    expect(answer).toContain("No packages are installed here");
    expect(notes).toContainEqual(expect.stringMatching(/^The packages of the repository could not be installed, /));
  });
});
