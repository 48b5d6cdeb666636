import { createHash } from "node:crypto";
import { analyseChange } from "../../../analysis/analyse-change.ts";
import type { ChangeCommits } from "../../../analysis/analyser.ts";
import type { AdvisorySource } from "../../../analysis/dependencies/advisory-source.ts";
import { openReaderPlace } from "../../../analysis/reader/start-reader.ts";
import { readablePaths } from "../../../analysis/source-file.ts";
import { joinFindings, MOST_OBSERVATIONS } from "../../../analysis/synthesise.ts";
import { defined } from "../../../domain/defined.ts";
import type { Finding } from "../../../domain/findings.ts";
import { CONFIGURATION_PATH } from "../../../domain/repo-config.ts";
import type { ReviewCoverage } from "../../../domain/review-report.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { openFolderFiles } from "../../../workspace/files/folder-files.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { createFolderLock } from "../../../workspace/folder-lock.ts";
import { type FolderChange, type FolderRequest, readFolder } from "../../change/read-folder.ts";
import {
  effectiveConfiguration,
  type FoundConfiguration,
  settleConfiguration,
} from "../../runs/configuration/effective-configuration.ts";
import type { AiOutcome } from "../ai/ai-layer.ts";
import { noteUntried } from "../ai/note-untried.ts";
import { withAiLayer } from "../ai/unread-by-models.ts";
import { reachVerdict, type Verdict } from "../verdict.ts";
import { identify } from "../work/identify.ts";
import { type CodeFrames, codeFrames } from "./code-frames.ts";
import type { FolderAi } from "./folder-ai.ts";
import { pastOfFolder, type ReadPast, riskOfFolder } from "./folder-risk.ts";

export interface FolderReview {
  /** Most important first. */
  readonly findings: readonly Finding[];
  /** Findings that are not shown. The verdict counts them. */
  readonly beyondLimit: number;
  readonly coverage: ReviewCoverage;
  readonly verdict: Verdict;
  /** The commit it was compared with; undefined when every file was looked at. */
  readonly base?: string;
  /** The code of the findings, where their files are text. */
  readonly frames: CodeFrames;
  /** Where it was asked for, and there is a change. */
  readonly risk?: RiskReport;
  /** The report of the AI layer, where it ran. */
  readonly ai?: Pick<AiOutcome, "cost" | "rejected" | "reports">;
}

export interface FolderReviewOptions extends FolderRequest {
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  /** Asked about the packages of lock files; without it they are not checked, and the review says so. */
  readonly advisories?: AdvisorySource;
  readonly onProgress?: (analyser: string) => void;
  /** At most so many findings, the most important; as shipped when left out. */
  readonly mostFindings?: number;
  /** Measures the risk too, which takes a process and a look at the history. */
  readonly measuresRisk?: boolean;
  /** Lets models read the change too. */
  readonly ai?: FolderAi;
}

/** No commit at all. */
const NONE = "0".repeat(40);

/** Identities are made per subject; a folder has no repository id, so it stands as a subject of its own. */
const FOLDER: Subject = {
  kind: "pull_request",
  repository: { id: 1, owner: "local", name: "folder", installationId: 1 },
  number: 1,
};

/**
 * The same ids at every run on every machine: nothing that could be guessed back from them leaves this process but 20 bits.
 */
const KEY = createHash("sha256").update("forge review of a folder").digest();

/** The same review without GitHub (OPS-1): layers, verdict and identities as on a pull request, on a folder of this machine. */
export async function reviewFolder(options: FolderReviewOptions): Promise<FolderReview> {
  // Begun now: the sandbox is tried while git reads, which takes about as long. A failure comes to those who wait for the place.
  openReaderPlace().catch(() => {});
  const change = await readFolder(options);
  const own = change.contents.get(CONFIGURATION_PATH);
  const text = Buffer.isBuffer(own) ? own.toString("utf8") : undefined;
  const { readMany: readOthers } = openFolderFiles({ root: options.folder, lock: createFolderLock() });
  const configured = { text, where: "in this folder" };
  const readPast = pastOfFolder(options.folder);
  return reviewRead(options, { change, configured, subject: FOLDER, readOthers, readPast });
}

/** The change, from any source. */
interface ReadChange {
  readonly change: FolderChange & { readonly commits?: ChangeCommits };
  readonly configured: FoundConfiguration;
  /** The owner of the findings: ids are made for it. */
  readonly subject: Subject;
  /** None for what is not committed. */
  readonly headSha?: string;
  /** Reads files that the change leaves alone. */
  readonly readOthers: RepositoryFiles["readMany"];
  readonly readPast: ReadPast;
}

/** The layers, the verdict and the identities of a change that nothing is kept of. */
export async function reviewRead(
  options: Omit<FolderReviewOptions, "base" | "all">,
  { change, configured, subject, headSha = NONE, readOthers, readPast }: ReadChange,
): Promise<FolderReview> {
  const { scratchRoot, signal, onProgress } = options;
  // What is shown changes neither what is counted nor the verdict.
  const shown = options.mostFindings ?? MOST_OBSERVATIONS;
  // A number that is asked for also counts what one rule says again and again in one file.
  const mostFindings = options.mostFindings === undefined ? shown : Math.max(shown, MOST_OBSERVATIONS + 1);
  const { given, problem } = settleConfiguration(configured);
  const configuration = effectiveConfiguration({ repository: given }).value;
  const analysis = await analyseChange({
    files: change.files,
    contents: change.contents,
    paths: change.paths,
    readOthers,
    ...(change.base ? { oldContents: change.oldContents } : {}),
    ...(change.commits ? { commits: change.commits } : {}),
    configuration,
    identity: { headSha, baseSha: change.base ?? NONE, mergeBaseSha: change.base ?? NONE },
    key: KEY,
    scratchRoot,
    signal,
    mostFindings,
    ...defined({ onProgress, advisories: options.advisories }),
  });
  const { ai } = options;
  const read =
    ai &&
    // With the store and the loop of agents: a review without models loads neither.
    (await (
      await import("./folder-ai.ts")
    ).reviewFolderWithAi({
      ai,
      folder: options.folder,
      change,
      found: analysis.observations,
      readable: readablePaths(analysis.sources),
      configuration,
      scratchRoot,
      signal,
    }));
  const { sources } = analysis;
  const joined =
    read &&
    (await joinFindings(analysis.observations, read.observations, {
      sources,
      key: KEY,
      known: [],
      mostFindings,
    }));
  const all = await identify(joined?.observations ?? analysis.observations, subject, [], async () => new Map());
  const { coverage } = analysis;
  const left = [...analysis.left, ...(joined?.left ?? [])];
  const findings = all.slice(0, shown);
  const untried = await noteUntried(read?.observations ?? []);
  const notes = [...coverage.notes, ...(problem ? [problem] : []), ...(read?.notes ?? []), ...untried];
  const seen = read ? withAiLayer(coverage, read.layer, read.uncovered, change.files) : coverage;
  const whole = { ...seen, notes };
  const openFindings = [...all, ...left];
  const risk = options.measuresRisk
    ? await riskOfFolder({ change, configuration, openFindings, readPast, scratchRoot, signal })
    : undefined;
  return {
    findings,
    beyondLimit: all.length - findings.length + left.length,
    coverage: whole,
    verdict: reachVerdict(openFindings, whole),
    frames: codeFrames(findings, sources, all),
    ...defined({ base: change.base, risk }),
    ...(read ? { ai: { cost: read.cost, rejected: read.rejected, reports: read.reports } } : {}),
  };
}
