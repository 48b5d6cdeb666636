import { defined } from "../domain/defined.ts";
import type { LearntEvent } from "../domain/events.ts";
import { editsOf, type Finding, type FindingOutcome, type LedgerEntry } from "../domain/findings.ts";
import { numberOf, type RepositoryRef, type Subject, subjectKey } from "../domain/subjects.ts";
import { mirrorOf, needed } from "../pipeline/change/fetch-ends.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { implementationOf } from "../pipeline/runs/implementation-of.ts";
import type { PullRequestHost } from "../pipeline/runs/ports.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import type { Redact } from "../safety/redact.ts";
import { redactBeginning } from "../safety/redact-beginning.ts";
import { type FindingFact, readEvents, readFindingFacts } from "../store/events/read-events.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readLedger } from "../store/runs/ledger.ts";
import { readReviews } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { fetchCommits } from "../workspace/fetch-commits.ts";
import type { Mirror } from "../workspace/mirror.ts";
import { readFileAt } from "../workspace/read-file-at.ts";
import { outcomeOf, type SuggestionOutcome, suggestionOutcome } from "./outcome-of.ts";

/** What learning says of a finding. */
export function aboutFinding({ id, rule, source, severity, category }: Finding, model?: string) {
  return { findingId: id, rule, layer: source, severity, category, ...defined({ model }) };
}

export interface FollowDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote">;
  /** Folder of all mirrors. */
  readonly mirrorRoot: string;
  readonly redact: Redact;
}

