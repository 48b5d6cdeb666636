import type { DeployedChange } from "../../../domain/deployments.ts";
import type { ExplainedMoment } from "../../../domain/explanations.ts";
import type { MetricVerdict, Verdict } from "../../../domain/samples.ts";
import type { Deployment, StepState } from "../deployment.ts";
import { standingOf } from "../standing-of.ts";

/** What the deployer is asked to explain. Whether it goes on is not its question (DEP-3). */
export const TO_EXPLAIN: Readonly<Record<ExplainedMoment["is"], string>> = {
  proposed:
    "Nothing of this version is deployed yet, and a person can still say no. Look at the version, and explain what of it may fail in use.",
  rolled_back: "The judge, an alert, or a failed step took this version back. Explain why.",
  unclear:
    "The judge cannot tell whether this version is healthy, so people are asked. Explain what is missing to tell, and what the numbers show so far.",
  degraded: "This version stayed and is worse than it should be. Explain in what.",
};

/** A deployment as Forge recorded it, in lines of plain text for a model; titles, logins and what workflows say are of others. */
export function describeDeployment(run: Deployment): string {
  const { shares, is, previous, risk, changes, more, direct, environment } = standingOf(run);
  const { observed, deploy, back, end, steps, verified } = run;
  const { migrations = [] } = observed?.facts ?? {};
  const landings = observed?.facts.coverage?.landings ?? [];
  return [
    `environment: ${environment}`,
    `version: ${deploy.sha}`,
    `version before: ${previous ?? "not known"}`,
    `state: ${is}`,
    `planned shares of the traffic: ${shares.map((share) => `${share} %`).join(", ")}`,
    `risk: ${risk ?? "not known"}`,
    ...(verified ? [`built and tested: ${verified.is}, ${verified.summary}`] : []),
    ...migrations.map((path) => `changes the form of a database: ${path}`),
    ...steps.flatMap(describeStep),
    ...(back
      ? [`taken back to ${back.to ?? "nothing, as there is no earlier version"}: ${back.why}, ${back.reason}`]
      : []),
    ...(end ? [`ended: ${end.outcome}${end.reason === undefined ? "" : `, ${end.reason}`}`] : []),
    ...changes.map(describeChange),
    ...(more > 0 ? [`${more} more changes`] : []),
    ...(direct > 0 ? [`${direct} commits without a pull request`] : []),
    ...landings.map(({ sha, title }) => `commit ${sha.slice(0, 7)}: ${title}`),
  ].join("\n");
}

function describeStep({ planned, outcome, verdict, unclear, promoted }: StepState): string[] {
  const { marker, task, sha, percentage } = planned;
  const said = outcome.detail === undefined ? "" : `, ${outcome.detail}`;
  return [
    `step ${marker.step + 1}: ${task} of ${sha.slice(0, 7)} at ${percentage} % of the traffic: ${outcome.is}${said}`,
    ...(verdict ? describeVerdict(verdict) : []),
    ...(unclear ? [`  people were asked${promoted ? ", and one let it go on" : ""}`] : []),
  ];
}

function describeVerdict({ is, follows, metrics, sourceErrors }: Verdict): string[] {
  return [
    `  the judge: ${is}, so ${follows}`,
    ...metrics.map(describeMetric),
    ...sourceErrors.map((error) => `  not read: ${error}`),
  ];
}

/** Rates are shares of 1, latencies milliseconds. */
function describeMetric({ metric, is, baseline, canary, control, ratio, of, controlOf, why }: MetricVerdict): string {
  const numbers = Object.entries({
    new: canary,
    before: control,
    times: ratio,
    "new rests on": of,
    "before rests on": controlOf,
  });
  const known = numbers.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return `  ${metric}: ${is}, ${why} (${[...known, `compared with ${baseline}`].join("; ")})`;
}

function describeChange({ number, title, risk, reviewed, tests, open }: DeployedChange): string {
  const facts = [
    ...(risk === undefined ? [] : [`${risk} risk`]),
    ...(reviewed === undefined ? [] : [`review: ${reviewed}`]),
    ...(tests === undefined ? [] : [`tests ${tests}`]),
    `${open} open findings`,
  ];
  return `pull request #${number} (${facts.join(", ")}): ${title}`;
}
