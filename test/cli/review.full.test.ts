import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dispatch, UsageError } from "../../src/cli/dispatch.ts";
import { runReview } from "../../src/cli/review.ts";
import type { Finding } from "../../src/domain/findings.ts";
import { reviewFolder } from "../../src/pipeline/review/folder/review-folder.ts";
import { reachVerdict } from "../../src/pipeline/review/verdict.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { isSarif } from "../analysis/reports/sarif-schema.ts";
import { aCommand } from "./a-command.ts";

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

type Folder = Parameters<typeof reviewFolder>[0];
const lookAt = (request: Pick<Folder, "folder" | "all" | "base" | "mostFindings" | "onProgress">) =>
  reviewFolder({ ...request, scratchRoot: scratch, signal: new AbortController().signal });

function review(...args: string[]) {
  return reviewBy(lookAt, { isTTY: false, noColor: false }, ...args);
}

/** What `forge review` prints about a folder that was looked at like this. */
async function reviewBy(
  folderReview: typeof lookAt,
  { isTTY, noColor }: { isTTY: boolean; noColor: boolean },
  ...args: string[]
) {
  const streams = { out: "", err: "" };
  const code = await runReview(
    args,
    {
      folder: ({ ai: _none, ...request }) => folderReview(request),
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

/** Looks at the folder once, at a terminal; later calls print that result again, in a pipe unless said otherwise. */
async function lookOnce(name = folder) {
  let found: ReturnType<typeof lookAt> | undefined;
  const known: typeof lookAt = (request) => (found ??= lookAt(request));
  const terminal = await reviewBy(known, { isTTY: true, noColor: false }, name, "--all");
  const print = (...args: string[]) => reviewBy(known, { isTTY: false, noColor: false }, name, "--all", ...args);
  return { terminal, print, plain: () => reviewBy(known, { isTTY: true, noColor: true }, name, "--all") };
}

describe("forge review <folder> (OPS-1)", () => {
  it("prints one result as text, JSON and SARIF: every finding, no secret (SEC-6), nothing that writes to the terminal", async () => {
    const secret = ["ghp", "_x7Qk2mB9zT4wR1vL8nY5cD3fG6hJ0pS4aKq"].join("");
    write(`src/${secret}.ts`, FAULTY);
    write("src/a\x1b[2J.ts", FAULTY);
    write("src/twice.ts", `${CLEAN}if (twice(1) == twice(2)) throw new Error("no");\n`);
    const { terminal, print, plain } = await lookOnce();
    const [text, json, sarif] = [await print(), await print("--format", "json"), await print("--format", "sarif")];
    for (const { out, code } of [text, json, sarif]) {
      expect(out).toContain("noConstAssign");
      expect(decodeURIComponent(out.replaceAll(/%(?![0-9A-F]{2})/g, ""))).toContain("[redacted]");
      expect(out).not.toContain(secret);
      expect(out).not.toContain("\x1b");
      expect(code).toBe(1);
    }
    // The file with the most severe finding is last, then the verdict. The name with a control character blocks too.
    const blocks = text.out.trim().split("\n\n");
    expect(blocks.at(-2)).toMatch(/\n {2}3:3 +error +Assignment to constant {2}noConstAssign {2}F-\w{4}\n/);
    expect(blocks.at(-1)).toMatch(
      /^Changes requested: 3 blocking findings\. In all: .*\. Reviewed 3 of 3 files, \d+ lines added\. Not reviewed: nothing\.$/,
    );
    expect(text.out).toMatch(/^src\/a\\u001b\[2J\.ts$/m);

    const { findings: found, ...whole } = JSON.parse(json.out);
    expect(whole).toMatchObject({
      verdict: "changes_requested",
      counts: { blocking: 3, left_out: 0 },
      looked_at: { files: 3, of_files: 3 },
      not_looked_at: [],
      cost: { usd: 0, calls: 0 },
    });
    expect(Object.keys(whole)).toEqual(["verdict", "counts", "looked_at", "not_looked_at", "risk", "cost", "notes"]);
    // Without a comparison there is no change that could be risky.
    expect(whole.risk).toBeNull();
    const place = ["file", "line", "column", "endLine", "endColumn"];
    const optional = ["cwe", "url", "docs", "why", "remedy", "flow", "fix"];
    const other = ["title", "rule", "severity", "category", "confidence", "message", "source", "id"];
    expect(Object.keys(found[0]).filter((key) => !optional.includes(key))).toEqual([...place, ...other]);
    expect([json.err, sarif.err]).toEqual(["", ""]);
    const log = JSON.parse(sarif.out);
    expect(log.version).toBe("2.1.0");
    expect(log.runs[0].tool.driver).toMatchObject({ name: "Forge", version: "1.2.3" });
    expect(log.runs[0].results).toHaveLength(found.length);

    // Progress and colors are for terminals; NO_COLOR leaves the progress.
    expect(text.err).toBe("");
    expect(terminal.err).toContain("\r\x1b[2Ksecrets done");
    expect(terminal.err.endsWith("\r\x1b[2K")).toBe(true);
    expect(terminal.err).not.toContain("\n");
    expect(terminal.out).toContain("\x1b[31merror\x1b[0m");
    const uncolored = await plain();
    expect(uncolored.out).toBe(stripVTControlCharacters(terminal.out));
    // A pipe, which has no margin, has the same words in the same order.
    const words = (shown: string) => shown.split(/\s+/);
    expect(words(text.out)).toEqual(words(uncolored.out));

    // Another run finds the same under the same ids, and says how many findings --max leaves out.
    const one = await review(folder, "--all", "--max", "1");
    const verdict = new RegExp(
      `^Changes requested: 3 blocking findings\\. In all: .* ${found.length - 1} findings not shown; --max ${found.length} shows all`,
    );
    expect(one.out.trim().split("\n").at(-1)).toMatch(verdict);
    const most = await review(folder, "--all", "--format", "json", "--max", `${found.length - 1}`);
    expect(JSON.parse(most.out)).toMatchObject({
      findings: found.slice(0, -1),
      counts: { ...whole.counts, left_out: 1 },
    });
    expect(most.err).toContain(
      `forge: 1 of ${found.length} findings were left out; --max ${found.length} has them all`,
    );
  });

  it("exits 0 on clean code, 2 where a person is required", async () => {
    write("a.ts", CLEAN);
    expect((await review(folder, "--all")).code).toBe(0);
    write("b.ts", `export const key = "${["AKIA", "Q3ZK7N5XW2LMP4TB"].join("")}";\n`);
    const secret = await review(folder, "--all");
    expect(secret.code).toBe(2);
    expect(secret.out).not.toContain("Q3ZK7N5XW2LMP4TB");
  });

  it("follows no link out of the folder, obeys nothing in it, and says so in every format", async () => {
    symlinkSync("/etc/passwd", join(folder, "passwd.js"));
    symlinkSync("/etc", join(folder, "etc"));
    write("biome.json", '{ "linter": { "enabled": false } }');
    write("a.ts", `// biome-ignore lint: no\n${FAULTY}`);
    write(".github/forge.yml", "review: { nothing_of_ours: 1 }\n");
    const { print } = await lookOnce();
    const { out } = await print();
    expect(out).not.toMatch(/root:|etc\//);
    expect(out).toContain("noConstAssign");
    expect(out).toContain("Not reviewed: etc: a symbolic link to outside\n");
    const json = await print("--format", "json");
    expect(JSON.parse(json.out)).toMatchObject({
      notes: [expect.stringContaining("nothing_of_ours")],
      not_looked_at: ["etc", "passwd.js"].map((path) => ({
        ...{ path, reason: "a symbolic link to outside", incomplete: true },
      })),
    });
    expect(json.err).toBe("");
    const sarif = await print("--format", "sarif");
    const log = JSON.parse(sarif.out);
    expect(isSarif(log), JSON.stringify(isSarif.errors?.slice(0, 5))).toBe(true);
    const told = log.runs[0].invocations[0].toolExecutionNotifications;
    expect(JSON.stringify(told)).toMatch(/nothing_of_ours.*etc: a symbolic link/s);
    expect(sarif.err).toBe("");
  });

  it("in a checkout compares with the merge base of the default branch, or with --base, uncommitted work included", async () => {
    const commit = (path: string, content: string) => {
      write(path, content);
      git("add", "-A");
      git("commit", "-m", path);
    };
    git("init");
    commit("src/old.ts", FAULTY);
    git("checkout", "-b", "topic");
    commit("src/committed.ts", FAULTY);
    git("checkout", "main");
    commit("src/elsewhere.ts", FAULTY);
    git("checkout", "topic");
    write("src/uncommitted.ts", FAULTY);
    const parsed = async (...args: string[]) => JSON.parse((await review(folder, "--format", "json", ...args)).out);
    const filesOf = (found: { findings: { file: string }[] }) => found.findings.map(({ file }) => file);
    const files = async (...args: string[]) => filesOf(await parsed(...args));
    const first = await parsed();
    expect(filesOf(first)).toEqual(["src/committed.ts", "src/uncommitted.ts"]);
    // The risk counts the history of what was there, and the findings that are open; whose the change is, nobody knows.
    expect(first.risk).toMatchObject({
      level: "high",
      floors: [{ cause: "high_finding", reason: "2 open findings of severity error or critical" }],
    });
    const { criticality, authorExperience } = first.risk.components;
    expect(criticality.factors[0]).toEqual({ words: "commits on these files in 12 months", value: 0 });
    expect(authorExperience.factors[0].words).toContain("not known");
    // Of a folder below the checkout too.
    write("src/old.ts", `${FAULTY}// more\n`);
    const below = JSON.parse((await review(join(folder, "src"), "--format", "json")).out);
    expect(below.risk.components.criticality.factors[0].value).toBe(1);
    git("checkout", "src/old.ts");
    expect(await files("--base", "main")).toEqual(["src/committed.ts", "src/uncommitted.ts"]);
    expect(await files("--base", "topic")).toEqual(["src/uncommitted.ts"]);
  });

  it("CLI-2: approves nothing where nothing differs, and names deleted files", async () => {
    git("init");
    write("a.ts", CLEAN);
    write("b.ts", CLEAN);
    git("add", "-A");
    git("commit", "-m", "begin");
    const same = await review(folder);
    expect(same).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to review: no file differs from \w{7}\. --all reviews every file\.\n$/),
    });
    rmSync(join(folder, "b.ts"));
    const less = await review(folder);
    expect(less.out).toMatch(
      /^Not reviewed: b.ts: deleted\nNothing to review: 1 file deleted, no other file differs from \w{7}\. --all reviews every file\.\n$/,
    );
  });

  it("R21: exits 3 in a shallow clone that lacks the merge base, and says how to fetch it", async () => {
    const origin = realpathSync(mkdtempSync(join(tmpdir(), "forge-origin-")));
    const there = folder;
    folder = origin;
    const commit = (path: string, content: string) => {
      write(path, content);
      git("add", "-A");
      git("commit", "-m", path);
    };
    git("init");
    commit("a.ts", CLEAN);
    git("checkout", "-b", "topic");
    commit("b.ts", CLEAN);
    git("checkout", "main");
    commit("c.ts", FAULTY);
    git("checkout", "topic");
    folder = join(there, "clone");
    execFileSync("git", ["clone", "-q", "--depth", "1", "--no-single-branch", `file://${origin}`, folder]);
    const { code, out, err } = await review(folder, "--base", "origin/main");
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(/shallow clone.*missing: git fetch --unshallow fetches it/);
    rmSync(origin, { recursive: true });
    folder = there;
  });

  it.each([
    ["maintainability", "Needs a look: 1 unproven critical finding."],
    ["security", "Needs a maintainer: a critical finding is open."],
  ] as const)("CLI-2: never approves while a critical finding is open: %s", async (category, said) => {
    write("a.ts", CLEAN);
    const clean = await reviewFolder({ folder, all: true, scratchRoot: scratch, signal: new AbortController().signal });
    const guess: Finding = {
      source: "ai",
      rule: "ai/architecture",
      severity: "critical",
      category,
      file: "a.ts",
      line: 1,
      endLine: 1,
      message: "It is wrong.",
      confidence: 0.69,
      unproven: "mocha did not start",
      id: "F-9M4D",
      fingerprint: "0",
    };
    const found = async () => ({ ...clean, findings: [guess], verdict: reachVerdict([guess], clean.coverage) });
    const { code, out } = await reviewBy(found, { isTTY: false, noColor: false }, folder, "--all");
    expect(code).toBe(2);
    expect(out).toContain("Unproven: mocha did not start.");
    expect(out).toContain(`\n${said}`);
    expect(out).not.toContain("Approved");
  });

  it("exits 3 and names what it could not look at, in every format", async () => {
    write("a.ts", CLEAN);
    write("huge.ts", "export const one = 1;\n".repeat(200_000));
    const { print } = await lookOnce();
    const text = await print();
    expect(text.code).toBe(3);
    expect(text.out).toContain("Not reviewed: huge.ts: larger than the limit (4400000 bytes)");
    expect(text.out).toMatch(/\nNot fully reviewed: .*1 of 2 files/);
    const json = await print("--format", "json");
    expect(json.code).toBe(3);
    const huge = { path: "huge.ts", reason: "larger than the limit (4400000 bytes)", incomplete: true };
    expect(JSON.parse(json.out)).toMatchObject({ verdict: "incomplete", not_looked_at: [huge], findings: [] });
    expect(json.err).toContain("forge: not fully reviewed: huge.ts: larger than the limit");
  });

  it("looks into a folder that git ignores when it is named, and approves no folder without a file", async () => {
    git("init");
    write(".gitignore", "built/\n");
    write("built/a.ts", FAULTY);
    const built = await review(join(folder, "built"), "--all", "--format", "json");
    expect(JSON.parse(built.out).findings).toMatchObject([{ file: "a.ts" }]);
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

  it("refuses wrong usage", async () => {
    for (const line of [
      "",
      "a b",
      "/nowhere",
      ". --format xml",
      ". --all --base main",
      "acme/shop#0",
      "acme/shop#1 --all",
    ])
      await expect(review(...line.split(" ").filter(Boolean)), line).rejects.toThrow(UsageError);
    await expect(review(folder, "--max", "0")).rejects.toThrow("--max is a number from 1");
  });

  it("CLI-1: an address without a pull request gets its own error", async () => {
    for (const page of ["issues/3", "pulls", "compare/main...next"])
      await expect(review(`https://github.com/acme/shop/${page}`)).rejects.toThrow(
        `https://github.com/acme/shop/${page} is not the address of a pull request: https://<host>/<owner>/<repo>/pull/<n>`,
      );
    await expect(review("nowhere")).rejects.toThrow("there is no folder nowhere");
  });

  it("wrong usage ends with 64 and says how it is used", async () => {
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text) => said.push(String(text)) > 0;
    const command = aCommand("review", async (args) => (await review(...args)).code);
    const code = await dispatch([command], ["review", "--al"]).finally(() => {
      process.stderr.write = write;
    });
    expect(code).toBe(64);
    expect(said.join("")).toMatch(/^forge: unknown option --al\. Did you mean --all\?\nUsage: .* review\nHelp: /);
  });
});
