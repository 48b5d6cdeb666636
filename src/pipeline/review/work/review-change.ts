import { analyseChange } from "../../../analysis/analyse-change.ts";
import type { GivenSettings } from "../../../analysis/configuration/parse-configuration.ts";
import type { AdvisorySource } from "../../../analysis/dependencies/advisory-source.ts";
import type { AnalysisCache } from "../../../analysis/open-analysis-cache.ts";
import { readablePaths } from "../../../analysis/source-file.ts";
import { joinFindings } from "../../../analysis/synthesise.ts";
import { defined } from "../../../domain/defined.ts";
import { byImportance, type Finding, isOpen, type LedgerEntry } from "../../../domain/findings.ts";
import type { Anchors, ChangedFile, ChangedLines } from "../../../domain/hunks.ts";
import { type TaskKind, taskKindOf } from "../../../domain/ladder.ts";
import type { ModelCost } from "../../../domain/model-cost.ts";
import type { Layer } from "../../../domain/phases.ts";
import type { RejectedClaim, ReviewCoverage } from "../../../domain/review-report.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import type { PullRequestEnds, Subject } from "../../../domain/subjects.ts";
import { readLedger, takenFindingIds } from "../../../store/runs/ledger.ts";
import { type EarlierReview, readReviews } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import type { PackageSource } from "../../../workspace/install/install-packages.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import type { ProcessAi } from "../../ai/ai-dependencies.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import { packagesOfCommit } from "../../change/packages-of-commit.ts";
import { readChange } from "../../change/read-change.ts";
import { type Configuration, proposedConfiguration } from "../../runs/configuration/load-configuration.ts";
import type { GitRemote } from "../../runs/ports.ts";
import type { AiOutcome } from "../ai/ai-layer.ts";
import { noteUntried } from "../ai/note-untried.ts";
import { type PullRequestAiRequest, readWithAi } from "../ai/pull-request-ai.ts";
import { withAiLayer } from "../ai/unread-by-models.ts";
import { countRounds } from "../compare-with-ledger.ts";
import { pushSince } from "./changed-since.ts";
import { identify } from "./identify.ts";
import { lookForPeople } from "./look-for-people.ts";
import { measureRisk } from "./measure-risk.ts";
import { noteConfiguration } from "./note-configuration.ts";

/** Where and with what the work is done. */
export interface ReviewWork {
  /** Folder of all mirrors. */
  readonly mirrorRoot: string;
  /** Folder for scratch space; everything in it may be deleted. */
  readonly scratchRoot: string;
  /** Keys the fingerprints of secrets, so that they cannot be guessed back. */
  readonly fingerprintKey: Buffer;
  /** The source of known vulnerabilities; without it they are not looked up. */
  readonly advisories?: AdvisorySource;
  /** Results for files in earlier reviews. */
  readonly analysisCache?: AnalysisCache;
  /** Models that read changes too. */
  readonly ai?: ProcessAi;
  /** Where packages of repositories come from; without it nothing that needs them is run. */
  readonly packages?: PackageSource;
  /** For the log: people are told only that the analyser did not run. */
  readonly onAnalyserFailure?: (analyser: string, thrown: unknown) => void;
}

export interface ReviewRequest {
  readonly store: Store;
  readonly subject: Subject;
  /** Needed for models to read it; without it none does. */
  readonly forModels?: Pick<
    PullRequestAiRequest,
    "runId" | "fence" | "now" | "makeId" | "host" | "title" | "description" | "author"
  >;
  readonly ends: PullRequestEnds;
  readonly defaultBranch: string;
  readonly configuration: Configuration;
  /** The finished reviews of the subject, newest first, where they were read already. */
  readonly reviews?: readonly EarlierReview[];
  /** Login of the pull request's author. */
  readonly author: string;
  /** Of the pull request, and of the issues that it closes. */
  readonly labels?: readonly string[];
  /** ISO 8601, now. */
  readonly at: string;
  readonly remote: GitRemote;
  readonly signal: AbortSignal;
}

