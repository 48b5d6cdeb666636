import { isDeepStrictEqual } from "node:util";
import { EFFECT_CATALOGUE, type Effect } from "../../src/domain/effects.ts";
import { findBrokenLink, type NewEvent, parseEvent } from "../../src/domain/events.ts";
import type { Gate } from "../../src/domain/gates.ts";
import { ACTIVE_STATUSES, type RunStatus } from "../../src/domain/phases.ts";
import { atLeast, subjectKey } from "../../src/domain/subjects.ts";
import { decideIssue } from "../../src/pipeline/implement/decide.ts";
import { replayImplementation } from "../../src/pipeline/implement/evolve.ts";
import { headOf, type Implementation, isAtWork, openGates } from "../../src/pipeline/implement/implementation.ts";
import { statusOf } from "../../src/pipeline/implement/status-of.ts";
import { nextWork } from "../../src/pipeline/implement/work/run-work.ts";
import { ISSUE, PEOPLE } from "./cast.ts";
import type { Committed } from "./ledger.ts";
import { illegal } from "./legal.ts";
import type { World } from "./world.ts";

/** Each looks at one decision that was written. */
const AFTER_DECISIONS = {
  isRepeatable,
  intendsItsEffects,
  keepsItsKeys,
  speaksAtTheEnd,
  isAllowed,
  isShut,
} as const;

/** Each looks at all there is. */
const ALWAYS = { hasOneActiveRun, isLegal, isThereOnce, isWithinMoney } as const;

/** @returns how many invariants were looked at */
export function checkCommitted(world: World, committed: Committed): number {
  for (const [name, check] of Object.entries(AFTER_DECISIONS)) {
    const what = check(world, committed);
    if (what !== undefined) world.broken(`${name}: ${what}`);
  }
  return Object.keys(AFTER_DECISIONS).length;
}

export function checkWorld(world: World): number {
  for (const [name, check] of Object.entries(ALWAYS)) {
    const what = check(world);
    if (what !== undefined) world.broken(`${name}: ${what}`);
  }
  return Object.keys(ALWAYS).length;
}

type Found = string | undefined;

/** PIPE-2: deciding is a function of what it is given. */
function isRepeatable(_world: World, { view, input, decision }: Committed): Found {
  return isDeepStrictEqual(decideIssue(view, input), decision) ? undefined : `${input.type} is decided in two ways`;
}

/** Which fact has to be in the same decision as an effect. */
const INTENDED: Partial<Record<Effect["kind"], RegExp>> = {
  "issue.status": /./,
  "plan.show": /^(?:plan\.|gate\.|run\.completed)/,
  "gate.show": /^gate\./,
  "branch.push": /^(?:work\.completed|run\.resumed|branch\.(?:pushed|taken))/,
  "pull.open": /^(?:branch\.pushed|run\.resumed)/,
  "pull.ready": /^pull\.ready/,
  "pull.describe": /^pull\.ready/,
  "check.complete": /^test\./,
  "comment.react": /^(?:comment\.taken|command\.)/,
  "comment.reply": /^(?:command\.|work\.completed)/,
};

function intendsItsEffects(_world: World, { decision }: Committed): Found {
  const types = decision.appends.flatMap(({ events }) => events.map(({ type }) => type));
  for (const { kind, key, payload } of decision.effects.flatMap(({ effects }) => effects)) {
    if (!types.some((type) => INTENDED[kind]?.test(type))) return `${key} follows from ${types.join(", ")}`;
    const parsed = EFFECT_CATALOGUE[kind].safeParse(JSON.parse(JSON.stringify(payload)));
    if (!parsed.success) return `${key} does not fit its schema: ${parsed.error.message}`;
  }
  return undefined;
}

/** GH-13: a key stands for one thing. Of two answers in a thread about one head the first one stays. */
function keepsItsKeys({ ledger }: World, { decision }: Committed): Found {
  for (const effect of decision.effects.flatMap(({ effects }) => effects)) {
    const known = ledger.effects.get(effect.key)!.effect;
    if (effect.kind === "comment.reply" || isDeepStrictEqual(known, effect)) continue;
    return `${effect.key} is planned anew with other content`;
  }
  return undefined;
}

const ENDS = /^run\.(?:completed|failed|cancelled|stopped)$/;

