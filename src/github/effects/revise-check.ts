import { checkButtons } from "../words/check-buttons.ts";
import { checkText } from "../words/check-text.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { findOpenedCheck } from "./find-opened-check.ts";
import { sendWrite } from "./send-write.ts";

/** Says on a completed check-run what it comes to now. Sent again it writes the same once more, so it needs no looking. */
export async function reviseCheck(effect: EffectOf<"check.revise">, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, results, wording, now } = ports;
  const { openKey, completeKey, conclusion, report } = effect.payload;
  const checkRunId =
    (await results(completeKey))?.checkRunId ??
    (await findOpenedCheck({ ...effect.payload, openKey }, ports, { fresh: false }))?.id;
  if (checkRunId === undefined) return { kind: "obsolete", reason: "there is no check-run to revise" };
  const output = checkText(effect.payload, effect.runId, wording);
  const buttons = checkButtons(report, effect.payload.check);
  await sendWrite(ports, "no content", () =>
    repository.updateCheckRun(checkRunId, {
      status: "completed",
      conclusion,
      completedAt: now(),
      output,
      buttons,
    }),
  );
  return { kind: "done", result: { checkRunId } };
}
