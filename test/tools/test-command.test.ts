import { describe, expect, it } from "vitest";
import { findTestCommand, isTestOf, takesFiles } from "../../src/tools/run/test-command.ts";
import { invokeTests } from "../../src/tools/run/test-invocation.ts";
import { readTestScript, type ScriptedTests } from "../../src/tools/run/test-script.ts";

function found(files: Readonly<Record<string, string>>, configured?: string[]) {
  return findTestCommand({ paths: Object.keys(files), textOf: (path) => files[path] }, configured);
}

const options = {
  ...{ files: undefined, testSeconds: 60, coverage: undefined },
  ...{ plugins: new Set<string>(), packages: new Set<string>(), mark: "the mark" },
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
    const of = (test: string) => readTestScript({ test });
    expect(
      of('node --import tsx --test --test-reporter spec -r ./a.js --env-file=.env "src/**/*.test.ts" test'),
    ).toMatchObject({
      runner: "node:test",
      nodeOptions: ["--import", "tsx", "-r", "./a.js", "--env-file=.env"],
      patterns: ["src/**/*.test.ts", "test"],
    });
    expect(of("node --test $(ls)")).toMatchObject({ nodeOptions: [] });
    for (const script of ["", "node server.js", "eslint . --ext jest", "make test"]) expect(of(script)).toBeUndefined();
    for (const script of ["constructor --x", "toString", "node __proto__"]) expect(of(script)).toBeUndefined();
  });

  it.each<[string, Partial<ScriptedTests>, Record<string, string>?]>([
    ["tsc --noEmit && vitest run --coverage", { runner: "vitest", options: [] }],
    [
      "cross-env NODE_OPTIONS=--experimental-vm-modules jest -c jest.js",
      { runner: "jest", options: ["-c", "jest.js"], env: { NODE_OPTIONS: "--experimental-vm-modules" } },
    ],
    [
      "NODE_ENV=test PATH=. mocha -r ts-node/register --reporter dot 'test/**/*.ts'",
      { runner: "mocha", options: ["-r", "ts-node/register"], patterns: ["test/**/*.ts"], env: { NODE_ENV: "test" } },
    ],
    ["c8 --reporter=lcov --check-coverage -r text ava", { runner: "ava" }],
    [
      "npm run lint && npm run test:unit -- --bail",
      { runner: "mocha" },
      { lint: "eslint .", "test:unit": "nyc mocha" },
    ],
    ["run-s lint test:*", { runner: "tap" }, { lint: "eslint .", "test:unit": "tap test/*.js" }],
    ["yarn unit", { runner: "jest" }, { unit: "node --experimental-vm-modules node_modules/.bin/jest --ci" }],
    ["tsx --test src/**/*.test.ts", { runner: "node:test", nodeOptions: ["--import", "tsx"] }],
    ["tape 'test/*.js' | tap-spec", { runner: "tap" }],
    [
      "yarn node -r ./.pnp.cjs --loader=./.pnp.loader.mjs --import tsx --test",
      { runner: "node:test", nodeOptions: ["--import", "tsx"] },
    ],
    ["node --require ./.pnp.js node_modules/jest/bin/jest.js", { runner: "jest", nodeOptions: [] }],
    ["mocha -r .pnp.cjs --require=./.pnp.cjs -r tsx", { runner: "mocha", options: ["-r", "tsx"] }],
    [
      "NODE_OPTIONS='--require ./.pnp.cjs --loader=./.pnp.loader.mjs  --experimental-vm-modules -r ./a.js' yarn jest",
      { runner: "jest", env: { NODE_OPTIONS: "--experimental-vm-modules -r ./a.js" } },
    ],
    ["c8 npm run unit", { runner: "ava" }, { unit: "ava" }],
    ["cross-env TZ=UTC npm run unit", { runner: "ava", env: { TZ: "UTC" } }, { unit: "tsc && ava" }],
    ["c8 -r text pnpm unit", { runner: "vitest" }, { unit: "vitest run" }],
  ])("the runner is what the script says: %s", (test, expected, more = {}) => {
    expect(readTestScript({ ...more, test })).toMatchObject(expected);
  });

  it("a script that calls itself has an end", () => {
    expect(readTestScript({ test: "npm test" })).toBeUndefined();
    expect(
      readTestScript({ test: "npm run a", a: "npm run b && npm run b", b: "npm run a && npm run a" }),
    ).toBeUndefined();
  });

  it("runs tests in TypeScript with a loader where the project brings none", () => {
    const of = (test: string, more: Record<string, string> = {}) =>
      found({ "package.json": JSON.stringify({ scripts: { test } }), "src/a.ts": "", "test/a.test.ts": "", ...more });
    expect(of("tsc && node --test dist/test/*.js")).toMatchObject({
      runner: "node:test",
      needsLoader: true,
      patterns: [],
    });
    expect(of("mocha")).toMatchObject({ needsLoader: true });
    for (const command of [
      of("mocha -r ts-node/register"),
      of("mocha", { ".mocharc.json": '{"require":"tsx"}' }),
      of("node --test test/*.test.ts"),
      of("vitest"),
    ])
      expect(command).not.toHaveProperty("needsLoader");
    const { env } = invokeTests(of("mocha")!, options);
    expect(env?.NODE_OPTIONS).toMatch(/^--import \S*oxc-node\S*$/);
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
    const node = { runner: "node:test", nodeOptions: ["--import", "tsx"], patterns: [] } as const;
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
    expect(among({ runner: "mocha" }, "tests.js", "test.js", "contests.js")).toEqual(["tests.js", "test.js"]);
    expect(among({ runner: "go", module: "a" }, "a_test.go", "a.go", "a_test.py")).toEqual(["a_test.go"]);
    expect(among({ runner: "maven" }, "ATest.java", "A.java", "ATest.py")).toEqual(["ATest.java"]);
    expect(among({ runner: "cargo" }, "tests/a.rs", "src/a.rs")).toEqual(["tests/a.rs"]);
  });
});
