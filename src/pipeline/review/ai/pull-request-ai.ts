import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { LoopEvent } from "../../../agents/library.ts";
import type { EarlierFinding } from "../../../agents/reviewer/earlier.ts";
import { createGraphReader } from "../../../analysis/map/read-graph.ts";
import { defined } from "../../../domain/defined.ts";
import { isOpen, type LedgerEntry, type Observation } from "../../../domain/findings.ts";
import type { MakeId } from "../../../domain/ids.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { LayerReport } from "../../../domain/review-report.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import { type Actor, type PullRequestEnds, type Subject, subjectKey } from "../../../domain/subjects.ts";
import { chosenModels } from "../../../llm/create-models.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { giveUpSpend } from "../../../store/spend/reservations.ts";
import type { Store } from "../../../store/store.ts";
import { reviewerTools } from "../../../tools/toolsets.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { messagesBetween } from "../../../workspace/history-of-path.ts";
import { openPackages } from "../../../workspace/install/open-packages.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { readFileAt } from "../../../workspace/read-file-at.ts";
import { removeFolder } from "../../../workspace/remove-folder.ts";
import type { ProcessAi } from "../../ai/ai-dependencies.ts";
import { describeTesting } from "../../ai/describe-testing.ts";
import { readInstructions } from "../../ai/find-instructions.ts";
import { noteGates, openGatekeeper } from "../../ai/gatekeeper.ts";
import { limitsOf } from "../../ai/open-budget.ts";
import { memoriesShown, openRunMemory } from "../../ai/open-run-memory.ts";
import { reportProgress } from "../../ai/report-progress.ts";
import { createStoredSpendKeeper, spenderFor } from "../../ai/spend-keeper.ts";
import { heedStop, keepSteps } from "../../ai/step-keeper.ts";
import type { PackagesOfCommit } from "../../change/packages-of-commit.ts";
import { presentFiles } from "../../change/present-files.ts";
import type { Change } from "../../change/read-change.ts";
import { submit } from "../../runs/handle-input.ts";
import { readDemands } from "../../runs/implementation-of.ts";
import type { PullRequestHost } from "../../runs/ports.ts";
import { evolveSubject, extensionsOf, NO_FACTS } from "../../runs/subject-facts.ts";
import { replay } from "../evolve.ts";
import { type FurtherPush, filesThen } from "../work/changed-since.ts";
import { type AiOutcome, MOST_MESSAGES, runAiLayer } from "./ai-layer.ts";
import { aiNeed } from "./ai-need.ts";
import { openTestClone, openTrials } from "./open-trials.ts";
import { extendConfiguration } from "./review-limits.ts";
import { hidingFound } from "./secrets-of-change.ts";

export interface PullRequestAiRequest {
  readonly store: Store;
  readonly runId: string;
  readonly subject: Subject;
  readonly fence: Fence;
  readonly now: () => string;
  readonly makeId: MakeId;
  readonly host: Pick<PullRequestHost, "listFiles" | "readFile" | "readRole">;
  readonly title: string;
  readonly description?: string;
  readonly author: Actor;
  readonly ends: PullRequestEnds;
  readonly mirror: Mirror;
  readonly change: Change;
  /** What came after the last reading; absent where all of the change is to be read. */
  readonly since?: FurtherPush;
  readonly found: readonly Observation[];
  /** Paths that a reader of code should see: no generated, vendored, excluded or lock files. */
  readonly readable: ReadonlySet<string>;
  readonly ledger: readonly LedgerEntry[];
  readonly risk: RiskReport | undefined;
  readonly configuration: RepoConfig;
  readonly scratchRoot: string;
  /** Of the head; undefined where nothing is installed here. */
  readonly packages?: PackagesOfCommit | undefined;
  readonly signal: AbortSignal;
}

/** The third layer of a review of a pull request: what it found, or why it did not look. */
export type AiRead = { readonly layer: LayerReport; readonly outcome?: AiOutcome; readonly notes?: readonly string[] };

