import { askAgent, askTask } from "../../agents/ask-agent.ts";
import type { LoopEvent } from "../../agents/library.ts";
import { createGraphReader } from "../../analysis/map/read-graph.ts";
import { sensitiveFile } from "../../analysis/secrets/sensitive-files.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { ModelCost } from "../../domain/model-cost.ts";
import { CONFIGURATION_PATH, RepoConfig } from "../../domain/repo-config.ts";
import { tripOnTime } from "../../safety/trip-rules.ts";
import { reviewerTools } from "../../tools/toolsets.ts";
import { openFolderFiles } from "../../workspace/files/folder-files.ts";
import { onlyListed } from "../../workspace/files/listed-files.ts";
import { createFolderLock } from "../../workspace/folder-lock.ts";
import { fullStore } from "../../workspace/git-store.ts";
import { findLocalRepository } from "../../workspace/local/find-repository.ts";
import { openView } from "../../workspace/local/open-view.ts";
import { type AiDependencies, policyOf } from "../ai/ai-dependencies.ts";
import { type CheckedAnswer, checkPlaces } from "../ai/checked-places.ts";
import { costOf } from "../ai/cost-of.ts";
import { openBudget } from "../ai/open-budget.ts";
import { createRunAgent } from "../ai/run-agent.ts";
import { KEEP_NOTHING } from "../ai/step-keeper.ts";
import { watchErrors } from "../ai/watch-errors.ts";
import { presentFiles } from "../change/present-files.ts";
import { type FolderChange, readFolder } from "../change/read-folder.ts";
import { effectiveConfiguration, settleConfiguration } from "../runs/configuration/effective-configuration.ts";

/** A question about the code of a folder on this machine. */
export interface FolderQuestion {
  /** Absolute, with links resolved. */
  readonly folder: string;
  readonly question: string;
  /** USD that the answer may cost; what a review may cost by the folder's configuration when left out, at most the usual. */
  readonly usd?: number | undefined;
  /** Minutes that it may take; `safety.time.review` when left out. */
  readonly minutes?: number | undefined;
  /** A path of the folder as the user can open it. */
  readonly shown: (path: string) => string;
  readonly onEvent?: ((event: LoopEvent) => void) | undefined;
}

export type FolderAnswer = { readonly cost: ModelCost; readonly notes: readonly string[] } & (
  | { readonly answer: CheckedAnswer }
  /** Why there is no answer, in a sentence. */
  | { readonly unanswered: string }
);

const MINUTE_MS = 60_000;

/**
 * Has a model answer a question about a folder, uncommitted work included (CLI-6). The model only reads, and sees no file that git ignores.
 * Nothing is kept.
 * @throws ForgeError `folder_too_large`, `folder_empty`, `checkout_unusable`, `checkout_unreadable`
 */
export async function askFolder(
  { ai, scratchRoot, signal }: AskingDependencies,
  { folder, question, usd, minutes, shown, onEvent }: FolderQuestion,
): Promise<FolderAnswer> {
  const repository = await findLocalRepository(folder);
  const read = await readChangeOf(folder);
  // Where git ignores nothing, what usually holds secrets is left out.
  const change = repository ? read : withoutSecrets(read);
  const { paths } = change;
  const opened = openFolderFiles({ root: folder, lock: createFolderLock(), list: async () => ({ paths }) });
  const files = onlyListed(opened, paths);
  const own = await files.read(CONFIGURATION_PATH, signal);
  const text = own.ok ? own.content.toString("utf8") : undefined;
  const { given, problem } = settleConfiguration({ text, where: "in this folder" });
  const configuration = effectiveConfiguration({ repository: given }).value;
  await using view = repository && (await openView(repository));
  const changedPaths = change.files.map(({ path }) => path);
  const agent = askAgent(
    reviewerTools({
      ...{ files, changedPaths, redact: ai.redact, changed: await presentFiles(change) },
      readGraph: createGraphReader({ files, scratch: scratchRoot, immutable: false }),
      ...(view && change.base ? { history: { store: fullStore(view.gitDirectory), commit: change.base } } : {}),
    }),
  );
  const run = await openReader(ai, configuration, { usd, minutes, signal, onEvent });
  const task = await askTask({ question, changedPaths, steps: agent.iterationLimit, redact: ai.redact });
  const outcome = await run<{ answer: string }>(agent, { key: "ask", task });
  const about = { cost: costOf([outcome.report]), notes: problem === undefined ? [] : [problem] };
  if (!outcome.ok) return { ...about, unanswered: outcome.reason };
  return { ...about, answer: await checkPlaces(outcome.output.answer, files, signal, shown) };
}

export interface AskingDependencies {
  readonly ai: AiDependencies;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/** Whether a file is one that a repository would not hold: variables with their values, keys, and what programs log in with. */
function mayHoldSecrets(path: string): boolean {
  if (sensitiveFile(path) !== undefined || OF_PROGRAMS.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (/^\.env(?:rc$|\.|$)/.test(name)) return !/\.(?:example|sample|template)$/.test(name);
  return /^(?:\.npmrc|\.pypirc)$/.test(name) || /\.(?:pem|key|tfvars)$/.test(name);
}

/** Folders in which programs keep what they log in with. */
const OF_PROGRAMS = /(?:^|\/)\.(?:aws|azure|docker|gnupg|kube|ssh)\//;

function withoutSecrets(change: FolderChange): FolderChange {
  const isShown = ({ path }: { readonly path: string }) => !mayHoldSecrets(path);
  return {
    ...change,
    paths: change.paths.filter((path) => isShown({ path })),
    files: change.files.filter(isShown),
    contents: new Map([...change.contents].filter(([path]) => isShown({ path }))),
  };
}

/** Changes against the base where there is one: without it, a question about the code as it is can still be answered. */
async function readChangeOf(folder: string): Promise<FolderChange> {
  try {
    return await readFolder({ folder, all: false });
  } catch (error) {
    const isWithoutBase = error instanceof ForgeError && /^(?:base_|history_|content_)/.test(error.code);
    if (!isWithoutBase) throw error;
    const { paths } = await readFolder({ folder, all: true });
    return { files: [], contents: new Map(), oldContents: new Map(), paths };
  }
}

/** The settings of a folder can lower this, and never raise it. */
const USUAL_USD = RepoConfig.parse({}).safety.cost.review;

type Limits = Pick<FolderQuestion, "usd" | "minutes" | "onEvent"> & { readonly signal: AbortSignal };

async function openReader(ai: AiDependencies, configuration: RepoConfig, { usd, minutes, signal, onEvent }: Limits) {
  const { models, tokens, clock, redact, priceOf, makeId, random } = ai;
  const { cost, time } = configuration.safety;
  const limits = [{ scope: "phase", key: "ask", limitUsd: usd ?? Math.min(cost.review, USUAL_USD) }] as const;
  const timeLimitMs = (minutes ?? time.review) * MINUTE_MS;
  return createRunAgent({
    ...{ models, tokens, clock, redact, timeLimitMs, priceOf, makeId, random, signal, configuration },
    budget: await openBudget({ ...ai, keeper: ai.spend }, limits),
    steps: KEEP_NOTHING,
    word: { moreIterations: 0, usdLimits: limits.map(({ limitUsd }) => limitUsd) },
    policy: policyOf(configuration, ai),
    errors: watchErrors(clock.now),
    checks: [
      ({ activeMs }) => tripOnTime({ phaseMs: activeMs, runMs: 0 }, { phaseMs: timeLimitMs, runMs: timeLimitMs }),
    ],
    ...(onEvent && { onEvent: (_agent: string, event: LoopEvent) => onEvent(event) }),
  });
}
