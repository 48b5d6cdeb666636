import { parkedOutput } from "../words/check-progress.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { findOpenedCheck } from "./find-opened-check.ts";
import { sendWrite } from "./send-write.ts";

/** Says on the check of a head that its review goes on later. */
export async function parkCheck(effect: EffectOf<"check.park">, ports: EffectPorts): Promise<EffectOutcome> {
  const { until, ...opened } = effect.payload;
  const checkRun = await findOpenedCheck(opened, ports, { fresh: true });
  if (!checkRun || checkRun.status === "completed") return { kind: "obsolete", reason: "the check is complete" };
  const output = parkedOutput(opened.headSha, until);
  await sendWrite(ports, "no content", () =>
    ports.repository.updateCheckRun(checkRun.id, { status: "in_progress", startedAt: ports.now(), output }),
  );
  return { kind: "done", result: { checkRunId: checkRun.id } };
}
