import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Project } from "./project.ts";

/**
 * What anybody has to do for the same pull request: a shallow clone, as many calls of the same model, the edit, the test before and after
 * the commit, the linter, a commit and a push; without a sandbox, a plan, a review, a ledger or a word on GitHub. Packages are installed and types checked where the project has
 * them.
 * @returns milliseconds
 */
export async function byHand(project: Project, gitDirectory: string, modelUrl: string, calls: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "forge-by-hand-"));
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const as = ["-c", "user.name=Hand", "-c", "user.email=hand@example.com"];
  const run = (program: string, args: readonly string[], env = process.env) =>
    promisify(execFile)(program, args, { cwd: folder, env });
  const git = (...args: string[]) => run("git", [...as, ...args]);
  const { edited, tests, typeCheck, registryHost } = project;
  const test = () => run(process.execPath, ["--test", ...tests], {});
  const began = performance.now();
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${gitDirectory}`, folder]);
  if (registryHost !== undefined)
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", `--cache=${folder}-npm`]);
  for (let call = 0; call < calls; call += 1) await ask(modelUrl);
  for (const [path, text] of Object.entries(edited)) writeFileSync(join(folder, path), text);
  await test();
  if (typeCheck !== undefined) await run("npm", typeCheck.args);
  else await run(process.execPath, [biome, "lint", Object.keys(edited)[0]!]);
  await git("checkout", "--quiet", "-b", "by-hand");
  await git("commit", "--quiet", "--all", "--message", "feat: show prices with two digits");
  await test();
  await git("push", "--quiet", "--force", "origin", "by-hand");
  const took = performance.now() - began;
  for (const left of [folder, `${folder}-npm`]) rmSync(left, { recursive: true, force: true });
  return took;
}

/** A request like any of an agent: 20 kB of text, one tool. The script may refuse it, which takes as long. */
async function ask(modelUrl: string): Promise<void> {
  const body = {
    model: "claude-sonnet-4-5",
    max_tokens: 1000,
    messages: [{ role: "user", content: "the files of the shop ".repeat(1000) }],
    tools: [{ name: "complete", description: "Hands in.", input_schema: { type: "object" } }],
  };
  const headers = { "content-type": "application/json", "x-api-key": "none", "anthropic-version": "2023-06-01" };
  const answer = await fetch(`${modelUrl}/v1/messages`, { method: "POST", headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
}
