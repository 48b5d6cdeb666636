import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import type { Observation } from "../domain/findings.ts";
import type { ChangedFile } from "../domain/hunks.ts";
import { CONFIGURATION_PATH, type RepoConfig } from "../domain/repo-config.ts";
import type { LayerReport, ReviewCoverage, UncoveredFile } from "../domain/review-report.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import type { Analyser, AnalyserContext, AnalyserResult, ChangeCommits, SettleSettings } from "./analyser.ts";
import { biomeFormat } from "./analysers/biome-format.ts";
import { biomeLint } from "./analysers/biome-lint.ts";
import { commands } from "./analysers/commands.ts";
import { config } from "./analysers/config.ts";
import { dependencies } from "./analysers/dependencies.ts";
import { disguises } from "./analysers/disguises.ts";
import { eslint, eslintSecurity } from "./analysers/eslint.ts";
import { patterns } from "./analysers/patterns.ts";
import { programs } from "./analysers/programs.ts";
import { ruff, ruffSecurity } from "./analysers/ruff.ts";
import { secrets } from "./analysers/secrets.ts";
import { settings } from "./analysers/settings.ts";
import { shellcheck } from "./analysers/shellcheck.ts";
import { suppression } from "./analysers/suppression.ts";
import { syntax } from "./analysers/syntax.ts";
import { twins } from "./analysers/twins.ts";
import { types } from "./analysers/types.ts";
import { actionlint, workflows } from "./analysers/workflows.ts";
import type { FileComparison } from "./child/protocol.ts";
import type { Content } from "./classify-file.ts";
import { classifyFiles } from "./classify-files.ts";
import { type ConfiguredDependencies, configuredAnalyser } from "./configured-analyser.ts";
import {
  type AnalyserRun,
  collectNotes,
  countCovered,
  mergeUncovered,
  packagesOf,
  reportLayer,
  unparsedFiles,
  unreadFiles,
} from "./coverage.ts";
import type { AdvisorySource } from "./dependencies/advisory-source.ts";
import { compareFirst, lockVerdict } from "./dependencies/compare-first.ts";
import { findTwins, type Twin } from "./disguises/path-disguises.ts";
import { aboutClaims, addedLinesOnly, anchor } from "./filter-observations.ts";
import { type Fingerprinted, fingerprint, type KnownFinding } from "./fingerprint.ts";
import { type AnalysisCache, analyseWithCache, type CacheCounts } from "./open-analysis-cache.ts";
import { wantedOf } from "./path-filter.ts";
import { findPrograms, NO_PROGRAMS, type Programs } from "./programs/find-programs.ts";
import { isMadeExecutable } from "./programs/program.ts";
import { projectTypes, type TypeCheckDependencies } from "./project-types.ts";
import { openRound, type ReadingRound } from "./reader/reading-round.ts";
import { searchedOnly } from "./searched-only.ts";
import { createSourceFile, type SourceFile } from "./source-file.ts";
import { synthesise, withoutExcess } from "./synthesise.ts";
import type { Tree } from "./tree.ts";

/**
 * Every analyser of Forge's own; adding one is a file and a line here. They are begun in this order: the two that share ESLint's work
 * stand first and last, so that an idle one helps the other.
 */
export const ANALYSERS: readonly Analyser[] = [
  eslintSecurity,
  secrets,
  patterns,
  disguises,
  twins,
  commands,
  settings,
  programs,
  dependencies,
  ruff,
  ruffSecurity,
  actionlint,
  workflows,
  shellcheck,
  types,
  syntax,
  biomeLint,
  biomeFormat,
  suppression,
  config,
  eslint,
];

/** Each analyser is a process of up to a gigabyte; more at once gain nothing on the cores of a small machine. */
const CONCURRENT_ANALYSERS = 2;

/** Of small changes these are begun together, and one process reads for all of them: to start one takes longer than to read. */
const IN_ROUND: ReadonlySet<Analyser> = new Set([secrets, disguises, settings, patterns, syntax, eslintSecurity]);
const ROUND_CHARACTERS = 256 * 1024;