interface Following {
  readonly subject: Subject;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** A pull request is merged once. */
const CAUSE = "merged";
/** Of what people wrote in place of a suggestion; characters. */
const MOST_TAKEN = 2_000;

/**
 * When a pull request was merged: what became of each finding and suggestion, by the text that stands on the base branch now. A merge commit,
 * a squash and a rebase leave the same text, so none of them is told from the others (HUM-4).
 */
export async function followFindings(dependencies: FollowDependencies, following: Following): Promise<void> {
  const { store, host } = dependencies;
  const { subject, signal } = following;
  const known = await readFacts(store, subject);
  if (!known.closed || known.causes.has(CAUSE)) return;
  const pull = await host.readPullRequest(subject, signal);
  if (pull?.mergedAs === undefined) return;
  const [ledger, facts] = await Promise.all([readLedger(store, subject), readFindingFacts(store, subject)]);
  const mirror = mirrorOf(subject.repository, dependencies.mirrorRoot, host.remote(subject.repository));
  const texts = openTexts(mirror, subject, pull.ends.baseRef, signal);
  const models = await modelsOf(store, facts);
  const events: LearntEvent[] = [];
  for (const entry of ledger.toSorted((a, b) => a.finding.file.localeCompare(b.finding.file))) {
    const head = headOf(facts, entry);
    const { finding, placement } = entry;
    const about = { cause: CAUSE, ...aboutFinding(finding, models.get(finding.id)) };
    const read = (file: string) => texts(head, pull.mergedAs, file);
    const outcome = await outcomeOfEntry(entry, read);
    const suggestion = placement === "comment" ? await suggestionOfFinding(finding, read) : undefined;
    const mended = outcome === "dismissed" && (await isMended(entry, read));
    const became = defined({ suggestion: suggestion?.is, mended: mended || undefined });
    events.push({ type: "feedback.outcome", payload: { ...about, outcome, placement, ...became } });
    if (outcome === "fixed") events.push(...helped(subject, finding));
    if (suggestion?.is === "applied") events.push({ type: "feedback.suggestion_applied", payload: about });
    if (suggestion?.is === "rewritten" && outcome !== "dismissed" && !finding.secret) {
      const cut = (text: string) => redactBeginning(text, dependencies.redact).slice(0, MOST_TAKEN);
      const what = { file: finding.file, suggested: cut(finding.fix?.after ?? ""), taken: cut(suggestion.taken) };
      events.push({ type: "feedback.suggestion_rewritten", payload: { ...about, ...what } });
    }
  }
  events.push(...(await editsOfPeople(store, subject)), await metricOf(store, subject, ledger));
  await submit(dependencies, following, { type: "learning.observed", cause: CAUSE, events });
}

/** The memories that led to what was mended have helped, and not only been recalled (MEM-3): once for each finding. */
function helped(subject: Subject, { id, memories = [] }: Finding): LearntEvent[] {
  if (memories.length === 0) return [];
  const cause = `applied:${subjectKey(subject)}:${id}`;
  return [{ type: "memory.applied", payload: { memoryIds: [...memories], use: "applied", during: "merge", cause } }];
}

/** Texts that are held at once, of a megabyte at most. */
const MOST_KEPT = 20;

/** The text of a file where it was reviewed and where it was merged; "unknown" where either commit cannot be had. */
type ReadTexts = (file: string) => Promise<{ readonly before: string; readonly after?: string } | "unknown">;

function openTexts(mirror: Mirror, subject: Subject, baseRef: string, signal: AbortSignal) {
  const has = new Map<string, boolean>();
  const fetch = async (sha: string, ref: string): Promise<boolean> => {
    const known = has.get(sha);
    if (known !== undefined) return known;
    const fetched = await fetchCommits(mirror, { shas: [sha], refs: [ref], signal });
    // A branch that was rewritten since is no reason to try again.
    if (!fetched.ok && fetched.reason !== "missing commit") needed(fetched);
    has.set(sha, fetched.ok);
    return fetched.ok;
  };
  // Findings of a file follow one another, and each asks for it up to three times.
  const kept = new Map<string, Promise<string | null | undefined>>();
  const text = (sha: string, file: string) => {
    const key = `${sha}:${file}`;
    const known = kept.get(key);
    if (known) return known;
    for (const oldest of kept.keys()) if (kept.size >= MOST_KEPT) kept.delete(oldest);
    const reading = readFileAt(mirror, sha, file, { signal }).then((read) => {
      if (read === undefined) return undefined;
      return read.ok ? read.content.toString("utf8") : null;
    });
    kept.set(key, reading);
    return reading;
  };
  return async (head: string | undefined, mergedAs: string | undefined, file: string) => {
    if (head === undefined || mergedAs === undefined) return "unknown";
    if (!(await fetch(mergedAs, `refs/heads/${baseRef}`))) return "unknown";
    if (!(await fetch(head, `refs/pull/${numberOf(subject)}/head`))) return "unknown";
    const [before, after] = [await text(head, file), await text(mergedAs, file)];
    if (typeof before !== "string" || after === null) return "unknown";
    return { before, ...defined({ after }) };
  };
}

/** What became of a finding that is not open. */
const CLOSED: Readonly<Record<Exclude<LedgerEntry["state"], "open" | "regressed">, FindingOutcome>> = {
  dismissed: "dismissed",
  fixed: "fixed",
  outdated: "outdated",
};

/** The ledger's word counts where it has one: what was fixed was looked at by the layer that had found it. */
async function outcomeOfEntry(entry: LedgerEntry, read: ReadTexts): Promise<FindingOutcome> {
  const { finding, state } = entry;
  if (state !== "open" && state !== "regressed") return CLOSED[state];
  // What a commit of the branch holds and the head does not, stands in no text.
  if (finding.commit !== undefined) return "unknown";
  const texts = await read(finding.file);
  if (texts === "unknown") return "unknown";
  return texts.after === undefined ? "outdated" : outcomeOf(finding, texts.before, texts.after);
}

/** Whether what somebody dismissed was mended all the same: a dismissal that teaches nothing (MEM-6). */
async function isMended({ finding }: LedgerEntry, read: ReadTexts): Promise<boolean> {
  if (finding.commit !== undefined) return false;
  const texts = await read(finding.file);
  if (texts === "unknown" || texts.after === undefined) return false;
  return outcomeOf(finding, texts.before, texts.after) === "fixed";
}

/** Taken where all its edits were, rewritten where any of their places is another than it was. */
async function suggestionOfFinding({ fix }: Finding, read: ReadTexts): Promise<SuggestionOutcome | undefined> {
  if (!fix) return undefined;
  const outcomes: SuggestionOutcome[] = [];
  for (const edit of editsOf(fix)) {
    const texts = await read(edit.file);
    const outcome =
      texts === "unknown" || texts.after === undefined ? undefined : suggestionOutcome(edit, texts.before, texts.after);
    if (!outcome) return undefined;
    outcomes.push(outcome);
  }
  if (outcomes.every(({ is }) => is === "applied")) return { is: "applied" };
  return outcomes.find(({ is }) => is === "rewritten") ?? { is: "ignored" };
}

/** The head that a finding's lines are of: where it was found, or found again. */
function headOf(facts: readonly FindingFact[], { finding, headSha }: LedgerEntry): string | undefined {
  const found = facts.findLast(({ event }) => {
    return (
      (event.type === "finding.detected" || event.type === "finding.regressed") &&
      event.payload.finding.id === finding.id
    );
  });
  return (found?.headSha ?? headSha) || undefined;
}

/** Which model made the claim behind a finding of the AI layer: the one that answered most in the run that found it. */
async function modelsOf(store: Store, facts: readonly FindingFact[]): Promise<Map<string, string>> {
  const models = new Map<string, string>();
  const ofRun = new Map<string, string | undefined>();
  for (const { event } of facts) {
    if (event.type !== "finding.detected" || event.payload.finding.source !== "ai") continue;
    if (!ofRun.has(event.traceId)) ofRun.set(event.traceId, await modelOfRun(store, event.traceId));
    const model = ofRun.get(event.traceId);
    if (model !== undefined) models.set(event.payload.finding.id, model);
  }
  return models;
}

async function modelOfRun(store: Store, traceId: string): Promise<string | undefined> {
  const answers = new Map<string, number>();
  for (const event of await readEvents(store, traceId)) {
    if (event.type !== "agent.reasoned") continue;
    answers.set(event.payload.model, (answers.get(event.payload.model) ?? 0) + 1);
  }
  return [...answers].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Commits of people in the pull request of Forge's own work. */
async function editsOfPeople(store: Store, subject: Subject): Promise<LearntEvent[]> {
  const work = await implementationOf(store, (subject.repository satisfies RepositoryRef).id, {
    pull: numberOf(subject),
  });
  if (!work) return [];
  const events = await readEvents(store, work.runId);
  const pushes = events.filter(({ type, actor }) => type === "branch.adopted" && actor?.kind === "user").length;
  const payload = { cause: CAUSE, issue: numberOf(work.subject), runId: work.runId, pushes };
  return pushes > 0 ? [{ type: "feedback.human_edited", payload }] : [];
}

async function metricOf(store: Store, subject: Subject, ledger: readonly LedgerEntry[]): Promise<LearntEvent> {
  const reviews = await readReviews(store, subject);
  const first = reviews.at(-1)?.completed;
  const comments = ledger.filter(({ placement }) => placement === "comment" || placement === "file_comment").length;
  const payload = { reviews: reviews.length, findings: ledger.length, comments };
  return {
    type: "metric.collected",
    payload: { cause: CAUSE, ...payload, firstPass: first?.conclusion === "success" },
  };
}
