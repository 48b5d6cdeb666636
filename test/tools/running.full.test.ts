import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { writeFile } from "../../src/tools/edit-file.ts";
import { createReadLog, readFile } from "../../src/tools/read-file.ts";
import { runCommand, USUAL_PROGRAMS } from "../../src/tools/run-command.ts";
import { runScript } from "../../src/tools/run-script.ts";
import { runTests } from "../../src/tools/run-tests.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { openClone } from "../../src/workspace/clone.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { call, failureOf, redact, textFrom } from "./tool-fixture.ts";

async function cloneOf(sandbox: Sandbox, files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const clone = await openClone({ folder: root, sandbox });
  return { root, clone, redact, programs: USUAL_PROGRAMS, files: clone.files, reads: createReadLog() };
}

/** Calls a tool whose program says something once it is up; resolves then, with the call still running. */
async function start(tool: Tool, input: unknown, signal = new AbortController().signal) {
  const { promise: up, resolve } = Promise.withResolvers<string>();
  const running = tool.run(tool.inputSchema.parse(input), { signal, onOutput: resolve });
  await up;
  return { running };
}

const script = (text: string) => ({ program: "node", args: ["-e", text] });

/** Stands for the installed runner: writes what it was asked for in Vitest's own form, and prints something else in that form. */
const STANDING_FOR_VITEST = `#!/usr/bin/env node
import fs from "node:fs";
const name = "/box/" + process.argv.at(-1);
const passed = { fullName: "passes", status: "passed" };
const report = (assertionResults) => JSON.stringify({ numTotalTests: 2, numFailedTests: 0, testResults: [{ name, status: "passed", assertionResults }] });
process.stdout.write(report([passed, passed]));
const asked = "a b " + process.argv.slice(2, -1).join(" ");
const failed = { fullName: asked, status: "failed", failureMessages: ["expected 1"] };
const file = process.argv.find((each) => each.startsWith("--outputFile="))?.slice(13);
if (!name.endsWith("b.test.ts")) fs.writeFileSync(file, report(name.endsWith("a.test.ts") ? [passed, failed] : [passed]));
process.exit(name.endsWith("b.test.ts") ? 0 : 1);`;

