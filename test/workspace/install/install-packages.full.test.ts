import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

import { installPackages, type PackageSource } from "../../../src/workspace/install/install-packages.ts";
import { PYTHON_PACKAGES } from "../../../src/workspace/install/pip-plan.ts";
import { itWithPip } from "../../needs/programs.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { LIMITS, temporaryFolder } from "../sandbox-machine.ts";
import { startIndex } from "../test-index.ts";
import { type Registry, startRegistry, TRACE } from "../test-registry.ts";
import { BY, signal, treeOfFiles } from "../working-tree/tree-fixture.ts";
import { install, sourceOf } from "./install.ts";

const MANIFEST = { name: "project", version: "1.0.0", scripts: TRACE, dependencies: { traced: "1.0.0" } };

function fromRegistry({ host }: Pick<Registry, "host">): PackageSource {
  return sourceOf(host, { npm_config_registry: `http://${host}`, npm_config_fetch_retries: "0" });
}

function lockfile(host: string, integrity: string): string {
  const resolved = `http://${host}/traced/-/traced-1.0.0.tgz`;
  const packages = {
    "": { name: "project", version: "1.0.0", hasInstallScript: true, dependencies: { traced: "1.0.0" } },
    "node_modules/traced": { version: "1.0.0", resolved, integrity, hasInstallScript: true },
  };
  return JSON.stringify({ name: "project", version: "1.0.0", lockfileVersion: 3, requires: true, packages });
}

