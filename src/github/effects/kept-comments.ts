import { numberOf, type Subject } from "../../domain/subjects.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { showGate as gateEffect } from "../../pipeline/runs/gates/evolve-gates.ts";
import type { ReviewComment } from "../github-repository.ts";
import { findMarker, type Marked, markerFor } from "../marker.ts";
import { mergeText } from "../words/check/merge-text.ts";
import { deploymentText } from "../words/deploy/deployment-text.ts";
import { gateText } from "../words/gate/gate-text.ts";
import { implementationStatusText } from "../words/work/implementation-status-text.ts";
import { planText } from "../words/work/plan-text.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";

/** The comment as it stands on GitHub, if it does. */
interface Own {
  readonly own: ReviewComment | undefined;
}

/** The status comment of an implementation: one for each run, edited in place (GH-12). */
export const showStatus: EffectHandler<"issue.status", Own> = {
  find: async (effect, look) => ({ there: await findKept(effect, statusMark(effect), look) }),
  send: async (effect, there, ports) => {
    const text = implementationStatusText(effect.payload.status, ports.wording, effect.runId);
    const mark = statusMark(effect);
    return keep(effect.subject, there ?? (await findKept(effect, mark, ports)), { mark, text }, ports);
  },
};

/** The plan of a run, later with how it was answered: one comment for each run, edited in place (PLAN-1). */
export const showPlan: EffectHandler<"plan.show", Own> = {
  find: async (effect, look) => ({ there: await findKept(effect, planMark(effect), look) }),
  send: async (effect, there, ports) => {
    const text = planText(effect.payload, ports.wording);
    const mark = planMark(effect);
    return keep(effect.subject, there ?? (await findKept(effect, mark, ports)), { mark, text }, ports);
  },
};

/** The comment of a gate: made when it is asked, edited in place when it is answered or void. */
export const showGate: EffectHandler<"gate.show", Own> = {
  find: async (effect, look) => ({ there: await findGate(effect, look) }),
  send: async (effect, there, ports) => {
    const { gate } = effect.payload;
    const isNew = gate.standing.is === "open";
    const found = there ?? (isNew ? { own: undefined } : await findGate(effect, ports));
    const text = gateText(gate, ports.wording, effect.subject.kind);
    return keep(effect.subject, found, { mark: gateMark(effect), text }, ports);
  },
};

/** How the merging by Forge itself stands: one comment for each pull request, edited in place (SAFE-4). */
export const showMerging: EffectHandler<"merge.show", Own> = {
  find: async (effect, look) => ({ there: await findKept(effect, mergeMark(effect), look) }),
  send: async (effect, there, ports) => {
    const text = mergeText(effect.payload.standing, ports.wording);
    const mark = mergeMark(effect);
    return keep(effect.subject, there ?? (await findKept(effect, mark, ports)), { mark, text }, ports);
  },
};

/** How a deployment goes: one comment for each run, edited in place (DEP-1). */
export const showDeployment: EffectHandler<"deploy.show", Own> = {
  find: async (effect, look) => ({ there: await findKept(effect, deployMark(effect), look) }),
  send: async (effect, there, ports) => {
    const text = deploymentText(effect.payload.standing, ports.wording);
    const mark = deployMark(effect);
    return keep(effect.subject, there ?? (await findKept(effect, mark, ports)), { mark, text }, ports);
  },
};

const deployMark = ({ runId }: EffectOf<"deploy.show">): Marked => ({ kind: "deploy", key: runId });
const mergeMark = ({ runId }: EffectOf<"merge.show">): Marked => ({ kind: "merge", key: runId });
const statusMark = ({ runId }: EffectOf<"issue.status">): Marked => ({ kind: "status", key: runId });
const planMark = ({ runId }: EffectOf<"plan.show">): Marked => ({ kind: "plan", key: runId });
/** The same in all its states, so that there is one comment for each gate. */
const gateMark = ({ payload: { gate } }: EffectOf<"gate.show">): Marked => ({
  kind: "gate",
  key: `${gate.runId}/${gate.gate}`,
});

async function findKept({ subject }: { readonly subject: Subject }, mark: Marked, look: Look): Promise<Own> {
  return findOwn(subject, mark, (await look.earlier())?.commentId, look);
}

/** An answer within seconds is shown before GitHub's lists have the comment: what was remembered of its asking counts first (GH-13). */
async function findGate(effect: EffectOf<"gate.show">, look: Look): Promise<Own> {
  const { subject, payload } = effect;
  const asked = gateEffect(subject, { ...payload.gate, standing: { is: "open" } });
  return findOwn(subject, gateMark(effect), (await look.results(asked.key))?.commentId, look);
}

/** By what was remembered of its making, else by its marker, so that neither a crash nor a list that lags behind makes a second one (GH-13). */
async function findOwn(
  subject: Subject,
  mark: Marked,
  known: number | undefined,
  { repository, markerSecret }: Look,
): Promise<Own> {
  const remembered = known === undefined ? undefined : await repository.findComment(known);
  if (remembered) return { own: remembered };
  const there = await repository.listComments(numberOf(subject));
  return { own: there.find(({ byBot, body }) => byBot && findMarker(body, mark, markerSecret)) };
}

/**
 * Made once and edited in place; nothing is written where it says the same already. One that somebody deleted is made anew: what it says
 * has to be said somewhere (GH-12a).
 */
async function keep(
  subject: Subject,
  { own }: Own,
  { mark, text }: { readonly mark: Marked; readonly text: string },
  { write, markerSecret }: Send,
): Promise<EffectOutcome> {
  const body = `${text}\n${markerFor(mark, markerSecret)}`;
  if (!own) return { kind: "done", result: { commentId: (await write.createComment(numberOf(subject), body)).id } };
  if (own.body !== body) await write.updateComment(own.id, body);
  return { kind: "done", result: { commentId: own.id } };
}