describeInSandbox("run_command", (sandbox) => {
  it("TOOLS-2: gives exit code, both outputs, and what it did to the files", async () => {
    const dependencies = await cloneOf(sandbox, { "src/a.txt": "a" });
    const tool = runCommand(dependencies);
    const { text, metrics } = await call(
      tool,
      script("console.log('out'); console.error('err'); fs.writeFileSync('made', process.cwd()); process.exit(3)"),
    );
    expect(text).toMatch(
      /^Exit code 3 after \d+\.\d s\.\n<data id="\w+" from="stdout">\nout\n<\/data id="\w+">\n<data id="\w+" from="stderr">\nerr\n<\/data id="\w+">$/,
    );
    expect(metrics).toMatchObject({ exit_code: 3, stdout_bytes: 4, stderr_bytes: 4 });
    expect(readFileSync(join(dependencies.root, "made"), "utf8")).toBe("/box");
    expect(await textFrom(tool, { program: "cat", args: ["a.txt"], folder: "src" })).toContain("\na\n");
    expect(await textFrom(tool, { program: "ls", args: ["nowhere"] })).toContain("Exit code 2");
  });

  it("TOOLS-2: tells an end by a signal, and an output without end", async () => {
    const tool = runCommand(await cloneOf(sandbox, {}));
    expect(await textFrom(tool, script("process.kill(process.pid, 'SIGKILL')"))).toContain("ended by signal 9");
    const endless = await call(tool, script("const line = 'x'.repeat(999) + '\\n'; for (;;) fs.writeSync(1, line)"));
    expect(endless.text).toContain("it printed more than 8 MB");
    expect(endless.text).toMatch(/Cut here: \d+ of \d+ lines of stdout are not shown/);
    expect(endless.text.length).toBeLessThan(40_000);
    expect(endless.warnings).toHaveLength(1);
  });

  it("SEC-4: ends a program that hangs, and one whose call is stopped", async () => {
    const tool = runCommand(await cloneOf(sandbox, {}));
    const hanging = script("console.log('up'); setInterval(() => {}, 1000)");
    expect(await textFrom(tool, { ...hanging, timeout_seconds: 1 })).toContain("Stopped: it took longer than 1 s.");
    const stop = new AbortController();
    const { running } = await start(tool, hanging, stop.signal);
    stop.abort();
    expect((await running).text).toContain("Stopped from outside.");
  });

  it("SEC-4: takes programs from the list only, and arguments as they are", async () => {
    const tool = runCommand(await cloneOf(sandbox, { "node_modules/.bin/node": "#!/bin/sh\necho theirs\n" }));
    for (const program of ["sh", "bash", "curl", "/usr/bin/node", "../node", "node -e 1", "-rf", ""]) {
      await expect(failureOf(tool, { program }).catch(() => "not_permitted")).resolves.toContain("not_permitted");
    }
    const hostile = ["; id", "$(id)", "`id`", "a b", "--", "*", "|cat"];
    const { text } = await call(tool, {
      program: "node",
      args: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...hostile],
    });
    expect(text).toContain(JSON.stringify(hostile));
    expect(await failureOf(tool, { program: "node", args: ["a\0b"] })).toContain("invalid_arguments: ");
    expect(await failureOf(tool, { program: "node", folder: "../" })).toContain("invalid_path: ");
    expect(await failureOf(tool, { program: "node", folder: "gone" })).toContain("not_found: ");
  });

  it("SEC-1: has no network, no secrets and leaves no .git", async () => {
    const dependencies = await cloneOf(sandbox, {});
    process.env.FORGE_TEST_CANARY = "canary-value";
    const text = await textFrom(
      runCommand(dependencies),
      script(
        "const tries = [() => fs.writeFileSync('/etc/gitconfig', 'x'), () => fs.readFileSync('/etc/shadow')];" +
          "fs.mkdirSync('.git/hooks', { recursive: true }); fs.writeFileSync('.git/hooks/pre-commit', 'x');" +
          "console.log(tries.map((each) => { try { each(); return 'done'; } catch (error) { return error.code; } }).join(), JSON.stringify(process.env));" +
          "fetch('http://127.0.0.1:1').catch((error) => console.log(error.cause.code));",
      ),
    );
    delete process.env.FORGE_TEST_CANARY;
    expect(text).not.toMatch(/done|canary/);
    expect(existsSync(join(dependencies.root, ".git"))).toBe(false);
  });

  it("TOOLS-2: streams whole lines without secrets while it runs", async () => {
    const dependencies = await cloneOf(sandbox, {});
    const tool = runCommand(dependencies);
    const token = [`gh${"p"}_`, "a1".repeat(18)];
    const chunks: string[] = [];
    // What is written second is not before the first of it was read here.
    const second = `fs.existsSync('heard') && (clearInterval(look), console.log('${token[1]} end'))`;
    const text = `process.stdout.write('first\\n${token[0]}'); const look = setInterval(() => ${second}, 5)`;
    const input = tool.inputSchema.parse(script(text));
    const { signal } = new AbortController();
    const onOutput = (chunk: string) => {
      chunks.push(chunk);
      writeFileSync(join(dependencies.root, "heard"), "");
    };
    const result = await tool.run(input, { signal, onOutput });
    expect(chunks).toEqual(["first\n", "[redacted] end\n"]);
    expect(result.text).toContain("first\n[redacted] end\n");
  });

  it("SEC-4: no file tool runs while it is alive", async () => {
    const dependencies = await cloneOf(sandbox, { a: "before" });
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);";
    // For a moment the file leads out of the clone.
    const swap = `fs.rmSync('a'); fs.symlinkSync('/etc/hostname', 'a'); fs.writeSync(1, 'up\\n'); ${wait} fs.rmSync('a'); fs.writeFileSync('a', 'after')`;
    const { running } = await start(runCommand(dependencies), script(swap));
    const [read, written] = await Promise.all([
      textFrom(readFile(dependencies), { path: "a" }),
      textFrom(writeFile(dependencies), { path: "b", content: "b" }),
      running,
    ]);
    expect(read).toContain("1|after");
    expect(written).toContain("Created");
    const busy = await start(runCommand(dependencies), script(`fs.writeSync(1, 'up\\n'); ${wait}`));
    const stop = new AbortController();
    const reading = call(readFile(dependencies), { path: "a" }, stop.signal);
    stop.abort(new Error("Enough."));
    await expect(reading).rejects.toThrow("Enough.");
    await busy.running;
  });
});

const NODE_TESTS = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  "test/sum.test.js":
    "import test from 'node:test'; import assert from 'node:assert'; import { sum } from '../src/sum.js';\n" +
    "test('adds', () => assert.equal(sum(1, 2), 3));\ntest('adds wrongly', () => assert.equal(sum(1, 2), 4));\n",
  "test/other.test.js": "import test from 'node:test';\ntest('other', () => {});\ntest.skip('later', () => {});\n",
};

describeInSandbox("run_script", (sandbox) => {
  it("REV-4a: runs a script that is there or a small new one, which is gone afterwards, and nothing else", async () => {
    const dependencies = await cloneOf(sandbox, { ...NODE_TESTS, "print.mjs": "console.log(process.argv[2]);\n" });
    const tool = runScript(dependencies);
    expect(await textFrom(tool, { path: "print.mjs", args: ["; id"] })).toMatch(/^Exit code 0 [\s\S]*; id\n/);
    const content = 'import { sum } from "./src/sum.js"; const text: string = "sum " + sum(1, 2); console.log(text);\n';
    expect(await textFrom(tool, { path: "look.ts", content })).toContain("sum ");
    expect(existsSync(join(dependencies.root, "look.ts"))).toBe(false);
    expect(await failureOf(tool, { path: "print.mjs", content })).toContain("exists: ");
    expect(await failureOf(tool, { path: "absent.js" })).toContain("not_found: ");
    expect(await failureOf(tool, { path: "package.json" })).toContain("not_a_script: ");
    expect(await failureOf(tool, { path: "../../x.js", content })).not.toContain("no failure");
  });
});

