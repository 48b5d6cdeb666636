import { describe, expect, it } from "vitest";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import { noteLostWorkflows } from "../../../src/pipeline/review/work/note-lost-workflows.ts";

const WORKFLOW = ".github/workflows/deploy.yml";
const GONE =
  "`.github/workflows/deploy.yml` is gone with this change, and `deploy.production.workflow` names it: once this is merged, nothing can be deployed to production.";
const { deploy } = RepoConfig.parse({ deploy: { staging: {}, production: { workflow: WORKFLOW } } });
const note = (...files: Parameters<typeof noteLostWorkflows>[0]) => noteLostWorkflows(files, { deploy });

describe("DEP-2: a change that takes the workflow of a deployment away", () => {
  it("gets a note if the settings stay as they are", () => {
    expect(note({ path: WORKFLOW, status: "deleted" })).toEqual([GONE]);
    expect(note({ path: ".github/workflows/ship.yml", oldPath: WORKFLOW, status: "renamed" })).toEqual([GONE]);
  });

  it("is no news where the file stays, another one goes, or the settings change too", () => {
    expect(note({ path: WORKFLOW, status: "modified" })).toEqual([]);
    expect(note({ path: WORKFLOW, status: "modified" }, { path: "b", oldPath: WORKFLOW, status: "copied" })).toEqual(
      [],
    );
    expect(note({ path: ".github/workflows/test.yml", status: "deleted" })).toEqual([]);
    expect(note({ path: WORKFLOW, status: "deleted" }, { path: ".github/forge.yml", status: "modified" })).toEqual([]);
  });

  it("is no news where a program deploys", () => {
    const program = RepoConfig.parse({ deploy: { production: { way: "program", workflow: WORKFLOW } } });
    expect(noteLostWorkflows([{ path: WORKFLOW, status: "deleted" }], program)).toEqual([]);
  });
});
