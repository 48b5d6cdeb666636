import { gateButtons } from "../words/check-buttons.ts";
import { startedOutput, waitingOutput } from "../words/check-progress.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { findOpenedCheck } from "./find-opened-check.ts";
import { sendWrite } from "./send-write.ts";

/** Says on the check of a head that its review waits for a person, or that it goes on. */
export async function waitCheck(effect: EffectOf<"check.wait">, ports: EffectPorts): Promise<EffectOutcome> {
  const { request, ...opened } = effect.payload;
  const checkRun = await findOpenedCheck(opened, ports, { fresh: true });
  // The answer may have come and the review ended before this was written.
  if (!checkRun || checkRun.status === "completed") return { kind: "obsolete", reason: "the check is complete" };
  const output = request ? waitingOutput(request) : startedOutput(opened.headSha, opened.check);
  const buttons = request ? gateButtons(request.gate) : [];
  await sendWrite(ports, "no content", () =>
    ports.repository.updateCheckRun(checkRun.id, { status: "in_progress", output, buttons }),
  );
  return { kind: "done", result: { checkRunId: checkRun.id } };
}
