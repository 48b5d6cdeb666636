import type { LoopEvent, RunReport } from "../../../agents/library.ts";
import type { AiReview, AiReviewTask, Rejected } from "../../../agents/reviewer/ai-review.ts";
import type { Demands, InstructionText } from "../../../agents/reviewer/brief.ts";
import type { EarlierFinding } from "../../../agents/reviewer/earlier.ts";
import type { HeadFile } from "../../../agents/reviewer/fix-of-claim.ts";
import type { Prove } from "../../../agents/reviewer/ports.ts";
import { runAiReview } from "../../../agents/reviewer/run-ai-review.ts";
import type { Trials } from "../../../agents/reviewer/trials.ts";
import { modeNotes, presentChange } from "../../../analysis/present-change.ts";
import { defined } from "../../../domain/defined.ts";
import type { Observation } from "../../../domain/findings.ts";
import type { ChangedFile } from "../../../domain/hunks.ts";
import type { ModelCost } from "../../../domain/model-cost.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { LayerReport, UncoveredFile } from "../../../domain/review-report.ts";
import { estimateTextTokens } from "../../../llm/estimate-tokens.ts";
import type { BudgetLimit } from "../../../safety/budget.ts";
import { tripOnTime } from "../../../safety/trip-rules.ts";
import type { Tool } from "../../../tools/tool.ts";
import { cleanPath } from "../../../workspace/files/clean-path.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { takeTurns } from "../../../workspace/files/turns.ts";
import { type AiDependencies, policyOf } from "../../ai/ai-dependencies.ts";
import { costOf } from "../../ai/cost-of.ts";
import { type Gatekeeper, heldMoney } from "../../ai/gatekeeper.ts";
import { openBudget } from "../../ai/open-budget.ts";
import { type AgentMemory, createRunAgent } from "../../ai/run-agent.ts";
import type { StepKeeper } from "../../ai/step-keeper.ts";
import type { PeoplesWord } from "../../ai/take-up.ts";
import { watchErrors } from "../../ai/watch-errors.ts";
import { presentFiles, textOf } from "../../change/present-files.ts";
import type { Change } from "../../change/read-change.ts";
import type { FilesThen } from "../work/changed-since.ts";
import { metLimit } from "./review-limits.ts";
import { describeUnread, unreadByModels } from "./unread-by-models.ts";
import { wordsOfAuthor } from "./words-of-author.ts";

/** Commits of a change whose messages a reader is told. */
export const MOST_MESSAGES = 20;

export interface AiWork {
  /** Undefined where the change has no title. */
  readonly title?: string | undefined;
  /** The author's description. */
  readonly description?: string | undefined;
  /** Of its commits, oldest first. */
  readonly messages?: readonly string[] | undefined;
  /** Demands of the plan, for Forge's own work. */
  readonly demands?: Demands | undefined;
  /** How a demonstration is executed, for the verifier; undefined where nothing can be. */
  readonly testing?: string | undefined;
  readonly change: Pick<Change, "files" | "contents" | "oldContents">;
  /** On a further push: the head that was read last, and the files that changed since as they were there (GH-3). */
  readonly since?: { readonly headSha: string; readonly files: FilesThen } | undefined;
  readonly instructions: readonly InstructionText[];
  /** Findings of the deterministic layers. */
  readonly found: readonly Observation[];
  /** Paths that a reader of code should see: no generated, vendored, excluded or lock files. */
  readonly readable: ReadonlySet<string>;
  /** Open findings of this layer on earlier heads. */
  readonly earlier?: readonly EarlierFinding[];
  /** A file of the head, whether the change touches it or not; without it fixes stay in what readers are shown. */
  readonly readHead?: RepositoryFiles["read"];
  /** Sources that the reviewer may read. */
  readonly tools: readonly Tool[];
  /** Where demonstrations and fixes are tried; opened when there is something to try. */
  readonly openTrials: () => Promise<Trials | undefined>;
  readonly configuration: RepoConfig;
  readonly depth: AiReviewTask["depth"];
  readonly limits: readonly BudgetLimit[];
  readonly steps: StepKeeper;
  /** Extensions of its limits and remarks by people since it began. */
  readonly word?: Omit<PeoplesWord, "usdLimits"> | undefined;
  /** Whom to ask; without one, what needs a person is denied. */
  readonly gatekeeper?: Gatekeeper | undefined;
  /** Lessons of earlier runs; without it nothing is recalled or learnt. */
  readonly memory?: AgentMemory | undefined;
  readonly signal: AbortSignal;
  readonly onEvent?: ((agent: string, event: LoopEvent) => void) | undefined;
}

