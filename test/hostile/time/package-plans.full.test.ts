import { describe, expect, it } from "vitest";
import { packagePlans } from "../../../src/workspace/install/package-plan.ts";
import { planPackages } from "../../../src/workspace/install/plan-packages.ts";

const NPM = { "package.json": '{ "dependencies": { "a": "1.0.0" } }' };
const requestOf = (files: Readonly<Record<string, string>>) => ({
  texts: new Map(Object.entries(files)),
  day: "2026-01-31",
  registries: ["pypi.org"],
});
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
const MANY = 30_000;

/** Each asks for more than there is time or memory for: by the square of what stands in it, or by a parser that is slow. */
const HOSTILE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "poetry.lock with as many extras as needs": {
    "poetry.lock": [
      '[metadata]\nlock-version = "2.0"\n[metadata.files]\n[[package]]\nname = "a"\nversion = "1"\nfiles = []\n',
      `[package.dependencies]\n${lines(MANY, (at) => `d${at} = "*"\n`)}`,
      `[package.extras]\n${lines(MANY, (at) => `e${at} = ["x"]\n`)}`,
    ].join(""),
    "pyproject.toml": '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\na = "*"\n',
  },
};

describe("manifests and lock files (SEC-1)", () => {
  it.each(Object.keys(HOSTILE))("%s: a thread reads it, and is ended at its limits", async (name) => {
    const request = requestOf(HOSTILE[name]!);
    const limits = { timeMs: 1_000, memoryMib: 128 };
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on("worker", count);
    const result = await planPackages(request, new AbortController().signal, limits);
    process.off("worker", count);
    expect(result).toEqual({ reason: expect.stringContaining("could not be read") });
    expect(threads).toBe(1);
  });

  it("settings of Yarn with a million members are not read, and there is no plan without them", async () => {
    const files = {
      ...NPM,
      "yarn.lock": "__metadata:\n  version: 8\n",
      ".yarnrc.yml": `a: [${"{a: b}, ".repeat(1_000_000)}]\n`,
    };
    const plans = await planPackages(requestOf(files), new AbortController().signal, {
      timeMs: 60_000,
      memoryMib: 128,
    });
    expect(plans).toContainEqual({
      kind: "impossible",
      reason: expect.stringContaining(".yarnrc.yml could not be read"),
    });
  });

  it("uv.lock in which each of 10,000 needs asks for 10,000 packages of one name asks for none", async () => {
    const lock = [
      'version = 1\n[[package]]\nname = "r"\nversion = "1"\nsource = { virtual = "." }\n',
      `dependencies = [${'{ name = "a" }, '.repeat(10_000)}]\n`,
      '[[package]]\nname = "a"\nsource = { virtual = "x" }\n'.repeat(10_000),
    ].join("");
    const limits = { timeMs: 120_000, memoryMib: 512 };
    const plans = await planPackages(requestOf({ "uv.lock": lock }), new AbortController().signal, limits);
    expect(plans).toContainEqual({ kind: "impossible", reason: expect.stringContaining("does not describe") });
  });

  it("honest ones come to the same as without a thread, and who gives up is heard", async () => {
    const request = requestOf({ ...NPM, "requirements.txt": "a==1.0\n" });
    const { signal } = new AbortController();
    expect(await planPackages(request, signal)).toEqual(packagePlans(request.texts, request.day, request.registries));
    const [npm] = (await planPackages({ ...request, without: "it is gone" }, signal)) as readonly { kind: string }[];
    expect(npm).toMatchObject({ manager: { name: "npm" }, notes: [expect.stringContaining("it is gone")] });
    await expect(planPackages(request, AbortSignal.abort(new Error("Enough.")))).rejects.toThrow("Enough.");
  });
});
