import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-tools-"));
  cpSync("scripts/tools.ts", join(folder, "scripts", "tools.ts"));
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, content: object) => writeFileSync(join(folder, "tools", path), JSON.stringify(content));

/** tools/ with one package for development. */
function holdTool(version: string, packages: object): void {
  const settings = { name: "forge-tools", private: true, devDependencies: { small: version } };
  put("package.json", settings);
  put("package-lock.json", { name: "forge-tools", lockfileVersion: 3, packages: { "": settings, ...packages } });
}

function runTools(environment: Readonly<Record<string, string>>) {
  const env = {
    ...process.env,
    npm_config_fetch_retries: "0",
    npm_config_cache: join(folder, "cache"),
    ...environment,
  };
  return spawnSync(process.execPath, ["scripts/tools.ts"], { cwd: folder, env, encoding: "utf8" });
}

it.each([{ NODE_ENV: "production" }, { npm_config_omit: "dev" }])(
  "DOC-1: tools/ is installed with %o",
  (environment) => {
    mkdirSync(join(folder, "tools", "small"));
    put("small/package.json", { name: "small", version: "1.0.0" });
    holdTool("file:small", {
      "node_modules/small": { resolved: "small", link: true },
      small: { version: "1.0.0", dev: true },
    });
    expect(runTools(environment)).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(folder, "tools", "node_modules", "small", "package.json"))).toBe(true);
  },
);

it("DOC-1: without a network a sentence says that tools/ needs it once", () => {
  const resolved = "http://127.0.0.1:9/small-1.0.0.tgz";
  const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
  holdTool("1.0.0", { "node_modules/small": { version: "1.0.0", resolved, integrity, dev: true } });
  const { status, stderr } = runTools({});
  expect(status).toBe(1);
  expect(stderr).toContain("This needs the network once");
  expect(stderr).not.toMatch(/^ +at /m);
});
