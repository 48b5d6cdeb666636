import { describe, expect, it } from "vitest";
import { type PackagePlan, packagePlans } from "../../../src/workspace/install/package-plan.ts";
import { growsInProportion } from "../../processor-time.ts";

const NEEDS = JSON.stringify({ devDependencies: { a: "1" } });
const plans = (files: Record<string, string>) =>
  packagePlans((path) => files[path]).filter(({ kind }) => kind !== "nothing");

/** What is in the way, when something is. */
function reasonOf(files: Record<string, string>): string | undefined {
  const plan = plans(files).find((each): each is PackagePlan & { kind: "impossible" } => each.kind === "impossible");
  return plan?.reason;
}

describe("how packages are installed", () => {
  it.each([
    ["package-lock.json", ["ci"]],
    ["npm-shrinkwrap.json", ["ci"]],
    ["other.json", ["install", "--no-package-lock"]],
  ])("by npm with %s", (file, args) => {
    expect(plans({ "package.json": NEEDS, [file]: "" })).toEqual([{ kind: "install", command: "npm", args }]);
  });

  it("by pnpm with its lock file, exactly as that says", () => {
    const args = ["install", "--frozen-lockfile"];
    expect(plans({ "package.json": NEEDS, "pnpm-lock.yaml": "x" })).toEqual([
      { kind: "install", command: "pnpm", args },
    ]);
  });

  it("says why Yarn, Bun and what is no JSON are not", () => {
    expect(reasonOf({ "package.json": NEEDS, "yarn.lock": "" })).toContain("Yarn cannot be told to run no scripts");
    expect(reasonOf({ "package.json": NEEDS, "bun.lockb": "" })).toContain("Bun cannot be told to run no scripts");
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
        command: "pip",
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

  it("SEC-1: reads lines in time that grows with their length, whatever is in them", async () => {
    const traps = [
      (length: number) => `x${"==1,".repeat(length / 4)}!`,
      (length: number) => `x ${"!".repeat(length)}`,
      (length: number) => `x;${" ".repeat(length)}@`,
    ];
    for (const trap of traps) {
      const read = (length: number) => reasonOf({ "requirements.txt": `requests\n${trap(length)}\n` });
      expect([trap(8), await growsInProportion(read, 40_000)]).toEqual([trap(8), true]);
    }
  });

  it("says when only pyproject.toml or a Pipfile names packages", () => {
    expect(reasonOf({ "pyproject.toml": '[project]\ndependencies = [\n  "requests",\n]\n' })).toContain(
      "only pyproject.toml",
    );
    expect(reasonOf({ Pipfile: "[packages]\nrequests = '*'\n" })).toContain("only Pipfile");
  });
});