export interface AiOutcome {
  readonly observations: readonly Observation[];
  /** Ids of earlier findings that stand on this head too, and where. */
  readonly standing: AiReview["standing"];
  readonly layer: LayerReport;
  /** Files and lines that the models were not shown. */
  readonly uncovered: readonly UncoveredFile[];
  readonly cost: ModelCost;
  /** Claims that did not become findings: for the log. */
  readonly rejected: readonly Rejected[];
  readonly reports: readonly RunReport[];
}

/** All demonstrations and suggestions of a review together; the one under way is let go on. */
const TRIALS_MS = 10 * 60_000;

/**
 * Has a change read by a model, and tells what came of it as any other layer does (REV-1).
 * @throws {AwaitsPerson} when it cannot go on without one; called again with the answer it goes on there
 */
export async function runAiLayer(dependencies: AiDependencies, work: AiWork): Promise<AiOutcome> {
  const { clock, models, redact, tokens } = dependencies;
  const budget = await openBudget({ ...dependencies, keeper: dependencies.spend }, work.limits);
  const timeLimitMs = work.configuration.safety.time.review * 60_000;
  const { gatekeeper } = work;
  const hold = async () => gatekeeper && heldMoney(dependencies.spend, work.limits, gatekeeper);
  // All agents of the review together: each of them has a part of it only.
  const began = clock.now();
  // What one agent learns is none of the next one's business: all of it goes on beside them.
  const lookingBack: Promise<number>[] = [];
  const run = createRunAgent({
    ...{ models, budget, tokens, clock, redact, timeLimitMs, priceOf: dependencies.priceOf, memory: work.memory },
    ...{
      makeId: dependencies.makeId,
      random: dependencies.random,
      steps: work.steps,
      signal: work.signal,
      onEvent: work.onEvent,
    },
    ...{ gatekeeper, hold },
    word: { moreIterations: 0, ...work.word, usdLimits: work.limits.map(({ limitUsd }) => limitUsd) },
    policy: policyOf(work.configuration, dependencies),
    configuration: work.configuration,
    afterwards: (looking) => void lookingBack.push(looking.catch(() => 0)),
    errors: watchErrors(clock.now),
    checks: [
      ({ activeMs, now }) => {
        const phaseMs = Math.max(activeMs, now - began);
        return tripOnTime({ phaseMs, runMs: 0 }, { phaseMs: timeLimitMs, runMs: timeLimitMs });
      },
    ],
  });
  let opened: Promise<Trials | undefined> | undefined;
  let triedSince: number | undefined;
  // Nothing more is tried then: what was not tried is neither proven nor offered.
  const isLate = () => triedSince !== undefined && clock.now() - triedSince > TRIALS_MS;
  const trials = async () => {
    triedSince ??= clock.now();
    if (isLate()) return undefined;
    opened ??= work.openTrials();
    return opened;
  };
  const prove: Prove = async (...asked) => {
    const tried = await (await trials())?.prove(...asked);
    return tried ?? { unproven: isLate() ? "the time for trying things was over" : "nothing can be run here" };
  };
  const review = await runAiReview(
    {
      ...{ run, tools: work.tools, redact },
      // Not what a model was seen to count: the same change is parted in the same way after a restart.
      tokensOf: estimateTextTokens,
      prove,
      stillFails: async (demonstration) => (await trials())?.stillFails(demonstration),
      tryFix: async (fix) => (await trials())?.tryFix(fix) ?? false,
      readHead: (path) => headFile(work, path),
    },
    {
      ...{ title: work.title, ...(await wordsOfAuthor(work, redact)) },
      ...{ demands: work.demands, testing: work.testing, readBefore: work.since?.headSha },
      files: await readableFiles(work),
      others: otherFiles(work),
      instructions: work.instructions,
      found: work.found,
      earlier: work.earlier ?? [],
      depth: work.depth,
      iterations: work.configuration.safety.iterations.review,
    },
  );
  const read = costOf(review.reports);
  const paid = await Promise.all(lookingBack);
  const cost = { ...read, usd: paid.reduce((sum, usd) => sum + usd, read.usd), calls: read.calls + paid.length };
  return { ...review, layer: layerOf(review, cost, work), uncovered: unreadByModels(review), cost };
}

