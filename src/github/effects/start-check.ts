import { startedOutput } from "../words/check-progress.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { findOpenedCheck } from "./find-opened-check.ts";
import { sendWrite } from "./send-write.ts";

/** Says that the work on a head has begun. */
export async function startCheck(effect: EffectOf<"check.start">, ports: EffectPorts): Promise<EffectOutcome> {
  const checkRun = await findOpenedCheck(effect.payload, ports, { fresh: effect.state === "sending" });
  if (!checkRun) return { kind: "obsolete", reason: "there is no check-run to start" };
  const done = { kind: "done", result: { checkRunId: checkRun.id } } as const;
  if (checkRun.status === "in_progress" || checkRun.status === "completed") return done;
  const output = startedOutput(effect.payload.headSha, effect.payload.check);
  await sendWrite(ports, "no content", () =>
    ports.repository.updateCheckRun(checkRun.id, { status: "in_progress", startedAt: ports.now(), output }),
  );
  return done;
}
