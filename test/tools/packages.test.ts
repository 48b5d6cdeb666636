import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPackage } from "../../src/tools/read-package.ts";
import { openPackages } from "../../src/workspace/install/open-packages.ts";
import { failureOf, folderWith, redact, textFrom } from "./tool-fixture.ts";

/** As npm lays packages out, and pnpm: in a store below, with links to it. */
function installed() {
  const { root } = folderWith({
    "node_modules/left/package.json": '{"name":"left","version":"1.2.3","types":"index.d.ts"}',
    "node_modules/left/index.js": "exports.left = (text, size) => text.padStart(size);\n",
    "node_modules/left/index.d.ts": "export declare function left(text: string, size: number): string;\n",
    "node_modules/@types/node/index.d.ts": "declare var process: unknown;\n",
    "node_modules/.pnpm/right@2.0.0/node_modules/right/index.js": "module.exports = 2;\n",
    ".venv/forge/requests_mock/__init__.py": "x = 1\n",
  });
  symlinkSync(".pnpm/right@2.0.0/node_modules/right", join(root, "node_modules/right"));
  const outside = folderWith({ "secret.txt": "not for models" });
  symlinkSync(outside.root, join(root, "node_modules/outside"));
  mkdirSync(join(root, "node_modules/linked"));
  symlinkSync(join(outside.root, "secret.txt"), join(root, "node_modules/linked/secret.txt"));
  writeFileSync(join(root, "own.ts"), "export {};\n");
  symlinkSync(".", join(root, "node_modules/all"));
  return readPackage({ packages: openPackages(root), redact });
}

it("REV-4a: shows the manifest and the files of an installed package, types first, a file of it, and the lines that match", async () => {
  const tool = installed();
  const overview = await textFrom(tool, { name: "left" });
  expect(overview).toContain('{"version":"1.2.3","types":"index.d.ts"}');
  expect(overview).toMatch(/index\.d\.ts\nindex\.js/);
  expect(await textFrom(tool, { name: "left", path: "index.d.ts" })).toContain("1|export declare function left(");
  expect(await textFrom(tool, { name: "left", pattern: "padStart" })).toContain("index.js");
  expect(await textFrom(tool, { name: "@types/node" })).toContain("index.d.ts");
});

it("REV-4a: finds packages that managers link to, and those of Python", async () => {
  const tool = installed();
  expect(await textFrom(tool, { name: "right", path: "index.js" })).toContain("module.exports = 2;");
  expect(await textFrom(tool, { name: "requests-mock", path: "__init__.py" })).toContain("x = 1");
});

it("SEC-4: opens nothing outside of the folder of packages, by no name and no link", async () => {
  const tool = installed();
  for (const name of ["outside", "all", "absent"])
    expect(await failureOf(tool, { name })).toBe(
      `not_installed: The package ${name} is not installed for this repository.`,
    );
  for (const name of ["../..", "..", "left/../..", "/etc", "@types"])
    expect(
      tool.inputSchema.safeParse({ name }).success && !(await failureOf(tool, { name })).startsWith("not_installed"),
    ).toBe(false);
  expect(await failureOf(tool, { name: "left", path: "../right/index.js" })).not.toContain("no failure");
  expect(await failureOf(tool, { name: "linked", path: "secret.txt" })).not.toContain("no failure");
});

it("REV-4a: says where nothing is installed", async () => {
  expect(await failureOf(readPackage({ packages: undefined, redact }), { name: "zod" })).toBe(
    "not_installed: No packages are installed here: how one behaves cannot be looked up.",
  );
});
