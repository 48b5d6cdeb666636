import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LoopEvent } from "../../../agents/library.ts";
import type { InstructionText } from "../../../agents/reviewer/brief.ts";
import { createGraphReader } from "../../../analysis/map/read-graph.ts";
import { defined } from "../../../domain/defined.ts";
import type { Observation } from "../../../domain/findings.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { type ReviewingDependencies, reviewerTools } from "../../../tools/toolsets.ts";
import { readCommitDay } from "../../../workspace/commit-log.ts";
import { cleanPath } from "../../../workspace/files/clean-path.ts";
import { openFolderFiles } from "../../../workspace/files/folder-files.ts";
import { onlyListed } from "../../../workspace/files/listed-files.ts";
import { type RepositoryFiles, refuseFile } from "../../../workspace/files/repository-files.ts";
import { createFolderLock } from "../../../workspace/folder-lock.ts";
import { fullStore } from "../../../workspace/git-store.ts";
import { messagesBetween } from "../../../workspace/history-of-path.ts";
import { noteMissing, type PackageSource } from "../../../workspace/install/install-packages.ts";
import { openPackages, packagesOfFolder } from "../../../workspace/install/open-packages.ts";
import { findLocalRepository } from "../../../workspace/local/find-repository.ts";
import { readLocalFile } from "../../../workspace/local/local-files.ts";
import { openView } from "../../../workspace/local/open-view.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import type { AiDependencies } from "../../ai/ai-dependencies.ts";
import { describeTesting } from "../../ai/describe-testing.ts";
import { chooseInstructions, concerning } from "../../ai/find-instructions.ts";
import { KEEP_NOTHING } from "../../ai/step-keeper.ts";
import { presentFiles } from "../../change/present-files.ts";
import type { FolderChange } from "../../change/read-folder.ts";
import { type AiOutcome, MOST_MESSAGES, runAiLayer } from "../ai/ai-layer.ts";
import { openTestClone, openTrials } from "../ai/open-trials.ts";
import { hidingFound } from "../ai/secrets-of-change.ts";

/** Dependencies of `forge review --ai`. */
export interface FolderAi {
  readonly dependencies: AiDependencies;
  /** Where packages come from that are not installed in the folder. */
  readonly packages: PackageSource;
  readonly onEvent?: ((agent: string, event: LoopEvent) => void) | undefined;
}

