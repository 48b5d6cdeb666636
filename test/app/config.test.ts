import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/app/config.ts";
import { HANDLERS } from "../../src/github/handlers/handle-delivery.ts";
import { APP_USES, lackingFor, NEEDED, usedFor } from "../../src/github/permissions.ts";

const directory = mkdtempSync(join(tmpdir(), "forge-config-"));
afterAll(() => rmSync(directory, { recursive: true }));

const begin = ["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ");
const pem = `${begin}\nabc\n-----END RSA PRIVATE KEY-----\n`;
const complete = { APP_ID: "77", WEBHOOK_SECRET: "s3cret enough", PRIVATE_KEY: pem };

describe("the environment (CONF-2)", () => {
  it("has defaults for everything but App, key and secret", () => {
    const config = readConfig(complete);
    expect(config.github).toEqual({ apiUrl: "https://api.github.com", origin: "https://github.com", allowHttp: false });
    expect(config.http).toEqual({ host: "127.0.0.1", port: 3000 });
    expect(config.debounceMs).toBe(30_000);
  });

  it("takes the key as PEM, with \\n written out, in base64, or from a file", () => {
    const path = join(directory, "key.pem");
    writeFileSync(path, pem);
    const { PRIVATE_KEY: _key, ...keyless } = complete;
    const given = [
      { PRIVATE_KEY: pem.replaceAll("\n", "\\n") },
      { PRIVATE_KEY: Buffer.from(pem).toString("base64") },
      { PRIVATE_KEY_PATH: path },
    ];
    for (const key of given) expect(readConfig({ ...keyless, ...key }).app.privateKey.trim()).toBe(pem.trim());
  });

  it.each([
    [{ ...complete, APP_ID: "" }, "APP_ID is missing"],
    [{ ...complete, APP_ID: "forge" }, "APP_ID"],
    [{ ...complete, WEBHOOK_SECRET: "development" }, "WEBHOOK_SECRET: must not be `development`"],
    [{ ...complete, PRIVATE_KEY: "nonsense" }, "PRIVATE_KEY is not a PEM private key"],
    [{ APP_ID: "1", WEBHOOK_SECRET: "x", PRIVATE_KEY_PATH: "/nowhere.pem" }, "there is no such file"],
    [{ ...complete, PORT: "99999" }, "PORT"],
    [{ ...complete, LOG_LEVEL: "loud" }, "LOG_LEVEL"],
    [{ ...complete, TRUSTED_PROXIES: "proxy.local" }, "TRUSTED_PROXIES: must be addresses or ranges"],
    [{ ...complete, FORGE_FORGET_ON_UNINSTALL: "perhaps" }, "FORGE_FORGET_ON_UNINSTALL"],
  ])("refuses what is wrong, by name: %#", (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it("names every mistake at once, and never repeats a value", () => {
    const secret = "not-to-be-shown";
    expect(() => readConfig({ PORT: secret })).toThrow(/APP_ID[\s\S]*WEBHOOK_SECRET[\s\S]*PORT[\s\S]*PRIVATE_KEY/);
    expect(() => readConfig({ PORT: secret })).not.toThrow(secret);
  });

  it("trusts only the proxies that are named (SEC-9)", () => {
    const { trustedProxies } = readConfig({ ...complete, TRUSTED_PROXIES: "127.0.0.1, fd00::/8" });
    expect(["127.0.0.1", "fd00::1", "10.0.0.1"].map(trustedProxies.trusts)).toEqual([true, true, false]);
    expect(readConfig(complete).trustedProxies.trusts("127.0.0.1")).toBe(false);
  });

  it("a registry of one's own is reached, and package managers are told of it", () => {
    const own = {
      FORGE_NPM_REGISTRY: "https://npm.example.com/",
      FORGE_PYTHON_INDEX: "http://python.example.com/simple",
    };
    const { registries, packageSettings } = readConfig({ ...complete, FORGE_REGISTRIES: "a.example", ...own });
    expect(registries).toEqual(["a.example", "npm.example.com", "python.example.com:80"]);
    expect(packageSettings).toMatchObject({
      npm_config_registry: own.FORGE_NPM_REGISTRY,
      PIP_INDEX_URL: own.FORGE_PYTHON_INDEX,
    });
    expect(readConfig(complete).packageSettings).toEqual({});
    const withUser = { ...complete, FORGE_PYTHON_INDEX: "https://ana:pass@python.example.com/simple" };
    expect(() => readConfig(withUser)).toThrow("FORGE_PYTHON_INDEX: must not hold a user or a password");
  });

  it.each([
    ["acme.ghe.com", "https://api.acme.ghe.com", "https://acme.ghe.com"],
    ["GitHub.com", "https://api.github.com", "https://github.com"],
    ["github.example.com", "https://github.example.com/api/v3", "https://github.example.com"],
  ])("GHE_HOST %s leads to the API at %s", (host, apiUrl, origin) => {
    expect(readConfig({ ...complete, GHE_HOST: host }).github).toEqual({ apiUrl, origin, allowHttp: false });
  });

  it("GHE_HOST and GHE_PROTOCOL lead to another GitHub", () => {
    const config = readConfig({ ...complete, GHE_HOST: "127.0.0.1:8080", GHE_PROTOCOL: "http" });
    expect(config.github.apiUrl).toBe("http://127.0.0.1:8080/api/v3");
    expect(config.github.allowHttp).toBe(true);
  });

  it("asks OSV for vulnerabilities unless its address is set to nothing", () => {
    const { registries, ...services } = readConfig(complete).advisories;
    expect(services).toEqual({ osvUrl: "https://api.osv.dev" });
    expect(registries).toMatchObject({ npm: "https://registry.npmjs.org", PyPI: "https://pypi.org" });
    expect(readConfig({ ...complete, FORGE_PACKAGE_REGISTRIES: "" }).advisories.registries).toEqual({});
    const ofOne = readConfig({ ...complete, FORGE_PACKAGE_REGISTRIES: "npm=http://127.0.0.1:4873" }).advisories;
    expect(ofOne.registries).toEqual({ npm: "http://127.0.0.1:4873" });
    expect(() => readConfig({ ...complete, FORGE_PACKAGE_REGISTRIES: "npm" })).toThrow("FORGE_PACKAGE_REGISTRIES");
    const own = { FORGE_OSV_URL: "", FORGE_NPM_ADVISORIES_URL: "http://127.0.0.1:4873" };
    const { osvUrl, ...others } = readConfig({ ...complete, ...own }).advisories;
    expect(osvUrl).toBeUndefined();
    expect(others).toMatchObject({ npmRegistryUrl: "http://127.0.0.1:4873" });
    expect(() => readConfig({ ...complete, FORGE_OSV_URL: "ftp://x" })).toThrow("FORGE_OSV_URL");
  });

  it(".env.example names every variable that is read", () => {
    const example = readFileSync(".env.example", "utf8");
    const read = readFileSync("src/app/config.ts", "utf8").match(/^ {2}([A-Z][A-Z_]+):/gm) ?? [];
    expect(read.length).toBeGreaterThan(15);
    for (const name of read) expect(example).toContain(`${name.trim().slice(0, -1)}=`);
  });
});

describe("app.yml (GH-16)", () => {
  const manifest = parse(readFileSync("app.yml", "utf8"));

  it("asks for exactly the permissions and events that Forge needs", () => {
    expect(manifest.default_permissions).toEqual(NEEDED.deploy.permissions);
    expect([...manifest.default_events].sort()).toEqual([...NEEDED.deploy.events].sort());
  });

  it("OPS-5: each use of the App needs what the ones before it need, and what it lacks is named", () => {
    for (const [at, use] of APP_USES.entries()) {
      const { permissions, events } = NEEDED[use];
      expect(usedFor(permissions, events)).toBe(use);
      for (const smaller of APP_USES.slice(0, at + 1)) expect(lackingFor(smaller, permissions, events)).toEqual([]);
      const { metadata: _, ...without } = permissions;
      expect(lackingFor(use, without, events.slice(1))).toEqual(["metadata: read", events[0]]);
    }
    const { permissions, events } = NEEDED.review;
    expect(usedFor({ ...permissions, contents: "write" }, events)).toBe("review");
    expect(usedFor({ ...permissions, checks: "read" }, events)).toBeUndefined();
  });

  it("every event that is handled is asked for, or comes without asking", () => {
    const unasked = ["check_suite", "github_app_authorization", "installation", "installation_repositories"];
    const handled = Object.keys(HANDLERS).map((name) => name.split(".")[0]!);
    expect([...new Set(handled)].filter((name) => !unasked.includes(name)).sort()).toEqual(
      [...NEEDED.deploy.events].sort(),
    );
  });

  it("every permission and event has a comment that says what for", () => {
    const lines = readFileSync("app.yml", "utf8").split("\n");
    for (const [at, line] of lines.entries()) {
      if (/^ {2}(?:- \w+|\w+: (?:read|write))$/.test(line)) expect(lines[at - 1]?.trim().startsWith("#")).toBe(true);
    }
  });
});
