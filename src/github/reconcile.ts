import { z } from "zod";
import type { MakeId } from "../domain/ids.ts";
import { FORGE, type RepositoryRef } from "../domain/subjects.ts";
import { handleInput } from "../pipeline/runs/handle-input.ts";
import { implementationOf } from "../pipeline/runs/implementation-of.ts";
import { nextEffects } from "../store/effects/read-effects.ts";
import { listWaitingPulls } from "../store/runs/list-subjects.ts";
import { findActiveRun, listRunsOfSubject } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk, PAGE_SIZE } from "./ask.ts";
import { authorOf, ends, PullRequest, Repository, Sender } from "./handlers/payloads.ts";
import { READ_PERMISSIONS } from "./permissions.ts";

const OpenPull = PullRequest.extend({ user: Sender.nullish(), updated_at: z.string() });
type OpenPull = z.infer<typeof OpenPull>;
const Installation = z.object({ id: z.number().int(), suspended_at: z.string().nullish() });
const Repositories = z.object({ repositories: z.array(Repository) }).transform(({ repositories: all }) => all);

export interface ReconcileOptions {
  readonly store: Store;
  readonly client: AppClient;
  readonly now: () => string;
  readonly makeId: MakeId;
  /** When this Forge began: pull requests that have not moved since are left alone, so that installing it starts no flood. */
  readonly bornAt: string;
}

/** How far back a webhook may have been lost; older pull requests are found by the next push to them. */
const LOOK_BACK_MS = 3 * 24 * 3_600_000;

/**
 * Compares the open pull requests of all installations with Forge's own record by head SHA, and submits the heads that were missed: the
 * net under lost webhooks. One repository that cannot be read does not keep the others from being looked at.
 */
