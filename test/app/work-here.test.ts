import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = `
  import { workHere } from ${JSON.stringify(resolve("src/app/work-here.ts"))};
  const hold = setInterval(() => {}, 60_000);
  process.exitCode = await workHere({ name: "toy", environment: {}, secrets: [] }, async ({ output, signal }) => {
    output.out.write("at work");
    await new Promise((end) => signal.addEventListener("abort", end));
    return 1;
  });
  clearInterval(hold);
`;

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("CLI-6, OPS-3: a command that %s stops ends its work and leaves no folder", async (signal, code) => {
  const temporary = mkdtempSync(join(tmpdir(), "forge-stopped-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  expect(readdirSync(temporary)).toHaveLength(1);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([code, null]);
  expect(readdirSync(temporary)).toEqual([]);
});
