import { describe, expect, it } from "vitest";
import { findTestCommand, isTestOf, nodeTestArguments, takesFiles } from "../../src/tools/run/test-command.ts";
import { invokeTests } from "../../src/tools/run/test-invocation.ts";

function found(files: Readonly<Record<string, string>>, configured?: string[]) {
  return findTestCommand({ paths: Object.keys(files), textOf: (path) => files[path] }, configured);
}

const options = {
  ...{ files: undefined, testSeconds: 60, coverage: undefined },
  ...{ plugins: new Set<string>(), packages: new Set<string>() },
};

describe("how a project runs its tests (TEST-1)", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["vitest", { "package.json": '{"scripts":{"test":"vitest run"}}', "go.mod": "module a\n" }],
    ["node:test", { "package.json": "{}", "a.test.js": "" }],
    ["pytest", { "pyproject.toml": "[tool.pytest.ini_options]", "Cargo.toml": "" }],
    ["pytest", { "test_a.py": "" }],
    ["go", { "go.mod": "module example.com/shop\n\ngo 1.22\n", "scripts/test_a.py": "" }],
    ["cargo", { "Cargo.toml": "[package]" }],
    ["maven", { "pom.xml": "<project/>" }],
    ["gradle", { "build.gradle.kts": "" }],
  ])("%s is found from %j", (runner, files) => {
    expect(found(files)?.runner).toBe(runner);
  });

  it("what people configured stands above it, word for word", () => {
    const command = found({ "package.json": '{"scripts":{"test":"vitest run"}}' }, ["make", "check; id"]);
    expect(command).toEqual({ runner: "configured", command: ["make", "check; id"] });
    expect(invokeTests(command!, options)).toEqual({ program: "make", args: ["check; id"], results: "printed" });
    expect(takesFiles(command!)).toBe(false);
    expect(found({ "a.rb": "" })).toBeUndefined();
  });

  it("takes from a script of node:test how code is loaded, and what is a test", () => {
    const of = (test: string) => nodeTestArguments(JSON.stringify({ scripts: { test } }));
    expect(
      of('node --import tsx --test --test-reporter spec -r ./a.js --env-file=.env "src/**/*.test.ts" test'),
    ).toEqual({
      options: ["--import", "tsx", "-r", "./a.js", "--env-file=.env"],
      patterns: ["src/**/*.test.ts", "test"],
    });
    for (const script of ["npm run build && node --test", "node --test $(ls)", "mocha", "", "node --test | tee out"])
      expect(of(script)).toEqual({ options: [], patterns: [] });
    expect(nodeTestArguments("{")).toEqual({ options: [], patterns: [] });
  });

  it("no path becomes an option", () => {
    const commands = [
      { runner: "vitest" },
      { runner: "jest" },
      { runner: "pytest" },
      { runner: "unittest" },
      { runner: "node:test", options: [], patterns: [] },
    ] as const;
    for (const command of commands) {
      const { args } = invokeTests(command, { ...options, files: ["--import=data:x", "a.test.js"] });
      expect(args.slice(-2)).toEqual(["./--import=data:x", "a.test.js"]);
    }
    expect(invokeTests({ runner: "go", module: "a" }, { ...options, files: ["-exec=id/a_test.go"] }).args.at(-1)).toBe(
      "./-exec=id",
    );
    const java = { ...options, files: ["src/test/java/shop/CartTest.java", "src/test/java/-Dx=y,Test.java"] };
    expect(invokeTests({ runner: "maven" }, java).args).toContain("-Dtest=CartTest");
    expect(invokeTests({ runner: "gradle", wrapper: true }, java)).toMatchObject({
      program: "sh",
      args: ["./gradlew", "--offline", "--console=plain", "--continue", "test", "--tests", "*CartTest"],
    });
  });

  it("measures coverage where the runner can without further packages", () => {
    const wish = { ...options, coverage: ".cover" };
    const node = { runner: "node:test", options: ["--import", "tsx"], patterns: [] } as const;
    expect(invokeTests(node, wish)).toMatchObject({
      args: [
        "--import",
        "tsx",
        "--test",
        "--test-timeout=60000",
        "--test-force-exit",
        "--test-reporter=tap",
        "--test-reporter-destination=stdout",
        "--experimental-test-coverage",
        "--test-reporter=lcov",
        "--test-reporter-destination=.cover",
      ],
      coverage: { format: "lcov", path: ".cover" },
    });
    expect(invokeTests({ runner: "vitest" }, wish).coverage).toBeUndefined();
    const installed = new Set(["@vitest/coverage-v8"]);
    expect(invokeTests({ runner: "vitest" }, { ...wish, packages: installed }).coverage).toEqual({
      format: "lcov",
      path: ".cover/lcov.info",
    });
    expect(invokeTests({ runner: "jest" }, wish).coverage).toEqual({ format: "lcov", path: ".cover/lcov.info" });
    expect(invokeTests({ runner: "pytest" }, wish).coverage).toBeUndefined();
    const plugins = new Set(["pytest_cov", "pytest_timeout"]);
    expect(invokeTests({ runner: "pytest" }, { ...wish, plugins })).toMatchObject({
      args: expect.arrayContaining(["--timeout=60", "--cov", "--cov-report=xml:.cover"]),
      coverage: { format: "cobertura", path: ".cover" },
    });
  });

  it("knows its tests by their names", () => {
    const node = { runner: "node:test", options: [], patterns: [] } as const;
    const among = (command: Parameters<typeof isTestOf>[0], ...paths: string[]) =>
      paths.filter((path) => isTestOf(command, path));
    expect(among(node, "test/a.js", "test/fixtures/b.js", "src/c.js", "src/d.test.ts")).toEqual([
      "test/a.js",
      "src/d.test.ts",
    ]);
    expect(among({ runner: "go", module: "a" }, "a_test.go", "a.go", "a_test.py")).toEqual(["a_test.go"]);
    expect(among({ runner: "maven" }, "ATest.java", "A.java", "ATest.py")).toEqual(["ATest.java"]);
    expect(among({ runner: "cargo" }, "tests/a.rs", "src/a.rs")).toEqual(["tests/a.rs"]);
  });
});
