import { chmod, mkdtemp, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runInChild } from "../analysis/reader/run-in-child.ts";
import type { Learnt } from "../analysis/risk/fit-risk.ts";
import { isWritten } from "../analysis/risk/mended-changes.ts";
import type { LearntHistory } from "../domain/risk.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import { mirrorOf } from "../pipeline/change/fetch-ends.ts";
import { KINDS } from "../pipeline/kinds.ts";
import { readLearnt } from "../pipeline/review/work/measure-risk.ts";
import { lastConfiguration } from "../pipeline/runs/configuration/load-configuration.ts";
import type { GitRemote } from "../pipeline/runs/ports.ts";
import { awaitsWork } from "../store/jobs/read-jobs.ts";
import { listReviewed, type Reviewed } from "../store/runs/list-subjects.ts";
import type { Store } from "../store/store.ts";
import { mirrorStore } from "../workspace/git-store.ts";
import { type LandedChanges, readLandedChanges } from "../workspace/landed-changes.ts";
import type { Mirror } from "../workspace/mirror.ts";
import { removeFolder } from "../workspace/remove-folder.ts";

export interface HistoryDependencies {
  readonly store: Store;
  readonly host: { remote(repository: RepositoryRef): GitRemote };
  /** ISO 8601. */
  readonly now: () => string;
  readonly mirrorRoot: string;
  readonly scratchRoot: string;
}

const DAY_MS = 86_400_000;
/** A history of years says the same for some days. */
const RENEWED_AFTER_MS = 7 * DAY_MS;
/** One that could not be read is not tried again at once. */
const AGAIN_AFTER_MS = DAY_MS;
const REVIEWED_WITHIN_DAYS = 30;
const MOST_REPOSITORIES = 1_000;

/**
 * Works out for one repository what its history says of changes (RISK-1), and keeps it beside the mirror: of those that were reviewed
 * lately the first that has none, or an old one of another head. Ends as soon as work on the repository waits; what it fetched stays.
 * @returns what came of it, for the log; undefined when there was nothing to do
 */
export async function learnHistories(dependencies: HistoryDependencies, signal: AbortSignal) {
  const { store, now } = dependencies;
  const since = new Date(Date.parse(now()) - REVIEWED_WITHIN_DAYS * DAY_MS).toISOString();
  const kinds = Object.values(KINDS).flatMap(({ name, judges }) => (judges ? [name] : []));
  for (const reviewed of await listReviewed(store, { kinds, since, most: MOST_REPOSITORIES })) {
    const { repository } = reviewed;
    const mirror = mirrorOf(repository, dependencies.mirrorRoot, dependencies.host.remote(repository));
    if (!(await isDue(mirror, reviewed, Date.parse(now())))) continue;
    if (await awaitsWork(store, repository.id, now())) continue;
    if (!(await lastConfiguration(store, repository)).review.learn_risk) continue;
    return { repository: repository.id, ...(await learnHistory(dependencies, mirror, reviewed, signal)) };
  }
  return undefined;
}

/** A mirror that was pruned is not fetched for this. */
async function isDue({ places }: Mirror, { baseSha }: Reviewed, now: number): Promise<boolean> {
  const exists = await stat(places.gitDirectory).catch(() => undefined);
  if (exists === undefined) return false;
  const learnt = await readLearnt({ places });
  if (learnt === undefined) return true;
  const age = now - Date.parse(learnt.at);
  return learnt.past.length === 0 ? age > AGAIN_AFTER_MS : learnt.head !== baseSha && age > RENEWED_AFTER_MS;
}

async function learnHistory(
  { store, now, scratchRoot }: HistoryDependencies,
  mirror: Mirror,
  { repository, baseSha }: Reviewed,
  signal: AbortSignal,
) {
  const folder = await mkdtemp(join(scratchRoot, "history-"));
  // The user of the sandbox may be another one, and has to pass.
  await chmod(folder, 0o711);
  let yielded = false;
  try {
    const landed = await readLandedChanges(mirrorStore(mirror), {
      head: baseSha,
      folder: join(folder, "landed"),
      isWritten,
      goOn: async () => {
        yielded ||= await awaitsWork(store, repository.id, now());
        return !yielded;
      },
      signal,
    });
    // Not whole: it is taken up again, and by then the contents are at hand.
    if (yielded) return { outcome: "put off" };
    if (!landed.ok && (landed.reason === "aborted" || landed.reason === "busy")) return { outcome: landed.detail };
    const learnt = landed.ok ? await readInFolder(landed, join(folder, "landed"), signal) : undefined;
    signal.throwIfAborted();
    const kept: LearntHistory = { version: 1, head: baseSha, at: now(), ...(learnt ?? { past: [] }) };
    await keep(mirror, JSON.stringify(kept));
    if (learnt === undefined) return { outcome: landed.ok ? "took too long" : landed.detail };
    return { changes: learnt.past.length, fitted: learnt.weights !== undefined };
  } finally {
    await removeFolder(folder);
  }
}

/** In a child process, which may die of what people wrote, or take too long over it: then undefined. */
async function readInFolder({ mark, commits, steps, patches }: LandedChanges, folder: string, signal: AbortSignal) {
  const asked = { id: 0, text: "", landed: { mark, commits, steps, patches } };
  const { results } = await runInChild<Learnt>("mended", [asked], { scratch: folder, signal }, { folder });
  return results.get(0);
}

async function keep({ places }: Mirror, text: string): Promise<void> {
  const whole = `${places.learnt}.new`;
  await writeFile(whole, text, { mode: 0o600 });
  await rename(whole, places.learnt);
}
