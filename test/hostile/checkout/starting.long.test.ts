import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../simulator/models/scripted-model.ts";
import { readFolder } from "../../../src/pipeline/change/read-folder.ts";
import {
  hasLooseChanges,
  listLocalCommits,
  openCheckout,
  readCheckoutBase,
} from "../../../src/workspace/local/checkout.ts";
import { listForgeBranches, pushToCheckout } from "../../../src/workspace/local/local-branch.ts";
import { goodMind } from "../../e2e/implementer.ts";
import { boxed } from "../../needs/sandbox.ts";
import { createHostileCheckout, type HostileCheckout, tryGit } from "./hostile-checkout.ts";
import { STARTING } from "./starting-payloads.ts";

const { signal } = new AbortController();

/** Every question that Forge asks of a checkout, and the one change that it makes to one. */
async function everything({ folder }: HostileCheckout): Promise<void> {
  const checkout = await openCheckout(folder);
  const base = await readCheckoutBase(checkout);
  const { sha } = await readCheckoutBase(checkout, "side");
  await hasLooseChanges(checkout);
  await listLocalCommits(checkout, sha, base.sha);
  await readFolder({ folder, all: false, base: "side" });
  const push = { checkout, branch: "forge/1-x", sha: base.sha, expected: null, signal };
  expect(await pushToCheckout(push)).toEqual({ outcome: "pushed" });
  expect(await listForgeBranches(checkout)).toEqual(["forge/1-x"]);
}

/** `forge` as it is installed, in a process of its own. */
function forge(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [resolve("bin/forge.mjs"), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", FORGE_OSV_URL: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk));
  return new Promise<{ code: number | null; said: string }>((done) =>
    child.on("close", (code) => done({ code, said })),
  );
}

describe("SEC-3: a checkout from a stranger, with its .git", () => {
  it.each(STARTING)("has git start nothing by $name, and plain git starts it", async ({ plant, plain }) => {
    using checkout = createHostileCheckout();
    plant(checkout, checkout.mark("started"));
    checkout.clearMarks();
    await everything(checkout);
    expect(checkout.marks()).toEqual([]);
    const said = tryGit(checkout, plain);
    expect(checkout.marks(), said).toEqual(["started"]);
  });

  describe("all of it at once, with the program as it is installed", () => {
    let model: ScriptedModel;
    beforeAll(async () => {
      model = await startScriptedModel(goodMind);
    });
    afterAll(() => model.stop());

    function plantAll(checkout: HostileCheckout): void {
      for (const [index, { plant }] of STARTING.entries()) plant(checkout, checkout.mark(`${index}`));
      // Git that reads this file at all ends at once.
      checkout.configure("[this is no configuration\n");
      checkout.clearMarks();
    }

    it("forge review, with and without a model", async () => {
      using checkout = createHostileCheckout();
      plantAll(checkout);
      for (const more of [[], ["--ai"]]) {
        const { said } = await forge(["review", checkout.folder, "--base", "side", ...more], { ...model.environment });
        expect(said).toMatch(/Reviewed \d+ of \d+ files/);
        expect(said).not.toMatch(/cannot read the checkout|no configuration/);
      }
      expect(checkout.marks()).toEqual([]);
    });

    boxed("forge run, to the branch with the work", async () => {
      using checkout = createHostileCheckout();
      plantAll(checkout);
      const data = join(checkout.place, "data");
      const args = ["run", "Prices have odd digits", "--yes", "--repo", checkout.folder, "--data", data];
      const { code, said } = await forge(args, { ...model.environment });
      expect(code, said).toBe(0);
      expect(said).toContain("Done: branch forge/1-show-prices-with-two-digits");
      expect(checkout.marks()).toEqual([]);
    });
  });
});
