import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeAwsKey, maskAwsKeys } from "../../demo/aws-key.ts";
import { startDeveloper } from "../../demo/developer.ts";
import { createExpectations } from "../../demo/expect.ts";
import { EXPECTED } from "../../demo/expected.ts";
import { startForge } from "../../demo/forge-process.ts";
import { clearPlace, makePlace } from "../../demo/place.ts";
import { until } from "../../demo/until.ts";
import { freePort } from "../../simulator/free-port.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";

const { signal } = new AbortController();
const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

describe("the parts of the demo", () => {
  it("expects what the note of the seeded shop says", () => {
    const note = readFileSync("fixtures/seeded-shop/NOTE.md", "utf8");
    const seeded = [...note.matchAll(/^\| `([^`]+)` \|.*\| (\w+), `[^`]+` \|$/gm)].map(
      ([, place, severity]) => `${place} ${severity}`,
    );
    expect(EXPECTED.head).toEqual(seeded.sort());
  });

  it("imports nothing of Forge: it runs beside it as at a user's", () => {
    const inward = readdirSync("demo", { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && /^[^'"]*from "[^"]*\/src\//m.test(readFileSync(join("demo", file), "utf8")),
    );
    expect(inward).toEqual([]);
  });

  it("compares by value and keeps on when something is not as expected", () => {
    const { expect: expectation, met, failures } = createExpectations();
    expectation("two lists are alike", [1, { a: 2 }], [1, { a: 2 }]);
    expectation("the check succeeds", "failure", "success");
    expect(met()).toBe(1);
    expect(failures()).toEqual(['the check succeeds: "success" was expected, and it was "failure"']);
  });

  it("names what did not come true in time, and stops waiting when interrupted", async () => {
    await expect(until("pigs fly", () => false, { signal, limitMs: 30 })).rejects.toThrow(
      "waited 0.03 s and it did not come true: pigs fly",
    );
    const aborted = AbortSignal.abort();
    await expect(until("pigs fly", () => false, { signal: aborted, limitMs: 10_000 })).rejects.toThrow(/abort/);
  });

  it("makes keys that are never the same, and prints none", () => {
    const key = makeAwsKey();
    expect(key).toMatch(/^[A-Z2-7]{20}$/);
    expect(makeAwsKey()).not.toBe(key);
    expect(maskAwsKeys(`id: "${key}",`)).toBe('id: "AKIA…",');
  });

  it("pushes with real git, and the token is kept nowhere", async () => {
    const github = await startSimulator({ referee: false });
    const directory = mkdtempSync(join(tmpdir(), "demo-developer-"));
    undo.push(
      () => github.stop(),
      () => rmSync(directory, { recursive: true }),
    );
    github.createAccount("ana");
    await github.createRepository("ana", "shop", { files: { "README.md": "# Shop\n" } });
    const token = github.createUserToken("ana");
    const ana = await startDeveloper({ login: "ana", token, cloneUrl: github.cloneUrl("ana/shop"), directory, signal });
    await ana.branch("topic");
    await ana.take("fixtures/seeded-shop/head", { "{{aws-key}}": "filled in" });
    const before = await ana.commit("Change");
    await ana.push();
    const after = await ana.commit("Change again", { amend: true });
    await ana.push({ force: true });
    const { headSha } = await github.openPullRequest("ana/shop", { title: "Change", head: "topic", by: "ana" });
    expect(before).not.toBe(after);
    expect(headSha).toBe(after);
    expect((await ana.lines(headSha, "src/receipts.ts"))[4]).toBe('  accessKeyId: "filled in",');
    const kept = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(token));
    expect(kept).toEqual([]);
  });

  it("says that Forge ended, and keeps why in the log", async () => {
    const place = await makePlace();
    undo.push(() => clearPlace(place));
    const PORT = String(await freePort());
    await expect(startForge(place, { PORT, APP_ID: "77" }, signal)).rejects.toThrow("Forge ended by itself, with 1");
    expect(readFileSync(place.logFile, "utf8")).toContain("APP_ID set, WEBHOOK_SECRET, PRIVATE_KEY");
    clearPlace(place, { keepLog: true });
    expect([existsSync(place.directory), existsSync(place.logFile)]).toEqual([false, true]);
  });
});
