import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { livingCanaries, PROCESS } from "./grounds.ts";
import { FIX, OF_EACH_KIND, STRIKES, striking, tryStrikes, useTrials } from "./try-strikes.ts";

/** It proves nothing, and the finding says why. */
const NONE = { unproven: expect.any(String) };

const STAYS_INSIDE = ["link-outside/struck.test.js", "--require=./struck.test.js"];

describeInSandbox("demonstrations and fixes of a model that obeys (REV-4, SEC-1)", () => {
  const place = useTrials();
  const { open } = place;
  tryStrikes(OF_EACH_KIND, place);

  it("each of these kinds is one of the strikes", () => {
    expect(OF_EACH_KIND.filter((name) => !(name in STRIKES))).toEqual([]);
  });

  it("SEC-1: a test without end is stopped with the review, and nothing of it lives on", async () => {
    const stop = new AbortController();
    const trials = await open(stop.signal);
    const forever = striking(`spawn("sh", ["-c", "sleep 600 # ${PROCESS}"]);\nfor (;;);`);
    let proving = true;
    const proved = trials
      .prove(forever, FIX, FIX.file)
      .catch(() => undefined)
      .finally(() => {
        proving = false;
      });
    // The review ends when the test is at work.
    while (proving && livingCanaries().length === 0) await pause(10);
    expect(proving).toBe(true);
    stop.abort();
    await proved;
    place.grounds().expectUntouched("");
  });

  it.each([
    "../struck.test.js",
    "/tmp/struck.test.js",
    ".git/struck.test.js",
    "link-outside/struck.test.js",
    "test/../../struck.test.js",
    "test/total.test.js",
    "src/total.js",
    "package.json",
    "--require=./struck.test.js",
    "test/a\0.test.js",
  ])("SEC-4: a demonstration in the place of %j is none, or stays inside", async (path) => {
    const proof = await (await open()).prove({ ...striking(""), path }, FIX, FIX.file);
    // Links are not laid out: the one that stays inside is a folder of the copy.
    if (!STAYS_INSIDE.includes(path)) expect(proof).toEqual(NONE);
    place.grounds().expectUntouched(JSON.stringify(proof ?? {}));
  });

  it("SEC-1: a fix with a back door is tried where the door leads nowhere", async () => {
    const { url, outside } = place.grounds();
    const door = `fetch("${url}/door").catch(() => {}); import("node:fs").then((fs) => fs.writeFileSync("${outside}/door", JSON.stringify(process.env))).catch(() => {});`;
    const tried = await (await open()).tryFix({ ...FIX, after: `  ${door}\n  let sum = 0;` });
    place.grounds().expectUntouched(JSON.stringify(tried));
  });

  it.each(["../struck.js", "link-outside/secret.txt", ".git/config", "/etc/passwd"])(
    "SEC-4: a fix of %s is none",
    async (file) => {
      expect(await (await open()).tryFix({ ...FIX, file })).toBe(false);
      place.grounds().expectUntouched("");
    },
  );

  it("REV-4: a test that fails once and then never again proves nothing", async () => {
    const once = striking(
      `const first = !fs.existsSync("been-here"); fs.writeFileSync("been-here", "");\nif (first) test("fails", () => assert.fail());`,
    );
    const content = once.content.replace("assert.equal(total([]), 0, got.join", "assert.ok(true, got.join");
    expect(await (await open()).prove({ ...once, content }, FIX, FIX.file)).toEqual(NONE);
  });

  it("REV-4: a test that takes the absence of a new file for success proves nothing of that file", async () => {
    const content = `import assert from "node:assert";
import { test } from "node:test";
test("is 2", async () => {
  const made = await import("../src/fresh.js").catch(() => undefined);
  assert.equal(made?.fresh() ?? 2, 2);
});
`;
    const demonstration = { path: "test/fresh.test.js", content };
    expect(await (await open()).prove(demonstration, undefined, "src/fresh.js")).toEqual(NONE);
    expect(await (await open()).prove(striking(""), undefined, FIX.file)).toMatchObject({ passesWith: "base" });
  });

  it("REV-4: an honest demonstration is a proof, and is called a test where its writer did not, next to what it imports", async () => {
    const proof = await (await open()).prove({ ...striking(""), path: "src/shown.js" }, FIX, FIX.file);
    expect(proof).toMatchObject({ passesWith: "fix", evidence: expect.stringMatching(/^\/\/ src\/shown\.test\.js /) });
  });
});
