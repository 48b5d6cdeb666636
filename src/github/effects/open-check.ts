import { externalIdFor } from "../marker.ts";
import { queuedOutput } from "../words/check-progress.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/** A new check-run, queued, so that people see at once that the head is taken. */
export async function openCheck(effect: EffectOf<"check.open">, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, markerSecret } = ports;
  const { check: name, headSha } = effect.payload;
  const externalId = externalIdFor(effect, markerSecret);
  const there = effect.state === "sending" ? await repository.findCheckRun({ headSha, name, externalId }) : undefined;
  const output = queuedOutput(headSha, name);
  const checkRun =
    there ??
    (await sendWrite(ports, "no content", () =>
      repository.createCheckRun({ status: "queued", name, headSha, externalId, output }),
    ));
  const { id: checkRunId, url } = checkRun;
  return { kind: "done", result: { checkRunId, ...(url === undefined ? {} : { checkUrl: url }) } };
}
