import { defined } from "../../domain/defined.ts";
import type { CheckName } from "../../domain/phases.ts";
import { DEPLOY_CONCLUSIONS } from "../../pipeline/deploy/move.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { CheckRun } from "../github-repository.ts";
import { externalIdFor } from "../marker.ts";
import { checkButtons, gateButtons } from "../words/check/check-buttons.ts";
import {
  checkText,
  parkedOutput,
  progressOutput,
  queuedOutput,
  startedOutput,
  waitingOutput,
} from "../words/check/check-text.ts";
import { deployCheckText } from "../words/deploy/deploy-check-text.ts";
import { linkingFiles } from "../words/wording.ts";
import { type EffectHandler, type Look, nothingToFind, type Send, type Writes } from "./effect-ports.ts";
import { runPage } from "./run-page.ts";

/** A new check-run, queued, so that people see at once that the head is taken. */
export const openCheck: EffectHandler<"check.open", undefined> = {
  find: async (effect, { repository, markerSecret }) => {
    const { check: name, headSha } = effect.payload;
    const there = await repository.findCheckRun({ headSha, name, externalId: externalIdFor(effect, markerSecret) });
    return there ? { settled: opened(there) } : { there: undefined };
  },
  send: async (effect, _, { write, markerSecret, wording }) => {
    const { check: name, headSha } = effect.payload;
    const externalId = externalIdFor(effect, markerSecret);
    const output = queuedOutput(headSha, name);
    const page = runPage(effect.runId, wording);
    return opened(await write.createCheckRun({ status: "queued", name, headSha, externalId, output, ...page }));
  },
};

function opened({ id, url }: { readonly id: number; readonly url?: string }): EffectOutcome {
  return { kind: "done", result: { checkRunId: id, ...defined({ checkUrl: url }) } };
}

/** Says that the work on a head has begun. A check that is further is not moved back. */
export const startCheck: EffectHandler<"check.start", OpenedCheck | undefined> = {
  find: async ({ payload }, look) => ({ there: await findOpenedCheck(payload, look, { fresh: true }) }),
  send: async ({ payload }, there, ports) => {
    const checkRun = there ?? (await findOpenedCheck(payload, ports, { fresh: false }));
    if (!checkRun) return { kind: "obsolete", reason: "there is no check-run to start" };
    const done = { kind: "done", result: { checkRunId: checkRun.id } } as const;
    if (checkRun.status === "in_progress" || checkRun.status === "completed") return done;
    const output = startedOutput(payload.headSha, payload.check);
    await ports.write.updateCheckRun(checkRun.id, { status: "in_progress", startedAt: ports.now(), output });
    return done;
  },
};

/** What an open check says, and with which buttons. */
type Saying = Pick<Parameters<Writes["updateCheckRun"]>[1], "output" | "buttons"> & { readonly startedAt?: string };

/** Says something on the check of a head, unless it is over: the review may have ended before this is written. Sent twice it says the same. */
async function sayOnOpenCheck(head: Head, ports: Send, saying: Saying): Promise<EffectOutcome> {
  const checkRun = await findOpenedCheck(head, ports, { fresh: true });
  if (!checkRun || checkRun.status === "completed") return { kind: "obsolete", reason: "the check is complete" };
  await ports.write.updateCheckRun(checkRun.id, { status: "in_progress", ...saying });
  return { kind: "done", result: { checkRunId: checkRun.id } };
}

/** Says that the review of a head waits for a person, or that it goes on. */
export const waitCheck: EffectHandler<"check.wait", undefined> = {
  find: nothingToFind,
  send: ({ payload }, _, ports) => {
    const { request, ...head } = payload;
    const saying = request
      ? { output: waitingOutput(request), buttons: gateButtons(request.gate) }
      : { output: startedOutput(head.headSha, head.check), buttons: [] };
    return sayOnOpenCheck(head, ports, saying);
  },
};

