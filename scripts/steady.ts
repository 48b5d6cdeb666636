// Runs npm test several times while this machine is busy with other work, and names what failed in how many runs.
//   npm run test:steady [-- 3]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoad } from "./steady/load.ts";
import { failuresOf, type Report, sharesOf } from "./steady/read-report.ts";

const [given = "3", ...more] = process.argv.slice(2);
const times = Number(given);
if (!Number.isInteger(times) || times < 1 || more.length > 0) {
  console.error(`Usage: npm run test:steady -- <number of runs>. ${given} is not a whole number from 1 on.`);
  process.exit(64);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), "forge-steady-"));
const runs: string[][] = [];
{
  await using load = startLoad();
  console.log(`npm test, ${times} times, next to ${load.what}`);
  for (let run = 1; run <= times; run += 1) {
    const began = performance.now();
    const failed = await runOnce(join(folder, `${run}.json`));
    runs.push(failed);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`run ${run}: ${seconds} s, ${failed.length} failed${failed.map((name) => `\n    ${name}`).join("")}`);
  }
}
rmSync(folder, { recursive: true, force: true });
const shares = sharesOf(runs);
console.log(shares.length === 0 ? `0 failures in ${times} runs` : `Failures:\n${shares.join("\n")}`);
process.exitCode = shares.length === 0 ? 0 : 1;

/** What failed; a run that ends without a report, or red without naming a test, is a failure of its own. */
async function runOnce(file: string): Promise<string[]> {
  const args = ["test", "--silent", "--", "--reporter=json", `--outputFile=${file}`];
  const child = spawn("npm", args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  const [code] = await once(child, "close");
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [`the run left no report (exit code ${code}): ${output}`];
  }
  const failed = failuresOf(report, process.cwd());
  return failed.length === 0 && code !== 0 ? [`the run ended with exit code ${code}: ${output}`] : failed;
}
