import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../report.ts";

/** The figure of `npm run measure:silence` with its own choice of packages; downloads them. Takes some minutes. */
export function measureSilence(): Result[] {
  const folder = mkdtempSync(join(tmpdir(), "forge-silence-figures-"));
  const figures = join(folder, "figures.json");
  try {
    const script = join(import.meta.dirname, "..", "..", "scripts", "measure-silence.ts");
    spawnSync(process.execPath, [script, "--json", figures], { stdio: "inherit" });
    const measured: { name: string; reviews: number; loud: unknown[] }[] = JSON.parse(readFileSync(figures, "utf8"));
    return measured.map(({ name, reviews, loud }) => ({
      name: `findings of warning or above in ten pull requests, ${name}`,
      value: (10 * loud.length) / reviews,
      unit: `(${loud.length} in ${reviews})`,
      goal: "at most 1",
      met: loud.length * 10 <= reviews,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