/**
 * Asks whether a model should read this change (REV-2, GH-8c), and has it read.
 * @throws {AwaitsPerson} when that needs a person who has not answered yet
 */
export async function readWithAi(ai: ProcessAi | undefined, given: PullRequestAiRequest): Promise<AiRead> {
  const { risk, store, subject, runId, host, author, mirror, change, signal } = given;
  const run = replay(await readEvents(store, runId));
  const facts = (await readEvents(store, subjectKey(subject))).reduce(evolveSubject, NO_FACTS);
  const extensions = extensionsOf(facts, runId);
  const configuration = extendConfiguration(given.configuration, extensions);
  const { since, ...rest } = given;
  // A review that was asked for reads everything.
  const further = run?.request.automatic === false ? undefined : since;
  const request = { ...rest, configuration, ...defined({ since: further }) };
  const { review } = configuration;
  const models = await ai?.modelsFor(chosenModels(configuration));
  const configured = models?.configured === true;
  // Somebody with triage or more said so, or asked for this very run.
  const trusted = run?.request.automatic === false || facts.trusted === true || run?.implements !== undefined;
  const openFindings = request.ledger.some(isOpenOfAi);
  const question = { ai: review.ai, risk, configured, trusted, openFindings };
  // Who the author is costs a request: it is asked when everything else says yes.
  const asked = aiNeed({ ...question, authorRole: "write" });
  const authorRole =
    !asked.run || trusted || author.kind === "bot"
      ? ("none" as const)
      : await host.readRole(subject.repository, author.login, signal);
  const need = asked.run ? aiNeed({ ...question, authorRole }) : asked;
  if (!need.run || !ai || !models?.configured) {
    const { state, reason } = need.run
      ? ({ state: "not_configured", reason: "no model is configured" } as const)
      : need;
    return { layer: { layer: "ai", state, reason, tools: [] } };
  }
  // Calls that were in flight when an earlier attempt died count with what they cost for being sent.
  await giveUpSpend(store, runId);
  const spend = createStoredSpendKeeper(store, spenderFor(request, "review"), request.now, request.fence);
  const scratch = await mkdtemp(join(request.scratchRoot, "ai-"));
  // The user in the sandbox is somebody else where Forge is root: they pass through to the copy that is theirs.
  await chmod(scratch, 0o711);
  const { progress, settled } = followReview(ai, request);
  try {
    const dependencies = { ...ai, redact: hidingFound(ai.redact, request.found, request.change.contents) };
    const work = {
      ...(await gatherWork(dependencies, request, scratch)),
      onEvent: (agent: string, event: LoopEvent) => {
        progress.heard(agent, event);
        ai.heard?.(event);
      },
      demands: await readDemands(store, run?.implements),
      since: further && { headSha: further.headSha, files: await filesThen(mirror, further, change, signal) },
    };
    const limits = limitsOf(request, ai);
    const gatekeeper = openGatekeeper(run?.gates ?? [], configuration, risk);
    const word = { moreIterations: extensions.iterations, redirection: run?.instructions };
    const outcome = await runAiLayer(
      { ...dependencies, models, spend },
      { ...work, depth: need.depth, limits, gatekeeper, word },
    );
    const name = await memoriesShown(store, runId);
    const observations = outcome.observations.map(name);
    return { layer: outcome.layer, outcome: { ...outcome, observations }, notes: noteGates(gatekeeper.gates) };
  } finally {
    progress.end();
    await settled();
    await removeFolder(scratch);
  }
}

/** Most reviews are over before that. */
const FIRST_REPORT_MS = 60_000;

/** Shows on the check and the page what the agents do; `settled` resolves when the reports are stored. */
function followReview(ai: ProcessAi, { store, makeId, now, subject, runId, fence, signal }: PullRequestAiRequest) {
  const written: Promise<unknown>[] = [];
  const progress = reportProgress({
    firstMs: FIRST_REPORT_MS,
    tell: (activity) =>
      submit({ store, makeId, now }, { subject, fence }, { type: "review.progressed", runId, activity }),
    purposeOf: (agent) => (agent.startsWith("verifier") ? "verification" : "review"),
    afterwards: (work) => void written.push(work),
    clock: { now: () => Date.parse(now()), sleep: ai.clock.sleep },
    signal,
  });
  return { progress, settled: () => Promise.all(written) };
}

