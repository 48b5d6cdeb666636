import { refuseOutside, scopeOf } from "../../../agents/implementer/scope.ts";
import { snapshotIssues } from "../../../agents/planner/snapshot-issues.ts";
import { type CurrentFile, nearestFiles } from "../../../agents/show-files.ts";
import { lintFiles } from "../../../analysis/lint-files.ts";
import { drawMap } from "../../../analysis/map/draw-map.ts";
import { defined } from "../../../domain/defined.ts";
import { numberOf } from "../../../domain/subjects.ts";
import { createReadLog } from "../../../tools/read-file.ts";
import { USUAL_PROGRAMS } from "../../../tools/run-command.ts";
import type { Tool } from "../../../tools/tool.ts";
import { implementerTools } from "../../../tools/toolsets.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import type { Planned, Working } from "../implementation.ts";
import type { PhaseWorkspace } from "./open-phase-workspace.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The tools of an implementer, made anew for each agent, which has its own record of files read. */
export interface ImplementerTools {
  /** @param read paths that its first message shows whole */
  readonly make: (read: readonly string[], files: readonly CurrentFile[]) => readonly Tool[];
  /** Files as they are now; those that are no text are only named, those that are not there are left out. */
  readonly show: (paths: readonly string[], signal: AbortSignal) => Promise<{ files: CurrentFile[]; binary: string[] }>;
  /** Those of the second list, then files that the first ones import or that stand near them, as they are now. */
  readonly near: (
    paths: readonly string[],
    named: readonly string[],
    signal: AbortSignal,
  ) => Promise<{ files: CurrentFile[] }>;
  /** The code around some files. */
  readonly map: (paths: readonly string[], signal: AbortSignal) => Promise<string | undefined>;
}

const MAP_TOKENS = 2_000;

/** Tools of the implementer on the files of a phase: without a sandbox it reads and writes, and runs nothing (SEC-1). */
export async function implementersTools(
  { ai, host, scratchRoot }: WorkDependencies,
  { subject }: WorkJob,
  { plan, configuration, base, issue }: Planned | Working,
  workspace: PhaseWorkspace,
): Promise<ImplementerTools> {
  const { tree, readGraph, memory, mirror, paths } = workspace;
  const { redact } = ai;
  const scope = scopeOf(plan.plan, { paths, protectedPaths: configuration.review.protected_paths });
  const read = async (wanted: readonly string[], signal: AbortSignal) => {
    const contents = await tree.files.readMany(wanted, signal);
    const files: CurrentFile[] = [];
    const binary: string[] = [];
    // In the order in which they were asked for: at the end of the budget the furthest are left out.
    for (const path of wanted) {
      const content = contents.get(path);
      if (content === undefined) continue;
      if (content.subarray(0, 8_000).includes(0)) binary.push(path);
      else files.push({ path, text: content.toString("utf8") });
    }
    return { files, binary };
  };
  return {
    show: read,
    near: async (focus, named, signal) => {
      const nearest = nearestFiles(await readGraph(signal), focus);
      const wanted = new Set([...named, ...nearest].filter((path) => !focus.includes(path)));
      return read([...wanted], signal);
    },
    map: async (focus, signal) => {
      const graph = await readGraph(signal);
      // Around files that are not there yet it would show all of them.
      const known = focus.filter((path) => graph.symbols.has(path));
      return known.length === 0
        ? undefined
        : drawMap(graph, { focus: known, budgetTokens: MAP_TOKENS }).blocks.join("\n");
    },
    make: (shown, files) => {
      const reads = createReadLog();
      for (const { path, text } of files) if (shown.includes(path)) reads.note(path, Buffer.from(text));
      return implementerTools({
        clone: tree.clone ?? { files: tree.files },
        ...{ redact, readGraph, reads, changedPaths: plan.plan.tasks.flatMap((task) => task.files) },
        programs: USUAL_PROGRAMS,
        lint: (wanted, signal) => lintFiles({ files: wanted, configuration, scratchRoot, signal }),
        history: { store: mirrorStore(mirror), commit: base.sha },
        ...defined({ memory: memory.port }),
        issues: snapshotIssues(host.issuesOf(subject.repository), numberOf(subject), issue),
        refusePath: refuseOutside(scope),
      });
    },
  };
}
