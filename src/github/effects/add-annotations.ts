import type { EffectResult } from "../../domain/effects.ts";
import type { Annotation, CheckRun } from "../github-repository.ts";
import { externalIdFor } from "../marker.ts";
import { startedOutput } from "../words/check/check-text.ts";
import type { EffectOf, Send } from "./effect-ports.ts";
import { findRefused } from "./find-refused.ts";
import { orRefused } from "./metered-writes.ts";

/** GitHub's limit (https://docs.github.com/en/rest/checks/runs#update-a-check-run); more are added by further requests. */
export const ANNOTATIONS_PER_REQUEST = 50;

export interface PlannedAnnotation {
  /** Empty where it is about no finding. */
  readonly findingId: string;
  readonly annotation: Annotation;
}

type Target = Pick<CheckRun, "id">;
type Placed = NonNullable<EffectResult["placed"]>;
type Listed = Pick<Annotation, "path" | "startLine" | "message">;

/** The annotations that are still to be sent: they append, so those of an interrupted attempt are left out (GH-11). */
export function withoutListed(
  all: readonly PlannedAnnotation[],
  listed: readonly Listed[],
): readonly PlannedAnnotation[] {
  // The message begins with the finding's id.
  const keyOf = ({ path, startLine, message }: Listed) => `${path}\n${startLine}\n${message}`;
  const there = new Set(listed.map(keyOf));
  return all.filter(({ annotation }) => !there.has(keyOf(annotation)));
}

/** Adds annotations to a check-run that stays in progress, and makes one where there is none. One that GitHub refuses is left out and named. */
export async function addAnnotations(
  effect: EffectOf<"check.complete">,
  planned: readonly PlannedAnnotation[],
  target: Target | undefined,
  { write, markerSecret }: Send,
): Promise<{ checkRun: Target; refused: Placed }> {
  const { check: name, headSha } = effect.payload;
  const output = startedOutput(headSha, name);
  const externalId = externalIdFor(effect, markerSecret);
  const checkRun = target ?? (await write.createCheckRun({ status: "in_progress", name, headSha, externalId, output }));
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
