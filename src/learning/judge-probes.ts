import type { LedgerEntry } from "../domain/findings.ts";
import { MOST_WRONG } from "../domain/hiding.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import { readFacts } from "../pipeline/runs/subject.ts";
import { readEvents } from "../store/events/read-events.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { readHidings } from "../store/runs/hidings.ts";
import { readLedger } from "../store/runs/ledger.ts";

/**
 * What people did with the probes on a pull request (MEM-6): one that they fixed, voted for or took the suggestion of was hidden wrongly, one
 * that they dismissed rightly, and one that they left alone says nothing. Three wrong ones switch their class off.
 */
export async function judgeProbes(
  dependencies: InputDependencies,
  about: { readonly subject: Subject; readonly fence: Fence },
): Promise<void> {
  const { store } = dependencies;
  const { subject } = about;
  const probes = (await readLedger(store, subject)).filter(({ finding }) => finding.probe !== undefined);
  if (probes.length === 0) return;
  const { causes } = await readFacts(store, subject);
  const wanted = await readWanted(dependencies, subject);
  for (const probe of probes) {
    const { id: findingId, probe: hidingId = "" } = probe.finding;
    const cause = `probe:${findingId}`;
    const is = wordOn(probe, wanted);
    if (is === undefined || causes.has(cause)) continue;
    const payload = { cause, hidingId, findingId, is };
    await submit(dependencies, about, {
      type: "learning.observed",
      cause,
      events: [{ type: "hiding.judged", payload }],
    });
  }
  const mine = new Set(probes.map(({ finding }) => finding.probe));
  for (const { class: it, state, wrong, changes } of await readHidings(store, subject.repository.id)) {
    if (!mine.has(it.id) || state !== "on" || wrong < MOST_WRONG) continue;
    const cause = `hiding_ended:${it.id}:${changes}`;
    const payload = { cause, hidingId: it.id, after: changes, wrong };
    await submit(dependencies, about, {
      type: "learning.observed",
      cause,
      events: [{ type: "hiding.ended", payload }],
    });
  }
}

/** Findings that people voted for, took the suggestion of, or had fixed when it was merged. */
async function readWanted({ store }: InputDependencies, subject: Subject): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const event of await readEvents(store, subjectKey(subject))) {
    const isWanted =
      event.type === "feedback.suggestion_applied" ||
      (event.type === "feedback.reaction" && event.payload.is === "up") ||
      (event.type === "feedback.outcome" && event.payload.outcome === "fixed");
    if (isWanted) wanted.add(event.payload.findingId);
  }
  return wanted;
}

/** Who wants it counts before who does not: what is hidden wrongly is the graver mistake. */
function wordOn(
  { finding, state, dismissal }: LedgerEntry,
  wanted: ReadonlySet<string>,
): "right" | "wrong" | undefined {
  if (wanted.has(finding.id) || state === "fixed") return "wrong";
  return state === "dismissed" && dismissal?.findingId === finding.id ? "right" : undefined;
}
