import type { DeployStanding } from "../domain/deployments.ts";
import type { FeedbackStanding, ProductionFeedback, Suspicion } from "../domain/production-feedback.ts";
import type { MetricVerdict } from "../domain/samples.ts";
import type { Redact } from "../safety/redact.ts";
import { showText } from "../tools/data/show-text.ts";

/** What Forge's own record has of the thing that an issue of its own is about (PROD-1). */
export type Evidence =
  | { readonly of: "feedback"; readonly standing: FeedbackStanding }
  | { readonly of: "rollback"; readonly standing: DeployStanding };

const CHARACTERS = 12_000;
const FRAMES = 30;
const METRICS = 20;

/**
 * The evidence as an agent reads it before the words of the issue: fingerprint, stack, numbers, and the change that is suspected. All of it is
 * data of others, whatever the issue's text became since.
 */
export async function evidenceSections(evidence: Evidence | undefined, redact: Redact): Promise<string[]> {
  if (!evidence) return [];
  const lines = evidence.of === "feedback" ? feedbackLines(evidence.standing) : rollbackLines(evidence.standing);
  // What others wrote begins no line of its own.
  const whole = lines.map((line) => line.replace(/[\r\n]\s*/g, " ")).join("\n");
  const text = await showText({ from: "production", text: whole, prose: false, maxCharacters: CHARACTERS }, redact);
  return [
    `What production showed, by Forge's own record; find its cause first, and have a test show the fault before it is mended:\n${text}`,
  ];
}

function feedbackLines({ environment, feedback, times, firstAt, lastAt, resolved, suspicion }: FeedbackStanding) {
  return [
    `fingerprint: ${feedback.fingerprint}`,
    `environment: ${environment}`,
    ...(feedback.is === "error" ? errorLines(feedback) : alertLines(feedback)),
    `told ${times} times, first at ${firstAt}, last at ${lastAt}${resolved ? "; over now, as its source says" : ""}`,
    ...(suspicion ? suspicionLines(suspicion) : ["no deployment is suspected"]),
  ];
}

function errorLines(error: Extract<ProductionFeedback, { is: "error" }>): string[] {
  const { type, message, release, count, users, frames } = error;
  return [
    `error: ${[type, message].filter(Boolean).join(": ")}`,
    ...(release === undefined ? [] : [`in version: ${release}`]),
    ...(count === undefined ? [] : [`events: ${count}${users === undefined ? "" : `, of users: ${users}`}`]),
    ...(frames.length === 0 ? [] : ["stack, innermost first:"]),
    ...frames.slice(0, FRAMES).map(({ function: name = "?", file, line, inApp }) => {
      return `  ${inApp ? "" : "(library) "}${name}${file ? ` at ${file}${line ? `:${line}` : ""}` : ""}`;
    }),
  ];
}

function alertLines(alert: Extract<ProductionFeedback, { is: "alert" }>): string[] {
  const { name, summary, metric, current, baseline, startsAt, labels } = alert;
  return [
    `alert: ${name}`,
    ...(summary ? [summary] : []),
    ...(metric === undefined
      ? []
      : [`${metric}: ${current ?? "?"}${baseline === undefined ? "" : `, usually ${baseline}`}`]),
    ...(startsAt === undefined ? [] : [`began at ${startsAt}`]),
    ...Object.entries(labels).map(([label, value]) => `  ${label}=${value}`),
  ];
}

function suspicionLines({ is, sha, commit, file, line, pull }: Suspicion): string[] {
  return [
    `${is === "caused" ? "caused by" : "suspected"}: the deployment of ${sha}`,
    ...(pull === undefined ? [] : [`${is === "caused" ? "by" : "perhaps by"} pull request #${pull}`]),
    ...(commit === undefined ? [] : [`commit ${commit}${file ? `, ${file}${line ? ` line ${line}` : ""}` : ""}`]),
  ];
}

function rollbackLines({ environment, sha, previous, changes, more, direct, back, steps }: DeployStanding): string[] {
  const judged = steps.findLast(({ task, verdict }) => task === "deploy" && verdict !== undefined);
  return [
    `${sha} was rolled back in ${environment}${previous === undefined ? "" : `, where ${previous} runs again`}`,
    ...(back ? [`why: ${back.why}: ${back.reason}`] : []),
    ...(judged ? [`measured at ${judged.percentage} % of the traffic, the new version against the one before:`] : []),
    ...(judged?.verdict?.metrics.slice(0, METRICS).map(metricLine) ?? []),
    "it brought:",
    ...changes.map(({ number, title }) => `  pull request #${number}: ${title}`),
    ...(more + direct === 0 ? [] : [`  commits without a pull request or not looked at: ${more + direct}`]),
  ];
}

function metricLine({ metric, is, canary, control, of, controlOf, why }: MetricVerdict): string {
  const numbers =
    canary === undefined ? "" : ` ${canary} of ${of ?? "?"} against ${control ?? "?"} of ${controlOf ?? "?"},`;
  return `  ${metric}:${numbers} ${is.replaceAll("_", " ")} (${why})`;
}
