import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../../src/analysis/configuration/parse-configuration.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import {
  effectiveConfiguration,
  settleConfiguration,
} from "../../../src/pipeline/runs/configuration/effective-configuration.ts";

function given(text: string) {
  const parsed = parseConfiguration(text);
  if (!parsed.ok) throw new Error(parsed.mistakes[0]?.message);
  return parsed.given;
}

describe("CONF-1: the repository over its organisation over the defaults", () => {
  it("is the defaults where nothing is said", () => {
    const { value, settings } = effectiveConfiguration({});
    expect(value).toEqual(DEFAULT_REPO_CONFIG);
    expect(new Set(settings.map(({ origin }) => origin))).toEqual(new Set(["default"]));
    expect(settings.map(({ path }) => path)).toContain("review.paths.include");
  });

  it.each([
    ["", 50],
    ["safety: { cost: { run: 80 } }", 80],
    ["safety: { cost: { run: 30 } }", 50],
    ["safety: { cost: { run: 80, subject: 20 } }", 20],
  ])("SAFE-1: all runs of an issue may cost as much as one may, unless less is configured: %s", (text, usd) => {
    expect(effectiveConfiguration({ repository: given(text) }).value.safety.cost.subject).toBe(usd);
  });

  it("joins maps key by key, replaces lists, and says where each value comes from", () => {
    const { value, settings } = effectiveConfiguration({
      organisation: given(`
review:
  drafts: true
  max_comments: 5
  paths: { exclude: [vendor], include: [src] }
  path_weights: { auth: 15, docs: 1 }
`),
      repository: given(`
review:
  max_comments: 7
  paths: { exclude: [legacy] }
  path_weights: { docs: 3 }
`),
    });
    expect(value.review).toEqual({
      ...DEFAULT_REPO_CONFIG.review,
      drafts: true,
      max_comments: 7,
      paths: { include: ["src"], exclude: ["legacy"] },
      path_weights: { auth: 15, docs: 3 },
    });
    const origins = Object.fromEntries(settings.map(({ path, origin }) => [path, origin]));
    expect(origins).toMatchObject({
      "review.on_pr": "default",
      "review.drafts": "organisation",
      "review.max_comments": "repository",
      "review.paths.include": "organisation",
      "review.paths.exclude": "repository",
      "review.path_weights.auth": "organisation",
      "review.path_weights.docs": "repository",
      "tools.analysers": "default",
    });
  });

  it("a repository can set back what its organisation changed", () => {
    const { settings } = effectiveConfiguration({
      organisation: given("review: { drafts: true }"),
      repository: given("review: { drafts: false }"),
    });
    expect(settings).toContainEqual({ path: "review.drafts", value: false, origin: "repository" });
  });
});

describe("CONF-1: a file that is wrong", () => {
  const where = "on the default branch";
  const wrong = "review:\n  drafts: maybe\n  coments: all\n";

  it("leaves its last version without a mistake in force, and says so", () => {
    expect(settleConfiguration({ text: wrong, lastGood: "review: { max_comments: 3 }\n", where })).toEqual({
      given: { review: { max_comments: 3 } },
      problem:
        "`.github/forge.yml` on the default branch is wrong, so its last version without a mistake stays in force: " +
        "line 2: `review.drafts` must be `true` or `false`. And 1 more.",
    });
  });

  it("leaves the defaults in force when it never was right, or what was right no longer is", () => {
    for (const lastGood of [undefined, wrong]) {
      const { given, problem } = settleConfiguration({ text: wrong, lastGood, where });
      expect(given).toEqual({});
      expect(problem).toContain("the defaults were used: line 2");
    }
  });

  it("that is gone counts as empty, whatever it was", () => {
    expect(settleConfiguration({ text: undefined, lastGood: "review: { drafts: true }", where })).toEqual({
      given: {},
    });
  });
});
