import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { codeScanningFaults, officialSchema } from "../analysis/reports/code-scanning.ts";
import { CLAIM, DEMONSTRATION, FIX } from "../e2e/cart.ts";
import { boxed } from "../needs/sandbox.ts";
import { STARTED } from "../needs/started.ts";

let folder: string;
let model: ScriptedModel | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-ai-"));
  write("package.json", '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n');
  write("src/total.js", "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n");
  write(
    "test/total.test.js",
    'import assert from "node:assert";\nimport { test } from "node:test";\nimport { total } from "../src/total.js";\ntest("empty", () => assert.equal(total([]), 0));\n',
  );
  write("AGENTS.md", "Prices are in cents.\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "Begin");
  write(
    "src/total.js",
    "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n",
  );
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await model?.stop();
  model = undefined;
});

function write(path: string, content: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function git(...args: string[]) {
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "init.defaultBranch=main"];
  execFileSync("git", ["-C", folder, ...identity, ...args], { stdio: "ignore" });
}

const SEEN = { ...CLAIM, line: 3, fix: FIX };
const FALSE_CLAIM = { ...CLAIM, line: 2, quote: "let sum = 0;", claim: "The sum starts wrong." };
/** Looks once, then claims; the verifier refutes the second claim and shows the first. */
function script(demonstration: string): (asked: Asked) => ScriptedReply {
  return ({ messages }) => {
    const text = JSON.stringify(messages);
    const verifying = text.includes("Your task is to refute each claim");
    if (verifying) {
      const judgements = [
        {
          claim: 1,
          verdict: "stands",
          reason: "no count",
          demonstration: { path: "test/count.test.js", content: demonstration },
        },
        { claim: 2, verdict: "refuted", reason: "a sum starts at 0" },
      ];
      return { calls: [{ name: "complete", input: { judgements } }] };
    }
    if (!text.includes("tool_call_id")) {
      return { text: "I look first.", calls: [{ name: "read_file", input: { path: "src/total.js" } }] };
    }
    return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [SEEN, FALSE_CLAIM] } }] };
  };
}

async function review(args: readonly string[], variables: Record<string, string>) {
  const env = { ...STARTED, HOME: process.env.HOME, FORGE_OSV_URL: "", ...variables };
  try {
    const run = await promisify(execFile)(process.execPath, ["src/main.ts", "review", folder, ...args], { env });
    return { code: 0, out: run.stdout, err: run.stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

describe("forge review --ai (OPS-1, REV-4)", () => {
  it("SEC-6: shows a model no file that git ignores, whatever it asks for", async () => {
    write(".gitignore", ".env\n");
    write(".env", "PRICE_TOKEN=unlisted-words\n");
    model = await startScriptedModel(({ messages }) => {
      if (JSON.stringify(messages).includes("tool_call_id"))
        return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [] } }] };
      const calls = [
        { name: "read_file", input: { path: ".env" } },
        { name: "grep", input: { pattern: "unlisted" } },
      ];
      return { text: "I look first.", calls };
    });
    const variables = { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "none" };
    await review(["--ai", "--format", "json"], variables);
    const seen = JSON.stringify(model.asked.map(({ messages }) => messages));
    expect(seen).not.toContain("unlisted-words");
    expect(seen).toContain("is not a file of the repository");
  });

  boxed(
    "shows a fault by an executed test, drops what was refuted, offers a fix that was tried, prints the cost",
    async () => {
      model = await startScriptedModel(script(DEMONSTRATION));
      const report = join(folder, "..", `${Date.now()}-report.json`);
      const args = ["--ai", "--format", "json", "--report", report];
      const { code, out, err } = await review(args, {
        ANTHROPIC_BASE_URL: model.anthropicUrl,
        ANTHROPIC_API_KEY: "none",
      });
      expect(JSON.parse(out).findings).toMatchObject([
        { file: "src/total.js", line: 4, rule: "ai/logic", severity: "error", source: "ai", confidence: 0.95 },
      ]);
      expect(code).toBe(1);
      expect(err).toMatch(/^cost: \$0\.\d{4} \(anthropic\/claude-haiku-5-5, anthropic\/claude-sonnet-5-5, 3 calls, /m);
      const written = JSON.parse(readFileSync(report, "utf8"));
      rmSync(report);
      expect(written.runs.map(({ agent, end }: { agent: string; end: string }) => [agent, end])).toEqual([
        ["reviewer", "completed"],
        ["verifier", "completed"],
      ]);
      expect(written.rejected).toMatchObject([{ by: "verifier", claim: { claim: "The sum starts wrong." } }]);
      const asked = JSON.stringify(model.asked[0]?.messages);
      expect(asked).toContain("Prices are in cents.");
      expect(model.asked[0]?.toolNames).toEqual([
        ...["read_file", "list_files", "glob", "grep", "repository_map", "git_diff", "git_log", "git_blame"],
        ...["find_references", "read_package", "run_tests", "run_script", "complete"],
      ]);
    },
  );

  boxed("CLI-2: a model's finding is valid SARIF that code scanning takes, too", async () => {
    model = await startScriptedModel(script(DEMONSTRATION));
    const { out } = await review(["--ai", "--format", "sarif"], { OPENAI_BASE_URL: model.openaiUrl });
    const log = JSON.parse(out);
    const isValid = officialSchema();
    expect(log.runs[0].results).toMatchObject([{ ruleId: "ai/logic", properties: { layer: "ai" } }]);
    expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true);
    expect(codeScanningFaults(log)).toEqual([]);
  });

  boxed("a test that fails whatever the code does proves nothing: the finding stays advisory", async () => {
    model = await startScriptedModel(script(DEMONSTRATION.replace("6", "7")));
    const { code, out } = await review(["--ai", "--format", "json"], { OPENAI_BASE_URL: model.openaiUrl });
    expect(JSON.parse(out).findings).toMatchObject([
      {
        rule: "ai/logic",
        severity: "error",
        unproven: true,
        unprovenBecause: "its test fails where the fault is not, too",
      },
    ]);
    expect(code).toBe(0);
  });

  it("without any model says what to set; with one that fails says that the layer did not run", async () => {
    const none = await review(["--ai"], {});
    expect([none.code, none.err]).toEqual([3, expect.stringContaining("ANTHROPIC_API_KEY")]);
    model = await startScriptedModel([{ status: 401, message: "no such key", type: "authentication_error" }]);
    const refused = await review(["--ai"], { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "none" });
    expect(refused.code).toBe(3);
    expect(refused.out).toMatch(/Not reviewed: ai: .*/);
    expect((await review(["--report", "x"], {})).code).toBe(64);
  });
});
