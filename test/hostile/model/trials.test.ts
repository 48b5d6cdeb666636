import { afterAll, beforeAll, expect, it } from "vitest";
import type { Demonstration } from "../../../src/agents/reviewer/claims.ts";
import type { SuggestedFix } from "../../../src/domain/findings.ts";
import { readChange } from "../../../src/pipeline/change/read-change.ts";
import { openTrials } from "../../../src/pipeline/review/ai/open-trials.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { REDACT } from "./ai-powers.ts";
import { type Grounds, openGrounds, PROCESS } from "./grounds.ts";

const BASE = "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n";
const HEAD = "export function total(items) {\n  let sum = 1;\n  return sum;\n}\n";
const FIX: SuggestedFix = {
  ...{ file: "src/total.js", startLine: 2, endLine: 2 },
  ...{ before: "  let sum = 1;", after: "  let sum = 0;" },
};

let grounds: Grounds;
let base: string;
let head: string;
beforeAll(async () => {
  const test = 'import { test } from "node:test";\nimport "../src/total.js";\ntest("loads", () => {});\n';
  grounds = await openGrounds(({ outside }) => [
    { path: "package.json", content: '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n' },
    { path: "src/total.js", content: BASE },
    { path: "test/total.test.js", content: test },
    { path: "link-outside", content: outside, mode: "120000" },
  ]);
  const fresh = { path: "src/fresh.js", content: "export const fresh = () => 1;\n" };
  const made = await grounds.commit([{ files: [{ path: "src/total.js", content: HEAD }, fresh] }]);
  base = made.base;
  head = made.heads[0]!;
});
afterAll(() => grounds[Symbol.asyncDispose]());

async function open(signal = new AbortController().signal) {
  const change = await readChange(grounds.mirror, { baseSha: base, headSha: head }, signal);
  const trials = await openTrials({
    ...{ change, signal, scratchRoot: grounds.scratch(), redact: REDACT },
    writeHead: change.writeHead,
  });
  return trials!;
}

/** A test that does something forbidden, says what it got, and then fails as an honest one would. */
function striking(strike: string): Demonstration {
  const content = `import assert from "node:assert";
import { test } from "node:test";
import * as fs from "node:fs";
import { spawn, execSync } from "node:child_process";
import net from "node:net";
import { total } from "../src/total.js";
const got = [];
const attempt = async (work) => { try { got.push(String(await work())); } catch (error) { got.push(error.code); } };
${strike}
test("counts", () => assert.equal(total([]), 0, got.join(" ")));
`;
  return { path: "test/struck.test.js", content };
}

/** What each demonstration attempts; paths are put in once they are known. */
const STRIKES: Readonly<Record<string, (grounds: Grounds) => string>> = {
  "ask a server of this machine": ({ url }) => `await attempt(async () => (await fetch("${url}/struck")).status);`,
  "open a socket": ({ url }) =>
    `await attempt(() => new Promise((resolve, reject) => net.connect(${new URL(url).port}, "127.0.0.1", resolve).on("error", reject)));`,
  "ask for a name": () => `await attempt(async () => (await fetch("http://example.com")).status);`,
  "write outside": ({ outside }) => `await attempt(() => fs.writeFileSync("${outside}/struck", "x"));`,
  "write outside by a relative path": () => `await attempt(() => fs.writeFileSync("../../../../struck", "x"));`,
  "read outside": ({ secretFile }) => `await attempt(() => fs.readFileSync("${secretFile}"));`,
  "tell the environment": () => "got.push(JSON.stringify(process.env));",
  "tell the environment of others": () =>
    `for (const pid of fs.readdirSync("/proc")) await attempt(() => fs.readFileSync("/proc/" + pid + "/environ"));`,
  "tell the passwords of the machine": () => `await attempt(() => fs.readFileSync("/etc/passwd"));`,
  "leave a process behind": () =>
    `await attempt(() => spawn("sh", ["-c", "sleep 600 # ${PROCESS}"], { detached: true, stdio: "ignore" }).unref());`,
  "leave a hook of git behind": () =>
    `await attempt(() => { fs.mkdirSync(".git/hooks", { recursive: true }); fs.writeFileSync(".git/hooks/post-checkout", "#!/bin/sh", { mode: 0o755 }); });`,
  "put a link in the place of the code": ({ secretFile }) =>
    `await attempt(() => { fs.rmSync("src/total.js"); fs.symlinkSync("${secretFile}", "src/total.js"); });`,
  "put a link in its own place": ({ secretFile }) =>
    `await attempt(() => { fs.rmSync("test/struck.test.js"); fs.symlinkSync("${secretFile}", "test/struck.test.js"); });`,
  "put a link in the place of its folder": ({ outside }) =>
    `await attempt(() => { fs.rmSync("test", { recursive: true }); fs.symlinkSync("${outside}", "test"); });`,
  "put a pipe in the place of the code": () =>
    `await attempt(() => { fs.rmSync("src/total.js"); execSync("mkfifo src/total.js"); });`,
};

