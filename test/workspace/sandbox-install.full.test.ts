import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { InstallResult, InstallSpec } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { LIMITS, temporaryFolder } from "./sandbox-machine.ts";
import { type Registry, startRegistry, TRACE } from "./test-registry.ts";

function project(dependency = "1.0.0"): string {
  const folder = temporaryFolder();
  const manifest = { name: "project", version: "1.0.0", scripts: TRACE, dependencies: { traced: dependency } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}

describeInSandbox("installing dependencies in the sandbox", (sandbox) => {
  const install = (
    registry: Registry,
    spec: Partial<InstallSpec> & Pick<InstallSpec, "writable">,
  ): Promise<InstallResult> =>
    sandbox.runInstall({
      ...LIMITS,
      // A package manager takes its time beside other tests.
      ...{ timeoutMs: 120_000, cpuSeconds: 60 },
      command: "npm",
      args: ["install"],
      allowedHosts: [registry.host],
      env: { npm_config_registry: `http://${registry.host}`, npm_config_fetch_retries: "0" },
      ...spec,
    });

  it("SEC-1: installs from the allowed registry, and runs no script of anybody", async () => {
    const registry = await startRegistry();
    const writable = project();
    writeFileSync(join(writable, ".npmrc"), "ignore-scripts=false\nscript-shell=/bin/sh\nregistry=http://192.0.2.1\n");
    const result = await install(registry, {
      writable,
      args: ["install", "--no-ignore-scripts", "--foreground-scripts"],
    });
    expect(result.stderr.toString()).not.toContain("error");
    expect(result).toMatchObject({ ok: true, refusedHosts: [] });
    expect(readFileSync(join(writable, "node_modules", "traced", "package.json"), "utf8")).toContain('"traced"');
    expect([existsSync(join(writable, "traced")), readdirSync(join(writable, "node_modules", "traced"))]).toEqual([
      false,
      ["package.json"],
    ]);
    expect(registry.asked).toEqual(["GET /traced", "GET /traced/-/traced-1.0.0.tgz"]);
  });

  it("SEC-1: runs no git for a dependency, not even one that the repository brings", async () => {
    const registry = await startRegistry();
    const writable = project("git+https://example.com/traced.git");
    writeFileSync(join(writable, "git.sh"), "#!/bin/sh\ntouch traced\n", { mode: 0o755 });
    writeFileSync(join(writable, ".npmrc"), "git=./git.sh\n");
    expect(await install(registry, { writable })).toMatchObject({ ok: false });
    expect(existsSync(join(writable, "traced"))).toBe(false);
  });

  it("SEC-1: has an environment without anything of Forge's, and no way but the proxy", async () => {
    const registry = await startRegistry();
    const tools = temporaryFolder();
    mkdirSync(join(tools, "bin"));
    chmodSync(tools, 0o755);
    const script = `#!/usr/bin/env node
      const { connect } = require("node:net"), { request } = require("node:http");
      console.log(Object.keys(process.env).sort().join(" "));
      const [host, port] = ${JSON.stringify(registry.host.split(":"))};
      connect(port, host).on("connect", () => console.log("reached")).on("error", (error) => {
        console.log(error.code);
        const proxy = new URL(process.env.HTTPS_PROXY);
        for (const path of ["example.com:443", "169.254.169.254:80", host + ":1", host + ":" + port])
          request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path })
            .on("connect", (response, socket) => { console.log(path, response.statusCode); socket.destroy(); }).end();
      });`;
    writeFileSync(join(tools, "bin", "npm"), script, { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${join(tools, "bin")}:${path}`;
    process.env.FORGE_TEST_CANARY = "canary";
    try {
      const result = await install(registry, { writable: project(), env: { GIVEN: "yes" } });
      const [variables = "", direct, ...tunnels] = result.stdout.toString().trim().split("\n");
      const names = variables.split(" ").filter((name) => !/^(?:npm_config|pip|yarn)_|_proxy$/i.test(name));
      expect(names).toEqual(["GIVEN", "HOME", "LANG", "NODE_USE_SYSTEM_CA", "PATH", "PWD", "TMPDIR"]);
      expect(direct).toBe("ECONNREFUSED");
      expect(tunnels.sort()).toEqual(
        ["169.254.169.254:80 403", `${registry.host} 200`, "127.0.0.1:1 403", "example.com:443 403"].sort(),
      );
      expect([...result.refusedHosts].sort()).toEqual(["127.0.0.1:1", "169.254.169.254:80", "example.com:443"]);
    } finally {
      process.env.PATH = path;
      delete process.env.FORGE_TEST_CANARY;
    }
  });

  it("takes no program that cannot be told to leave scripts out", async () => {
    const command = "make" as InstallSpec["command"];
    const refused = install({ host: "127.0.0.1:1", asked: [] }, { writable: project(), command });
    await expect(refused).rejects.toMatchObject({ code: "install_refused" });
  });
});