export interface ChangeToAnalyse {
  readonly files: readonly ChangedFile[];
  /** The new side by path: bytes, or why they were not read. */
  readonly contents: ReadonlyMap<string, Content>;
  /** The merge base's side, by the new path. Without it every syntax error counts as new and formatting is not compared. */
  readonly oldContents?: ReadonlyMap<string, Content>;
  /** What its commits add one by one, where there are several. */
  readonly commits?: ChangeCommits;
  /** Every file of the head: new ones are compared with them by what their names look like; without it only with each other. */
  readonly paths?: readonly string[];
  /** Reads files of the head that the change leaves alone; without it values are followed through changed files only. */
  readonly readOthers?: Tree["readMany"];
  /** The source of known vulnerabilities; without it they are not looked up. */
  readonly advisories?: AdvisorySource;
  readonly configuration: RepoConfig;
  /** See `AnalyserContext.settle`. */
  readonly settle?: SettleSettings;
  readonly identity: { readonly headSha: string; readonly baseSha: string; readonly mergeBaseSha: string };
  /** Key of the fingerprints; the same for as long as the ledger lives. */
  readonly key: Buffer;
  /** What the ledger of the subject holds, each with the path at which it was first seen: keeps identities through renames. */
  readonly known?: readonly KnownFinding[];
  /** A folder of ours in which folders are made and removed. */
  readonly scratchRoot: string;
  /** What the repository's own analysers run with; without it they do not run, and their layer says so. */
  readonly configured?: ConfiguredDependencies & Partial<TypeCheckDependencies>;
  /** What was said about files before; without it every file is read. */
  readonly cache?: AnalysisCache;
  readonly signal: AbortSignal;
  readonly onProgress?: (analyser: string) => void;
  /** At most so many observations, the most important; as shipped when left out. */
  readonly mostFindings?: number;
  /** For the log: the coverage tells people only that the analyser did not run. */
  readonly onFailure?: (analyser: string, thrown: unknown) => void;
  /** Instead of Forge's own. */
  readonly analysers?: readonly Analyser[];
}

