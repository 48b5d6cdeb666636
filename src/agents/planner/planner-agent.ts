import { Plan } from "../../domain/plan.ts";
import type { Tool } from "../../tools/tool.ts";
import { cleanPath, refuseNewName } from "../../workspace/files/clean-path.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { planRisk } from "./plan-risk.ts";

/** Twenty tasks with their descriptions need about nine thousand. */
const OUTPUT_TOKENS = 12_000;

/**
 * Makes a plan of an issue (PLAN-1); its tools read. A plan that does not fit the repository is handed back to it with what is wrong, as
 * one is that does not fit the schema.
 */
export function plannerAgent(
  tools: readonly Tool[],
  facts: PlanFacts,
): AgentDefinition<Plan> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("planner");
  return {
    type: "planner",
    name: "planner",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: Plan.superRefine((plan, context) => {
      for (const message of reviewPlan(plan, facts)) context.addIssue({ code: "custom", message, path: ["tasks"] });
      const unweighed = askForAlternatives(plan, facts.protectedPaths);
      if (unweighed) context.addIssue({ code: "custom", message: unweighed, path: ["alternatives"] });
    }),
    iterationLimit: ITERATION_LIMITS.planner,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}

interface PlanFacts {
  /** Files of the base, as git lists them. */
  readonly paths: readonly string[];
  /** There are more files than `paths` names. */
  readonly truncated: boolean;
  /** Globs, `review.protected_paths` of the configuration. */
  readonly protectedPaths: readonly string[];
}

/** What is at stake deserves that another way was weighed, and that a reader sees which (PLAN-1). */
function askForAlternatives(plan: Plan, protectedPaths: readonly string[]): string | undefined {
  const { level, reasons } = planRisk(plan, protectedPaths);
  if (level === "low" || (plan.alternatives ?? []).length > 0) return undefined;
  const [why] = reasons;
  return `the risk is ${level}${why === undefined ? "" : ` (${why})`}: weigh at least one other approach, and name it here with why it is not taken`;
}

/** More complaints than this are not read at once. */
const MOST_PROBLEMS = 8;

/**
 * Faults of a plan that has the right form (PLAN-1), in sentences for the model that made it; none for a good one. Files have to
 * exist as they are written, or be new at a place where a file can be.
 */
export function reviewPlan(
  plan: Pick<Plan, "tasks">,
  { paths, truncated }: Pick<PlanFacts, "paths" | "truncated">,
): string[] {
  const tree = treeOf(paths);
  const problems = plan.tasks.flatMap(({ id, files }) =>
    [...new Set(files)].flatMap((path) => {
      const problem = problemOf(path, tree, truncated);
      return problem === undefined ? [] : [`task ${id}: ${problem}`];
    }),
  );
  const titles = plan.tasks.map(({ title }) => title.toLowerCase());
  const twice = plan.tasks.find(({ title }, at) => titles.indexOf(title.toLowerCase()) < at);
  if (twice) problems.push(`task ${twice.id}: another task has the same title: make one of them, or say what differs`);
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more of this kind`] : [])];
}

interface Tree {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** By the path in lower case, how it is written. */
  readonly spelled: ReadonlyMap<string, string>;
}

function treeOf(paths: readonly string[]): Tree {
  const folders = new Set<string>();
  for (const path of paths) for (const folder of foldersOf(path)) folders.add(folder);
  const spelled = new Map([...folders, ...paths].map((path) => [path.toLowerCase(), path]));
  return { files: new Set(paths), folders, spelled };
}

function problemOf(path: string, { files, folders, spelled }: Tree, truncated: boolean): string | undefined {
  const shown = JSON.stringify(path);
  if (files.has(path)) return undefined;
  const clean = cleanPath(path);
  const refusal = clean.ok ? refuseNewName(clean) : clean;
  if (refusal) return refusal.detail;
  if (folders.has(path)) return `${shown} is a folder: name the files in it`;
  const file = foldersOf(path).find((folder) => files.has(folder));
  if (file !== undefined) return `${shown} cannot be made, as ${JSON.stringify(file)} is a file`;
  // A path of a package that is installed is no file of the repository, whatever lies there on somebody's disk.
  if (/(?:^|\/)node_modules\//.test(path))
    return `${shown} belongs to an installed package: change the package's version, or do without`;
  const other = [path, ...foldersOf(path)].map((each) => spelled.get(each.toLowerCase())).find((each) => each);
  if (other !== undefined && !path.startsWith(other) && !truncated)
    return `${shown} is not there, but ${JSON.stringify(other)} is: write it so, or choose another name`;
  return undefined;
}

/** All folders above a path, the nearest first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("/"));
}
