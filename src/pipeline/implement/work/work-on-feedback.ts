import { feedbackTask, filesOfFeedback } from "../../../agents/implementer/feedback-task.ts";
import { feedbackAgent } from "../../../agents/implementer/implementer-agent.ts";
import type { FeedbackOutput } from "../../../agents/implementer/output.ts";
import type { AgentOutcome } from "../../../agents/reviewer/ports.ts";
import type { Feedback } from "../../../domain/implementation.ts";
import { findSecrets } from "../../change/find-secrets.ts";
import { type Halt, haltOf } from "./halt-work.ts";
import { note, type Round, type RoundContext } from "./round.ts";
import { agentsOf, pathsOf, scopeFor } from "./scope-of-work.ts";

/** How often an agent is sent back for what its commit must not have, before the run stops. */
const MOST_REPAIRS = 2;

/** An agent works on these pieces of feedback, and on nothing else (IMPL-2). */
export async function workOn(
  { run, workspace, tools, dependencies, job }: RoundContext,
  key: string,
  feedback: readonly Feedback[],
): Promise<AgentOutcome<FeedbackOutput>> {
  const { limits, instructions, tests, typeCheck, lint, tree } = workspace;
  const branch = await tree.changedSince(tree.base);
  const changed = pathsOf(branch.files);
  const wanted = filesOfFeedback(feedback);
  const { files } = await tools.show(wanted, job.signal);
  const { files: near } = await tools.near(wanted, [], job.signal);
  const start = await feedbackTask({
    ...{ plan: run.plan.plan, feedback, changed, files, near, instructions, ...tests, typeCheck, lint },
    diff: branch.patch.toString("utf8"),
    // Feedback of people who may not push never becomes feedback: their role is checked where it is read.
    mayPush: () => true,
    steps: limits.iterations,
    leftUsd: await workspace.leftUsd(),
    redact: dependencies.ai.redact,
  });
  const made = tools.make(start.read, [...files, ...near]);
  const agent = { ...feedbackAgent(made, feedback, limits.iterations), iterationLimit: limits.iterations };
  return (await agentsOf({ run, workspace }))<FeedbackOutput>(agent, { key, task: start.task });
}

/** Files that must not be committed go back to the agent as feedback: secrets, and files that the work is not about (SEC-5, SEC-6). */
export async function repair(context: RoundContext, round: Round, key: string): Promise<Halt | undefined> {
  // Resuming a stopped run asks for another try.
  const again = context.run.resumes === 0 ? "" : `-${context.run.resumes}`;
  for (let attempt = 1; ; attempt += 1) {
    const problems = await lookAtWork(context);
    const [first] = problems;
    if (!first) return undefined;
    if (attempt > MOST_REPAIRS) {
      const where = "file" in first && first.file !== undefined ? ` because of \`${first.file}\`` : "";
      return { reason: `the work cannot be committed${where}: ${first.message}` };
    }
    const outcome = await workOn(context, `${key}-repair${again}-${attempt}`, problems);
    if (!outcome.ok) return haltOf(outcome);
    note(round, { ...outcome.output, tests_added: [] });
  }
}

/**
 * Faults for which files must not be committed, as feedback for the implementer: secrets (SEC-6), and changes of files that
 * neither the plan nor a person allows, as a program that was run may have made (SEC-5).
 */
export async function lookAtWork({ workspace, run, dependencies, job }: RoundContext): Promise<Feedback[]> {
  const { tree } = workspace;
  const { scratchRoot } = dependencies;
  const { signal } = job;
  const scope = await scopeFor(run, workspace);
  const { files } = await tree.changedSince(tree.head());
  const changed = [
    ...new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath].filter((path) => path !== undefined))),
  ];
  const stray = changed.flatMap((path): Feedback[] => {
    const place = scope(path);
    if (place.is === "inside") return [];
    const message = `${place.reason} Put the file back as it was.`;
    return [{ from: "review", id: `S-${path}`, findingId: "", severity: "error", file: path, line: 1, message }];
  });
  const contents = await tree.files.readMany(pathsOf(files), signal);
  if (contents.size === 0) return stray;
  const secrets = await findSecrets(contents, { scratchRoot, signal });
  return [
    ...stray,
    ...secrets.map(({ file, line, message }, index): Feedback => {
      const said = `${message} A secret is never committed: take it out, and read it from the environment instead.`;
      return { from: "review", id: `K-${index + 1}`, findingId: "", severity: "critical", file, line, message: said };
    }),
  ];
}