/** GH-12a: nothing ends or stops without saying so, but where nothing can be written any more. */
function speaksAtTheEnd(_world: World, { decision, input }: Committed): Found {
  if (input.type === "subject.gone") return undefined;
  const effects = decision.effects.flatMap(({ effects: all }) => all);
  for (const { runId, events } of decision.appends) {
    const end = events.find(({ type }) => ENDS.test(type));
    if (!end) continue;
    const status = effects.find(({ kind, key }) => kind === "issue.status" && key.includes(runId));
    if (status?.kind !== "issue.status") return `${end.type} says nothing`;
    if (!status.payload.status.ending) return `${end.type} is not told as an ending`;
    if (!decision.jobs.some(({ kind }) => kind === "effects")) return `${end.type} waits for somebody to tell it`;
  }
  return undefined;
}

/** SAFE-3, GH-14, GH-14a: what needs somebody's yes has it, from somebody who may say it, for this very content. */
function isAllowed(world: World, { decision, input }: Committed): Found {
  for (const { runId, events } of decision.appends) {
    const run = world.ledger.runs.get(runId);
    if (!run) continue;
    for (const event of events) {
      const found = answered(run, event, input) ?? entered(run, event) ?? readied(run, event);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function answered(run: Implementation, event: NewEvent, { at, type }: Committed["input"]): Found {
  if (event.type !== "gate.approved" && event.type !== "gate.rejected") return undefined;
  const gate = run.gates.find((one) => one.gate === event.payload.gate)!;
  const by = PEOPLE.find(({ id }) => id === event.actor?.id);
  if (!by) return `${event.type} by nobody, from ${type}`;
  const wasAsked =
    gate.question.type === "question" && (by.id === run.requestedBy.id || by.id === run.issue.body.by.id);
  if (!atLeast(by.role, gate.needs) && !wasAsked)
    return `${by.login} (${by.role}) answered ${gate.gate}, which needs ${gate.needs}`;
  const isRisky = "risk" in gate.question && (gate.question.risk === "high" || gate.question.risk === "critical");
  const isOwn = by.id === run.requestedBy.id && run.configuration?.safety.separation_of_duties !== false;
  if (event.type === "gate.approved" && isRisky && isOwn) return `${by.login} approved of the risk of their own work`;
  if (
    gate.question.type !== "question" &&
    Date.parse(gate.deadline) <= Date.parse(at) &&
    event.type === "gate.approved"
  )
    return `${gate.gate} was approved after its deadline`;
  return undefined;
}

const isYes = ({ standing }: Gate) => standing.is === "approved";

function entered(run: Implementation, event: NewEvent): Found {
  if (event.type !== "phase.entered" || "ends" in event.payload || event.payload.phase !== "implementation") return;
  const { plan, estimate } = run.plan!;
  const { gates, confirm_over_usd: most } = run.configuration!.safety;
  const isRisky = plan.risk.level === "high" || plan.risk.level === "critical";
  const wanted = gates.architecture_approval;
  const needsYes = wanted === "always" || (isRisky && wanted !== "off") || estimate.highUsd > most;
  const yes = run.gates.some((gate) => gate.question.type === "architecture_approval" && isYes(gate));
  return needsYes && !yes ? `implements a plan of ${plan.risk.level} risk without a yes` : undefined;
}

function readied(run: Implementation, event: NewEvent): Found {
  if (event.type !== "pull.ready") return undefined;
  const { reviewed, work, tests } = run;
  const head = headOf(run);
  const yes = (type: string) =>
    run.gates.some((gate) => gate.question.type === type && gate.headSha === head && isYes(gate));
  if (!work || event.payload.headSha !== work.headSha) return "ready with another head";
  if (!reviewed || reviewed.headSha !== head) return "ready without a review of its head";
  if (reviewed.blocking > 0 && !yes("security_finding")) return "ready with blocking findings";
  if ((reviewed.risk === "high" || reviewed.risk === "critical") && !yes("high_risk_change"))
    return "ready with a high risk";
  if (!tests || tests.headSha !== head) return "ready without tests of its head";
  const isGreen =
    tests.outcome !== "failed" ||
    (tests.failures.length > 0 && tests.failures.every((one) => one.class === "existing" || one.class === "flaky"));
  const couldRun = tests.outcome !== "not_run" || tests.nothingToRun === true;
  if ((!isGreen || !couldRun || tests.weakened.length > 0) && !yes("test_failure")) return "ready with failing tests";
  return undefined;
}

/** PIPE-6: the events alone give the state, as they come back from the database. */
function isShut(world: World, { decision }: Committed): Found {
  for (const { runId } of decision.appends) {
    const run = world.ledger.runs.get(runId);
    // A look at all events of a run costs more than all else: every so often is enough, and always at its end.
    if (!run || !(run.end || run.version % 7 === 0)) continue;
    const events = world.ledger.events.get(runId)!;
    const stored = events.map((event) => parseEvent(JSON.parse(JSON.stringify(event))));
    if (findBrokenLink(events) !== undefined) return "the chain of events is broken";
    if (!isDeepStrictEqual(replayImplementation(stored), run)) return `the events of ${runId} give another state`;
  }
  return undefined;
}

function hasOneActiveRun({ ledger }: World): Found {
  const active = [...ledger.rows.values()].filter(({ status }) =>
    (ACTIVE_STATUSES as readonly RunStatus[]).includes(status),
  );
  return active.length > 1 ? `${active.length} runs are active` : undefined;
}

const judged = new WeakMap<Implementation, readonly string[]>();

function isLegal({ ledger }: World): Found {
  for (const run of ledger.runs.values()) {
    const laws = judged.get(run) ?? illegal(run);
    judged.set(run, laws);
    if (laws[0] !== undefined) return `${run.runId}: ${laws.join("; ")}`;
  }
  return undefined;
}

/** GH-13: on GitHub nothing is there twice. */
function isThereOnce({ github, ledger }: World): Found {
  const markers = [...github.comments.values()].map(({ marker }) => marker);
  const twice = markers.find((marker, index) => markers.indexOf(marker) !== index);
  if (twice !== undefined) return `two comments are ${twice}`;
  const opened = new Map<string, number>();
  for (const { marker } of github.pulls.values()) {
    const runId = ledger.effects.get(marker)!.runId;
    if (opened.has(runId)) return `${runId} has two pull requests`;
    opened.set(runId, 1);
  }
  return undefined;
}

function isWithinMoney({ ledger, spentUsd }: World): Found {
  for (const { runId, costUsd, configuration } of ledger.runs.values()) {
    const { extensions } = ledger.facts;
    const added = extensions?.runId === runId ? extensions.usd : 5 * 50;
    const spent = spentUsd.get(runId) ?? 0;
    if (configuration && spent > configuration.safety.cost.run + added) return `${runId} spent ${spent}`;
    if (costUsd > spent + 20) return `${runId} says that it cost ${costUsd}, and spent ${spent}`;
  }
  return undefined;
}

/** When nobody does anything any more every run has ended or waits for somebody who can be named, and GitHub says so. */
export function checkRest(world: World): void {
  const { ledger, github } = world;
  for (const run of ledger.runs.values()) {
    const { runId, status, stopped, pull, end } = run;
    const isReady = status === "waiting" && pull?.ready === true && nextWork(run).is === "look";
    if (!end && !stopped && openGates(run).length === 0 && !isReady) {
      world.broken(
        `comesToRest: ${runId} is ${status} in ${run.phase} (next: ${nextWork(run).is}), and nothing will happen`,
      );
    }
    if (isAtWork(run)) world.broken(`comesToRest: ${runId} is at work, and nobody works`);
    const shown = [...github.comments.values()].find(({ marker }) => marker === `status:${runId}`);
    const failed = [...ledger.effects.values()].some(
      ({ effect, state }) => effect.kind === "issue.status" && state === "failed",
    );
    if (shown && !failed && !isDeepStrictEqual(JSON.parse(shown.text), JSON.parse(JSON.stringify(statusOf(run))))) {
      world.broken(
        `comesToRest: the status of ${runId} is out of date: ${shown.text}\n${JSON.stringify(statusOf(run))}`,
      );
    }
    for (const gate of run.gates) {
      const comment = [...github.comments.values()].find(({ marker }) => marker === `gate:${runId}/${gate.gate}`);
      const lost = [...ledger.effects.values()].some(
        ({ effect, state }) => effect.kind === "gate.show" && state === "failed",
      );
      if (comment && !lost && comment.text !== gate.standing.is) {
        world.broken(`comesToRest: the comment of ${gate.gate} says ${comment.text}, and it is ${gate.standing.is}`);
      }
    }
  }
  const left = [...ledger.effects.values()].find(({ state }) => state === "planned" || state === "sending");
  if (left) world.broken(`comesToRest: ${left.effect.key} of ${subjectKey(ISSUE)} was never carried out`);
}