export interface ReviewResult {
  readonly findings: Finding[];
  readonly beyondLimit: number;
  readonly anchors: Anchors[];
  readonly coverage: ReviewCoverage;
  readonly rounds: number;
  readonly task: TaskKind;
  /** Files that a person has to look at before Forge may approve or merge the change; absent where nobody asks, or that is not known. */
  readonly forPeople?: readonly string[];
  readonly risk?: RiskReport;
  readonly changedSince?: readonly ChangedLines[];
  readonly lookedBefore?: readonly Layer[];
  readonly left?: readonly string[];
  /** The cost of models, and their claims that did not become findings; absent where none was asked. */
  readonly ai?: { readonly cost: ModelCost; readonly rejected: readonly RejectedClaim[] };
}

/** Reads the change, runs the layers over it, and gives what they found its identity. */
export async function reviewChange(work: ReviewWork, request: ReviewRequest): Promise<ReviewResult> {
  const { store, subject, ends, configuration, remote, author, at, signal } = request;
  const { scratchRoot } = work;
  const mirror = await fetchEnds({ subject, ends, mirrorRoot: work.mirrorRoot, remote, signal });
  const change = await readChange(mirror, ends, signal);
  const { headSha, baseSha } = ends;
  const reviews = request.reviews ?? (await readReviews(store, subject));
  const since = await pushSince(mirror, reviews[0], { ends, change, configuration: configuration.value, signal });
  const ledger = await readLedger(store, subject);
  const known = ledger.map(({ finding }) => ({ fingerprint: finding.fingerprint, file: finding.file }));
  const place = { mirror, commit: headSha, base: change.mergeBaseSha, scratchRoot, signal };
  const settle = (given: GivenSettings) => proposedConfiguration(configuration, subject.repository, given);
  await using packages = work.packages && packagesOfCommit({ ...place, source: work.packages });
  const analysis = await analyseChange({
    files: change.files,
    contents: change.contents,
    oldContents: change.oldContents,
    commits: change.commits,
    paths: change.paths,
    readOthers: openCommitFiles({ mirror, commit: headSha, scratch: scratchRoot }).readMany,
    ...defined({ advisories: work.advisories }),
    configuration: configuration.value,
    settle,
    identity: { headSha, baseSha, mergeBaseSha: change.mergeBaseSha },
    key: work.fingerprintKey,
    known,
    scratchRoot,
    configured: {
      ...{ sandbox: openSandbox, writeHead: change.writeHead, writeBase: change.writeBase, listHead: change.listHead },
      ...defined({ packages: packages?.get }),
    },
    ...defined({ cache: work.analysisCache, onFailure: work.onAnalyserFailure }),
    signal,
  });
  const risk = await measureRisk({
    ...{ mirror, change, author, at, scratchRoot, signal },
    configuration: configuration.value,
  });
  const lookedBefore = since && layersOf(reviews[0]);
  const material = {
    ...{ store, subject, ends, mirror, change, ledger, risk, scratchRoot, packages, signal },
    ...defined({ since: lookedBefore?.includes("ai") ? since : undefined }),
  };
  const readable = readablePaths(analysis.sources);
  const found = { found: analysis.observations, readable, configuration: configuration.value };
  const read = request.forModels && (await readWithAi(work.ai, { ...material, ...found, ...request.forModels }));
  const { sources } = analysis;
  const context = { sources, key: work.fingerprintKey, known };
  const joined = await joinFindings(analysis.observations, read?.outcome?.observations ?? [], context);
  const identified = await identify(joined.observations, subject, ledger, (ids) =>
    takenFindingIds(store, subject.repository.id, ids),
  );
  const findings = withStanding(identified, ledger, read?.outcome?.standing ?? []);
  const coverage = read
    ? withAiLayer(analysis.coverage, read.layer, read.outcome?.uncovered ?? [], change.files)
    : analysis.coverage;
  const beyondLimit = analysis.left.length + joined.left.length;
  const anchors = anchorsOf(change.files, new Set(findings.map(({ file }) => file)));
  const cut = change.cut === undefined ? undefined : { reason: change.cut, all: change.files.length === 0 };
  const untried = await noteUntried(read?.outcome?.observations ?? []);
  const said = [...(read?.notes ?? []), ...((await packages?.notes()) ?? [])];
  const { defaultBranch } = request;
  const { baseRef } = ends;
  const settings = noteConfiguration({ change, baseRef, defaultBranch, configuration: configuration.value, settle });
  const notes = [...configuration.problems, ...said, ...settings, ...untried];
  const paths = change.files.flatMap(({ path, oldPath }) => [path, ...(oldPath === undefined ? [] : [oldPath])]);
  return {
    findings,
    beyondLimit,
    anchors,
    coverage: withNotes(coverage, notes, cut),
    rounds: countRounds(reviews),
    task: taskKindOf({
      title: request.forModels?.title ?? "",
      paths,
      ...defined({ labels: request.labels }),
    }),
    ...defined({
      risk,
      forPeople: await lookForPeople({ ...request, change, mirror, scratchRoot, ...defined({ risk }) }),
      changedSince: since?.changed,
      lookedBefore,
      left: change.cut === undefined ? filesLeft(ledger, change.files, [...sources.keys()]) : undefined,
      ai: read?.outcome && { cost: read.outcome.cost, rejected: read.outcome.rejected.map(rejectedClaim) },
    }),
  };
}

