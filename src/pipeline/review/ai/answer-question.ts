import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import {
  type AskBrief,
  type AskOutput,
  askAgent,
  askTask,
  type ReplyOutput,
  replyAgent,
} from "../../../agents/ask-agent.ts";
import type { AgentDefinition } from "../../../agents/library.ts";
import { createGraphReader } from "../../../analysis/map/read-graph.ts";
import { type CommandSource, questionTrace } from "../../../domain/command-source.ts";
import type { MakeId } from "../../../domain/ids.ts";
import type { ModelCost } from "../../../domain/model-cost.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { chosenModels, type Models } from "../../../llm/create-models.ts";
import type { Fence } from "../../../store/jobs/fence.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import type { Store } from "../../../store/store.ts";
import type { Tool } from "../../../tools/tool.ts";
import { reviewerTools } from "../../../tools/toolsets.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { removeFolder } from "../../../workspace/remove-folder.ts";
import { openAgentsWithoutRun } from "../../ai/agents-without-run.ts";
import type { ProcessAi } from "../../ai/ai-dependencies.ts";
import { checkPlaces } from "../../ai/checked-places.ts";
import { costOf } from "../../ai/cost-of.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import { presentFiles } from "../../change/present-files.ts";
import { readChange } from "../../change/read-change.ts";
import type { PullRequestFacts, PullRequestHost } from "../../runs/ports.ts";

export interface QuestionDependencies {
  readonly store: Store;
  readonly ai: ProcessAi;
  readonly host: Pick<PullRequestHost, "remote">;
  readonly mirrorRoot: string;
  readonly scratchRoot: string;
  readonly now: () => string;
  readonly makeId: MakeId;
}

export interface QuestionRequest {
  readonly subject: Subject;
  readonly source: CommandSource;
  readonly index: number;
  /** Login of who asks. */
  readonly by: string;
  /** The question, or the reply. */
  readonly question: string;
  /** The first comment of the thread in which it stands. */
  readonly thread?: number | undefined;
  readonly pull: Pick<PullRequestFacts, "ends" | "title">;
  readonly configuration: RepoConfig;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

export type Answered =
  | { readonly answer: string; readonly headSha: string; readonly cost: ModelCost }
  | { readonly refusal: Refusal; readonly cost?: ModelCost };

/**
 * Has a model answer a question about the code on the head of a pull request. It only reads; its steps are kept in a log of the comment, so
 * that no step is paid for twice when the question is taken up again.
 * @throws RetryLater `model_later` when the provider wants to be asked later
 * @throws ForgeError `change_unreadable`
 */
export async function answerQuestion(dependencies: QuestionDependencies, request: QuestionRequest): Promise<Answered> {
  const outcome = await runReader<AskOutput>(dependencies, request, {
    makeAgent: askAgent,
    look: async ({ answer }, files) => ({ answer: (await checkPlaces(answer, files, request.signal)).text }),
  });
  if ("refusal" in outcome) return outcome;
  return { answer: outcome.output.answer, headSha: request.pull.ends.headSha, cost: outcome.cost };
}

/**
 * Has a model read a reply in the thread of a finding (GH-8a), as it would a question.
 * @param thread what was said there before, oldest first
 */
export function readReply(
  dependencies: QuestionDependencies,
  request: QuestionRequest,
  thread: AskBrief["thread"],
): Promise<Outcome<ReplyOutput>> {
  return runReader<ReplyOutput>(dependencies, request, {
    ...{ makeAgent: replyAgent, thread },
    look: async (output, files) => ({
      ...output,
      answer: (await checkPlaces(output.answer, files, request.signal)).text,
    }),
  });
}

type Outcome<Output> =
  | { readonly output: Output; readonly cost: ModelCost }
  | { readonly refusal: Refusal; readonly cost?: ModelCost };

type Configured = Extract<Models, { configured: true }>;

interface Reader<Output> {
  /** Checks what the model said against the files of the head. */
  readonly look: (output: Output, files: RepositoryFiles) => Promise<Output>;
  readonly makeAgent: (tools: readonly Tool[]) => AgentDefinition<Output> & { readonly iterationLimit: number };
  readonly thread?: AskBrief["thread"];
}

async function runReader<Output>(
  dependencies: QuestionDependencies,
  request: QuestionRequest,
  reader: Reader<Output>,
): Promise<Outcome<Output>> {
  const models = await findModels(dependencies.ai, request.configuration);
  if ("reason" in models) return { refusal: models };
  const scratch = await mkdtemp(join(dependencies.scratchRoot, "ask-"));
  try {
    return await ask(dependencies, request, reader, { models, scratch });
  } finally {
    await removeFolder(scratch);
  }
}

/** The models of a repository, or why none reads there. */
export async function findModels(
  ai: Pick<ProcessAi, "modelsFor">,
  { llm, review }: RepoConfig,
): Promise<Configured | Extract<Refusal, { reason: "no_model" }>> {
  if (review.ai === "never") return { reason: "no_model", why: "switched_off" };
  const models = await ai.modelsFor(chosenModels({ llm }));
  return models.configured ? models : { reason: "no_model", why: "not_configured" };
}

async function ask<Output>(
  dependencies: QuestionDependencies,
  request: QuestionRequest,
  { makeAgent, thread, look }: Reader<Output>,
  { models, scratch }: { readonly models: Configured; readonly scratch: string },
): Promise<Outcome<Output>> {
  const { redact } = dependencies.ai;
  const { subject, source, index, configuration, fence, signal, question, by, pull } = request;
  const { tools, changedPaths, files } = await openReading(dependencies, request, scratch);
  const { run } = await openAgentsWithoutRun(dependencies, {
    ...{ subject, runId: questionTrace(source), phase: "review", configuration, models, redact, fence, signal },
    waits: true,
  });
  const agent = makeAgent(tools);
  const finding = await findingOf(dependencies.store, request);
  const outcome = await run<Output>(agent, {
    key: `ask/${index}`,
    task: await askTask({
      question,
      by,
      title: pull.title,
      changedPaths,
      finding,
      thread,
      steps: agent.iterationLimit,
      redact,
    }),
  });
  const cost = costOf([outcome.report]);
  return outcome.ok
    ? { output: await look(outcome.output, files), cost }
    : { refusal: { reason: "unanswered", why: outcome.reason }, cost };
}

/** Tools to read the head; none of them writes or runs anything. */
async function openReading(dependencies: QuestionDependencies, request: QuestionRequest, scratch: string) {
  const { host, mirrorRoot, ai } = dependencies;
  const { subject, pull, signal } = request;
  const { ends } = pull;
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote: host.remote(subject.repository), signal });
  const change = await readChange(mirror, ends, signal);
  const files = openCommitFiles({ mirror, commit: ends.headSha, scratch });
  const changedPaths = change.files.map(({ path }) => path);
  const tools = reviewerTools({
    ...{ files, changedPaths, redact: ai.redact },
    changed: await presentFiles(change),
    readGraph: createGraphReader({ files, scratch, immutable: true }),
    history: { store: mirrorStore(mirror), commit: ends.headSha },
  });
  return { tools, changedPaths, files };
}

async function findingOf(store: Store, { subject, thread }: QuestionRequest) {
  if (thread === undefined) return undefined;
  return (await readLedger(store, subject)).find(({ commentId }) => commentId === thread)?.finding;
}
