import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfiguration } from "../src/analysis/configuration/parse-configuration.ts";

const read = (path: string) => readFileSync(path, "utf8");
const settings = JSON.parse(read("package.json")) as { version: string; license: string; files: string[] };

describe("DOC-1: what a project has", () => {
  it("a license that is the one of the package", () => {
    expect(settings.license).toBe("Apache-2.0");
    expect(read("LICENSE")).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  });

  it("settings for its own reviews that Forge accepts", () => {
    expect(parseConfiguration(read(".github/forge.yml"))).toMatchObject({ ok: true });
    const { review } = parse(read(".github/forge.yml")) as Record<string, Record<string, string[]>>;
    const named = [review!.protected_paths, Object.keys(review!.path_weights!)].flat();
    const folders = named.map((glob) => glob!.replace("/**", ""));
    expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
  });

  it("a workflow that runs all of CI, with actions that are pinned", () => {
    const { jobs } = parse(read(".github/workflows/ci.yml")) as Workflow;
    expect(jobs.check.steps.map(({ run }) => run)).toContain(".ci/run");
    expect(read(".ci/run")).toContain('\n"$node" .ci/review.ts\n');
    const uses = jobs.check.steps.flatMap((step) => step.uses ?? []);
    expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it("owners to be named, of paths that are there", () => {
    const rows = read(".github/CODEOWNERS").split("\n");
    // GitHub does not read the rows of the template: a team that does not exist owns nothing.
    expect(rows.filter((row) => row !== "" && !row.startsWith("#"))).toEqual([]);
    const paths = rows.flatMap((row) => /^# \/(\S+)/.exec(row)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("forms for issues with what GitHub requires of them", () => {
    const folder = ".github/ISSUE_TEMPLATE";
    const forms = readdirSync(folder).map((name) => parse(read(join(folder, name))) as Form);
    expect(forms.length).toBe(3);
    for (const { name, description, body } of forms) {
      expect([name, description, body.some(({ id }) => id !== undefined)]).toEqual([
        expect.any(String),
        expect.any(String),
        true,
      ]);
    }
  });

  it("a changelog with the version of the package, and every file that the package names", () => {
    expect(read("CHANGELOG.md")).toMatch(new RegExp(`^## ${settings.version.replaceAll(".", "\\.")}\\b`, "m"));
    expect(settings.files.filter((file) => file !== "dist" && !existsSync(file))).toEqual([]);
  });
});

interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly { readonly run?: string; readonly uses?: string }[] } };
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly id?: string }[];
}
