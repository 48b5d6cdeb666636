import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { configurationSchema } from "../../scripts/write-config-schema.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";

const published = JSON.parse(readFileSync("forge.schema.json", "utf8"));
const accepts = new Ajv({ strict: true, allErrors: true }).compile(published);

const analyser = { name: "lint", command: ["npx", "lint"], format: "sarif" };

describe("CONF-1: the published JSON Schema", () => {
  it("is what the reading schema says: node scripts/write-config-schema.ts writes it anew", () => {
    expect(published).toEqual(configurationSchema());
  });

  it("helps at every setting", () => {
    const undescribed: string[] = [];
    const walk = (schema: typeof published, path: string) => {
      for (const [name, below] of Object.entries<typeof published>(schema.properties ?? {})) {
        if (!below.description) undescribed.push(`${path}${name}`);
        walk(below, `${path}${name}.`);
        if (below.items) walk(below.items, `${path}${name}[].`);
      }
    };
    walk(published, "");
    expect(undescribed).toEqual([]);
  });

  it.each([
    [{}],
    [{ review: {} }],
    [{ review: { on_pr: false, comments: "blocking", max_comments: 0, max_rounds: 1, base_branches: ["main"] } }],
    [{ review: { paths: { include: ["src"] }, authors: { exclude: ["ana"] }, labels: {} } }],
    [{ review: { protected_paths: ["auth"], path_weights: { auth: 20, "docs/**": 0.5 } } }],
    [{ tools: { test: ["npm", "test"], typecheck: ["npx", "tsc", "--noEmit"], build: ["make"] } }],
    [{ tools: { analysers: [analyser, { ...analyser, name: "b2-c", paths: ["*.ts"] }] } }],
  ])("accepts %j as the program does", (example) => {
    expect(RepoConfig.safeParse(example).success).toBe(true);
    expect(accepts(example)).toBe(true);
  });

  it.each([
    [[]],
    [null],
    [{ reviews: {} }],
    [{ review: null }],
    [{ review: { on_pr: "yes" } }],
    [{ review: { comments: "loud" } }],
    [{ review: { max_comments: 51 } }],
    [{ review: { max_comments: 1.5 } }],
    [{ review: { max_rounds: 0 } }],
    [{ review: { paths: ["src"] } }],
    [{ review: { paths: { include: "src" } } }],
    [{ review: { labels: { exclude: [""] } } }],
    [{ review: { path_weights: { auth: 21 } } }],
    [{ review: { path_weights: { "": 1 } } }],
    [{ tools: { test: "npm test" } }],
    [{ tools: { test: [] } }],
    [{ tools: { build: ["make", ""] } }],
    [{ tools: { typecheck: Array.from({ length: 51 }, () => "a") } }],
    [{ tools: { analysers: [{ ...analyser, name: "My Linter" }] } }],
    [{ tools: { analysers: [{ ...analyser, command: [] }] } }],
    [{ tools: { analysers: [{ ...analyser, command: "npx lint" }] } }],
    [{ tools: { analysers: [{ name: "lint", command: ["lint"] }] } }],
    [{ tools: { analysers: [{ ...analyser, timeout: 3 }] } }],
    [{ tools: { analysers: Array.from({ length: 11 }, (_, at) => ({ ...analyser, name: `a${at}` })) } }],
  ])("refuses %j as the program does", (example) => {
    expect(RepoConfig.safeParse(example).success).toBe(false);
    expect(accepts(example)).toBe(false);
  });
});
