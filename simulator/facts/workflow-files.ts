// What the files in .github/workflows of one commit say, as far as deployments need it.
import { parse } from "yaml";
import { gitFact, gitLines } from "../git/run-git.ts";
import type { Repository } from "../records.ts";
import type { PlannedJob } from "../running.ts";

export interface WorkflowFile {
  readonly path: string;
  readonly name: string;
  /** What is said of each event that sets it off. */
  readonly on: Readonly<Record<string, unknown>>;
  /** `run-name`; what its runs are called. */
  readonly runName: string | null;
  readonly concurrency: unknown;
  readonly jobs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FOLDER = ".github/workflows/";

/** Files that cannot be read as a workflow are left out, as GitHub starts nothing for them. */
export async function workflowFiles({ directory }: Repository, sha: string): Promise<WorkflowFile[]> {
  const lines = await gitLines(directory, "ls-tree", "--name-only", sha, FOLDER);
  const found = await Promise.all(
    lines
      .filter((path) => /\.ya?ml$/.test(path))
      .map(async (path) => {
        const text = (await gitFact(directory, [sha], ["cat-file", "blob", `${sha}:${path}`])).output.toString();
        return workflowOf(path, text);
      }),
  );
  return found.filter((each) => each !== null);
}

function workflowOf(path: string, text: string): WorkflowFile | null {
  const parsed = fields(attempt(() => parse(text) as unknown));
  const jobs = fields(parsed.jobs);
  if (Object.keys(jobs).length === 0) return null;
  const name = typeof parsed.name === "string" ? parsed.name : path;
  const known = Object.entries(jobs).map(([id, job]) => [id, fields(job)] as const);
  const given = parsed["run-name"];
  const runName = typeof given === "string" ? given : null;
  const { concurrency } = parsed;
  return { path, name, runName, on: triggersOf(parsed.on), concurrency, jobs: Object.fromEntries(known) };
}

function triggersOf(on: unknown): Record<string, unknown> {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on : null;
  return names ? Object.fromEntries(names.map((name) => [String(name), null])) : fields(on);
}

/** What `${{ … }}` may look at: paths such as github.sha or inputs.percentage, and texts, with || between them. */
export type Context = Readonly<Record<string, unknown>>;

export function evaluate(text: string, context: Context): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    for (const part of expression.split("||").map((each) => each.trim())) {
      const literal = /^'(.*)'$/.exec(part)?.[1];
      const value = literal ?? part.split(".").reduce<unknown>((inside, key) => fields(inside)[key], context);
      if (value !== undefined && value !== null && value !== "" && value !== false) return String(value);
    }
    return "";
  });
}

/** Null when it has none. */
export function concurrencyOf(file: WorkflowFile, context: Context): { group: string; cancels: boolean } | null {
  const { concurrency } = file;
  const group = typeof concurrency === "string" ? concurrency : fields(concurrency).group;
  if (typeof group !== "string") return null;
  const cancels = String(fields(concurrency)["cancel-in-progress"] ?? false);
  return { group: evaluate(group, context).toLowerCase(), cancels: evaluate(cancels, context) === "true" };
}

export function plannedJobs(file: WorkflowFile, context: Context): PlannedJob[] {
  return Object.entries(file.jobs).flatMap(([id, job]) => {
    const needs = typeof job.needs === "string" ? [job.needs] : Array.isArray(job.needs) ? job.needs.map(String) : [];
    return combinationsOf(fields(fields(job.strategy).matrix)).map((matrix) => {
      const inside = { ...context, matrix };
      const named = typeof job.environment === "string" ? job.environment : fields(job.environment).name;
      const environment = typeof named === "string" ? evaluate(named, inside) : "";
      const values = Object.values(matrix).join(", ");
      const name = evaluate(typeof job.name === "string" ? job.name : id, inside) + (values ? ` (${values})` : "");
      const makesDeployment = fields(job.environment).deployment !== false;
      return { id, name, needs, environment: environment || null, makesDeployment };
    });
  });
}

/** One empty combination where there is no matrix. */
function combinationsOf(matrix: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}];
  for (const [key, values] of Object.entries(matrix))
    if (Array.isArray(values)) all = all.flatMap((each) => values.map((value: unknown) => ({ ...each, [key]: value })));
  return all;
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
