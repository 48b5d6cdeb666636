import type { FeedbackReceived } from "../../../domain/inputs.ts";
import type { FeedbackStanding, ProductionFeedback } from "../../../domain/production-feedback.ts";
import { both, type Decision, withOwnEvents } from "../../runs/decision.ts";
import { currentStep, isObserved, type Observed } from "../deployment.ts";
import { moved } from "../move.ts";
import { rollBack } from "../steps.ts";
import type { EnvironmentView } from "../view.ts";
import { newsOf } from "./news-of.ts";

type Alert = Extract<ProductionFeedback, { is: "alert" }>;

/**
 * An alert about the version that is deployed or watched takes it back, where the repository names the alert (MON-1): whatever else the
 * messages lead to. One that began before the version had any traffic, or that names another version, says nothing of it. Of several the
 * first is the reason.
 */
export function withAlerts(
  view: Pick<EnvironmentView, "active" | "facts" | "feedback">,
  decision: Decision,
  { subject, messages, at }: FeedbackReceived,
): Decision {
  const { active: run, facts } = view;
  if (!isObserved(run) || !view.feedback) return decision;
  const { news, later } = newsOf(view.feedback, subject, messages, at);
  const standings = [...news.map(({ standing }) => standing), ...later];
  const alert = standings.flatMap((standing) => alertOn(run, standing) ?? [])[0];
  if (!alert) return decision;
  const { own = [], ...move } = rollBack(run, at, "alert", reasonOf(alert));
  const { ignored: _counted, ...told } = decision;
  const joined = both(told, moved(run, facts.version, { ...move, wake: true }, at));
  return own.length === 0 ? joined : withOwnEvents(joined, { subject, version: facts.version }, own);
}

/** The alert that a standing is about, where it takes the version back. */
function alertOn(run: Observed, { feedback, resolved, firstAt }: FeedbackStanding): Alert | undefined {
  if (feedback.is !== "alert" || feedback.resolved || resolved) return undefined;
  return isNamed(run, feedback) && isOfVersion(run, feedback, firstAt) ? feedback : undefined;
}

function isNamed({ observed }: Observed, { name }: Alert): boolean {
  const { roll_back_on: names } = observed.settings;
  return names.includes(name) || names.includes("*");
}

/** Labels by which alerts name the version that they are about. */
const VERSION_LABELS = ["version", "sha", "commit", "release"] as const;

function isOfVersion(run: Observed, { labels, startsAt }: Alert, firstAt: string): boolean {
  const [first] = run.steps;
  const step = currentStep(run);
  if (!first || !step || run.back || step.planned.task === "rollback") return false;
  // Of clocks that differ the later moment is believed: Forge heard of nothing before it began.
  const begun = Math.min(Date.parse(startsAt ?? firstAt), Date.parse(firstAt));
  if (begun < Date.parse(first.startedAt)) return false;
  const named = VERSION_LABELS.map((label) => labels[label]).find((value) => value !== undefined);
  return named === undefined || isSha(named, run.deploy.sha);
}

/** By its first seven digits at least, also at the end of a name, as `shop@3f2c1ab`. */
function isSha(written: string, sha: string): boolean {
  const digits = /(?:^|[^0-9a-z])([0-9a-f]{7,40})$/i.exec(written)?.[1];
  return digits !== undefined && sha.startsWith(digits.toLowerCase());
}

/** As a sentence without its end; the words of the alert are cut here, and neutralised where they are shown. */
function reasonOf({ name, summary }: Alert): string {
  const said = summary === "" ? "" : `: ${summary.slice(0, 200)}`;
  return `the alert ${name.slice(0, 100)} began while it was deployed or watched${said}`;
}
