import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MODELS = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;

export interface Demo {
  readonly child: ChildProcess;
  /** Where it makes its folders: nothing else is in there. */
  readonly temporary: string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** The demo as `npm run demo` starts it, with a temporary folder of its own. */
export function runDemo(...args: string[]): Demo {
  const temporary = mkdtempSync(join(tmpdir(), "demo-test-"));
  const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: temporary };
  // A model of whoever runs the tests is left alone.
  for (const name of MODELS) delete env[name];
  const child = spawn(process.execPath, ["demo/main.ts", ...args], { env });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr.on("data", (data) => {
    output.stderr += data;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...output }));
  });
  return { child, temporary, ended };
}
