import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { describeInSandbox } from "../needs/sandbox.ts";
import { createWorld, type World } from "./world.ts";

const CONFIGURATION = `tools:
  analysers:
    - name: lint
      command: ["node", "lint.config.mjs"]
      format: eslint
`;
const SECRET = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");

/** Programs of a pull request that leave something behind which is hard to take away, and print what a linter without findings prints. */
const LEAVING: Readonly<Record<string, string>> = {
  "folders deeper than a path can say": `for (let at = 0; at < 3000; at += 1) { mkdirSync("d".repeat(200)); process.chdir("d".repeat(200)); }`,
  "folders that nobody may enter": `mkdirSync("a/b/c", { recursive: true }); for (const path of ["a/b/c", "a/b", "a"]) chmodSync(path, 0);`,
  "names that are no text": `for (const name of [Buffer.from([0xff, 0x2f, 0xfe]).subarray(0, 1), Buffer.from("-rf"), Buffer.from("a\\nb"), Buffer.from(" ")]) mkdirSync(name);`,
  "pipes, sockets and links that lead out": `execSync("mkfifo .gitignore pipe; ln -s / out; ln -s /etc/passwd passwd"); createServer().listen("socket").unref();`,
};

describeInSandbox("a pull request whose linter leaves behind what is hard to take away (GH-11a, OPS-3)", () => {
  it.each(Object.entries(LEAVING))("%s", async (_name, code) => {
    const world = await createWorld({ files: { ".github/forge.yml": CONFIGURATION, "lint.config.mjs": "" } });
    const { github } = world;
    const script = `import { chmodSync, mkdirSync } from "node:fs"; import { execSync } from "node:child_process";
import { createServer } from "node:net"; chmodSync; mkdirSync; execSync; createServer;
console.log("[]");
${code}
`;
    const files = { "lint.config.mjs": script, "key.ts": `export const key = "${SECRET}";\n` };
    await github.commit("acme/shop", "hostile", { files, message: "Change", author: "ana" });
    const pull = await github.openPullRequest("acme/shop", { title: "Change", head: "hostile", by: "ana" });
    await world.settled();
    const view = github.pullRequest("acme/shop", pull.number);
    expect(view.checkRuns[0]).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(JSON.stringify(view.reviewComments)).toContain("aws-access-key");
    expect(JSON.stringify(view)).not.toContain(world.directory);
    await world.expectGoodManners();
    await world.stop();
    await world.start();
    await world.stop();
    expect(readdirSync(join(world.directory, "scratch"))).toEqual([]);
    await world.end();
  });
});

describe("a start that finds what nobody can remove (OPS-3)", () => {
  const dead = (world: World) => join(world.directory, "scratch", `${hostname()}+4194999+ab`);

  it("listens, reviews, and removes it when it can", async () => {
    const world = await createWorld({ start: false });
    const left = dead(world);
    mkdirSync(join(left, "clone"), { recursive: true });
    writeFileSync(join(left, "clone", "stone"), "");
    const script = 'for (1 .. 3_000) { mkdir "d" x 200 or die; chdir "d" x 200 or die }';
    expect(spawnSync("perl", ["-e", script], { cwd: join(left, "clone") }).status).toBe(0);
    // Not every file system and user can do this; then it is an ordinary folder that is hard to remove.
    const isImmutable = spawnSync("chattr", ["+i", join(left, "clone", "stone")]).status === 0;
    const forge = await world.start();
    expect(forge.port).toBeGreaterThan(0);
    const { github } = world;
    await github.commit("acme/shop", "topic", { files: { "a.ts": "let a = 1;\n" }, message: "Change", author: "ana" });
    const pull = await github.openPullRequest("acme/shop", { title: "Change", head: "topic", by: "ana" });
    await world.settled();
    expect(github.pullRequest("acme/shop", pull.number).checkRuns[0]).toMatchObject({ status: "completed" });
    await world.stop();
    spawnSync("chattr", ["-i", join(isImmutable ? `${left}+left` : left, "clone", "stone")]);
    await world.start();
    await vi.waitFor(() => expect(readdirSync(join(world.directory, "scratch"))).toHaveLength(1), 300_000);
    await world.end();
  });
});