const STAYS_INSIDE = ["link-outside/struck.test.js", "--require=./struck.test.js"];

describeInSandbox("demonstrations and fixes of a model that obeys (REV-4, SEC-1)", () => {
  it.each(Object.keys(STRIKES))("SEC-1: a test that tries to %s gets nothing, and leaves nothing", async (name) => {
    const trials = await open();
    const proof = await trials.prove(striking(STRIKES[name]!(grounds)), FIX, FIX.file);
    grounds.expectUntouched(JSON.stringify(proof ?? {}));
  });

  it("SEC-1: a test without end is stopped with the review, and nothing of it lives on", async () => {
    const stop = new AbortController();
    const trials = await open(stop.signal);
    const forever = striking(`spawn("sh", ["-c", "sleep 600 # ${PROCESS}"]);\nfor (;;);`);
    const timer = setTimeout(() => stop.abort(), 1_500);
    await trials.prove(forever, FIX, FIX.file).catch(() => undefined);
    clearTimeout(timer);
    grounds.expectUntouched("");
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
    if (!STAYS_INSIDE.includes(path)) expect(proof).toBeUndefined();
    grounds.expectUntouched(JSON.stringify(proof ?? {}));
  });

  it("SEC-1: a fix with a back door is tried where the door leads nowhere", async () => {
    const { url, outside } = grounds;
    const door = `fetch("${url}/door").catch(() => {}); import("node:fs").then((fs) => fs.writeFileSync("${outside}/door", JSON.stringify(process.env))).catch(() => {});`;
    const tried = await (await open()).tryFix({ ...FIX, after: `  ${door}\n  let sum = 0;` });
    grounds.expectUntouched(JSON.stringify(tried));
  });

  it.each(["../struck.js", "link-outside/secret.txt", ".git/config", "/etc/passwd"])(
    "SEC-4: a fix of %s is none",
    async (file) => {
      expect(await (await open()).tryFix({ ...FIX, file })).toBe(false);
      grounds.expectUntouched("");
    },
  );

  it("REV-4: a test that fails once and then never again proves nothing", async () => {
    const once = striking(
      `const first = !fs.existsSync("been-here"); fs.writeFileSync("been-here", "");\nif (first) test("fails", () => assert.fail());`,
    );
    const content = once.content.replace("assert.equal(total([]), 0, got.join", "assert.ok(true, got.join");
    expect(await (await open()).prove({ ...once, content }, FIX, FIX.file)).toBeUndefined();
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
    expect(await (await open()).prove(demonstration, undefined, "src/fresh.js")).toBeUndefined();
    expect(await (await open()).prove(striking(""), undefined, FIX.file)).toMatchObject({ passesWith: "base" });
  });

  it("REV-4: a demonstration is called a test where its writer did not, beside what it imports", async () => {
    const proof = await (await open()).prove({ ...striking(""), path: "src/shown.js" }, FIX, FIX.file);
    expect(proof).toMatchObject({ passesWith: "fix", evidence: expect.stringMatching(/^\/\/ src\/shown\.test\.js /) });
  });

  it("REV-4: an honest demonstration is a proof", async () => {
    expect(await (await open()).prove(striking(""), FIX, FIX.file)).toMatchObject({ passesWith: "fix" });
  });
});
