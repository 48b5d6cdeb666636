import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { Model, StepRequest, StepResult } from "../../llm/ports.ts";
import {
  borrowCheckout,
  type Checkout,
  type CheckoutBase,
  readCheckoutBase,
  readCheckoutTree,
} from "../../workspace/local/checkout.ts";
import type { ProcessAi } from "../ai/ai-dependencies.ts";
import { type LocalDependencies, startLocally } from "./local-run.ts";
import { conversationKey } from "./record-models.ts";
import type { RecordedLine, RecordedModel, RecordedReply, Recording } from "./recording.ts";
import { type LocalReport, reportLocally } from "./report-run.ts";
import { type People, workLocally } from "./work-locally.ts";

/** The result of replaying a recorded run. */
export interface ReplayedRun {
  /** A sentence each; none where it came to the same. */
  readonly differences: readonly string[];
  readonly report: LocalReport;
}

/**
 * Has a recorded run again without a model: the same replies, the same words of people, everything else done anew. The store has to be empty;
 * the checkout is left as it is.
 * @throws ForgeError `recording_other_base` where neither the commit nor the files that it began at are there
 */
export async function replayRun(
  dependencies: LocalDependencies,
  { run, models, replies, words, outcome }: Recording,
): Promise<ReplayedRun> {
  const base = await findBase(dependencies.checkout, run.base);
  const checkout = await borrowCheckout(dependencies.checkout, dependencies.scratchRoot);
  const replayed = replayModels({ models, replies });
  const ai = { ...dependencies.ai, modelsFor: replayed.modelsFor };
  const repository = { ...dependencies.repository, id: run.repositoryId };
  const fingerprintKey = Buffer.from(run.fingerprintKey, "hex");
  const own: LocalDependencies = { ...dependencies, checkout, repository, fingerprintKey, ai };
  const begun = await startLocally(own, { ...run.task, base, number: run.number });
  if ("refusal" in begun) throw new ForgeError("run_refused", "The run cannot be begun again.", { source: "logic" });
  const said = [...words];
  const people: People = {
    signal: new AbortController().signal,
    ask: async ({ gate }) => {
      const at = said.findIndex((word) => word.gate === gate);
      const [found] = at < 0 ? [] : said.splice(at, 1);
      return found?.word ?? { is: "later" };
    },
    refused: () => {},
    waiting: () => {},
  };
  const report = await reportLocally(own, await workLocally(own, begun, people));
  const left = replayed.left().map(({ about }) => `a recorded reply was not asked for, in ${JSON.stringify(about)}`);
  const missed = replayed.missed().map((about) => `the recording has no reply, in ${JSON.stringify(about)}`);
  return { differences: [...compareOutcomes(outcome, outcomeOf(report)), ...missed, ...left], report };
}

/** The very commit, or what is checked out if it has the same files. */
async function findBase(checkout: Checkout, { ref, sha, tree }: Recording["run"]["base"]): Promise<CheckoutBase> {
  for (const named of [sha, "HEAD"]) {
    const found = await readCheckoutBase(checkout, named).catch(() => undefined);
    if (found && (await readCheckoutTree(checkout, found.sha)) === tree) return { ref, sha: found.sha };
  }
  const message = `The recorded run began at ${sha.slice(0, 7)}, and neither that commit nor its files are checked out here.`;
  throw new ForgeError("recording_other_base", message, { source: "validation", recoverability: "manual" });
}

interface ReplayedModels {
  readonly modelsFor: ProcessAi["modelsFor"];
  /** Replies that were not asked for. */
  readonly left: () => readonly RecordedReply[];
  /** How a conversation begins for which there is no reply. */
  readonly missed: () => readonly string[];
}

/**
 * Models that say what a recording holds: the reply to exactly this question, or else the first one that followed on the same replies of
 * the same agent, so that a change of what it is shown, or of its prompt's words, does not make a recording worthless.
 */
export function replayModels({ models, replies }: Pick<Recording, "models" | "replies">): ReplayedModels {
  const left = [...replies];
  const missed: string[] = [];
  const answer = (request: StepRequest): StepResult => {
    const { exact, path, tools, about } = conversationKey(request);
    const found =
      left.find((reply) => reply.exact === exact) ??
      left.find((reply) => reply.exact.startsWith(`${path}.`)) ??
      left.find((reply) => reply.exact.startsWith(`${tools}.`));
    if (found) {
      left.splice(left.indexOf(found), 1);
      return found.result;
    }
    missed.push(about);
    const message = `The recording has no reply in this conversation: ${JSON.stringify(about)}`;
    return { ok: false, failure: { class: "invalid", message } };
  };
  const model = (facts: RecordedModel): Model => ({ ...facts, step: async (request) => answer(request) });
  return {
    modelsFor: async () => ({ configured: true, strong: [model(models.strong)], fast: [model(models.fast)] }),
    left: () => left,
    missed: () => missed,
  };
}

type Outcome = Extract<RecordedLine, { is: "outcome" }>;

/** The expected result of a replay. */
export function outcomeOf({ standing, branch, commits, totals }: LocalReport): Outcome {
  return {
    is: "outcome",
    state: standing.is,
    ...defined({ branch }),
    commits: commits.map(({ sha, tree, message }) => ({ sha, tree, subject: message.split("\n", 1)[0] ?? "" })),
    costUsd: totals.costUsd,
  };
}

/** The differences, a sentence each. Commits differ in their time and so in their ids: files and subjects count. */
function compareOutcomes(recorded: Outcome, now: Outcome): string[] {
  const differences: string[] = [];
  if (recorded.state !== now.state) differences.push(`it was ${recorded.state} and is ${now.state}`);
  if (recorded.branch !== now.branch) differences.push(`the branch was ${recorded.branch} and is ${now.branch}`);
  if (recorded.commits.length !== now.commits.length) {
    differences.push(`there were ${recorded.commits.length} commits and are ${now.commits.length}`);
  }
  for (const [index, { tree, subject }] of recorded.commits.entries()) {
    const other = now.commits[index];
    if (other && other.tree !== tree) {
      differences.push(`commit ${index + 1} (${JSON.stringify(subject)}) had the tree ${tree} and has ${other.tree}`);
    } else if (other && other.subject !== subject) {
      differences.push(`commit ${index + 1} was ${JSON.stringify(subject)} and is ${JSON.stringify(other.subject)}`);
    }
  }
  return differences;
}