describeInSandbox("run_tests", (sandbox) => {
  it("TOOLS-1: runs node:test, all or named ones, and says what failed and why", async () => {
    const tool = runTests(await cloneOf(sandbox, NODE_TESTS));
    const all = await call(tool, {});
    expect(all.text).toContain("node:test: 2 passed, 1 failed, 1 skipped. Exit code 1");
    expect(all.text).toContain("FAILED test/sum.test.js > adds wrongly");
    expect(all.text).toContain("3 == 4");
    expect(all.metrics).toEqual({ passed: 2, failed: 1, skipped: 1 });
    expect(await textFrom(tool, { files: ["test/other.test.js"] })).toContain(
      "node:test: 1 passed, 0 failed, 1 skipped. Exit code 0",
    );
    expect(await textFrom(tool, { files: ["test/sum.test.js"], name: "wrongly" })).toContain("0 passed, 1 failed");
    expect(await failureOf(tool, { files: ["test/gone.test.js"] })).toContain("not_found: ");
    expect(await failureOf(tool, { files: ["--import=data:x"] })).toContain("not_found: ");
  });

  it("REV-4: runs a test that exists for this run only, to show a fault", async () => {
    const dependencies = await cloneOf(sandbox, NODE_TESTS);
    const content =
      "import test from 'node:test'; import { sum } from '../src/sum.js';\ntest('shows it', () => { if (sum('1', 2) !== 3) throw new Error('joins'); });\n";
    const text = await textFrom(runTests(dependencies), { with_file: { path: "test/shown.test.js", content } });
    expect(text).toContain("0 passed, 1 failed");
    expect(text).toContain("joins");
    const named = { files: ["./test/shown.test.js"], with_file: { path: "test/shown.test.js", content } };
    expect(await textFrom(runTests(dependencies), named)).toContain("0 passed, 1 failed");
    expect(existsSync(join(dependencies.root, "test/shown.test.js"))).toBe(false);
    expect(await failureOf(runTests(dependencies), { with_file: { path: "test/sum.test.js", content } })).toContain(
      "exists: ",
    );
    expect(await failureOf(runTests(dependencies), { with_file: { path: ".git/hooks/x", content } })).toContain(
      "gits_own: ",
    );
  });

  it("runs the tests that a change affects, as far as somebody can tell", async () => {
    const dependencies = await cloneOf(sandbox, NODE_TESTS);
    const affectedTests = async (paths: readonly string[]) =>
      paths.includes("src/sum.js") ? ["test/sum.test.js", "src/sum.js"] : [];
    const tool = runTests({ ...dependencies, affectedTests });
    expect(await textFrom(tool, { affected_by: ["src/sum.js"] })).toMatch(
      /1 passed, 1 failed, 0 skipped\..*\nRan test\/sum\.test\.js\.\n<data/s,
    );
    expect(await textFrom(tool, { affected_by: ["package.json"] })).toBe(
      "No test imports these files: nothing was run.",
    );
    expect(await failureOf(runTests(dependencies), { affected_by: ["src/sum.js"] })).toContain("unavailable: ");
  });

  it("TEST-2a: reads the file that a runner writes, and nothing that its tests print", async () => {
    const dependencies = await cloneOf(sandbox, {
      "package.json": JSON.stringify({ type: "module", devDependencies: { vitest: "5" } }),
      "node_modules/.bin/vitest": STANDING_FOR_VITEST,
      "src/a.test.ts": "",
      "src/b.test.ts": "",
      "src/c.test.ts": "",
    });
    chmodSync(join(dependencies.root, "node_modules/.bin/vitest"), 0o755);
    const text = await textFrom(runTests(dependencies), { files: ["src/a.test.ts"], name: "a (b)" });
    expect(text).toContain("vitest: 1 passed, 1 failed, 0 skipped. Exit code 1");
    expect(text).toContain(
      "FAILED src/a.test.ts > a b run --reporter=json --outputFile=/tmp/forge-tests.report --bail=0 --testNamePattern=a \\(b\\)\n  expected 1",
    );
    // It ends before it has written anything.
    expect(await textFrom(runTests(dependencies), { files: ["src/b.test.ts"] })).toContain(
      "vitest gave no result. Exit",
    );
    // It fails though no test did.
    const failed = await call(runTests(dependencies), { files: ["src/c.test.ts"] });
    expect(failed.text).toContain("vitest: 1 passed, 1 failed, 0 skipped. Exit code 1");
    expect(failed.metrics).toMatchObject({ passed: 1, failed: 1 });
  });

  it("shows the output when a runner gave no result, and says when none is known", async () => {
    const broken = await cloneOf(sandbox, { "package.json": '{"devDependencies":{"jest":"1"}}' });
    expect(await textFrom(runTests(broken), {})).toContain("jest gave no result. Exit code 127");
    expect(await failureOf(runTests(await cloneOf(sandbox, { "a.rb": "" })), {})).toContain("no_runner: ");
  });
});
