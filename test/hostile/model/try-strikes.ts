import { afterAll, beforeAll, it } from "vitest";
import type { Demonstration } from "../../../src/agents/reviewer/claims.ts";
import type { SuggestedFix } from "../../../src/domain/findings.ts";
import { readChange } from "../../../src/pipeline/change/read-change.ts";
import { openTrials } from "../../../src/pipeline/review/ai/open-trials.ts";
import { REDACT } from "./ai-powers.ts";
import { type Grounds, openGrounds, PROCESS } from "./grounds.ts";

const BASE = "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n";
const HEAD = "export function total(items) {\n  let sum = 1;\n  return sum;\n}\n";
/** An honest one. */
export const FIX: SuggestedFix = {
  ...{ file: "src/total.js", startLine: 2, endLine: 2 },
  ...{ before: "  let sum = 1;", after: "  let sum = 0;" },
};

/** Trials of a change of a small repository, for the tests of a file. */
export function useTrials() {
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

  const open = async (signal = new AbortController().signal) => {
    const change = await readChange(grounds.mirror, { baseSha: base, headSha: head }, signal);
    const trials = await openTrials({
      ...{ change, signal, scratchRoot: grounds.scratch(), redact: REDACT },
      writeHead: change.writeHead,
    });
    return trials!;
  };
  return { open, grounds: () => grounds };
}

/** A test that does something forbidden, says what it got, and then fails as an honest one would. */
export function striking(strike: string): Demonstration {
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
export const STRIKES: Readonly<Record<string, (grounds: Grounds) => string>> = {
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

/** One of each kind: what is read, what stays behind, and what replaces something else. The sandbox has tests of its own for the rest. */
export const OF_EACH_KIND: readonly string[] = [
  "tell the environment of others",
  "leave a process behind",
  "put a link in the place of the code",
];

/** Trials of these, as tests. */
export function tryStrikes(names: readonly string[], { open, grounds }: ReturnType<typeof useTrials>): void {
  it.each(names)("SEC-1: a test that tries to %s gets nothing, and leaves nothing", async (name) => {
    const trials = await open();
    const proof = await trials.prove(striking(STRIKES[name]!(grounds())), FIX, FIX.file);
    grounds().expectUntouched(JSON.stringify(proof ?? {}));
  });
}
