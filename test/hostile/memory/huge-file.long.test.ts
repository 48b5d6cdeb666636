import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { analyseChange } from "../../../src/analysis/analyse-change.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import { readChange } from "../../../src/pipeline/change/read-change.ts";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import type { Mirror } from "../../../src/workspace/mirror.ts";
import { expectOk, startFixture } from "../../workspace/fixture.ts";

const MEBI = 1024 * 1024;

/** A commit with 200 MB on top of a branch, given to git a megabyte at a time. */
async function addHugeFile(directory: string, branch: string, head: string): Promise<void> {
  const block = Buffer.alloc(MEBI, "export const one = 1;\n");
  const git = spawn("git", ["fast-import", "--quiet"], { cwd: directory, stdio: "pipe" });
  const ended = once(git, "close");
  git.stdin.write(`commit refs/heads/${branch}\ncommitter Ana <ana@example.com> 1700000000 +0000\ndata 4\nHuge\n`);
  git.stdin.write(`from ${head}\nM 100644 inline generated.js\ndata ${200 * MEBI}\n`);
  for (let at = 0; at < 200; at += 1) if (!git.stdin.write(block)) await once(git.stdin, "drain");
  git.stdin.end("\n");
  expect((await ended)[0]).toBe(0);
}

function analyse(mirror: Mirror, base: string, head: string, scratchRoot: string) {
  const { signal } = new AbortController();
  const key = Buffer.from("key of the tests");
  return readChange(mirror, { baseSha: base, headSha: head }, signal).then((change) =>
    analyseChange({
      ...change,
      configuration: DEFAULT_REPO_CONFIG,
      identity: { headSha: head, baseSha: base, mergeBaseSha: change.mergeBaseSha },
      ...{ key, scratchRoot, signal },
    }),
  );
}

it("GH-11a: a file of 200 MB is named and left out, with bounded memory; the file next to it is reviewed", async () => {
  await using fixture = await startFixture();
  const { origin } = fixture;
  const base = origin.commit({ branch: "main", files: [{ path: "README.md", content: "# Shop\n" }] });
  const faulty = "export function set(): number {\n  const one = 1;\n  one = 2;\n  return one;\n}\n";
  const beside = origin.commit({ branch: "topic", parents: [base], files: [{ path: "set.ts", content: faulty }] });
  origin.git("config", "core.compression", "1");
  await addHugeFile(origin.directory, "topic", beside);
  const head = origin.git("rev-parse", "topic");
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [base, head] }));

  const scratchRoot = mkdtempSync(join(tmpdir(), "forge-huge-"));
  const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = held();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, held() - before);
  }, 5);
  const result = await analyse(mirror, base, head, scratchRoot);
  clearInterval(watch);
  rmSync(scratchRoot, { recursive: true });

  expect(result.coverage.uncovered).toMatchObject([
    { path: "generated.js", reason: expect.stringMatching(/^larger than the limit/), gap: true },
  ]);
  expect(result.observations).toMatchObject([{ file: "set.ts", line: 3 }]);
  expect(most).toBeLessThan(100 * MEBI);
});
