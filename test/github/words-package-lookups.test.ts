import { describe, expect, it } from "vitest";
import { reviewAsText } from "../../src/cli/review-text.ts";
import type { PackageLookups, Unasked } from "../../src/domain/review-report.ts";
import { Unasked as Reasons } from "../../src/domain/review-report.ts";
import { packageLookups } from "../../src/github/words/check/package-lookups.ts";
import type { FolderReview } from "../../src/pipeline/review/folder/review-folder.ts";

const SILENT = "the advisory service did not answer (status 503)";
const left = (why: Unasked, count: number, detail?: string) => ({ why, count, ...(detail ? { detail } : {}) });
const said = (unasked: PackageLookups["unasked"], asked = 0) => packageLookups({ asked, unasked });

describe("REV-8: the words for packages that were looked up, and that were not", () => {
  it("say all of it in two sentences", () => {
    expect(packageLookups({ asked: 1, unasked: [] })).toBe("looked up 1 package that this change adds or updates.");
    expect(packageLookups({ asked: 1_200, mirrored: 3, unasked: [left("git", 1), left("range", 2)] })).toBe(
      "looked up 1,200 packages that this change adds or updates (3 of them by name: from a registry that is not public). Not looked up: 1 package from git, which no advisory names; 2 version ranges without a lock file that Forge reads.",
    );
    expect(packageLookups({ asked: 2, mirrored: 2, unasked: [] })).toContain("(all by name: from a registry");
    expect(said([left("unconfigured", 2)])).toBe(
      "looked up no package that this change adds or updates. Not looked up: 2 packages: no advisory service is configured.",
    );
  });

  it("say which names registries were asked about", () => {
    const told = (registries: PackageLookups["registries"]) =>
      packageLookups({ asked: 1, unasked: [], registries }).slice(
        "looked up 1 package that this change adds or updates. ".length,
      );
    expect(told({ asked: 1, missing: 0, unasked: [] })).toBe(
      "Registries were asked whether 1 package exists: it does.",
    );
    expect(told({ asked: 1_200, missing: 0, unasked: [] })).toBe(
      "Registries were asked whether 1,200 packages exist: all do.",
    );
    const unasked = [
      { why: "private", count: 1 },
      { why: "scope", count: 2 },
      { why: "ecosystem", count: 3, detail: "Go, Maven" },
      { why: "limit", count: 4 },
      { why: "unanswered", count: 5, detail: "the registry of npm gave no answer (status 503)" },
    ] as const;
    expect(told({ asked: 3, missing: 2, unasked: [...unasked] })).toBe(
      "Registries were asked whether 3 packages exist: 2 do not. Not asked about: 1 package that may come from a private registry or another place; 2 packages with a scope, whose registry no file names; 3 packages of Go, Maven, whose registries are not asked; 4 packages above the limit of one review; 5 packages: the registry of npm gave no answer (status 503).",
    );
  });

  it.each<[Unasked, string, string?]>([
    ["git", "2 packages from git, which no advisory names"],
    ["url", "2 packages from addresses of their own"],
    ["file", "2 packages from files"],
    ["link", "2 packages of this repository itself"],
    ["range", "2 version ranges without a lock file that Forge reads"],
    ["unsaid", "2 packages whose version the manifest does not say"],
    ["limit", "2 packages above the limit of one review"],
    ["ecosystem", "2 packages of PyPI, Go, which the advisory service does not cover", "PyPI, Go"],
    ["unanswered", "2 packages: the advisory service did not answer (status 503)", SILENT],
    ["unconfigured", "2 packages: no advisory service is configured"],
    ["lines", "what 2 files say in lines that Forge cannot read"],
    ["files", "what 2 files name that Forge cannot read"],
  ])("give the reason %s", (why, text, detail) => {
    expect(said([left(why, 2, detail)], 1)).toContain(` Not looked up: ${text}.`);
    expect(Reasons.options).toContain(why);
  });

  it("are the same on the terminal", () => {
    const packages: PackageLookups = { asked: 2, unasked: [left("link", 1)] };
    const coverage = {
      files: 1,
      filesCovered: 1,
      addedLinesCovered: 1,
      uncovered: [],
      layers: [],
      notes: [],
      packages,
    };
    const verdict = { outcome: "passed", open: { critical: 0, error: 0, warning: 0, info: 0 }, blocking: 0 };
    const reviewed = { findings: [], beyondLimit: 0, coverage, verdict, frames: {} } as unknown as FolderReview;
    const text = reviewAsText(reviewed, { colors: false, info: false });
    expect(text.split("\n")[0]).toBe(`Known vulnerabilities: ${packageLookups(packages)}`);
  });
});
