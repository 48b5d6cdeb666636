import type { CheckName } from "../../domain/phases.ts";
import type { CheckRun } from "../github-repository.ts";
import { externalIdFor } from "../marker.ts";
import type { EffectPorts } from "./effect-ports.ts";

export interface OpenedCheck {
  readonly check: CheckName;
  readonly headSha: string;
  readonly openKey: string;
}

/**
 * The check-run that an earlier `check.open` made. What was remembered is enough unless `fresh` is set; where nothing was remembered it is
 * looked for on GitHub.
 */
export async function findOpenedCheck(
  { check: name, headSha, openKey }: OpenedCheck,
  { repository, results, markerSecret }: EffectPorts,
  { fresh }: { readonly fresh: boolean },
): Promise<Pick<CheckRun, "id" | "status"> | undefined> {
  const id = (await results(openKey))?.checkRunId;
  if (id !== undefined) return fresh ? repository.getCheckRun(id) : { id, status: "unknown" };
  const externalId = externalIdFor({ kind: "check.open", key: openKey }, markerSecret);
  return repository.findCheckRun({ headSha, name, externalId });
}
