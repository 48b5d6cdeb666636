import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld } from "./world.ts";

const SHOP = "acme/shop";
const SECRET = "a secret of thirty-two characters";

it("DOC-2, PROD-2, GH-8: the examples that report errors of production become issues, by a door and by GitHub", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-feedback-"));
  const sources = join(folder, "sources.json");
  copyFileSync("examples/feedback/sources.json", sources);
  writeFileSync(join(folder, "own.secret"), SECRET, { mode: 0o600 });
  const world = await createWorld({ environment: { FORGE_SOURCES: sources } });
  onTestFinished(async () => {
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  });
  // Forge ignores feedback about a repository in which it never worked.
  const { number, headSha } = await openPull(world, { "src/total.ts": CLEAN }, { branch: "total" });
  await world.settled();

  const run = (example: string, environment: Record<string, string>) =>
    promisify(execFile)(process.execPath, [join("examples", "feedback", example)], {
      env: { PATH: process.env.PATH, RELEASE: headSha, ...environment },
    });
  const door = new URL("/api/feedback/own", world.app.webhookUrl).href;
  await expect(run("report-error.mjs", { FORGE_DOOR: door, FORGE_SECRET: "another secret" })).rejects.toThrow("401");
  await run("report-error.mjs", { FORGE_DOOR: door, FORGE_SECRET: SECRET });
  const titleOf = (issue: number) => {
    try {
      return world.github.issue(SHOP, issue).title;
    } catch {
      return "";
    }
  };
  await until(() => titleOf(number + 1).includes("TypeError"));
  expect(world.github.issue(SHOP, number + 1).body).toContain("no price for this item");
  await run("dispatch-error.mjs", {
    GITHUB_API_URL: `${world.github.origin}/api/v3`,
    GITHUB_REPOSITORY: SHOP,
    GITHUB_TOKEN: world.github.createUserToken("ana"),
  });
  await until(() => titleOf(number + 2).includes("RangeError"));
  await world.expectGoodManners();
});