export interface ChangeAnalysis {
  /** Most important first, on added lines only, with identities. */
  readonly observations: Fingerprinted[];
  readonly coverage: ReviewCoverage;
  /** Findings beyond the limit. They count for the verdict. */
  readonly left: readonly Observation[];
  /** Readings of a file by an analyser: those spared, and those done, of the analysers whose results are kept. */
  readonly cache: CacheCounts;
  /** The files as they were read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/**
 * Looks at a change with every deterministic analyser (REV-1). An analyser that fails is named in the coverage and costs only its own
 * findings; an abort ends as a failure of all that were not done.
 */
export async function analyseChange(given: ChangeToAnalyse): Promise<ChangeAnalysis> {
  const found = await programsOf(given);
  const change = withOthers(given, found);
  const { paths } = change.configuration.review;
  const wanted = await wantedOf(change.files, paths);
  // What was excluded where it stood before was not read there.
  const moved = change.files.flatMap(({ path, oldPath }) =>
    oldPath === undefined ? [] : [{ path: oldPath, to: path }],
  );
  const read = new Set((await wantedOf(moved, paths)).map(({ to }) => to));
  const unread = new Set(moved.flatMap(({ to }) => (read.has(to) ? [] : [to])));
  const alike = await findTwins(change.files, change.paths ?? []);
  // What is taken for another file by its name is read whole.
  const compared = await comparedFirst(change, wanted);
  const known = { alike, found, ...defined({ compared }) };
  const { sources, uncovered } = await selectFiles(change, wanted, new Set([...unread, ...alike.keys()]), known);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const runs = await runAll(change, sources, known);
  const reported = runs.flatMap(({ outcome }) => ("failure" in outcome ? [] : outcome.observations));
  const past = runs.flatMap(({ outcome }) => ("failure" in outcome ? [] : (outcome.past ?? [])));
  const pastTexts = new Map(past.map(({ observation, text }) => [observation, text]));
  const relevant = [...aboutClaims(addedLinesOnly(reported, byPath), byPath), ...pastTexts.keys()];
  const weighed = withoutExcess(relevant, change.mostFindings);
  const identified = await fingerprint(weighed, byPath, change.key, change.known, pastTexts);
  const { kept, left: less } = synthesise(identified, change.mostFindings);
  const observations = kept.map((observation) => {
    const source = byPath.get(observation.file);
    return source === undefined ? observation : anchor(observation, source);
  });

  const unparsed = unparsedFiles(unreadFiles(runs), reported, byPath);
  const notCovered = mergeUncovered([...uncovered, ...found.unread, ...unparsed]);
  const searched = await searchedOnly(sources, runs, relevant, unparsed);
  const ai: LayerReport = { layer: "ai", state: "not_configured", tools: [] };
  const coverage: ReviewCoverage = {
    ...change.identity,
    ...countCovered(change.files, notCovered),
    uncovered: notCovered,
    ...(searched.length === 0 ? {} : { searchedOnly: searched }),
    layers: [reportLayer("static", runs), reportLayer("security", runs), ai],
    ...defined({ packages: packagesOf(runs) }),
    notes: collectNotes(runs),
  };
  const count = (kind: keyof CacheCounts) => runs.reduce((sum, { cache }) => sum + (cache?.[kind] ?? 0), 0);
  const cache = { hits: count("hits"), misses: count("misses") };
  const isWeighed = new Set(weighed);
  const unweighed = isWeighed.size === relevant.length ? [] : relevant.filter((each) => !isWeighed.has(each));
  return { observations, coverage, left: [...less, ...unweighed], cache, sources: byPath };
}

/** What runs texts of the repository, as far as it can be listed. */
async function programsOf(change: ChangeToAnalyse): Promise<Programs> {
  const { paths = [], readOthers: readMany, configured, signal } = change;
  const listed = paths.length > 0 ? paths : await configured?.listHead?.(signal);
  return listed === undefined || readMany === undefined
    ? NO_PROGRAMS
    : findPrograms(change, { paths: listed, readMany }, signal);
}

/** The change with the texts that it has something run, although it leaves them as they were. */
function withOthers(change: ChangeToAnalyse, { others }: Programs): ChangeToAnalyse {
  if (others.length === 0) return change;
  return {
    ...change,
    files: [...change.files, ...others.map(({ file }) => file)],
    contents: new Map([...change.contents, ...others.map(({ file, content }) => [file.path, content] as const)]),
  };
}

/** What the child says of lock files and manifests, where something asks for it. */
async function comparedFirst(change: ChangeToAnalyse, wanted: readonly ChangedFile[]): Promise<Known["compared"]> {
  const { analysers = ANALYSERS, signal } = change;
  if (!analysers.includes(dependencies)) return undefined;
  return compareFirst(wanted, change, { signal, ...defined({ tree: treeOf(change) }) });
}

function treeOf({ paths, readOthers }: ChangeToAnalyse): Tree | undefined {
  return paths && readOthers && { paths, readMany: readOthers };
}

async function selectFiles(
  change: ChangeToAnalyse,
  wanted: readonly ChangedFile[],
  unread: ReadonlySet<string>,
  { found: { byPath }, compared }: Known,
): Promise<{ sources: SourceFile[]; uncovered: UncoveredFile[] }> {
  const turn = takeTurns(READING_TURN);
  const sources: SourceFile[] = [];
  const uncovered: UncoveredFile[] = [];
  const isWanted = new Set(wanted);
  const looked = change.files.filter((file) => file.path === CONFIGURATION_PATH || isWanted.has(file));
  const toClassify = looked.map((file) => ({
    ...{ file, content: change.contents.get(file.path), old: change.oldContents?.get(file.path) },
    unread: unread.has(file.path),
    ...defined({ program: byPath.get(file.path), lock: lockVerdict(compared?.get(file.path)) }),
  }));
  const classified = await classifyFiles(toClassify, change.signal);
  const classificationOf = new Map(looked.map((file, at) => [file, classified[at]]));
  for (const file of change.files) {
    const classification = classificationOf.get(file);
    // What keeps files out of review is not kept out itself.
    if (classification === undefined) {
      uncovered.push({ path: file.path, reason: "excluded by the configuration", gap: false });
      continue;
    }
    const content = change.contents.get(file.path);
    await turn(sizeOf(content));
    const old = change.oldContents?.get(file.path);
    const { look, reason, gap, compared } = classification;
    if (reason !== undefined && !compared) uncovered.push({ path: file.path, reason, gap });
    if (look === "none" || !Buffer.isBuffer(content)) continue;
    sources.push(createSourceFile(file, { ...classification, look }, content, Buffer.isBuffer(old) ? old : undefined));
  }
  return { sources, uncovered };
}

/** A change may have 3,000 files, or files of 100 MB: some 10 ms. */
const READING_TURN = { most: 500, unitsOfStep: 2_000 };

function sizeOf(content: Content | undefined): number {
  return Buffer.isBuffer(content) ? content.length : 0;
}

/** Facts about all files together. */
interface Known {
  readonly alike: ReadonlyMap<string, Twin>;
  readonly found: Programs;
  /** Lock files and manifests, where one is long. */
  readonly compared?: ReadonlyMap<string, FileComparison>;
}

async function runAll(change: ChangeToAnalyse, sources: readonly SourceFile[], alike: Known): Promise<AnalyserRun[]> {
  const runs: AnalyserRun[] = [];
  const own = change.analysers ?? ANALYSERS;
  const taken = new Set(ANALYSERS.map(({ name }) => name));
  const { analysers } = change.configuration.tools;
  const configured = analysers.map((each) => configuredAnalyser(each, change.configured, taken));
  const all = [...own, ...configured, ...typeCheckOf(change)];
  const isSmall = sources.reduce((sum, { text }) => sum + text.length, 0) <= ROUND_CHARACTERS;
  const together = isSmall ? all.filter((analyser) => IN_ROUND.has(analyser)) : [];
  const round = openRound(together.length, change.signal);
  const run = async (analyser: Analyser, shared?: ReadingRound) => {
    runs.push(await runOne(analyser, sources, change, alike, shared).finally(() => shared?.leave()));
    change.onProgress?.(analyser.name);
  };
  const queue = [
    () => Promise.all(together.map((analyser) => run(analyser, round))),
    ...all.filter((analyser) => !together.includes(analyser)).map((analyser) => () => run(analyser)),
  ];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
  };
  await Promise.all(Array.from({ length: CONCURRENT_ANALYSERS }, work));
  return runs.sort((a, b) => (a.analyser.name < b.analyser.name ? -1 : 1));
}

