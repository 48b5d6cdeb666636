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
import { type EffectHandler, type Look, nothingToFind } from "./effect-ports.ts";
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

const COMPLETE = { kind: "obsolete", reason: "the check is complete" } as const;

/** Says on the check of a head that its review waits for a person, or that it goes on. Sent twice it says the same. */
export const waitCheck: EffectHandler<"check.wait", undefined> = {
  find: nothingToFind,
  send: async (effect, _, ports) => {
    const { request, ...head } = effect.payload;
    const checkRun = await findOpenedCheck(head, ports, { fresh: true });
    // The answer may have come and the review ended before this was written.
    if (!checkRun || checkRun.status === "completed") return COMPLETE;
    const output = request ? waitingOutput(request) : startedOutput(head.headSha, head.check);
    const buttons = request ? gateButtons(request.gate) : [];
    await ports.write.updateCheckRun(checkRun.id, { status: "in_progress", output, buttons });
    return { kind: "done", result: { checkRunId: checkRun.id } };
  },
};

/** Says on the check of a head that its review goes on later. Sent twice it says the same. */
export const parkCheck: EffectHandler<"check.park", undefined> = {
  find: nothingToFind,
  send: async (effect, _, ports) => {
    const { until, ...head } = effect.payload;
    const checkRun = await findOpenedCheck(head, ports, { fresh: true });
    if (!checkRun || checkRun.status === "completed") return COMPLETE;
    const output = parkedOutput(head.headSha, until);
    await ports.write.updateCheckRun(checkRun.id, { status: "in_progress", startedAt: ports.now(), output });
    return { kind: "done", result: { checkRunId: checkRun.id } };
  },
};

/** Says on the check of a head what its review does at the moment. Sent twice it says the same. */
export const progressCheck: EffectHandler<"check.progress", undefined> = {
  find: nothingToFind,
  send: async (effect, _, ports) => {
    const { activity, ...head } = effect.payload;
    const checkRun = await findOpenedCheck(head, ports, { fresh: true });
    if (!checkRun || checkRun.status === "completed") return COMPLETE;
    const output = progressOutput(head.headSha, activity, ports.wording);
    await ports.write.updateCheckRun(checkRun.id, { status: "in_progress", output });
    return { kind: "done", result: { checkRunId: checkRun.id } };
  },
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
          conclusion: DEPLOY_CONCLUSIONS[standing.end.outcome],
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
