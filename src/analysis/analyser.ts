import type { Observation } from "../domain/findings.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import type { PackageLookups } from "../domain/review-report.ts";
import type { CommitPatch } from "../workspace/parse-commit-log.ts";
import type { FileComparison } from "./child/protocol.ts";
import type { GivenSettings } from "./configuration/parse-configuration.ts";
import type { AdvisorySource } from "./dependencies/advisory-source.ts";
import type { Twin } from "./disguises/path-disguises.ts";
import type { Program } from "./programs/program.ts";
import type { ReadingRound } from "./reader/reading-round.ts";
import type { SourceFile } from "./source-file.ts";
import type { Tree } from "./tree.ts";

/** See `AnalyserContext.settle`. */
export type SettleSettings = (given: GivenSettings) => RepoConfig | undefined;

export interface AnalyserContext {
  readonly signal: AbortSignal;
  /** An empty folder of ours, removed afterwards. */
  readonly scratch: string;
  /** Looks up known vulnerabilities; without it they are not looked up. */
  readonly advisories?: AdvisorySource;
  /** What settings of a `forge.yml` come to with those below them; undefined where they are laid below others. Without it there are none below. */
  readonly settle?: SettleSettings;
  /** Files that the change leaves alone; without it none of them is read. */
  readonly tree?: Tree;
  /** Changed files that are taken for others, by path. */
  readonly twins?: ReadonlyMap<string, Twin>;
  /** Texts that something runs, by path, and those that the change makes executable. */
  readonly programs?: ReadonlyMap<string, Program>;
  readonly executable?: ReadonlySet<string>;
  /** Lock files and manifests that a child has compared before, by path. */
  readonly compared?: ReadonlyMap<string, FileComparison>;
  /** Readings that other analysers want now too. */
  readonly round?: ReadingRound;
}

/** What each commit of a change adds, where a search of the head alone is not enough. */
export interface ChangeCommits {
  /** Newest first. */
  readonly commits: readonly CommitPatch[];
  /** Why these are not all, in a sentence. */
  readonly cut?: string;
}

/** An observation on text that the change did not add to its head: a commit of it did, or the change breaks what stands there. */
export interface PastObservation {
  readonly observation: Observation;
  /** What it is about: gives it its identity. */
  readonly text: string;
}

export interface AnalyserProblem {
  readonly file?: string;
  /** In words that follow the file's path or the analyser's name: "took longer than 20 s". */
  readonly reason: string;
  /** False where leaving it out is as intended: a dialect that no tool here reads. */
  readonly gap: boolean;
}

export interface AnalyserResult {
  readonly observations: Observation[];
  /** Reported wherever they stand, as no line that the change added is theirs. */
  readonly past?: readonly PastObservation[];
  /** Files that were really read to the end. */
  readonly filesRead: number;
  /** What it could not read, file by file where that is known: the review says so (GH-11a). */
  readonly problems: AnalyserProblem[];
  /** It could not run, which is no gap: what it found before is not gone because of that. */
  readonly idle?: true;
  /** What people should know of this run and is no gap: "shellcheck is not installed on this machine". */
  readonly notes?: readonly string[];
  /** How many packages were looked up: set by `dependencies` alone. */
  readonly packages?: PackageLookups;
}

/**
 * One deterministic reader of code. It may report on any line: what the change did not add is dropped later. It must not follow a path
 * of the repository: the text is all it gets. What it cannot do at all it throws; the other analysers go on.
 */
export interface Analyser {
  readonly name: string;
  readonly version: string;
  readonly layer: "static" | "security";
  /** What it says about a file depends on that file alone, so that it can be kept. */
  readonly readsFilesAlone?: boolean;
  /** What its word about a file rests on beside that file, by path: a digest; none where there is nothing. */
  restsOn?(files: readonly SourceFile[], context: AnalyserContext): Promise<ReadonlyMap<string, string>>;
  /** Globs of the configuration: only files that one of them matches; none or left out: all. */
  readonly paths?: readonly string[];
  /** Asked for files whose `look` permits this analyser's layer. */
  appliesTo(file: SourceFile): boolean;
  analyse(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult>;
  /** Also looks at what the commits add and the head does not hold; `files` are the head's. Asked even where there are none. */
  analyseCommits?(
    commits: ChangeCommits,
    files: readonly SourceFile[],
    context: AnalyserContext,
  ): Promise<Required<Pick<AnalyserResult, "past" | "problems">>>;
}
