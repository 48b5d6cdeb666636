import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { isOwnPull } from "./own-pull.ts";
import { sendWrite } from "./send-write.ts";

/** Makes a draft ready for people; one that is ready already stays as it is. */
export async function readyPull(effect: EffectOf<"pull.ready">, ports: EffectPorts): Promise<EffectOutcome> {
  const { number } = effect.payload;
  const pull = await ports.repository.getPull(number);
  const { id, draft, open } = pull;
  if (!isOwnPull(effect.subject, pull, ports.markerSecret))
    return { kind: "obsolete", reason: "it is not Forge's draft" };
  if (!open) return { kind: "obsolete", reason: "the pull request is closed" };
  if (draft) await sendWrite(ports, "no content", () => ports.repository.markPullReady(id));
  return { kind: "done", result: { pullNumber: number } };
}