export interface FolderAiRequest {
  readonly ai: FolderAi;
  readonly folder: string;
  readonly change: FolderChange;
  readonly found: readonly Observation[];
  readonly readable: ReadonlySet<string>;
  readonly configuration: RepoConfig;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/** With what people should know beside it, in sentences. */
export type FolderAiOutcome = AiOutcome & { readonly notes: readonly string[] };

/** The AI layer over a folder of this machine (OPS-1): nothing is kept, and nothing in the folder is changed. */
export async function reviewFolderWithAi(request: FolderAiRequest): Promise<FolderAiOutcome> {
  const { folder, change, found, configuration, scratchRoot, signal } = request;
  const redact = hidingFound(request.ai.dependencies.redact, found, change.contents);
  const ai = { ...request.ai, dependencies: { ...request.ai.dependencies, redact } };
  const { paths } = change;
  const opened = openFolderFiles({ root: folder, lock: createFolderLock(), list: async () => ({ paths }) });
  // A model sees nothing that git ignores; packages may be installed from a lock file that is ignored.
  const files = onlyListed(opened, paths);
  const writeHead = (to: string) => copyFiles(folder, paths, to);
  const repository = await findLocalRepository(folder);
  await using view = repository && (await openView(repository));
  const store = view && change.base ? fullStore(view.gitDirectory) : undefined;
  const day = store && change.base ? await readCommitDay(store, change.base, signal) : undefined;
  const asked = { source: ai.packages, files: opened, sandbox: await openSandbox(), day, signal };
  await using installed = await packagesOfFolder(folder, asked);
  const { folder: packages, missing } = installed;
  const testing = await describeTesting(files, missing === undefined ? "all" : "none", signal);
  const clone = testing === undefined ? undefined : await openTestClone({ writeHead, packages, scratchRoot, signal });
  const outcome = await runAiLayer(ai.dependencies, {
    change,
    messages:
      view && change.base
        ? await messagesBetween(fullStore(view.gitDirectory), {
            ...{ head: "HEAD", without: [change.base], most: MOST_MESSAGES, signal },
          })
        : [],
    instructions: await readInstructions(files, change, paths, signal),
    testing,
    readHead: files.read,
    ...{ found, readable: request.readable },
    tools: await readingTools(files, { ...request, ai }, view?.gitDirectory, {
      packages: packages === undefined ? "none" : openPackages(packages),
      ...defined({ clone }),
    }),
    openTrials: () =>
      openTrials({ writeHead, change, packages, packagesMissing: missing, scratchRoot, redact, signal }),
    configuration,
    depth: "usual",
    limits: [{ scope: "phase", key: "review", limitUsd: configuration.safety.cost.review }],
    steps: KEEP_NOTHING,
    signal,
    onEvent: ai.onEvent,
  });
  return { ...outcome, notes: [...installed.notes, ...(missing === undefined ? [] : [noteMissing(missing)])] };
}

async function readingTools(
  files: RepositoryFiles,
  { ai, change, scratchRoot }: FolderAiRequest,
  gitDirectory: string | undefined,
  more: Pick<ReviewingDependencies, "clone" | "packages">,
) {
  return reviewerTools({
    ...more,
    readBefore: beforeIn(change, files),
    ...{ files, changed: await presentFiles(change), redact: ai.dependencies.redact },
    changedPaths: change.files.map(({ path }) => path),
    readGraph: createGraphReader({ files, scratch: scratchRoot, immutable: false }),
    ...(gitDirectory !== undefined && change.base
      ? { history: { store: fullStore(gitDirectory), commit: change.base } }
      : {}),
  });
}

/** A file that did not change is as it was; of one that did, the old text is at hand. */
function beforeIn({ files, oldContents }: FolderChange, now: RepositoryFiles): RepositoryFiles["read"] {
  const fresh = new Set(files.flatMap(({ path, status }) => (status === "added" ? [path] : [])));
  return async (path, signal) => {
    const clean = cleanPath(path);
    const old = clean.ok ? oldContents.get(clean.path) : undefined;
    if (old) return { ok: true, content: old };
    if (clean.ok && fresh.has(clean.path))
      return refuseFile("not found", `${JSON.stringify(clean.path)} was not there before the change.`);
    return now.read(path, signal);
  };
}

/** A change does not rewrite the instructions by which it is judged: of a changed file the old text counts. */
async function readInstructions(
  files: RepositoryFiles,
  { files: changed, contents, oldContents, base }: FolderChange,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<InstructionText[]> {
  const listed = await files.readMany(
    paths.filter((path) => /\.md$/.test(path)),
    signal,
  );
  const sized = [...listed].map(([path, content]) => ({ path, mode: "100644", bytes: content.length }));
  const { found } = chooseInstructions({ files: sized, truncated: false });
  return concerning(found, changed).flatMap(({ path }) => {
    const text = base !== undefined && contents.has(path) ? oldContents.get(path) : listed.get(path);
    return Buffer.isBuffer(text) ? [{ path, text: text.toString("utf8") }] : [];
  });
}

const MOST_FILES = 20_000;
const MOST_BYTES = 8 * 1024 * 1024;

async function copyFiles(folder: string, paths: readonly string[], to: string): Promise<string | undefined> {
  if (paths.length > MOST_FILES) return `there are more than ${MOST_FILES} files`;
  for (const path of paths) {
    const content = await readLocalFile(folder, path, MOST_BYTES);
    if (!Buffer.isBuffer(content)) continue;
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return undefined;
}