/** Where there is a base to compare with. Of a repository that has no tests run by themselves nothing else is run either. */
function typeCheckOf({ configured, configuration, files }: ChangeToAnalyse): Analyser[] {
  const { listHead, writeBase } = configured ?? {};
  if (!configured || !listHead || !writeBase || configuration.review.tests === "never") return [];
  const renamed = new Map(files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [] : [[oldPath, path]])));
  return [projectTypes({ ...configured, listHead, writeBase }, configuration, renamed)];
}

async function runOne(
  analyser: Analyser,
  sources: readonly SourceFile[],
  change: ChangeToAnalyse,
  { alike, found, compared }: Known,
  round: ReadingRound | undefined,
): Promise<AnalyserRun> {
  const open = sources.filter((file) => analyser.layer === "security" || file.look === "all");
  const files = (await wantedOf(open, { include: analyser.paths ?? [], exclude: [] })).filter((file) =>
    analyser.appliesTo(file),
  );
  const readsCommits = analyser.analyseCommits !== undefined && change.commits !== undefined;
  if (files.length === 0 && !readsCommits)
    return { analyser, outcome: { observations: [], filesRead: 0, problems: [] } };
  if (change.signal.aborted) return { analyser, outcome: { failure: "the review was stopped" } };
  let scratch: string | undefined;
  try {
    scratch = await mkdtemp(join(change.scratchRoot, `${analyser.name}-`));
    const { signal, advisories, settle } = change;
    const tree = treeOf(change);
    const context: AnalyserContext = {
      signal,
      scratch,
      twins: alike,
      programs: found.byPath,
      executable: new Set(
        change.files.flatMap((file) => (isMadeExecutable(file, change.contents.get(file.path)) ? [file.path] : [])),
      ),
      ...defined({ advisories, tree, round, compared, settle }),
    };
    const { result, counts } = await analyseWithCache(analyser, files, context, change.cache);
    const read = readPaths(analyser, files, result, change);
    const commits = await wantedCommits(change);
    const history = commits && (await analyser.analyseCommits?.(commits, files, context));
    if (history === undefined) return { analyser, outcome: result, cache: counts, read };
    const problems = [...result.problems, ...history.problems];
    return { analyser, outcome: { ...result, past: history.past, problems }, cache: counts, read };
  } catch (thrown) {
    change.onFailure?.(analyser.name, thrown);
    // An unexpected error's text may quote paths of this machine or code of the change.
    return { analyser, outcome: { failure: thrown instanceof ForgeError ? thrown.message : "an unexpected error" } };
  } finally {
    if (scratch !== undefined) await removeFolder(scratch);
  }
}

/** A program of the repository reads what it is told to read: of one that is told nothing that is unknown. */
function readPaths(
  { name, paths = [] }: Analyser,
  files: readonly SourceFile[],
  { filesRead, problems }: AnalyserResult,
  { configuration }: ChangeToAnalyse,
): string[] {
  const isConfigured = configuration.tools.analysers.some((each) => each.name === name);
  if (filesRead === 0 || (isConfigured && paths.length === 0)) return [];
  const left = new Set(problems.map(({ file }) => file));
  return files.flatMap(({ path }) => (left.has(path) ? [] : [path]));
}

async function wantedCommits({ commits, configuration }: ChangeToAnalyse): Promise<ChangeCommits | undefined> {
  if (commits === undefined) return undefined;
  const wanted: { sha: string; files: ChangeCommits["commits"][number]["files"] }[] = [];
  for (const { sha, files } of commits.commits) {
    wanted.push({ sha, files: await wantedOf(files, configuration.review.paths) });
  }
  return { ...commits, commits: wanted };
}
