import { isUtf8 } from "node:buffer";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../domain/defined.ts";
import type { Observation } from "../domain/findings.ts";
import type { ChangedFile, Hunk } from "../domain/hunks.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { analyseChange } from "./analyse-change.ts";
import type { Analyser } from "./analyser.ts";
import { biomeFormat, formatInStyle } from "./analysers/biome-format.ts";
import { classifyFiles } from "./classify-files.ts";
import { diffTexts } from "./diff-texts.ts";
import { createSourceFile } from "./source-file.ts";

export interface LintRequest {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Forge's own analysers are asked; those that the repository configures are not, as they are programs of it. */
  readonly configuration: RepoConfig;
  /** Instead of all of Forge's own: each is a process, or several. */
  readonly analysers?: readonly Analyser[];
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

export interface LintOutcome {
  /** Most important first. */
  readonly observations: readonly Observation[];
  /** What was not looked at, with the reason. */
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[];
  /** Why a layer could not be run at all: nothing is known of what it looks for. */
  readonly failed: readonly string[];
}

/** These findings are not stored, so any key will do. */
const KEY = Buffer.alloc(32);
const NO_COMMIT = "0".repeat(40);

/** A file that was worked on; `hunks`: what was written now, which may be less than differs from before. */
export interface WrittenFile {
  readonly before: Buffer;
  readonly now: Buffer;
  readonly hunks: readonly Hunk[];
}

/**
 * Files as a formatter and the fixes of simple lint leave them, of those that came out of the formatter unchanged before the work on them
 * (SAFE-4); lint only on the lines that were written now. What else there is in them, and files in another style, are left out.
 * @param files by path, with their text before the work
 */
export async function formatFiles(
  files: ReadonlyMap<string, WrittenFile>,
  { scratchRoot, signal }: Pick<LintRequest, "scratchRoot" | "signal">,
): Promise<Map<string, Buffer>> {
  const changed = [...files].map(([path, { now }]) => {
    // All of it is formatted, also where lines were only taken out.
    const diff = diffTexts(undefined, now.toString("latin1"));
    const file: ChangedFile = { path, status: "modified", mode: "100644", binary: false, ...diff };
    return { file, content: now, old: undefined, unread: false };
  });
  const classified = await classifyFiles(changed, signal);
  const sources = changed.flatMap(({ file, content: now }, at) => {
    const { before, hunks } = files.get(file.path)!;
    const classification = classified[at]!;
    if (!isUtf8(now) || classification.look !== "all" || classification.claims) return [];
    const source = createSourceFile({ ...file, hunks: [...hunks] }, { ...classification, look: "all" }, now, before);
    // A byte order mark is no part of a text, and would be lost.
    return biomeFormat.appliesTo(source) && Buffer.from(source.text).equals(now) ? [source] : [];
  });
  if (sources.length === 0) return new Map();
  const scratch = await mkdtemp(join(scratchRoot, "format-"));
  try {
    const { texts } = await formatInStyle(sources, { scratch, signal });
    const results = [...texts].map(([file, { formatted, tidied = formatted }]) => [file, tidied] as const);
    const differing = results.filter(([{ text }, result]) => result !== "" && result !== text);
    return new Map(differing.map(([{ path }, result]) => [path, Buffer.from(result)]));
  } finally {
    await removeFolder(scratch);
  }
}

/** Looks at whole files with the analysers of a review, as if every line were new. */
export async function lintFiles({
  files,
  configuration,
  analysers,
  scratchRoot,
  signal,
}: LintRequest): Promise<LintOutcome> {
  const changed = [...files].map(([path, content]): ChangedFile => {
    const binary = content.subarray(0, 8_000).includes(0);
    const diff = binary
      ? { hunks: [], addedLines: 0, deletedLines: 0 }
      : diffTexts(undefined, content.toString("latin1"));
    return { path, status: "added", mode: "100644", binary, ...diff };
  });
  const { observations, coverage } = await analyseChange({
    files: changed,
    contents: files,
    configuration: { ...configuration, tools: { ...configuration.tools, analysers: [] } },
    identity: { headSha: NO_COMMIT, baseSha: NO_COMMIT, mergeBaseSha: NO_COMMIT },
    key: KEY,
    ...defined({ analysers }),
    scratchRoot,
    signal,
  });
  return {
    observations,
    uncovered: coverage.uncovered.map(({ path, reason }) => ({ path, reason })),
    failed: coverage.layers.flatMap(({ state, reason = "it failed" }) => (state === "failed" ? [reason] : [])),
  };
}
