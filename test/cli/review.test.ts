import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dispatch, UsageError } from "../../src/cli/dispatch.ts";
import { runReview } from "../../src/cli/review.ts";
import { reviewFolder } from "../../src/pipeline/review/folder/review-folder.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { isSarif } from "../analysis/reports/sarif-schema.ts";

let folder: string;
let scratch: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "forge-folder-")));
  scratch = mkdtempSync(join(tmpdir(), "forge-scratch-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(scratch, { recursive: true });
});

const CLEAN = "export function twice(value: number): number {\n  return value * 2;\n}\n";
const FAULTY = "export function set(): number {\n  const one = 1;\n  one = 2;\n  return one;\n}\n";

function write(path: string, content: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function git(...args: string[]) {
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "init.defaultBranch=main"];
  execFileSync("git", ["-C", folder, ...identity, ...args], { stdio: "ignore" });
}

function review(...args: string[]) {
  return reviewOn({ isTTY: false, noColor: false }, ...args);
}

async function reviewOn({ isTTY, noColor }: { isTTY: boolean; noColor: boolean }, ...args: string[]) {
  const streams = { out: "", err: "" };
  const code = await runReview(
    args,
    {
      folder: ({ ai: _none, ...request }) =>
        reviewFolder({ ...request, scratchRoot: scratch, signal: new AbortController().signal }),
      pull: () => Promise.reject(new Error("no pull request was named")),
    },
    {
      out: { isTTY, write: (text) => (streams.out += text) },
      err: { isTTY, write: (text) => (streams.err += text) },
      noColor,
      version: "1.2.3",
      redact: createRedactor([]),
    },
  );
  return { code, ...streams };
}

