import type { FeedbackReceived } from "../../../domain/inputs.ts";
import type { ProductionFeedback } from "../../../domain/production-feedback.ts";
import { both, type Decision, withOwnEvents } from "../../runs/decision.ts";
import { currentStep, isObserved, type Observed } from "../deployment.ts";
import { moved } from "../move.ts";
import { rollBack } from "../steps.ts";
import type { EnvironmentView } from "../view.ts";

type Alert = Extract<ProductionFeedback, { is: "alert" }>;

/**
 * An alert about the version that is deployed or watched takes it back, where the repository names the alert (MON-1): whatever else the
 * message leads to. One that began before the version had any traffic, or that names another version, says nothing of it.
 */
export function withAlert(
  view: Pick<EnvironmentView, "active" | "facts">,
  decision: Decision,
  { standing, subject, at }: FeedbackReceived,
): Decision {
  const { active: run, facts } = view;
  const { feedback } = standing;
  if (feedback.is !== "alert" || feedback.resolved || standing.resolved || !isObserved(run)) return decision;
  if (!isNamed(run, feedback) || !isOfVersion(run, feedback, standing.firstAt)) return decision;
  const { own = [], ...move } = rollBack(run, at, "alert", reasonOf(feedback));
  const { ignored: _counted, ...told } = decision;
  const joined = both(told, moved(run, facts.version, { ...move, wake: true }, at));
  return own.length === 0 ? joined : withOwnEvents(joined, { subject, version: facts.version }, own);
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
