import { describe, expect, it } from "vitest";
import type { SettleSettings } from "../../src/analysis/analyser.ts";
import { config } from "../../src/analysis/analysers/config.ts";
import { CONFIGURATION_PATH, DEFAULT_REPO_CONFIG, RepoConfig } from "../../src/domain/repo-config.ts";
import { proposedConfiguration } from "../../src/pipeline/runs/configuration/load-configuration.ts";
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

describe("CONF-1, DEP-2: settings that do not go together", () => {
  const paths = [".github/workflows/deploy.yml"];
  const tree = { paths, readMany: () => Promise.reject(new Error("nothing is read")) };
  async function found(head: string, { base, settle }: { base?: string; settle?: SettleSettings } = {}) {
    const context = { signal: new AbortController().signal, scratch: "", tree, ...(settle ? { settle } : {}) };
    const { observations } = await config.analyse([sourceFile(CONFIGURATION_PATH, head, base)], context);
    return observations.map(({ line, rule, severity, message }) => `${line} ${rule} ${severity}: ${message}`);
  }

  it("says where a merge would go nowhere", async () => {
    expect(await found("deploy:\n  after_merge: staging\n")).toEqual([
      "2 config/cannot-deploy error: No merge is deployed: `deploy.after_merge` is `staging`, and there is no `deploy.staging`.",
    ]);
    const toStaging = "review: {tests: always}\ndeploy:\n  after_merge: production\n  staging: {}\n";
    expect(await found(toStaging)).toEqual([
      "3 config/cannot-deploy error: A merge goes to staging and no further: `deploy.after_merge` is `production`, and there is no `deploy.production`.",
    ]);
    expect(await found("review: {tests: always}\ndeploy:\n  after_merge: production\n  production: {}\n")).toEqual([]);
  });

  it("says where a workflow is not named or not there", async () => {
    const dispatch = "deploy:\n  production:\n    way: workflow_dispatch\n";
    expect(await found(dispatch)).toEqual([
      "3 config/cannot-deploy error: Nothing can be deployed to production: `way: workflow_dispatch` starts a workflow, and `deploy.production.workflow` does not say which.",
    ]);
    expect(await found(`${dispatch}    workflow: .github/workflows/ship.yml\n`)).toEqual([
      "4 config/cannot-deploy error: Nothing can be deployed to production: there is no file `.github/workflows/ship.yml` in this repository.",
    ]);
    expect(await found(`${dispatch}    workflow: .github/workflows/deploy.yml\n`)).toEqual([]);
  });

  it("warns where tests are required that may not have run", async () => {
    const merged = (more: string) => `deploy:\n  after_merge: staging\n  staging:\n    ${more}\n`;
    expect(await found(merged("requires: [review, tests]"))).toEqual([
      "4 config/untested-deploy warning: Deployments to staging may wait for a person: `deploy.staging.requires` has `tests`, and with `review.tests: auto` tests run by themselves from medium risk on. To change that, set `review.tests: always`, or `requires: [review]`.",
    ]);
    expect(await found(merged("requires: [review]"))).toEqual([]);
    expect(await found(`review: {tests: always}\n${merged("way: program")}`)).toEqual([]);
  });

  it("MON-1: names queries that a file spells out, which only the operator may", async () => {
    const text = (queries: string) => `deploy:\n  production:\n    judge:\n      queries: ${queries}\n`;
    expect(await found(text("[orders]"))).toEqual([]);
    expect(await found(text("[{name: orders, query: up}]"))).toEqual([
      "4 config/cannot-deploy error: The queries of `deploy.production.judge.queries` are not asked as they are written here: only the operator of Forge writes PromQL. Name them here, such as `queries: [orders]`, and have the operator add them to the sources under that name.",
    ]);
    // What an earlier version stored can still be read.
    const stored = { deploy: { production: { judge: { queries: [{ name: "orders", query: "up", bad: "down" }] } } } };
    expect(RepoConfig.parse(stored).deploy.production?.judge.queries).toEqual(["orders"]);
  });

  it("counts what the organization's file adds, and leaves an organization's own file alone", async () => {
    const head = "deploy:\n  after_merge: staging\n";
    const settle: SettleSettings = (given) =>
      proposedConfiguration({ organisation: { deploy: { staging: { requires: [] } } } }, { name: "shop" }, given);
    expect(await found(head, { settle })).toEqual([]);
    expect(await found(head, { settle: (given) => proposedConfiguration({}, { name: ".github" }, given) })).toEqual([]);
  });
});