/** Files of open findings that the change does not hold any more; one that was renamed is still there. */
function filesLeft(ledger: readonly LedgerEntry[], files: readonly ChangedFile[], read: readonly string[]): string[] {
  const there = files.filter(({ status }) => status !== "deleted");
  // What the change has something run is read with it.
  const paths = new Set([...there.flatMap(({ path, oldPath }) => [path, oldPath]), ...read]);
  return [...new Set(ledger.filter(isOpen).map(({ finding }) => finding.file))].filter((file) => !paths.has(file));
}

function rejectedClaim({ claim, by, reason }: AiOutcome["rejected"][number]): RejectedClaim {
  const { kind, file, line, claim: said } = claim;
  return { rule: `ai/${kind}`, file, line, claim: said, by, reason };
}

/** Findings of a model on earlier heads that stand on this one: with the identity they have, where they stand now. */
function withStanding(
  findings: readonly Finding[],
  ledger: readonly LedgerEntry[],
  standing: AiOutcome["standing"],
): Finding[] {
  const there = new Set(findings.map(({ fingerprint }) => fingerprint));
  const still = standing.flatMap(({ id, file, place }) => {
    const finding = ledger.find((entry) => entry.finding.id === id)?.finding;
    return finding && !there.has(finding.fingerprint) ? [{ ...finding, ...place, file }] : [];
  });
  return [...findings, ...still].sort(byImportance);
}

/** The layers that a review ran to their end. */
function layersOf(review: EarlierReview | undefined): Layer[] {
  return (review?.completed.coverage.layers ?? []).flatMap(({ layer, state }) => (state === "ran" ? [layer] : []));
}

function anchorsOf(files: readonly ChangedFile[], paths: ReadonlySet<string>): Anchors[] {
  return files
    .filter(({ path }) => paths.has(path))
    .map(({ path, hunks }) => ({ path, hunks: hunks.map(({ newStart, newEnd }) => ({ newStart, newEnd })) }));
}

/** A truncated change was not looked at whole: the layers ran on a part only or on nothing, and verdict and ledger have to know (GH-11a). */
function withNotes(
  coverage: ReviewCoverage,
  more: readonly string[],
  cut: { readonly reason: string; readonly all: boolean } | undefined,
): ReviewCoverage {
  const notes = [...coverage.notes, ...more];
  if (!cut) return { ...coverage, notes };
  const state = cut.all ? "failed" : "partly";
  const layers = coverage.layers.map((layer) =>
    layer.state === "ran" ? ({ ...layer, state, reason: cut.reason } as const) : layer,
  );
  return { ...coverage, notes, layers };
}
