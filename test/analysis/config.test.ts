import { describe, expect, it } from "vitest";
import { config } from "../../src/analysis/analysers/config.ts";
import { CONFIGURATION_PATH, DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import { analyse, sourceFile } from "./change-of.ts";

async function places(head: string, base?: string): Promise<string[]> {
  const context = { signal: new AbortController().signal, scratch: "" };
  const { observations } = await config.analyse([sourceFile(CONFIGURATION_PATH, head, base)], context);
  return observations.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe("CONF-1: the configuration of a pull request", () => {
  it("looks at nothing but the configuration", () => {
    const applies = (path: string) => config.appliesTo(sourceFile(path, "a: 1\n"));
    expect([CONFIGURATION_PATH, "forge.yml", ".github/workflows/forge.yml"].map(applies)).toEqual([true, false, false]);
  });

  it("reports each mistake on its line, as an error", async () => {
    expect(await places("review:\n  drafts: 1\n  coments: all\n")).toEqual([
      "2:3 `review.drafts` must be `true` or `false`: write `drafts: true`.",
      "3:3 `review.coments` is not a known setting. Did you mean `review.comments`?",
    ]);
    expect(await places("review:\n  drafts: true\n")).toEqual([]);
  });

  it("moves a mistake that shows beside the change to the line that makes it", async () => {
    const base = "review:\n  drafts: true\n  comments: all\n";
    expect(await places("review: [\n  drafts: true\n  comments: all\n", base)).toEqual([
      "1:1 The `[` in this line is never closed.",
    ]);
  });

  it("leaves a mistake where it was when the change did not make it", async () => {
    const base = "review:\n  draft: true\n  comments: all\n";
    const [place] = await places("review:\n  draft: true\n  comments: none\n", base);
    expect(place).toMatch(/^2:3 /);
  });

  it("is not silenced by what the configuration leaves out of review", async () => {
    const paths = { include: ["src"], exclude: [".github"] };
    const configuration = { ...DEFAULT_REPO_CONFIG, review: { ...DEFAULT_REPO_CONFIG.review, paths } };
    const { observations } = await analyse({ [CONFIGURATION_PATH]: "nonsense: 1\n" }, { configuration });
    expect(observations.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(["config/invalid error"]);
  });
});
