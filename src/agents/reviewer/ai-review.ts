import type { PresentedFile } from "../../analysis/present-change.ts";
import type { Observation } from "../../domain/findings.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Tool } from "../../tools/tool.ts";
import type { RunReport } from "../loop/run-report.ts";
import type { Demands, InstructionText } from "./brief.ts";
import type { Claim } from "./claims.ts";
import type { EarlierFinding, Spot } from "./earlier.ts";
import type { ReadHead } from "./fix-of-claim.ts";
import type { Prove, RunAgent, StillFails, TryFix } from "./ports.ts";
import type { UnreadLines } from "./show-change.ts";

export interface AiReviewDependencies {
  readonly run: RunAgent;
  /** The read-only toolset over the head of the change. */
  readonly tools: readonly Tool[];
  readonly tokensOf: (text: string) => number;
  readonly redact: Redact;
  /** Without it nothing is demonstrated. */
  readonly prove?: Prove | undefined;
  /** Without it the verifier's word closes what a test had shown. */
  readonly stillFails?: StillFails | undefined;
  /** A file of the head that is not among the changed ones that a reader is shown: a fix may touch it too. */
  readonly readHead?: ReadHead | undefined;
  /** Without it no fix is offered. */
  readonly tryFix?: TryFix | undefined;
}

export interface AiReviewTask {
  /** Undefined where the change has no title. */
  readonly title?: string | undefined;
  /** The author's description. */
  readonly description?: string | undefined;
  /** Of its commits, oldest first. */
  readonly messages?: readonly string[] | undefined;
  /** Demands of the plan, for Forge's own work. */
  readonly demands?: Demands | undefined;
  /** How a demonstration is executed; undefined where nothing can be. */
  readonly testing?: string | undefined;
  readonly files: readonly {
    readonly changed: ChangedFile;
    readonly presented: PresentedFile;
    /** The whole file with its change in it, where that is short enough to be read in one go. */
    readonly whole?: PresentedFile | undefined;
    /** On a further push: what it did to the file, or the whole change of it where that cannot be told. */
    readonly since?: PresentedFile | "unchanged" | undefined;
    readonly lines: readonly string[];
  }[];
  /** The head that was read last, where only what changed since is to be read. */
  readonly readBefore?: string | undefined;
  /** Changed files that no reader is shown, each with why: `auth.ts (deleted)`. */
  readonly others: readonly string[];
  readonly instructions: readonly InstructionText[];
  readonly found: readonly Pick<Observation, "file" | "line" | "rule" | "message">[];
  /** Open and dismissed findings of this layer on earlier heads. */
  readonly earlier: readonly EarlierFinding[];
  readonly depth: "usual" | "deep";
  /** Model calls of one reviewer. */
  readonly iterations: number;
}

/** A claim that did not become a finding, and why: for the log, never for the pull request. */
export interface Rejected {
  readonly claim: Claim;
  readonly by: "quote" | "place" | "vote" | "verifier";
  readonly reason: string;
}

export interface AiReview {
  readonly observations: readonly Observation[];
  /** The earlier findings that stand on this head too, and where. */
  readonly standing: readonly Spot[];
  readonly rejected: readonly Rejected[];
  readonly reports: readonly RunReport[];
  /** Why not everything was read, in sentences; empty for a whole review. */
  readonly gaps: readonly string[];
  /** Lines of changed files that were hidden from the readers. */
  readonly unread: readonly UnreadLines[];
  /** Changed files that no reader was shown, as they were too large. */
  readonly tooLarge: readonly string[];
  /** False: not a single reader got to its end. */
  readonly ran: boolean;
}
