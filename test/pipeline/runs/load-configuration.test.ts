import { expect, it } from "vitest";
import { loadConfiguration } from "../../../src/pipeline/runs/configuration/load-configuration.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { temporaryFolder } from "../../store/databases.ts";

const folder = temporaryFolder();

it("CONF-1, DEP-2: each review names a configuration in force that cannot deploy, after the layers are joined", async () => {
  const store = await openStore({ url: `file:${folder()}/forge.db` });
  const load = async (own: string, shared?: string, name = "shop") => {
    const host = { readFile: async () => own, readOrganisationFile: async () => shared };
    const repository = { owner: "acme", name, id: 1, installationId: 7 };
    const { signal } = new AbortController();
    return (await loadConfiguration({ store, host, now: () => "2026-01-01T00:00:00.000Z" }, repository, signal))
      .problems;
  };
  const merges = "deploy:\n  after_merge: staging\n";
  const cannot =
    "`.github/forge.yml` cannot work as it is: No merge is deployed: `deploy.after_merge` is `staging`, and there is no `deploy.staging`.";
  expect(await load(merges)).toEqual([cannot]);
  expect(await load("", merges)).toEqual([cannot]);
  // Its tests may not run, which is a finding where the file is changed and no fault that each review names.
  expect(await load(merges, "deploy:\n  staging: {}\n")).toEqual([]);
  // Repositories add to an organization's file.
  expect(await load(merges, undefined, ".github")).toEqual([]);
});
