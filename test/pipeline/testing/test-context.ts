import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diffTexts } from "../../../src/analysis/diff-texts.ts";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import type { ChangedFile } from "../../../src/domain/hunks.ts";
import { TestOutcome } from "../../../src/domain/test-report.ts";
import { runTestingPhase } from "../../../src/pipeline/testing/run-testing-phase.ts";
import type { TestingDependencies, TestingRequest } from "../../../src/pipeline/testing/testing-request.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { openClone } from "../../../src/workspace/clone.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

export type Files = Readonly<Record<string, string>>;

export async function cloneOf(sandbox: Sandbox, files: Files) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (content.startsWith("#!")) chmodSync(join(root, path), 0o755);
  }
  return openClone({ folder: root, sandbox });
}

/** The change between two trees, as it is read from git. */
export function changeOf(base: Files, head: Files): TestingRequest["change"] {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(head)])].filter((path) => base[path] !== head[path]);
  const files = paths.map((path): ChangedFile => {
    const status = base[path] === undefined ? "added" : head[path] === undefined ? "deleted" : "modified";
    return { path, status, mode: "100644", binary: false, ...diffTexts(base[path], head[path] ?? "") };
  });
  const side = (tree: Files) =>
    new Map(
      paths.flatMap((path) => (tree[path] === undefined ? [] : [[path, Buffer.from(tree[path] ?? "")] as const])),
    );
  return { files, contents: side(head), oldContents: side(base) };
}

/** Runs the phase for a change from one tree to another, in real clones and the real sandbox. */
export async function testChange(
  sandbox: Sandbox,
  base: Files,
  head: Files,
  given: Partial<Omit<TestingRequest, "change">> & Partial<TestingDependencies> = {},
): Promise<TestOutcome> {
  const { headSha, risk, tools, packagesMissing, ...dependencies } = {
    ...{ headSha: "a".repeat(40), risk: "low" as const, packagesMissing: undefined },
    ...given,
  };
  const scratchRoot = temporaryFolder();
  const clone = await cloneOf(sandbox, head);
  const outcome = await runTestingPhase(
    {
      clone,
      openBase: () => cloneOf(sandbox, base),
      readGraph: createGraphReader({ files: clone.files, scratch: scratchRoot, immutable: true }),
      redact: createRedactor([]),
      testerTools: [],
      scratchRoot,
      signal: new AbortController().signal,
      timeLimitMs: 120_000,
      ...dependencies,
    },
    { headSha, risk, change: changeOf(base, head), tools: tools ?? {}, packagesMissing },
  );
  return TestOutcome.parse(outcome);
}
