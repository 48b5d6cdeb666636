import { pullDescriptionText, pullTitle } from "../words/pull-description.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { isOwnPull, pullBody, titleFor } from "./own-pull.ts";
import { sendWrite } from "./send-write.ts";

/** Brings the text of Forge's pull request up to date. What people wrote, a title or words behind the text, stays as it is. */
export async function describePull(effect: EffectOf<"pull.describe">, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, markerSecret, wording } = ports;
  const { number, description } = effect.payload;
  const pull = await repository.getPull(number);
  if (!isOwnPull(effect.subject, pull, markerSecret)) return { kind: "obsolete", reason: "its text is not Forge's" };
  const wanted = pullTitle(description, wording);
  const title = titleFor(pull, wanted, markerSecret);
  const text = pullDescriptionText(description, wording);
  const { headRef, body: before } = pull;
  const body = pullBody(effect.subject, { headRef, title: wanted, text, before }, markerSecret);
  if (title === pull.title && body === pull.body) return { kind: "done", result: { pullNumber: number } };
  await sendWrite(ports, "content", () =>
    repository.updatePull(number, { ...(title === pull.title ? {} : { title }), body }),
  );
  return { kind: "done", result: { pullNumber: number } };
}
