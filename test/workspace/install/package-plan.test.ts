import { describe, expect, it } from "vitest";
import { type PackagePlan, packagePlans } from "../../../src/workspace/install/package-plan.ts";

const NEEDS = JSON.stringify({ devDependencies: { a: "1" } });
const plans = (files: Record<string, string>) =>
  packagePlans(new Map(Object.entries(files)), "2026-01-31", ["pypi.org"]).filter(({ kind }) => kind !== "nothing");

/** Manager and arguments. */
const commandOf = (files: Record<string, string>) =>
  plans(files).map((plan) => (plan.kind === "install" ? [plan.manager, ...plan.args] : plan));

/** What is in the way, when something is. */
function reasonOf(files: Record<string, string>): string | undefined {
  const plan = plans(files).find((each): each is PackagePlan & { kind: "impossible" } => each.kind === "impossible");
  return plan?.reason;
}

describe("how packages are installed", () => {
  it.each([
    ["package-lock.json", ["ci"]],
    ["npm-shrinkwrap.json", ["ci"]],
    ["other.json", ["install", "--no-package-lock", "--before=2026-01-31T23:59:59Z"]],
    ["bun.lockb", ["install", "--no-package-lock", "--before=2026-01-31T23:59:59Z"]],
  ])("by npm with %s", (file, args) => {
    expect(commandOf({ "package.json": NEEDS, [file]: "" })).toEqual([[{ name: "npm" }, ...args]]);
  });

  it.each([
    ["pnpm-lock.yaml", "lockfileVersion: '9.0'\n", "pnpm", "10", "--frozen-lockfile"],
    ["pnpm-lock.yaml", "lockfileVersion: '6.1'\n", "pnpm", "8", "--frozen-lockfile"],
    ["pnpm-lock.yaml", "lockfileVersion: 5.4\n", "pnpm", "7", "--frozen-lockfile"],
    ["yarn.lock", "# yarn lockfile v1\n", "yarn", "1", "--frozen-lockfile"],
    ["yarn.lock", "__metadata:\n  version: 8\n", "yarn-berry", "4", "--no-immutable"],
    ["yarn.lock", "__metadata:\n  version: 6\n", "yarn-berry", "3", "--no-immutable"],
    ["bun.lock", "{}", "bun", "1", "--frozen-lockfile"],
  ])("by what wrote %s (%j): %s %s", (file, text, name, version, how) => {
    expect(commandOf({ "package.json": NEEDS, [file]: text })).toEqual([[{ name, version }, "install", how]]);
  });

  it("in the version that the manifest names, and in none that is no version", () => {
    const versionOf = (packageManager: string) => {
      const manifest = JSON.stringify({ ...JSON.parse(NEEDS), packageManager });
      return commandOf({ "package.json": manifest, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" })[0];
    };
    expect(versionOf("pnpm@9.15.4+sha512.abc")).toMatchObject([
      { name: "pnpm", version: "9.15.4" },
      "install",
      "--frozen-lockfile",
    ]);
    expect(versionOf("pnpm@npm:evil@1.0.0")).toMatchObject([
      { name: "pnpm", version: "10" },
      "install",
      "--frozen-lockfile",
    ]);
  });

  it("SEC-1: hands over what says which packages, and neither scripts, programs nor tokens", () => {
    const manifest = { ...JSON.parse(NEEDS), scripts: { preinstall: "x" }, engines: { node: "1" } };
    const files = {
      "package.json": JSON.stringify(manifest),
      "yarn.lock": "__metadata:\n  version: 8\n",
      ".yarnrc.yml": "yarnPath: ./evil.cjs\nplugins: [./evil.cjs]\ncompressionLevel: 0\nnpmAuthToken: x\n",
      ".npmrc": "save-exact=true\n//registry.example/:_authToken=abc\n",
    };
    const [plan] = plans(files);
    const inputs = plan?.kind === "install" ? Object.fromEntries(plan.inputs) : {};
    expect({ ...inputs, "package.json": JSON.parse(inputs["package.json"] ?? "") }).toEqual({
      "package.json": JSON.parse(NEEDS),
      "yarn.lock": files["yarn.lock"],
      ".yarnrc.yml": '{"compressionLevel":0}\n',
    });
  });

  it("says why what is no JSON is not", () => {
    expect(reasonOf({ "package.json": "{" })).toBe("package.json is not valid JSON");
  });

  it.each([
    {},
    { "package.json": "{}" },
    { "package.json": '{"dependencies":{}}', "yarn.lock": "" },
    { "pyproject.toml": "[project]\ndependencies = []\n" },
  ])("does nothing where nothing is asked for: %j", (files) => expect(plans(files)).toEqual([]));

  it("gives pip only lines that name a package, of all requirement files together", () => {
    const text = [
      "# tools",
      "-r requirements-dev.txt",
      "requests==2.31.0   # pinned",
      "uvicorn[standard, x] >=0.20,<1 ; python_version < '3.13' and sys_platform != \"win32\"",
      "flask == 3.0.0 \\",
      `    --hash=sha256:${"a".repeat(64)} \\`,
      `    --hash=sha256:${"b".repeat(64)}`,
      "",
    ].join("\r\n");
    expect(plans({ "requirements.txt": text, "requirements-dev.txt": "pytest\nrequests==2.31.0\n" })).toEqual([
      {
        kind: "install",
        manager: { name: "pip" },
        inputs: new Map([[".venv/forge/sitecustomize.py", expect.any(String)]]),
        notes: [],
        args: ["install", "--upgrade", "--target=/box/.venv/forge"],
        requirements: [
          "requests==2.31.0",
          "uvicorn[standard, x] >=0.20,<1 ; python_version < '3.13' and sys_platform != \"win32\"",
          `flask == 3.0.0 --hash=sha256:${"a".repeat(64)} --hash=sha256:${"b".repeat(64)}`,
          "pytest",
          "",
        ].join("\n"),
      },
    ]);
  });

  it.each([
    ...[
      ".",
      "-e .",
      "./local",
      "git+https://example.com/x.git",
      "x @ https://example.com/x.whl",
      "https://example.com/x.whl",
    ],
    ...[
      "--index-url http://example.com",
      "-i http://example.com",
      "-r ../other.txt",
      "-c constraints.txt",
      "--no-binary :all:",
    ],
    ...[
      "x; python_version > '3' --config-settings=a=b",
      "x --global-option=y",
      "x==1 --index-url=y",
      `x${"==1,".repeat(5_000)}!`,
    ],
    ...[`x ${"!".repeat(5_000)}`, `x;${" ".repeat(5_000)}@`],
  ])("SEC-1: installs nothing where a line could have something built: %j", (line) => {
    expect(reasonOf({ "requirements.txt": `requests\n${line}\n` })).toBe(
      "requirements.txt asks for something that is no package by its name",
    );
  });

  it("says when only pyproject.toml or a Pipfile names packages", () => {
    expect(reasonOf({ "pyproject.toml": '[project]\ndependencies = [\n  "requests",\n]\n' })).toContain(
      "only pyproject.toml",
    );
    expect(reasonOf({ Pipfile: "[packages]\nrequests = '*'\n" })).toContain("only Pipfile");
  });
});
