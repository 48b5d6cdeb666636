import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import type { ComplexityResult } from "../child/protocol.ts";
import type { Content } from "../classify-file.ts";
import { classifyFiles } from "../classify-files.ts";
import { type Dialect, languageOf, SCRIPTS } from "../languages.ts";
import { wantedOf } from "../path-filter.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { grantsMore, type HistoryFacts, type RiskFacts, riskFile } from "./risk-facts.ts";

export interface ChangeForRisk {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
  readonly oldContents: ReadonlyMap<string, Content>;
  readonly configuration: RepoConfig;
  readonly history?: HistoryFacts;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

const MIGRATIONS = /(?:^|\/)(?:migrations?|db\/migrate|alembic\/versions)\//i;
const MIGRATING = /\.(?:sql|[cm]?[jt]s|py|rb|php|go|java|kt|cs|exs?)$/i;
const VERSIONED = /(?:^|\/)V\d+(?:[._]\d+)*__[^/]+\.sql$/i;
const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** Points that a configured path weight can have. */
const FULL_WEIGHT = 20;

/** Changes a database: on the path alone it is a critical risk. */
export function isMigration(path: string): boolean {
  return (MIGRATIONS.test(path) && MIGRATING.test(path)) || VERSIONED.test(path);
}

/** What a change is, as far as its risk depends on it. Which findings are open is known later: see `reassessRisk`. */
export async function gatherRiskFacts(change: ChangeForRisk): Promise<RiskFacts> {
  const { files, contents, oldContents, configuration, history } = change;
  const { path_weights: weights, protected_paths: isProtected } = configuration.review;
  const sides = files.map((file) => ({
    ...{ file, content: contents.get(file.path), old: oldContents.get(file.path), unread: false },
  }));
  const classified = await classifyFiles(sides, change.signal);
  const described = files.map((file, at) => riskFile(file, classified[at]!));
  const written = new Set(described.filter(({ kind }) => kind === "code").map(({ path }) => path));
  const complexity = await addedComplexity(
    files.filter(({ path }) => written.has(path)),
    contents,
    change,
  );
  const changed = files.filter(({ hunks, status }) => hunks.length > 0 || status === "deleted");
  return {
    files: described,
    ...defined({ addedComplexity: complexity }),
    pathWeights: await weightsOf(files, weights),
    ...defined({ history }),
    openFindings: [],
    migrations: changed.filter(({ path }) => written.has(path) && isMigration(path)).map(({ path }) => path),
    workflowPermissions: changed
      .filter(({ path }) => WORKFLOW.test(path) && grants(contents.get(path), oldContents.get(path)))
      .map(({ path }) => path),
    protectedPaths: await protectedOf(files, isProtected),
  };
}

async function weightsOf(files: readonly ChangedFile[], weights: RepoConfig["review"]["path_weights"]) {
  const matching: { glob: string; weight: number }[] = [];
  for (const [glob, points] of Object.entries(weights)) {
    const [first] = await wantedOf(files, { include: [glob], exclude: [] });
    if (first) matching.push({ glob, weight: points / FULL_WEIGHT });
  }
  return matching;
}

async function protectedOf(files: readonly ChangedFile[], globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  return (await wantedOf(files, { include: globs, exclude: [] })).map(({ path }) => path);
}

function grants(content: Content | undefined, old: Content | undefined): boolean {
  if (!Buffer.isBuffer(content)) return false;
  return grantsMore(Buffer.isBuffer(old) ? old.toString("utf8") : undefined, content.toString("utf8"));
}

const READ: ReadonlySet<Dialect | undefined> = new Set(SCRIPTS);

/**
 * The cognitive complexity that a change adds to functions, over all scripts that parse; undefined where there is none. Measured in a
 * child process, which may die of what it reads.
 */
export async function addedComplexity(
  files: readonly ChangedFile[],
  contents: ReadonlyMap<string, Content>,
  { scratchRoot, signal }: { readonly scratchRoot: string; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const scripts = files.flatMap((file, id) => {
    const dialect = languageOf(file.path)?.dialect;
    const content = contents.get(file.path);
    if (dialect === undefined || !READ.has(dialect) || !Buffer.isBuffer(content)) return [];
    const addedLines = file.hunks.flatMap(({ added }) => added);
    return addedLines.length === 0 ? [] : [{ id, text: content.toString("utf8"), dialect, addedLines }];
  });
  if (scripts.length === 0) return undefined;
  const scratch = await mkdtemp(join(scratchRoot, "complexity-"));
  try {
    const { results } = await runInChild<ComplexityResult>("complexity", scripts, { signal, scratch });
    const measured = [...results.values()].filter((result) => result !== null);
    return measured.length === 0 ? undefined : measured.reduce((sum, { added }) => sum + added, 0);
  } catch (thrown) {
    // The part of the risk is not known then; the analysers say for themselves what they could not read.
    if (thrown instanceof ForgeError) return undefined;
    throw thrown;
  } finally {
    await removeFolder(scratch);
  }
}
