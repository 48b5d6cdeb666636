import { describe, expect, it } from "vitest";
import { CONFIGURATION_PATH, RepoConfig } from "../../../src/domain/repo-config.ts";
import { type ChangedSettings, noteConfiguration } from "../../../src/pipeline/review/work/note-configuration.ts";

const WORKFLOW = ".github/workflows/deploy.yml";
const SHIP = ".github/workflows/ship.yml";
const GONE =
  "`.github/workflows/deploy.yml` is gone with this change, and `deploy.production.workflow` names it: once this is merged, nothing can be deployed to production.";
const CHANGED = "`.github/forge.yml` is changed here: it takes effect once it is on `main`.";
const configuration = RepoConfig.parse({ deploy: { staging: {}, production: { workflow: WORKFLOW } } });

type Files = ChangedSettings["change"]["files"];

function note(files: Files, more: Partial<ChangedSettings> & { readonly settings?: string } = {}): string[] {
  const { settings } = more;
  const contents = new Map(settings === undefined ? [] : [[CONFIGURATION_PATH, Buffer.from(settings)] as const]);
  return noteConfiguration({
    change: { files, contents },
    ...{ baseRef: "main", defaultBranch: "main", configuration },
    settle: (given) => RepoConfig.parse(given),
    ...more,
  });
}

const deleted = { path: WORKFLOW, status: "deleted" } as const;

describe("DEP-2: a change that takes the workflow of a deployment away", () => {
  it("gets a note if the settings stay as they are", () => {
    expect(note([deleted])).toEqual([GONE]);
    expect(note([{ path: SHIP, oldPath: WORKFLOW, status: "renamed" }])).toEqual([GONE]);
  });

  it("is no news where the file stays, a copy of it comes, or another one goes", () => {
    expect(note([{ path: WORKFLOW, status: "modified" }])).toEqual([]);
    expect(note([{ path: SHIP, oldPath: WORKFLOW, status: "copied" }])).toEqual([]);
    expect(note([{ path: ".github/workflows/test.yml", status: "deleted" }])).toEqual([]);
  });

  it("is no news on a branch from which nothing is deployed", () => {
    expect(note([deleted], { baseRef: "release/2.x" })).toEqual([]);
  });

  it("is no news where a program deploys", () => {
    const program = RepoConfig.parse({ deploy: { production: { way: "program", workflow: WORKFLOW } } });
    expect(note([deleted], { configuration: program })).toEqual([]);
  });

  it("is judged by the settings as the change leaves them", () => {
    const files: Files = [deleted, { path: CONFIGURATION_PATH, status: "modified" }];
    const still = `review:\n  ai: never\ndeploy:\n  production:\n    workflow: ${WORKFLOW}\n`;
    expect(note(files, { settings: still })).toEqual([CHANGED, GONE]);
    expect(note(files, { settings: still.replace(WORKFLOW, SHIP) })).toEqual([CHANGED]);
  });
});

describe("CONF-1: a change of the settings", () => {
  const modified: Files = [{ path: CONFIGURATION_PATH, status: "modified" }];

  it("says when it takes effect, whatever the branch is called", () => {
    expect(note(modified, { settings: "review:\n  ai: never\n" })).toEqual([CHANGED]);
    expect(note(modified, { settings: "", defaultBranch: "a`b" })).toEqual([CHANGED.replace("`main`", "``a`b``")]);
  });

  it("says that they stay in force where they are deleted, and nothing where a finding names their mistake", () => {
    expect(note([{ path: CONFIGURATION_PATH, status: "deleted" }])).toEqual([
      "`.github/forge.yml` is deleted here: it stays in force until `main` has no such file.",
    ]);
    expect(note(modified, { settings: "review: [\n" })).toEqual([]);
  });
});