const NOT_INSTALLED = { installed: false, needed: true } as const;

async function gatherWork(ai: ProcessAi, request: PullRequestAiRequest, scratch: string) {
  const { change, configuration, mirror, ends, signal, subject, host, store, runId } = request;
  const files = openCommitFiles({ mirror, commit: ends.headSha, scratch });
  const changed = await presentFiles(change);
  const history = { store: mirrorStore(mirror), commit: ends.headSha };
  // What came with a merge of the base is not the author's word.
  const without = [change.mergeBaseSha, ...(request.since ? [request.since.headSha] : [])];
  const { redact } = ai;
  const code = { mirror, base: ends.baseSha, head: ends.headSha, signal };
  const memory = openRunMemory(ai.memory, { ...request, code }, redact);
  const place = { writeHead: change.writeHead, scratchRoot: scratch, signal };
  const installed = (await request.packages?.get()) ?? NOT_INSTALLED;
  const packages = installed.installed ? installed.packages.folder : undefined;
  const packagesMissing = !installed.installed && "reason" in installed ? installed.reason : undefined;
  const testing = await describeTesting(files, installed.installed || !installed.needed ? "all" : "none", signal);
  const clone = testing === undefined ? undefined : await openTestClone({ ...place, packages });
  return {
    ...defined({ description: request.description }),
    messages: await messagesBetween(history.store, { head: ends.headSha, without, most: MOST_MESSAGES, signal }),
    ...{ title: request.title, change, configuration, signal, found: request.found, readable: request.readable },
    instructions: await readInstructions(host, subject.repository, change.files, configuration, signal),
    earlier: await readEarlier(request),
    readHead: files.read,
    testing,
    memory: memory.agent,
    tools: reviewerTools({
      ...{ files, changed, redact },
      changedPaths: change.files.map(({ path }) => path),
      readGraph: createGraphReader({ files, scratch, immutable: true }),
      history,
      readBefore: beforeOf(change, openCommitFiles({ mirror, commit: change.mergeBaseSha, scratch }).read),
      packages: packages === undefined ? "none" : openPackages(packages),
      ...defined({ clone, memory: memory.port }),
    }),
    openTrials: () => openTrials({ ...place, packages, packagesMissing, change, redact }),
    steps: heedStop(
      keepSteps({ store, runId, fence: request.fence, now: request.now, makeId: request.makeId }),
      store,
      runId,
    ),
  };
}

/** Files before the change, also by the names that they got with it. */
function beforeOf({ files }: Pick<Change, "files">, read: RepositoryFiles["read"]): RepositoryFiles["read"] {
  const renamed = new Map(files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [] : [[path, oldPath]])));
  return (path, signal) => read(renamed.get(path) ?? path, signal);
}

/** The open and the dismissed findings of this layer with the code that they were about, as it stood on their head. */
async function readEarlier({ ledger, mirror, signal }: PullRequestAiRequest): Promise<EarlierFinding[]> {
  const dismissed = (entry: LedgerEntry) => entry.finding.source === "ai" && entry.state === "dismissed";
  const earlier: EarlierFinding[] = [];
  for (const entry of ledger.filter((each) => isOpenOfAi(each) || dismissed(each))) {
    const { finding, headSha } = entry;
    const read = await readFileAt(mirror, headSha, finding.file, { signal }).catch(() => undefined);
    const lines = read?.ok
      ? read.content
          .toString("utf8")
          .split("\n")
          .slice(finding.line - 1, finding.endLine)
      : [];
    const known = { id: finding.id, finding, quote: lines.join("\n") };
    earlier.push(dismissed(entry) ? { ...known, dismissed: true } : known);
  }
  return earlier;
}

function isOpenOfAi(entry: LedgerEntry): boolean {
  return entry.finding.source === "ai" && isOpen(entry);
}