export function createReconcile(options: ReconcileOptions): (signal: AbortSignal) => Promise<object | undefined> {
  return async (signal) => {
    const since = Math.max(Date.parse(options.now()) - LOOK_BACK_MS, wholeSecond(options.bornAt));
    let taken = 0;
    const unreadable: string[] = [];
    for await (const repository of repositories(options.client, signal)) {
      try {
        for await (const pull of openPulls(options.client, repository, signal)) {
          if (Date.parse(pull.updated_at) < since) break;
          if ((await takeHead(options, repository, pull)) || (await takeLeftCheck(options, repository, pull, signal)))
            taken += 1;
        }
        taken += await takeEnds(options, repository, signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        unreadable.push(`${repository.owner}/${repository.name}: ${(error as Error).message}`);
      }
    }
    return taken + unreadable.length > 0 ? { taken, unreadable } : undefined;
  };
}

/** GitHub's times have no milliseconds: what moved in the second of our birth is not older than we are. */
function wholeSecond(at: string): number {
  return Math.floor(Date.parse(at) / 1000) * 1000;
}

async function* repositories(client: AppClient, signal: AbortSignal): AsyncGenerator<RepositoryRef> {
  const app = createAsk(await client.app(), undefined, { signal });
  for await (const installations of app.pages(z.array(Installation), "GET /app/installations")) {
    for (const { id: installationId, suspended_at: suspended } of installations) {
      if (suspended || signal.aborted) continue;
      const installation = createAsk(await client.installation(installationId), undefined, { signal });
      for await (const listed of installation.pages(Repositories, "GET /installation/repositories")) {
        for (const { id, name, owner } of listed) {
          if (signal.aborted) return;
          yield { id, name, owner: owner.login, installationId };
        }
      }
    }
  }
}

const PULLS = "GET /repos/{owner}/{repo}/pulls";
const LATEST = { sort: "updated", direction: "desc" } as const;

/** The latest to change first. */
async function* openPulls(client: AppClient, repository: RepositoryRef, signal: AbortSignal) {
  const { pages } = createAsk(client.repository(repository, READ_PERMISSIONS), repository, { signal });
  for await (const page of pages(z.array(OpenPull), PULLS, { ...LATEST, state: "open" })) yield* page;
}

const ClosedPull = z.object({ number: z.number().int(), merged_at: z.string().nullish() });

/** Pull requests of Forge that were closed without anybody telling it: the work on their issues is over (GH-7). */
async function takeEnds(options: ReconcileOptions, repository: RepositoryRef, signal: AbortSignal): Promise<number> {
  const { store, client, now, makeId } = options;
  const waiting = await listWaitingPulls(store, repository.id);
  if (waiting.size === 0) return 0;
  const { ask } = createAsk(client.repository(repository, READ_PERMISSIONS), repository, { signal });
  const closed = await ask(z.array(ClosedPull), PULLS, { ...LATEST, state: "closed", per_page: PAGE_SIZE });
  let taken = 0;
  for (const { number, merged_at: mergedAt } of closed) {
    const subject = waiting.get(number);
    if (!subject) continue;
    const ended = { type: "pull.ended", by: FORGE, merged: !!mergedAt } as const;
    const { ignored } = await handleInput({ store, makeId }, { ...ended, subject, at: now(), newRunId: makeId() });
    if (ignored === undefined) taken += 1;
  }
  return taken;
}

/**
 * The work on an issue asks for the review of its heads itself, as soon as it is told that they are on GitHub: another one would be done and
 * shown twice. Undefined when no such work is active here.
 */
async function takeOwnHead({ store, now, makeId }: ReconcileOptions, repository: RepositoryRef, pull: OpenPull) {
  const headSha = pull.head.sha;
  const own =
    (await implementationOf(store, repository.id, { pull: pull.number })) ??
    (await implementationOf(store, repository.id, { headSha }));
  if (!own || !(await findActiveRun(store, own.subject))) return undefined;
  if (own.headSha === headSha) return false;
  const by = authorOf(pull.user);
  const at = now();
  const moved = { type: "branch.moved", subject: own.subject, at, newRunId: makeId(), by, headSha } as const;
  return (await handleInput({ store, makeId }, moved)).ignored === undefined;
}

async function takeHead(options: ReconcileOptions, repository: RepositoryRef, pull: OpenPull) {
  const runs = await listRunsOfSubject(options.store, pullSubject(repository, pull));
  if (runs.some((run) => run.headSha === pull.head.sha && run.status !== "cancelled")) return false;
  const byIssue = await takeOwnHead(options, repository, pull);
  if (byIssue !== undefined) return byIssue;
  return submitHead(options, repository, pull, { id: `reconcile-${options.makeId()}`, reason: "reconciled" });
}

const LeftChecks = z
  .object({
    check_runs: z.array(z.object({ id: z.number().int(), status: z.string(), external_id: z.string().nullish() })),
  })
  .transform(({ check_runs: found }) => found);

/**
 * A check of Forge that is in progress though no job works on its head and nothing waits to be written: a database that was set back, or a
 * verdict that GitHub did not take, left it (GH-12a). The head is reviewed anew, which completes a newer check of the same name; where the
 * files were reviewed before, that review is carried over.
 */
async function takeLeftCheck(
  options: ReconcileOptions,
  repository: RepositoryRef,
  pull: OpenPull,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, client } = options;
  const subject = pullSubject(repository, pull);
  const isAtWork = async () =>
    (await findActiveRun(store, subject)) !== undefined || (await nextEffects(store, subject)).length > 0;
  if (await isAtWork()) return false;
  const { ask } = createAsk(client.repository(repository, READ_PERMISSIONS), repository, { signal });
  const found = await ask(LeftChecks, "GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
    ref: pull.head.sha,
    check_name: "forge/review",
    filter: "latest",
  });
  const left = found.find(({ status, external_id: id }) => status !== "completed" && id?.startsWith("forge:") === true);
  // It may have been opened since.
  if (left === undefined || (await isAtWork())) return false;
  return submitHead(options, repository, pull, { id: `check-${left.id}`, reason: "check_left" });
}

function pullSubject(repository: RepositoryRef, { number }: OpenPull) {
  return { kind: "pull_request", repository, number } as const;
}

async function submitHead(
  { store, now, makeId }: ReconcileOptions,
  repository: RepositoryRef,
  pull: OpenPull,
  request: { readonly id: string; readonly reason: "reconciled" | "check_left" },
): Promise<boolean> {
  const handled = await handleInput(
    { store, makeId },
    {
      type: "head.changed",
      subject: pullSubject(repository, pull),
      at: now(),
      newRunId: makeId(),
      request: { ...request, automatic: true },
      by: authorOf(pull.user),
      ends: ends(pull),
      title: pull.title,
      debounceMs: 0,
    },
  );
  return handled.ignored === undefined;
}
