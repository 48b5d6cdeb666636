import type { CheckReport, EffectResult, ReportedFinding } from "../../domain/effects.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { Annotation, CheckOutput, CheckRun } from "../github-repository.ts";
import { externalIdFor } from "../marker.ts";
import { annotationFor, isAnnotated, testAnnotations } from "../words/check/annotations.ts";
import { checkButtons } from "../words/check/check-buttons.ts";
import { checkText, startedOutput } from "../words/check/check-text.ts";
import { linkingFiles } from "../words/wording.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";
import { findRefused } from "./find-refused.ts";
import { orRefused } from "./metered-writes.ts";
import { findOpenedCheck, type OpenedCheck } from "./moving-checks.ts";
import { runPage } from "./run-page.ts";

type Effect = EffectOf<"check.complete">;
type Placed = NonNullable<EffectResult["placed"]>;

/** What an interrupted attempt left. */
interface Begun {
  readonly target: OpenedCheck | undefined;
  readonly listed: readonly Pick<Annotation, "path" | "startLine" | "message">[];
}

/**
 * Completes the check-run of a head, or makes a completed one where none was opened. The conclusion is the last thing that is written, so
 * a check never looks finished while annotations are missing.
 */
export const completeCheck: EffectHandler<"check.complete", Begun> = {
  find: async (effect, look) => {
    const { check: name, headSha } = effect.payload;
    const externalId = externalIdFor(effect, look.markerSecret);
    const target =
      (await openedCheck(effect, look, { fresh: true })) ??
      (await look.repository.findCheckRun({ headSha, name, externalId }));
    const report = await withPlacements(effect, look);
    if (target?.status === "completed") return { settled: done(target.id, report, []) };
    const isAnnotating = target !== undefined && annotationsOf(report, look).length > 0;
    return { there: { target, listed: isAnnotating ? await look.repository.listAnnotations(target.id) : [] } };
  },
  send: async (effect, there, ports) => {
    const report = await withPlacements(effect, ports);
    const target = there ? there.target : await openedCheck(effect, ports, { fresh: false });
    const planned = withoutListed(annotationsOf(report, ports), there?.listed ?? []);
    if (planned.length === 0) {
      const completed = await conclude(effect, report, [], target, ports);
      return done(completed.id, report, []);
    }
    if (planned.length <= ANNOTATIONS_PER_REQUEST) {
      const completed = await orRefused(conclude(effect, report, planned, target, ports));
      if (completed.ok) return done(completed.value.id, report, []);
    }
    const { checkRun, refused } = await addAnnotations(effect, planned, target, ports);
    const told = inSummary(report, refused);
    await conclude(effect, told, [], checkRun, ports);
    return done(checkRun.id, told, refused);
  },
};

async function openedCheck(
  { payload: { check, headSha, openKey } }: Effect,
  look: Look,
  fresh: { readonly fresh: boolean },
): Promise<OpenedCheck | undefined> {
  return openKey === undefined ? undefined : findOpenedCheck({ check, headSha, openKey }, look, fresh);
}

function annotationsOf(report: CheckReport, { wording }: Look): PlannedAnnotation[] {
  if (report.kind === "tested") {
    // What GitHub refuses of these stands in the summary as well.
    return testAnnotations(report.outcome, wording).map((annotation) => ({ findingId: "", annotation }));
  }
  if (report.kind !== "reviewed") return [];
  return report.findings
    .filter(isAnnotated)
    .map(({ finding }) => ({ findingId: finding.id, annotation: annotationFor(finding, wording) }));
}

/** The report with what became of the findings that were to be posted before. */
async function withPlacements({ payload }: Effect, { results }: Look): Promise<CheckReport> {
  const { report, reviewKey } = payload;
  if (report.kind !== "reviewed" || reviewKey === undefined) return report;
  const placed = new Map((await results(reviewKey))?.placed?.map(({ findingId, placement }) => [findingId, placement]));
  const place = (reported: ReportedFinding) => ({
    ...reported,
    placement: placed.get(reported.finding.id) ?? reported.placement,
  });
  return { ...report, findings: report.findings.map(place) };
}

