import type { PlannedStep, StepHandle, StepMarker } from "../domain/deployments.ts";
import type { WorkflowRunOnGitHub } from "./github-repository.ts";

/** A run as its `run-name` may name it: `${{ inputs.marker }}`. */
export function markerText({ run, step }: StepMarker): string {
  return `${run}/${step}`;
}

/** By its name GitHub finds a workflow. */
export function fileOf({ workflow = "" }: Pick<PlannedStep, "workflow">): string {
  return workflow.split("/").at(-1) ?? "";
}

/** Between GitHub's clock and this one. */
const CLOCKS_MS = 10_000;

/** A moment of this machine as the earliest that GitHub may call it. @param at ISO 8601 */
export function sinceOnGitHub(at: string): string {
  return new Date(Date.parse(at) - CLOCKS_MS).toISOString();
}

/** The marker of some step: the id of a run, and a number. */
const OTHER_MARKER = /\b[0-9A-HJKMNP-TV-Z]{26}\/\d/;

/**
 * The run that was started for a step, and how many there are of which nothing tells whose they are. By the marker in the run's title: nothing
 * else tells one run from another that was started in the same minute.
 */
export function ownAmong(
  listed: readonly WorkflowRunOnGitHub[],
  { marker }: Pick<PlannedStep, "marker">,
  since: string,
): { readonly own: StepHandle | undefined; readonly unnamed: number } {
  const runs = listed.filter(({ byBot, createdAt }) => byBot && Date.parse(createdAt) >= Date.parse(since));
  const own = runs.find(({ title }) => title.split(/\s+/).includes(markerText(marker)));
  // A title with another step's marker is another step's run.
  const unnamed = runs.filter(({ title }) => !title.includes(`${marker.run}/`) && !OTHER_MARKER.test(title));
  return { own: own && { workflowRunId: own.id }, unnamed: unnamed.length };
}
