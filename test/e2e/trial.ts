import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sql } from "drizzle-orm";
import { git } from "../../simulator/git/run-git.ts";
import type { Forge } from "../../src/app/forge.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { createWorld, type World } from "./world.ts";

/** An issue on a project under `fixtures/projects/`, as somebody wrote it. */
export interface TrialIssue {
  readonly project: string;
  readonly title: string;
  readonly body: string;
}

export const TRIALS = "fixtures/trials";

export function readTrialIssue(name: string): TrialIssue {
  const issues = JSON.parse(readFileSync(join(TRIALS, "issues.json"), "utf8")) as Record<string, TrialIssue>;
  const issue = issues[name];
  if (!issue) throw new Error(`there is no trial ${name}`);
  return issue;
}

/** The project on its default branch, with a Forge that asks a model for every review, and the issue open; nothing is asked for yet. */
export async function openTrial(issue: TrialIssue, modelUrl: string): Promise<{ world: World; number: number }> {
  const { project, title, body } = issue;
  const files = { ...readProject(project), ".github/forge.yml": "review:\n  ai: always\n" };
  const environment = { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: "a-key-for-tests-only" };
  const world = await createWorld({ name: project, files, environment });
  const { number } = await world.github.openIssue(`acme/${project}`, { title, body, by: "ana" });
  return { world, number };
}

function readProject(name: string): Record<string, string> {
  const folder = join("fixtures/projects", name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** What came of an issue, as far as it is the same each time that the same is said. */
export async function outcomeOf({ github, forge }: World, project: string, issue: number) {
  const name = `acme/${project}`;
  const events = await eventsOf(forge!);
  const opened = last(events, "pull.opened");
  const pull = opened && github.pullRequest(name, opened.number);
  return {
    plan: last(events, "plan.proposed")?.plan,
    phases: events.flatMap(({ type, payload }) =>
      type === "phase.entered" ? [(payload as { phase: string }).phase] : [],
    ),
    commits: pull ? await commitsOf(github.gitDirectory(name), pull.baseSha, pull.headSha) : [],
    reviews: all(events, "pull.reviewed").map(({ blocking }) => ({ blocking })),
    tests: last(events, "test.passed") ?? last(events, "test.failed") ?? last(events, "test.skipped"),
    pull: pull && { title: pull.title, draft: pull.draft, body: pull.body },
    checks: pull?.checkRuns.map(({ name, conclusion, title }) => ({ name, conclusion, title })),
    comments: github.issue(name, issue).comments.map(({ by, body }) => ({ by, body })),
    agents: agentsOf(events),
  };
}

/** What somebody says: on the issue, or as a review of the pull request. */
export interface Said {
  readonly by: string;
  readonly body?: string;
  readonly event?: "REQUEST_CHANGES" | "COMMENT" | "APPROVE";
  readonly comments?: readonly { readonly path: string; readonly line: number; readonly body: string }[];
}

/** What people said in a trial, on the issue first. */
export function saidIn({ github }: World, project: string, issue: number): Said[] {
  const name = `acme/${project}`;
  const isPerson = ({ by }: { by: string }) => by !== "forge[bot]";
  const comments = github.issue(name, issue).comments.filter(isPerson);
  const reviews = github.pullRequest(name, issue + 1).reviews.filter(isPerson);
  return [
    ...comments.map(({ by, body }) => ({ by, body })),
    ...reviews.map(({ by, state, comments: lines }) => ({
      by,
      event: state === "CHANGES_REQUESTED" ? ("REQUEST_CHANGES" as const) : ("COMMENT" as const),
      comments: lines.map(({ path, line, body }) => ({ path, line: line ?? 1, body })),
    })),
  ];
}

/** Says it again. */
export async function sayAgain({ github }: World, project: string, issue: number, said: Said): Promise<void> {
  const name = `acme/${project}`;
  const { by, body = "", event, comments = [] } = said;
  if (event === undefined) github.comment(name, issue, { by, body });
  else await github.submitReview(name, issue + 1, { by, event, comments });
}

/** Of all runs, in the order in which they began. */
export async function eventsOf({ store }: Forge): Promise<RunEvent[]> {
  const rows = await store.read.all<{ traceId: string }>(sql`select trace_id as traceId from runs order by started_at`);
  return (await Promise.all(rows.map(({ traceId }) => readEvents(store, traceId)))).flat();
}

/** Each agent with what Forge counted of it, in the order in which they ended. */
function agentsOf(events: readonly RunEvent[]) {
  const calls = all(events, "agent.reasoned");
  const sum = (of: readonly number[]) => of.reduce((total, each) => total + each, 0);
  return all(events, "agent.completed").map(({ agentId, steps, costUsd }) => {
    const own = calls.filter((call) => call.agentId === agentId);
    return {
      agent: agentId.split(":")[1] ?? agentId,
      steps,
      inputTokens: sum(own.map(({ usage }) => usage.inputTokens)),
      outputTokens: sum(own.map(({ usage }) => usage.outputTokens)),
      costUsd: Math.round(costUsd * 10_000) / 10_000,
    };
  });
}

async function commitsOf(directory: string, base: string, head: string) {
  const { output } = await git(directory, ["rev-list", "--reverse", `${base}..${head}`]);
  const ids = output.toString().trim().split("\n").filter(Boolean);
  return Promise.all(
    ids.map(async (id) => {
      const shown = async (...args: string[]) => (await git(directory, [...args, id])).output.toString();
      return {
        message: (await shown("log", "-1", "--format=%B")).trim(),
        tree: (await shown("log", "-1", "--format=%T")).trim(),
        diff: await shown("diff-tree", "-p", "--no-commit-id", "-r"),
      };
    }),
  );
}

type PayloadOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>["payload"];

function all<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T): PayloadOf<T>[] {
  return events.flatMap((event) => (event.type === type ? [event.payload as PayloadOf<T>] : []));
}

function last<T extends RunEvent["type"]>(events: readonly RunEvent[], type: T): PayloadOf<T> | undefined {
  return all(events, type).at(-1);
}