/** Says that the review of a head goes on later. */
export const parkCheck: EffectHandler<"check.park", undefined> = {
  find: nothingToFind,
  send: ({ payload }, _, ports) => {
    const output = parkedOutput(payload.headSha, payload.until);
    return sayOnOpenCheck(payload, ports, { output, startedAt: ports.now() });
  },
};

/** Says what the review of a head, or its tests, do at the moment. */
export const progressCheck: EffectHandler<"check.progress", undefined> = {
  find: nothingToFind,
  send: ({ payload }, _, ports) => sayOnOpenCheck(payload, ports, { output: progressOutput(payload, ports.wording) }),
};

/** Says on a completed check-run what it comes to now. Sent twice it says the same. */
export const reviseCheck: EffectHandler<"check.revise", undefined> = {
  find: nothingToFind,
  send: async (effect, _, ports) => {
    const { completeKey, conclusion, report } = effect.payload;
    const checkRunId =
      (await ports.results(completeKey))?.checkRunId ??
      (await findOpenedCheck(effect.payload, ports, { fresh: false }))?.id;
    if (checkRunId === undefined) return { kind: "obsolete", reason: "there is no check-run to revise" };
    const wording = linkingFiles(ports.wording, effect.subject.repository, effect.payload.headSha);
    const output = checkText(effect.payload, effect.runId, wording);
    const buttons = checkButtons(report, effect.payload.check);
    const change = { status: "completed", conclusion, completedAt: ports.now(), output, buttons } as const;
    await ports.write.updateCheckRun(checkRunId, change);
    return { kind: "done", result: { checkRunId } };
  },
};

const DEPLOY: CheckName = "forge/deploy";

/** The check on the commit that is deployed: made once for each run, and brought up to date (DEP-1). */
export const showDeployCheck: EffectHandler<"deploy.check", undefined> = {
  // The sending looks for itself.
  find: nothingToFind,
  send: async (effect, _, ports) => {
    const { standing, headSha } = effect.payload;
    const externalId = externalIdFor({ kind: "deploy.check", key: effect.runId }, ports.markerSecret);
    const known = (await ports.earlier())?.checkRunId;
    const there = known ?? (await ports.repository.findCheckRun({ headSha, name: DEPLOY, externalId }))?.id;
    const output = deployCheckText(standing, ports.wording);
    const progress = standing.end
      ? ({
          status: "completed",
          conclusion: standing.overridden ? "success" : DEPLOY_CONCLUSIONS[standing.end.outcome],
          completedAt: ports.now(),
        } as const)
      : ({ status: "in_progress" } as const);
    const shown =
      there === undefined
        ? await ports.write.createCheckRun({
            ...{ ...progress, ...runPage(effect.runId, ports.wording) },
            ...{ name: DEPLOY, headSha, externalId, output },
          })
        : await ports.write.updateCheckRun(there, { ...progress, output });
    return opened(shown);
  },
};

/** Which check of which head, and the key of the effect that opened it. */
interface Head {
  readonly check: CheckName;
  readonly headSha: string;
  readonly openKey: string;
}

/** A check-run that an earlier effect opened; its status is `unknown` where GitHub was not asked. */
export type OpenedCheck = Pick<CheckRun, "id" | "status">;

/**
 * The check-run that an earlier `check.open` made. What was remembered is enough unless `fresh` is set; where nothing was remembered it is
 * looked for on GitHub.
 */
export async function findOpenedCheck(
  head: Head,
  { repository, results, markerSecret }: Look,
  { fresh }: { readonly fresh: boolean },
): Promise<OpenedCheck | undefined> {
  const { check: name, headSha, openKey } = head;
  const id = (await results(openKey))?.checkRunId;
  if (id !== undefined) return fresh ? repository.getCheckRun(id) : { id, status: "unknown" };
  const externalId = externalIdFor({ kind: "check.open", key: openKey }, markerSecret);
  return repository.findCheckRun({ headSha, name, externalId });
}
