import type { RunAgent } from "../../agents/reviewer/ports.ts";
import type { ReadGraph } from "../../analysis/map/read-graph.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { SandboxUnavailable } from "../../workspace/sandbox/sandbox.ts";
import type { Change } from "../change/read-change.ts";

export interface TestingDependencies {
  /** A copy of the head that tests may litter, or why nothing can be run. */
  readonly clone: Clone | SandboxUnavailable;
  /** A copy of what stood before the change, as the head is prepared; asked for only when something failed. */
  readonly openBase: () => Promise<Clone | undefined>;
  /** Of the head. */
  readonly readGraph: ReadGraph;
  readonly redact: Redact;
  /** Without it no model looks at failures. */
  readonly runAgent?: RunAgent | undefined;
  /** The tester's tools. */
  readonly testerTools: readonly Tool[];
  /** Calls of a model for one look into failures; as shipped when left out. */
  readonly iterations?: number | undefined;
  /** A folder of ours for what is being read. */
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  /** Told how many test files are about to be run; nobody waits for it. */
  readonly running?: ((files: number) => void) | undefined;
  /** For everything that runs, repetitions and the base among it; milliseconds. */
  readonly timeLimitMs: number;
}

export interface TestingRequest {
  readonly headSha: string;
  readonly change: Pick<Change, "files" | "contents" | "oldContents">;
  readonly risk: RiskLevel;
  readonly tools: Pick<RepoConfig["tools"], "test" | "build">;
  /** Why the packages of the repository are not installed, in a sentence; undefined where they are, or none are needed. */
  readonly packagesMissing?: string | undefined;
}
