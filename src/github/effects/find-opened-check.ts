import type { CheckName } from "../../domain/phases.ts";
import type { CheckRun } from "../github-repository.ts";
import { externalIdFor } from "../marker.ts";
import type { Look } from "./effect-ports.ts";

/** A check-run that an earlier effect opened; its status is `unknown` where GitHub was not asked. */
export type OpenedCheck = Pick<CheckRun, "id" | "status">;

/**
 * The check-run that an earlier `check.open` made. What was remembered is enough unless `fresh` is set; where nothing was remembered it is
 * looked for on GitHub.
 */
export async function findOpenedCheck(
  head: { readonly check: CheckName; readonly headSha: string; readonly openKey: string },
  { repository, results, markerSecret }: Look,
  { fresh }: { readonly fresh: boolean },
): Promise<OpenedCheck | undefined> {
  const { check: name, headSha, openKey } = head;
  const id = (await results(openKey))?.checkRunId;
  if (id !== undefined) return fresh ? repository.getCheckRun(id) : { id, status: "unknown" };
  const externalId = externalIdFor({ kind: "check.open", key: openKey }, markerSecret);
  return repository.findCheckRun({ headSha, name, externalId });
}
