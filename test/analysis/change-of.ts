import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffLines } from "diff";
import { analyseChange, type ChangeAnalysis, type ChangeToAnalyse } from "../../src/analysis/analyse-change.ts";
import { classifyFile } from "../../src/analysis/classify-file.ts";
import { createSourceFile, type SourceFile } from "../../src/analysis/source-file.ts";
import type { ChangedFile } from "../../src/domain/hunks.ts";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";

type Text = string | Buffer;

/** A changed file with hunks made from its two sides, one hunk per run of added lines. */
export function changedFile(path: string, head: Text, base?: Text, extra: Partial<ChangedFile> = {}): ChangedFile {
  const added: number[] = [];
  let line = 1;
  const text = head.toString("latin1");
  // A new file has nothing to compare with, which a large one would take long for.
  const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const whole = { count: text === "" ? 0 : count, added: true, removed: false };
  for (const part of base === undefined ? [whole] : diffLines(base.toString("latin1"), text)) {
    if (part.removed) continue;
    for (let i = 0; i < part.count; i += 1, line += 1) if (part.added) added.push(line);
  }
  const last = line - 1;
  const hunks =
    added.length === 0
      ? []
      : [{ newStart: Math.max(1, added[0]! - 3), newEnd: Math.min(last, added.at(-1)! + 3), added }];
  const status = base === undefined ? "added" : "modified";
  return { path, status, mode: "100644", binary: false, addedLines: added.length, deletedLines: 0, hunks, ...extra };
}

export function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), "forge-analysis-"));
}

/** What analysers work with: a folder of their own, and a review that nobody stops. */
export function readerContext(): { readonly scratch: string; readonly signal: AbortSignal } {
  return { scratch: scratchFolder(), signal: new AbortController().signal };
}

/** A source file as analysers get it. */
export function sourceFile(path: string, head: Text, base?: Text): SourceFile {
  const file = changedFile(path, head, base);
  const classification = classifyFile(file, Buffer.from(head));
  return createSourceFile(
    file,
    { ...classification, look: "all" },
    Buffer.from(head),
    base === undefined ? undefined : Buffer.from(base),
  );
}

/** Runs the whole analysis over files given as `path: head` or `path: [head, base]`. */
export function analyse(
  files: Readonly<Record<string, Text | readonly [Text, Text]>>,
  extra: Partial<ChangeToAnalyse> = {},
): Promise<ChangeAnalysis> {
  const sides = Object.entries(files).map(([path, sides]) => {
    const [head, base] = Array.isArray(sides) ? (sides as [Text, Text]) : [sides as Text, undefined];
    return { path, head, base };
  });
  return analyseChange({
    files: sides.map(({ path, head, base }) => changedFile(path, head, base)),
    contents: new Map(sides.map(({ path, head }) => [path, Buffer.from(head)])),
    oldContents: new Map(
      sides.flatMap(({ path, base }) => (base === undefined ? [] : [[path, Buffer.from(base)] as const])),
    ),
    configuration: DEFAULT_REPO_CONFIG,
    identity: { headSha: "a".repeat(40), baseSha: "b".repeat(40), mergeBaseSha: "c".repeat(40) },
    key: Buffer.from("key of the tests"),
    scratchRoot: scratchFolder(),
    signal: new AbortController().signal,
    ...extra,
  });
}