async function headFile({ readHead, change, signal }: AiWork, path: string): Promise<HeadFile | undefined> {
  const clean = cleanPath(path);
  // Another spelling of a path would count as another file where it is asked what may be changed.
  if (!clean.ok || clean.path !== path) return undefined;
  const read = await readHead?.(path, signal);
  if (!read?.ok) return undefined;
  const hunks = change.files.find((file) => file.path === path)?.hunks ?? [];
  return {
    lines: read.content.toString("utf8").split("\n"),
    added: new Set(hunks.flatMap(({ added }) => added)),
  };
}

/** A verifier would read a file of so many lines whole anyway. */
const WHOLE_FILE_LINES = 300;

/** Text that changed, on the new side, as a person would read it. */
async function readableFiles({ change, readable, since }: AiWork): Promise<AiReviewTask["files"]> {
  const turn = takeTurns({ most: 1 });
  const byPath = new Map((await presentFiles(change)).map((file) => [file.path, file]));
  const shown: AiReviewTask["files"][number][] = [];
  for (const changed of change.files) {
    const { path, mode } = changed;
    const [text, presented] = [textOf(change, changed), byPath.get(path)];
    if (!isShown(changed, readable) || text === undefined || presented === undefined) continue;
    const lines = text.after.split("\n");
    const whole = lines.length <= WHOLE_FILE_LINES ? { whole: await presentChange(text, lines.length) } : {};
    const fresh = since && { since: (await presentSince({ path, mode, after: text.after }, since.files)) ?? presented };
    shown.push({ changed, presented, ...whole, ...fresh, lines });
    await turn();
  }
  return shown;
}

/** The effect of a further push on a file; undefined where that is unknown. */
async function presentSince(
  { path, mode, after }: { readonly path: string; readonly mode: string | undefined; readonly after: string },
  files: FilesThen,
): Promise<AiReviewTask["files"][number]["since"]> {
  const then = files.get(path);
  if (then === undefined) return "unchanged";
  const before = then === "other" ? after : then.toString("utf8");
  // Nothing that shows, and yet it was touched.
  return before === after ? undefined : presentChange({ path, before, after, ...defined({ mode }) });
}

function isShown({ path, binary, hunks }: ChangedFile, readable: AiWork["readable"]): boolean {
  return readable.has(path) && !binary && hunks.length > 0;
}

/** That a file is gone or renamed can be the fault: readers hear of what they are not shown. */
function otherFiles({ change, readable, since }: AiWork): string[] {
  return change.files
    .filter((changed) => !isShown(changed, readable) && (!since || since.files.has(changed.path)))
    .map(({ path, oldPath, status, binary, mode, oldMode }) => {
      const content = change.contents.get(path);
      const leads = mode === "120000" && Buffer.isBuffer(content) ? [`it leads to ${content.toString("utf8")}`] : [];
      const modes = [...modeNotes({ ...defined({ mode, oldMode }), isNew: status === "added" }), ...leads];
      const moved = oldPath !== undefined && oldPath !== path ? [`was ${oldPath}`] : [];
      const said = status === "deleted" ? ["deleted"] : [...moved, ...modes];
      return `${path} (${said.join("; ") || (binary ? "binary" : "not to be read line by line")})`;
    });
}

function layerOf(
  { gaps, unread, ran, observations, rejected, reports }: Awaited<ReturnType<typeof runAiReview>>,
  { models }: ModelCost,
  { change, configuration }: AiWork,
): LayerReport {
  const tools = models.map((model) => ({ name: "ai", version: model, files: change.files.length }));
  const verified = observations.filter((observation) => observation.verified).length;
  const refuted = rejected.filter(({ by }) => by === "verifier").length;
  const counts = { verified, refuted };
  const limit = metLimit(reports, configuration);
  const reasons = unread.length === 0 ? gaps : [...gaps, `hidden from it: ${describeUnread(unread)}`];
  const missing = { reason: reasons.join("; ") || "nothing could be read", ...defined({ limit }), counts };
  if (!ran) return { layer: "ai", state: "failed", tools: [], ...missing };
  if (reasons.length > 0) return { layer: "ai", state: "partly", tools, ...missing };
  return { layer: "ai", state: "ran", tools, counts };
}
