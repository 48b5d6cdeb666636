import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { STARTED } from "../needs/started.ts";
import { aGitHub, as, type GitHub } from "../simulator/a-github.ts";

/** A key as Amazon writes them, which nobody has. */
const KEY = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");
let github: GitHub;
let pull: number;
beforeAll(async () => {
  github = await aGitHub();
  const { simulator } = github;
  const configuration = 'review: { paths: { exclude: ["generated/**"] } }\n';
  const options = { message: "Configure", author: "ana" };
  await simulator.commit("acme/shop", "main", { ...options, files: { ".github/forge.yml": configuration } });
  const files = {
    "src/key.ts": `export const key = "${KEY}";\n`,
    "generated/key.ts": `export const other = "${KEY}";\n`,
    // What a pull request says of its own review does not count.
    ".github/forge.yml": 'review: { paths: { exclude: ["**"] } }\n',
  };
  await simulator.commit("acme/shop", "keys", { message: "Keys", author: "ben", files });
  pull = (await simulator.openPullRequest("acme/shop", { title: "Keys", head: "keys", by: "ben" })).number;
  await simulator.idle();
});
afterAll(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

/** `forge` as it is installed, in a process of its own. */
function forge(args: readonly string[], token?: string) {
  const address = { GHE_HOST: new URL(github.simulator.origin).host, GHE_PROTOCOL: "http" };
  const child = spawn(process.execPath, [resolve("bin/forge.mjs"), "review", ...args], {
    env: { ...STARTED, FORGE_OSV_URL: "", ...address, ...(token ? { GITHUB_TOKEN: token } : {}) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk));
  return new Promise<{ code: number | null; out: string; err: string }>((done) =>
    child.on("close", (code) => done({ code, ...said })),
  );
}

it("OPS-1: reviews a pull request with a person's token, by the configuration of the default branch, and writes nothing", async () => {
  const token = github.simulator.createUserToken("ben");
  github.received.length = 0;
  const { code, out, err } = await forge([`acme/shop#${pull}`], token);
  expect(out, err).toMatch(/src\/key\.ts\n {2}1:\d+ {2}critical {2}Secret in the code: .* F-/);
  expect(out).toMatch(/Not reviewed: generated\/key\.ts/);
  expect(code).toBe(2);
  expect(out + err).not.toContain(KEY);
  const installation = await github.installationToken();
  const comments = await github.call("GET", `/repos/acme/shop/issues/${pull}/comments`, installation);
  expect(as<unknown[]>(comments)).toEqual([]);
  expect(github.received).toEqual([]);
});

it("OPS-1: says what is missing: a token, a pull request that the token shows, or a folder", async () => {
  const stranger = github.simulator.createUserToken("eve");
  const without = await forge([`acme/shop#${pull}`]);
  expect(without).toMatchObject({ code: 3, out: "" });
  expect(without.err).toMatch(/GITHUB_TOKEN is not set\. Set it to a token that can read .* of acme\/shop/);
  const elsewhere = await forge([`https://github.com/acme/shop/pull/${pull}`], stranger);
  expect(elsewhere.err).toContain("is on github.com, but Forge is set up for");
  const unseen = await forge([`${github.simulator.origin}/acme/shop/pull/${pull}/files`], stranger);
  expect(unseen.code).toBe(3);
  expect(unseen.err).toContain("no such pull request, or your token cannot read it");
});