function conclude(
  effect: Effect,
  report: CheckReport,
  planned: readonly PlannedAnnotation[],
  target: Pick<CheckRun, "id"> | undefined,
  { write, markerSecret, wording, now }: Send,
): Promise<CheckRun> {
  const { check: name, headSha, conclusion } = effect.payload;
  const output: CheckOutput = {
    ...checkText(
      { ...effect.payload, report },
      effect.runId,
      linkingFiles(wording, effect.subject.repository, headSha),
    ),
    annotations: planned.map(({ annotation }) => annotation),
  };
  const completed = {
    status: "completed",
    conclusion,
    completedAt: now(),
    output,
    buttons: checkButtons(report, name),
  } as const;
  if (target) return write.updateCheckRun(target.id, completed);
  const externalId = externalIdFor(effect, markerSecret);
  return write.createCheckRun({ ...completed, ...runPage(effect.runId, wording), name, headSha, externalId });
}

/** What could not even be an annotation is told by the summary, the last resort of GH-10. */
function inSummary(report: CheckReport, refused: Placed): CheckReport {
  if (report.kind !== "reviewed" || refused.length === 0) return report;
  const fallen = new Set(refused.map(({ findingId }) => findingId));
  const findings = report.findings.map((reported) =>
    fallen.has(reported.finding.id) && reported.placement !== "comment" && reported.placement !== "file_comment"
      ? { ...reported, placement: "summary" as const }
      : reported,
  );
  return { ...report, findings };
}

/** Tells where findings can be seen that could not be seen before. */
function done(checkRunId: number, report: CheckReport, refused: Placed): EffectOutcome {
  if (report.kind !== "reviewed") return { kind: "done", result: { checkRunId } };
  const placed = report.findings.flatMap(({ finding: { id: findingId, commit }, placement }) => {
    const seen = commit === undefined ? ("annotation" as const) : ("summary" as const);
    if (placement === "none") return [{ findingId, placement: seen }];
    return placement === "summary" ? refused.filter((one) => one.findingId === findingId) : [];
  });
  return { kind: "done", result: { checkRunId, placed } };
}

/** GitHub's limit (https://docs.github.com/en/rest/checks/runs#update-a-check-run); more are added by further requests. */
const ANNOTATIONS_PER_REQUEST = 50;

interface PlannedAnnotation {
  /** Empty where it is about no finding. */
  readonly findingId: string;
  readonly annotation: Annotation;
}

type Target = Pick<CheckRun, "id">;
type Listed = Pick<Annotation, "path" | "startLine" | "message">;

/** The annotations that are still to be sent: they append, so those of an interrupted attempt are left out (GH-11). */
function withoutListed(all: readonly PlannedAnnotation[], listed: readonly Listed[]): readonly PlannedAnnotation[] {
  // The message begins with the finding's id.
  const keyOf = ({ path, startLine, message }: Listed) => `${path}\n${startLine}\n${message}`;
  const there = new Set(listed.map(keyOf));
  return all.filter(({ annotation }) => !there.has(keyOf(annotation)));
}

/** Adds annotations to a check-run that stays in progress, and makes one where there is none. One that GitHub refuses is left out and named. */
async function addAnnotations(
  effect: EffectOf<"check.complete">,
  planned: readonly PlannedAnnotation[],
  target: Target | undefined,
  { write, markerSecret, wording }: Send,
): Promise<{ checkRun: Target; refused: Placed }> {
  const { check: name, headSha } = effect.payload;
  const output = startedOutput(headSha, name);
  const externalId = externalIdFor(effect, markerSecret);
  const opening = { status: "in_progress", name, headSha, externalId, output } as const;
  const checkRun = target ?? (await write.createCheckRun({ ...opening, ...runPage(effect.runId, wording) }));
  const refused: Placed = [];
  for (let start = 0; start < planned.length; start += ANNOTATIONS_PER_REQUEST) {
    let reason = "";
    const accepts = async (part: readonly PlannedAnnotation[]) => {
      const annotations = part.map(({ annotation }) => annotation);
      const change = { status: "in_progress", output: { ...output, annotations } } as const;
      const sent = await orRefused(write.updateCheckRun(checkRun.id, change));
      if (!sent.ok) reason = sent.message;
      return sent.ok;
    };
    const batch = planned.slice(start, start + ANNOTATIONS_PER_REQUEST);
    const batchTaken = await accepts(batch);
    // Before single annotations are blamed: does GitHub take a change of this check-run at all? If not, that is the outcome.
    if (!batchTaken) await write.updateCheckRun(checkRun.id, { status: "in_progress", output });
    // A part that is accepted while the bad ones are looked for is there to stay, so nothing is sent twice.
    const bad = batchTaken ? [] : await findRefused(batch, accepts);
    refused.push(...bad.map(({ findingId }) => ({ findingId, placement: "summary" as const, reason })));
  }
  return { checkRun, refused };
}
