import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { presentFile } from "../../../src/analysis/present-change.ts";
import { KEEP_NOTHING } from "../../../src/pipeline/ai/step-keeper.ts";
import type { readChange } from "../../../src/pipeline/change/read-change.ts";
import type { AiWork } from "../../../src/pipeline/review/ai/ai-layer.ts";
import { effectiveConfiguration } from "../../../src/pipeline/runs/configuration/effective-configuration.ts";
import { reviewerTools } from "../../../src/tools/toolsets.ts";
import { openCommitFiles } from "../../../src/workspace/files/commit-files.ts";
import { mirrorStore } from "../../../src/workspace/git-store.ts";
import type { Mirror } from "../../../src/workspace/mirror.ts";
import { REDACT } from "./ai-powers.ts";

type Powers = Required<Pick<Parameters<typeof reviewerTools>[0], "memory" | "issues">>;

interface Reading extends Powers {
  readonly mirror: Mirror;
  readonly head: string;
  readonly change: Awaited<ReturnType<typeof readChange>>;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** The work of the AI layer on a change, with all tools of a reader and without limits or trials. */
export function readingWork({ mirror, head, change, scratch, signal, ...powers }: Reading): AiWork {
  const files = openCommitFiles({ mirror, commit: head, scratch });
  const changedPaths = change.files.map(({ path }) => path);
  return {
    ...{ title: "Count", change, signal, instructions: [], found: [] },
    ...{ depth: "usual", limits: [], steps: KEEP_NOTHING },
    readable: new Set(changedPaths),
    tools: reviewerTools({
      ...{ files, redact: REDACT, changedPaths, ...powers },
      changed: changedPaths.map((path) => presentFile({ path, after: String(change.contents.get(path)) })),
      readGraph: createGraphReader({ files, scratch, immutable: true }),
      history: { store: mirrorStore(mirror), commit: head },
    }),
    openTrials: async () => undefined,
    configuration: effectiveConfiguration({ repository: {} }).value,
  };
}
