import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openClone } from "../../../src/workspace/clone.ts";
import { keepPackages, prunePackages } from "../../../src/workspace/install/package-cache.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { LIMITS, temporaryFolder } from "../sandbox-machine.ts";

const { signal } = new AbortController();

function open(maxBytes = 1e9) {
  const cache = { root: temporaryFolder(), maxBytes };
  let made = 0;
  const keep = async (name: string, text = name) => {
    const make = async (folder: string) => {
      made += 1;
      mkdirSync(join(folder, "node_modules", name), { recursive: true });
      writeFileSync(join(folder, "node_modules", name, "index.js"), text);
      return undefined;
    };
    const kept = await keepPackages(cache, { key: [name], make, signal });
    if (typeof kept === "string") throw new Error(kept);
    return kept;
  };
  return { cache, keep, made: () => made };
}

const entries = (root: string) => readdirSync(root).filter((name) => /^[0-9a-f]{40}$/.test(name));

it("makes what several ask for at once a single time, and takes it from then on", async () => {
  const { keep, made } = open();
  const all = await Promise.all([keep("a"), keep("a"), keep("a")]);
  expect(all.map(({ kept }) => kept).sort()).toEqual([false, true, true]);
  expect([made(), new Set(all.map(({ folder }) => folder)).size]).toEqual([1, 1]);
  await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
});

it.each<[string, (file: string) => void]>([
  ["is gone", (file) => rmSync(file)],
  ["was cut off", (file) => writeFileSync(file, "")],
  ["has more beside it", (file) => writeFileSync(`${file}.more`, "x")],
])("makes an installation anew of which a file %s", async (_, damage) => {
  const { keep, made } = open();
  await using first = await keep("a");
  const file = join(first.folder, "node_modules/a/index.js");
  damage(file);
  await using again = await keep("a");
  expect([again.kept, made(), readFileSync(file, "utf8"), existsSync(`${file}.more`)]).toEqual([false, 2, "a", false]);
});

it("leaves nothing that is half where the process is killed in the middle, and the next one makes it", async () => {
  const { cache, keep } = open();
  const module = join(import.meta.dirname, "../../../src/workspace/install/package-cache.ts");
  const script = `import { writeFileSync } from "node:fs";
    const { keepPackages } = await import(${JSON.stringify(module)});
    await keepPackages(${JSON.stringify(cache)}, { key: ["a"], signal: new AbortController().signal, make: async (folder) => {
      writeFileSync(folder + "/half", "x");
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    } });`;
  const killed = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  expect([killed.signal, entries(cache.root)]).toEqual(["SIGKILL", []]);
  await using made = await keep("a");
  expect([made.kept, readdirSync(made.folder)]).toEqual([false, ["node_modules"]]);
});

it("is bounded: what was not used for longest goes first, and never what is in use", async () => {
  const { cache, keep } = open(250);
  const text = "x".repeat(100);
  const old = await keep("old", text);
  const used = await keep("used", text);
  const ages = entries(cache.root).map((name) => join(cache.root, name, "entry.json"));
  for (const record of ages) {
    const at = new Date(record.startsWith(join(old.folder, "..")) ? 1_000 : 2_000);
    utimesSync(record, at, at);
  }
  // Both are in use: nothing can go although it is too much.
  const third = await keep("third", text);
  expect(entries(cache.root)).toHaveLength(3);
  await old[Symbol.asyncDispose]();
  expect(await prunePackages(cache)).toEqual({ removed: 1 });
  expect([old, used, third].map(({ folder }) => existsSync(folder))).toEqual([false, true, true]);
  await used[Symbol.asyncDispose]();
  await third[Symbol.asyncDispose]();
});

describeInSandbox("packages that are shown to what runs", (sandbox) => {
  it("SEC-1: nothing that is run changes what the next one gets", async () => {
    const { keep } = open();
    await using kept = await keep("a");
    const clone = await openClone({ folder: temporaryFolder(), sandbox });
    await clone.addPackages(kept.folder);
    const script = `const fs = require("node:fs");
      const attempts = [
        () => fs.writeFileSync("node_modules/a/index.js", "hostile"),
        () => fs.writeFileSync(fs.realpathSync("node_modules/a") + "/index.js", "hostile"),
        () => fs.chmodSync("node_modules/a/index.js", 0o777),
        () => fs.unlinkSync("node_modules/a/index.js"),
        () => fs.renameSync(fs.realpathSync("node_modules/a"), "/tmp/a"),
        () => fs.linkSync("node_modules/a/index.js", "hard"),
      ];
      console.log(attempts.map((attempt) => { try { attempt(); return "done"; } catch (error) { return error.code; } }).join(" "));
      // What stands beside the packages is its own.
      fs.writeFileSync("node_modules/.cache", "x");
      console.log(fs.readFileSync("node_modules/a/index.js", "utf8"));`;
    const { stdout } = await clone.run({ ...LIMITS, command: "node", args: ["-e", script] });
    const [attempts = "", read] = stdout.toString().trim().split("\n");
    expect([attempts.includes("done"), read]).toEqual([false, "a"]);
    expect(readFileSync(join(kept.folder, "node_modules/a/index.js"), "utf8")).toBe("a");
    await using again = await keep("a");
    expect(again.kept).toBe(true);
  });
});
