import { defined } from "../../../domain/defined.ts";
import type { ProductionFeedback, Suspicion } from "../../../domain/production-feedback.ts";
import type { Subject } from "../../../domain/subjects.ts";
import type { Store } from "../../../store/store.ts";
import { blameLines } from "../../../workspace/blame-lines.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { mirrorStore } from "../../../workspace/git-store.ts";
import { mirrorOf } from "../../change/fetch-ends.ts";
import type { GitRemote } from "../../runs/ports.ts";
import type { DeployHost } from "../work/ports.ts";
import type { MetVersion } from "./versions-met.ts";

export interface SuspectDependencies {
  readonly store: Store;
  readonly deployHost: Pick<DeployHost, "readRange">;
  readonly host: { readonly remote: (repository: Subject["repository"]) => GitRemote };
  readonly mirrorRoot: string;
}

/** What production told of. */
interface Suspected {
  readonly feedback: ProductionFeedback;
  /** ISO 8601: when Forge first heard of it. */
  readonly firstAt: string;
  /** The versions that its users met: see `versionsMet`. */
  readonly versions: readonly MetVersion[];
}

/** Calls of the stack that are looked at, innermost first. */
const FRAMES = 10;
/** An alert that begins so long after a deployment is no sign of it. */
const ALERT_MS = 60 * 60_000;

/**
 * Which deployment may have caused it (PROD-1). Two conditions: it was seen first after the version that it names had any traffic, and a line
 * of its stack was changed by that version, by blame at the deployed commit. Both are a cause, one a suspicion. Blame of older lines is
 * nothing.
 */
export async function suspect(
  dependencies: SuspectDependencies,
  environment: Subject,
  { feedback, firstAt, versions }: Suspected,
  signal: AbortSignal,
): Promise<Suspicion | undefined> {
  if (feedback.is === "alert") {
    const begun = feedback.startsAt ?? firstAt;
    const last = versions.findLast(({ at }) => Date.parse(at) <= Date.parse(begun));
    if (!last || Date.parse(begun) - Date.parse(last.at) > ALERT_MS) return undefined;
    return { is: "suspected", why: "after", sha: last.sha, runId: last.runId, ...defined({ pull: last.only }) };
  }
  // Nothing was seen after Forge heard of it: there the clock of the sender is ahead.
  const seen = Math.min(Date.parse(feedback.firstSeen ?? firstAt), Date.parse(firstAt));
  // One that came back has brought its changes the first time.
  const named = versions.find(({ sha }) => isVersion(feedback.release, sha));
  const running = versions.findLast(({ at }) => Date.parse(at) <= seen);
  const deployed = named ?? running;
  if (!deployed) return undefined;
  const isAfter = named !== undefined && seen >= Date.parse(named.at);
  const line = await changedLine(dependencies, environment, deployed, feedback, signal);
  if (!isAfter && !line) return undefined;
  const pull = line?.commit ? await pullOf(dependencies, environment, line.commit, signal) : deployed.only;
  return {
    is: isAfter && line ? "caused" : "suspected",
    why: isAfter ? (line ? "after_and_on_line" : "after") : "on_line",
    ...{ sha: deployed.sha, runId: deployed.runId },
    ...line,
    ...defined({ pull }),
  };
}

/** Releases are called by their commit, by its first digits, or end with it, as `shop@3f2c1ab` does. */
function isVersion(release: string | undefined, sha: string): boolean {
  const digits = /(?:^|[^0-9a-z])([0-9a-f]{7,40})$/i.exec(release ?? "")?.[1];
  return digits !== undefined && sha.startsWith(digits.toLowerCase());
}

/** The first line of the stack that the deployed version changed. What cannot be read is no line. */
async function changedLine(
  { deployHost, host, mirrorRoot }: SuspectDependencies,
  { repository }: Subject,
  { sha, before }: MetVersion,
  { frames }: Extract<ProductionFeedback, { is: "error" }>,
  signal: AbortSignal,
): Promise<Pick<Suspicion, "commit" | "file" | "line"> | undefined> {
  if (before === undefined) return undefined;
  const range = await deployHost.readRange(repository, before, sha, signal);
  if (range?.is !== "ahead") return undefined;
  const places = frames.slice(0, 50).flatMap(({ inApp, file, line }) => {
    const path = inApp && line !== undefined && file ? pathIn(range.files, file) : undefined;
    return path !== undefined && line !== undefined ? [{ path, line }] : [];
  });
  if (places.length === 0) return undefined;
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  const fetched = await fetchCommits(mirror, { shas: [sha, before], refs: [], signal });
  if (!fetched.ok) return undefined;
  for (const { path, line } of places.slice(0, FRAMES)) {
    const blame = await blameLines(mirrorStore(mirror), { commit: sha, path, fromLine: line, toLine: line, signal });
    const commit = blame.ok ? blame.lines[0]?.sha : undefined;
    // Of the range is what the version before did not have: blame names ancestors of the deployed commit only.
    if (commit === undefined || commit === before) continue;
    const since = await deployHost.readRange(repository, before, commit, signal);
    if (since?.is === "ahead") return { file: path, line, ...defined({ commit }) };
  }
  return undefined;
}

/** The pull request that brought a commit, where it is one. */
async function pullOf(
  { deployHost }: SuspectDependencies,
  { repository }: Subject,
  commit: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const range = await deployHost.readRange(repository, undefined, commit, signal);
  const [only, ...others] = range?.pulls ?? [];
  return others.length === 0 ? only?.number : undefined;
}

/** A changed file by the name under which the program ran it: `/app/src/a.js` is `src/a.js`. */
function pathIn(files: readonly string[], file: string): string | undefined {
  const name = file.replaceAll("\\", "/");
  return files.find((path) => name === path || name.endsWith(`/${path}`));
}