describe("forge review <folder> (OPS-1)", () => {
  it.each(["text", "json", "sarif"])("prints no secret, whatever quotes it: %s (SEC-6)", async (format) => {
    const secret = ["ghp", "_x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS4aKq"].join("");
    write(`src/${secret}.ts`, FAULTY);
    const { out } = await review(folder, "--all", "--format", format);
    expect(out).toContain("noConstAssign");
    expect(decodeURIComponent(out.replaceAll(/%(?![0-9A-F]{2})/g, ""))).toContain("[redacted]");
    expect(out).not.toContain(secret);
  });

  it("--all looks at every file, git or not; the most severe finding stands last, then the decision", async () => {
    write("src/set.ts", FAULTY);
    write("src/twice.ts", `${CLEAN}if (twice(1) == twice(2)) throw new Error("no");\n`);
    const { code, out } = await review(folder, "--all");
    const lines = out.trim().split("\n");
    expect(lines.at(-2)).toMatch(/^src\/set\.ts:3:3 error biome\/correctness\/noConstAssign F-\w{4} /);
    expect(lines.at(-1)).toMatch(/^changes requested: \d+ findings, 1 blocking \(looked at 2 of 2 files, \d+ lines\)$/);
    expect(code).toBe(1);
    expect(out).not.toContain("\x1b");
  });

  it("in a checkout compares with the merge base of the default branch, uncommitted work included", async () => {
    git("init");
    write("src/old.ts", FAULTY);
    git("add", "-A");
    git("commit", "-m", "first");
    git("checkout", "-b", "topic");
    write("src/committed.ts", FAULTY);
    git("add", "-A");
    git("commit", "-m", "second");
    write("src/uncommitted.ts", FAULTY);
    const { out, code } = await review(folder, "--format", "json");
    const files = JSON.parse(out).map(({ file }: { file: string }) => file);
    expect(files).toEqual(["src/committed.ts", "src/uncommitted.ts"]);
    expect(code).toBe(1);
    const since = await review(folder, "--base", "topic", "--format", "json");
    expect(JSON.parse(since.out).map(({ file }: { file: string }) => file)).toEqual(["src/uncommitted.ts"]);
  });

  it("JSON leaves what people should know to standard error", async () => {
    write("a.ts", FAULTY);
    write(".github/forge.yml", "review: { nothing_of_ours: 1 }\n");
    const { out, err } = await review(folder, "--all", "--format", "json");
    expect(JSON.parse(out)).toBeInstanceOf(Array);
    expect(err).toMatch(/^note: .*nothing_of_ours/m);
  });

  it("JSON has exactly the documented members, and the same ids at every run", async () => {
    write("a.ts", FAULTY);
    const first = JSON.parse((await review(folder, "--all", "--format", "json")).out);
    expect(Object.keys(first[0])).toEqual([
      "file",
      "line",
      "endLine",
      "rule",
      "severity",
      "category",
      "confidence",
      "message",
      "source",
      "id",
    ]);
    expect(JSON.parse((await review(folder, "--all", "--format", "json")).out)).toEqual(first);
  });

  it("SARIF of a whole folder is valid, and says what was not looked at", async () => {
    const { out, err, code } = await review("fixtures/vulnerable-shop", "--all", "--format", "sarif");
    const log = JSON.parse(out);
    expect(isSarif(log), JSON.stringify(isSarif.errors?.slice(0, 5))).toBe(true);
    expect(log.runs[0].results.length).toBeGreaterThan(20);
    expect(log.runs[0].invocations[0].toolExecutionNotifications.length).toBeGreaterThan(0);
    expect(err).toBe("");
    expect(code).toBe(2);
  });

  it("SARIF names the version and every finding", async () => {
    write("a.ts", FAULTY);
    const log = JSON.parse((await review(folder, "--all", "--format", "sarif")).out);
    expect(log.version).toBe("2.1.0");
    expect(log.runs[0].tool.driver).toMatchObject({ name: "Forge", version: "1.2.3" });
    expect(log.runs[0].results).toHaveLength(1);
  });

  it("exits 0 on clean code, 2 where a person is required", async () => {
    write("a.ts", CLEAN);
    expect((await review(folder, "--all")).code).toBe(0);
    write("b.ts", `export const key = "${["AKIA", "Q3ZK7N5XW2LMP4TB"].join("")}";\n`);
    const secret = await review(folder, "--all");
    expect(secret.code).toBe(2);
    expect(secret.out).not.toContain("Q3ZK7N5XW2LMP4TB");
  });

  it("follows no link out of the folder, and obeys nothing that stands in it", async () => {
    symlinkSync("/etc/passwd", join(folder, "passwd.js"));
    symlinkSync("/etc", join(folder, "etc"));
    write("biome.json", '{ "linter": { "enabled": false } }');
    write("a.ts", `// biome-ignore lint: no\n${FAULTY}`);
    const { out } = await review(folder, "--all");
    expect(out).not.toMatch(/root:|etc\//);
    expect(out).toContain("noConstAssign");
    expect(out).toContain("not looked at: etc: a symbolic link to outside\n");
  });

  it("a file name cannot write to the terminal", async () => {
    write("a\x1b[2J.ts", FAULTY);
    const { out } = await review(folder, "--all");
    expect(out).toContain("a\\u001b[2J.ts:3");
    expect(out).not.toContain("\x1b");
  });

  it("progress and colours are for terminals; a pipe gets neither, and NO_COLOR leaves the progress", async () => {
    write("a.ts", FAULTY);
    const piped = await review(folder, "--all");
    expect(piped.err).toBe("");
    expect(piped.out).not.toContain("\x1b");
    const terminal = await reviewOn({ isTTY: true, noColor: false }, folder, "--all");
    expect(terminal.err).toContain("\r\x1b[2Ksecrets done");
    expect(terminal.err.endsWith("\r\x1b[2K")).toBe(true);
    expect(terminal.err).not.toContain("\n");
    expect(terminal.out).toContain("\x1b[31merror\x1b[0m");
    const plain = await reviewOn({ isTTY: true, noColor: true }, folder, "--all");
    expect(plain.err).toContain("secrets done");
    expect(plain.out).toBe(piped.out);
  });

  it("looks only at what the branch changed when its base went on, and at what --base names", async () => {
    git("init");
    write("src/old.ts", CLEAN);
    git("add", "-A");
    git("commit", "-m", "first");
    git("checkout", "-b", "topic");
    write("src/new.ts", FAULTY);
    git("add", "-A");
    git("commit", "-m", "second");
    git("checkout", "main");
    write("src/elsewhere.ts", FAULTY);
    git("add", "-A");
    git("commit", "-m", "third");
    git("checkout", "topic");
    const files = async (...args: string[]) =>
      JSON.parse((await review(folder, "--format", "json", ...args)).out).map(({ file }: { file: string }) => file);
    expect(await files()).toEqual(["src/new.ts"]);
    expect(await files("--base", "main")).toEqual(["src/new.ts"]);
    expect(await files("--base", "HEAD")).toEqual([]);
  });

  it("exits 3 and names what it could not look at, in every format", async () => {
    write("a.ts", CLEAN);
    write("huge.ts", "export const one = 1;\n".repeat(200_000));
    const text = await review(folder, "--all");
    expect(text.code).toBe(3);
    expect(text.out).toContain("not looked at: huge.ts: larger than the limit (4400000 bytes)");
    expect(text.out).toMatch(/\nnot fully reviewed: .*1 of 2 files/);
    const json = await review(folder, "--all", "--format", "json");
    expect(json).toMatchObject({ code: 3, out: "[]\n" });
    expect(json.err).toContain("forge: not fully reviewed: huge.ts: larger than the limit");
  });

  it("looks into a folder that git ignores when it is named, and approves no folder without a file", async () => {
    git("init");
    write(".gitignore", "built/\n");
    write("built/a.ts", FAULTY);
    const built = await review(join(folder, "built"), "--all", "--format", "json");
    expect(JSON.parse(built.out)).toMatchObject([{ file: "a.ts" }]);
    mkdirSync(join(folder, "empty"));
    const empty = await review(join(folder, "empty"), "--all");
    expect(empty).toMatchObject({ code: 3, err: expect.stringContaining("There is no file to look at") });
  });

  it("says why it could not review, and exits 3", async () => {
    git("init");
    write("a.ts", CLEAN);
    const { code, err } = await review(folder, "--base", "nowhere");
    expect(code).toBe(3);
    expect(err).toContain('no commit "nowhere"');
  });

  it.each([[[]], [["a", "b"]], [["/nowhere"]], [["."], "--format", "xml"], [[".", "--all", "--base", "main"]]])(
    "refuses wrong usage: %j",
    async (args, ...more) => {
      await expect(review(...(args as string[]), ...(more as string[]))).rejects.toThrow(UsageError);
    },
  );

  it("--max says how many findings there are, and the rest that is left out is told", async () => {
    write("src/many.ts", FAULTY.repeat(3));
    const whole = JSON.parse((await review(folder, "--all", "--format", "json")).out).length;
    const { out, err } = await review(folder, "--all", "--format", "json", "--max", "1");
    expect(JSON.parse(out)).toHaveLength(1);
    expect(err).toContain(`forge: ${whole - 1} of ${whole} findings were left out; --max ${whole} has them all`);
    await expect(review(folder, "--max", "0")).rejects.toThrow("--max is a number from 1");
  });

  it("wrong usage ends with 64 and says how it is used", async () => {
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text) => said.push(String(text)) > 0;
    const usage = "review <folder>";
    const command = {
      name: "review",
      usage,
      does: "review",
      run: async (args: readonly string[]) => (await review(...args)).code,
    };
    const code = await dispatch([command], ["review", "--al"]).finally(() => {
      process.stderr.write = write;
    });
    expect(code).toBe(64);
    expect(said.join("")).toMatch(/^forge: .*--al.*\nusage: forge review <folder>\n$/s);
  });
});