describeInSandbox("installing the packages of a working tree", (sandbox) => {
  it("IMPL-1, SEC-1: installs what one language needs where another cannot be, without anybody's scripts, and no commit ever holds a package", async () => {
    const registry = await startRegistry();
    await using fixture = await treeOfFiles([
      { path: "package.json", content: JSON.stringify(MANIFEST) },
      { path: "requirements.txt", content: "./local\n" },
    ]);
    const tree = await fixture.open({ sandbox });
    const notes = [
      expect.stringContaining("there is no lock file"),
      "Not all packages were installed: requirements.txt asks for something that is no package by its name.",
    ];
    expect(await install(tree, sandbox, fromRegistry(registry))).toEqual({ kept: false, notes });
    expect(readdirSync(join(tree.folder, "node_modules", "traced"))).toEqual(["package.json"]);
    expect(existsSync(join(tree.folder, "traced"))).toBe(false);
    expect(await tree.treeId()).toBe(fixture.baseTree);
    expect(await tree.commit({ message: "x", ...BY })).toEqual({ unchanged: true });
    const used = await tree.clone?.run({ ...LIMITS, command: "node", args: ["-p", "require('traced/package').name"] });
    expect(used?.stdout.toString()).toBe("traced\n");
  });

  it("IMPL-1: takes what is there on the base commit's day, and newer packages where none is as old", async () => {
    const registry = await startRegistry();
    await using fixture = await treeOfFiles([{ path: "package.json", content: JSON.stringify(MANIFEST) }]);
    const source = fromRegistry(registry);
    const { files } = await fixture.open({ sandbox });
    const notesOn = async (day: string) => {
      const outcome = await installPackages({ source, files, sandbox, day, signal });
      if (!outcome.installed) return outcome.reason;
      await outcome.packages[Symbol.asyncDispose]();
      return [outcome.packages.kept, ...outcome.packages.notes];
    };
    const why = "there is no lock file";
    expect(await notesOn("2026-01-31")).toEqual([
      false,
      `Packages were resolved as of 2026-01-31, the day of the base commit: ${why}.`,
    ]);
    const late = `Packages were resolved as they are now: ${why}, and not all of them are as old as the base commit (2026-01-30).`;
    expect(await notesOn("2026-01-30")).toEqual([false, late]);
    expect(await notesOn("2026-01-30")).toEqual([true, late]);
  });

  it("IMPL-1: installs nothing beside a lock file that is too large to be read", async () => {
    const texts = new Map([["package.json", Buffer.from(JSON.stringify(MANIFEST))]]);
    const paths = ["package.json", "package-lock.json"];
    const files = { list: async () => ({ ok: true, paths, truncated: false }) as const, readMany: async () => texts };
    const source = fromRegistry({ host: "127.0.0.1:1" });
    expect(await installPackages({ source, files, sandbox, day: undefined, signal })).toEqual({
      installed: false,
      needed: true,
      reason: "package-lock.json cannot be read, or has more than 16 MiB",
    });
  });

  it("IMPL-1, SEC-1: keeps to the lock file, also one of megabytes, and names the hosts that it points to and that are not allowed", async () => {
    const [registry, other] = [await startRegistry(), await startRegistry()];
    const files = [
      { path: "package.json", content: JSON.stringify(MANIFEST) },
      { path: "package-lock.json", content: lockfile(other.host, `sha512-${"a".repeat(86)}==`).padEnd(3_000_000) },
    ];
    await using fixture = await treeOfFiles(files);
    const tree = await fixture.open({ sandbox });
    expect(await install(tree, sandbox, fromRegistry(registry))).toEqual({
      installed: false,
      needed: true,
      reason: `npm asked for hosts that are not allowed: ${other.host}`,
    });
    expect(other.asked).toEqual([]);
    const known = await install(tree, sandbox, fromRegistry(other));
    expect(known).toMatchObject({ installed: false, reason: expect.stringContaining("EINTEGRITY") });
    expect(registry.asked).toEqual([]);
  });

  it("starts nothing where nothing is needed, nothing is possible or there is no sandbox", async () => {
    const registry = await startRegistry();
    const outcomeOf = async (files: Record<string, string>, given: { sandbox?: typeof sandbox } = { sandbox }) => {
      const listed = Object.entries(files).map(([path, content]) => ({ path, content }));
      await using fixture = await treeOfFiles(listed);
      return await install(await fixture.open(given), given.sandbox, fromRegistry(registry));
    };
    expect(await outcomeOf({ "package.json": "{}" })).toMatchObject({ installed: false, needed: false });
    expect(await outcomeOf({ "package.json": JSON.stringify(MANIFEST) }, {})).toEqual({
      installed: false,
      needed: true,
      reason: "there is no sandbox on this machine",
    });
    expect(registry.asked).toEqual([]);
  });

  it("says when the package manager is missing", async () => {
    const files = [{ path: "package.json", content: JSON.stringify(MANIFEST) }];
    await using fixture = await treeOfFiles(files);
    const tree = await fixture.open({ sandbox });
    const path = process.env.PATH;
    const tools = temporaryFolder();
    mkdirSync(join(tools, "bin"));
    process.env.PATH = join(tools, "bin");
    try {
      const outcome = await install(tree, sandbox, fromRegistry({ host: "127.0.0.1:1" }));
      // Where it is installed for the whole machine it finds no registry.
      expect(outcome).toMatchObject({ installed: false, reason: expect.stringMatching(/^npm (?:is not on|failed)/) });
    } finally {
      process.env.PATH = path;
    }
  });

  itWithPip("SEC-1: installs wheels for Python, and builds nothing", async () => {
    await using index = await startIndex();
    const env = { PIP_INDEX_URL: `http://${index.host}/simple`, PIP_RETRIES: "0" };
    const outcomeOf = async (requirements: string) => {
      const fixture = await treeOfFiles([
        { path: "requirements.txt", content: requirements },
        // What Python would find first where it is started.
        { path: "pip/__init__.py", content: "" },
        { path: "pip/__main__.py", content: "open('/box/traced', 'w')\n" },
      ]);
      const tree = await fixture.open({ sandbox });
      return { fixture, tree, outcome: await install(tree, sandbox, sourceOf(index.host, env)) };
    };
    const { fixture, tree, outcome } = await outcomeOf("wheeled==1.0\n");
    expect(outcome).toEqual({ kept: false, notes: [] });
    expect(readFileSync(join(tree.folder, PYTHON_PACKAGES, "wheeled.py"), "utf8")).toBe("answer = 42\n");
    expect(await tree.treeId()).toBe(fixture.baseTree);
    await fixture[Symbol.asyncDispose]();
    const source = await outcomeOf("sourced\n");
    expect(source.outcome).toMatchObject({ installed: false, reason: expect.stringMatching(/^pip failed: .*sourced/) });
    expect(existsSync(join(source.tree.folder, "traced"))).toBe(false);
    await source.fixture[Symbol.asyncDispose]();
  });
});
