import type { DeployStanding, ReleaseStanding, StepOutcome } from "../../../domain/deployments.ts";
import { folded, foreignCode, foreignLine, moment, shortSha, type Wording, withFullStop } from "../wording.ts";
import { broughtFacts, changesTable } from "./changes-text.ts";
import { coverageLines, uncoveredHeadline, yesTo } from "./coverage-text.ts";
import { heldLine, named, whyNotDeployed } from "./deploy-refusals.ts";
import { explainedText, proposedSteps } from "./explained-text.ts";
import { isCompared, verdictTable, verdictWords } from "./verdict-text.ts";

/**
 * How a deployment goes, in one comment that moves: the step with its share of the traffic, the verdict with its numbers, what is looked at
 * next and when, and who can stop it; at the end, what became of it.
 */
export function deploymentText(standing: DeployStanding, wording: Wording): string {
  const { hold, environment } = standing;
  const steps = stepsTable(standing, wording);
  const verdict = verdictPart(standing, wording);
  const changes = [...changesTable(standing, wording), ...coverageLines(standing.coverage, environment, wording)];
  return [
    standing.end ? endSentence(standing, wording) : nowLine(standing, wording),
    ...(hold ? [heldLine(environment, hold, wording)] : []),
    ...acceptedLine(standing, wording),
    ...overriddenLine(standing, wording),
    ...otherCommitLine(standing),
    ...verdict,
    ...explainedPart(standing, wording),
    ...(standing.end ? [] : nextPart(standing)),
    ...(steps.length === 0 || !standing.end ? steps : [folded("steps", steps.join("\n\n"))]),
    ...(changes.length === 0 || standing.is === "asking" ? [] : [folded("what it brings", changes.join("\n\n"))]),
    factsLine(standing, wording),
  ].join("\n\n");
}

/** What a model says of it, and proposes. */
function explainedPart({ explained, environment, shares }: DeployStanding, wording: Wording): string[] {
  if (!explained) return [];
  return [explainedText(explained, wording), ...proposedSteps(explained, environment, shares)];
}

/** Who let it go there although not all of it was looked at, and why (DEP-4). */
function acceptedLine({ accepted, coverage }: DeployStanding, wording: Wording): string[] {
  const missing = uncoveredHeadline(coverage);
  if (!accepted || missing === undefined) return [];
  return [
    `**Not covered**: ${missing}. ${foreignCode(accepted.by, wording)} let it go there: ${withFullStop(foreignLine(accepted.reason, wording))}`,
  ];
}

/** Who passed the check of a deployment that ended badly, and why. */
function overriddenLine({ overridden, environment }: DeployStanding, wording: Wording): string[] {
  if (!overridden) return [];
  const by = `${foreignCode(overridden.by, wording)} overrode the check \`forge/deploy\``;
  return [
    `**Overridden**: ${by}: ${withFullStop(foreignLine(overridden.reason, wording))} The check passes on this commit. ${named(environment)} stays as it is.`,
  ];
}

/** A workflow that was started by hand or by Forge runs at the head of its branch, and Forge cannot see what it deploys (DEP-2). */
function otherCommitLine({ steps }: DeployStanding): string[] {
  const { sha, outcome } = steps.findLast((step) => step.outcome.ranOn !== undefined) ?? {};
  if (sha === undefined || outcome?.ranOn === undefined) return [];
  return [
    `**The workflow ran on \`${shortSha(outcome.ranOn)}\`, not on \`${shortSha(sha)}\`**: GitHub started it at the head of its branch. It deployed \`${shortSha(sha)}\` only if it checks out its input \`sha\`.`,
  ];
}

/** What goes on, as the first line of the comment and of `/forge status`. */
export function nowLine(standing: ReleaseStanding, wording: Wording): string {
  const { stopped } = standing;
  const by = stopped === undefined ? "" : ` · stopped by ${foreignCode(stopped.by, wording)}`;
  return `${lineOf(standing, wording)}${by}`;
}

function lineOf(standing: ReleaseStanding, wording: Wording): string {
  const { is, environment, sha, gate, back, verified } = standing;
  const what = `**${standing.cause === "rollback" ? "Going back to" : "Deploying"} \`${shortSha(sha)}\` ${standing.cause === "rollback" ? "in" : "to"} ${environment}**`;
  const last = standing.steps.at(-1);
  switch (is) {
    case "looking":
      return `${what} · what it brings is looked at`;
    case "verifying":
      return verified
        ? `${what} · ${withFullStop(foreignLine(verified.summary, wording))}`
        : `${what} · it is built and tested in the sandbox first`;
    case "asking":
      return gate
        ? `**Waiting for a person's yes to deploy \`${shortSha(sha)}\` to ${environment}** (${gate.gate}, until ${moment(gate.deadline)}): \`${yesTo(gate.gate, standing.coverage)}\`, \`/forge reject ${gate.gate} <reason>\`\nA separate comment says what it brings and how it is rolled back.`
        : `${what} · a person is asked`;
    case "announced":
      return `**Forge deploys \`${shortSha(sha)}\` to ${environment} at ${moment(standing.until ?? "")} unless someone comments \`/forge hold ${environment}\`**`;
    case "deploying":
      return `${what} · ${stepName(standing)} · ${last ? outcomeWords(last.outcome, wording) : "to begin"}`;
    case "baking":
      return `${what} · ${stepName(standing)} · ${judgedLine(standing)}`;
    case "watching":
      return `**All of ${environment} has \`${shortSha(sha)}\`** · it is watched · ${judgedLine(standing)}`;
    case "going_back":
      return `**Rolling ${environment} back${back?.to === undefined ? "" : ` to \`${shortSha(back.to)}\``}** · ${last ? outcomeWords(last.outcome, wording) : "to begin"}${why(standing, wording)}`;
    case "ended":
      return what;
  }
}

/** "step 2 of 4, 10 % of the traffic". */
function stepName({ steps, shares }: ReleaseStanding): string {
  const forward = steps.filter(({ task }) => task === (steps.at(-1)?.task ?? "deploy"));
  const share = forward.at(-1)?.percentage ?? shares[0] ?? 100;
  const many = shares.length > 1 ? `step ${Math.max(1, forward.length)} of ${shares.length}, ` : "";
  return `${many}${share} % of the traffic`;
}

function judgedLine({ steps, is }: ReleaseStanding): string {
  const step = steps.at(-1);
  if (step?.promoted) return "a person let it go on";
  if (!step?.verdict) return "nothing was measured yet";
  const words = step.verdict.is === "cannot_tell" ? "health unknown so far" : verdictWords(step.verdict);
  return step.unclear && is === "baking" ? `${words}, and people are asked` : words;
}

function why({ back, sha }: ReleaseStanding, wording: Wording): string {
  if (!back) return "";
  const by = back.by === undefined ? "" : `, by ${foreignCode(back.by, wording)}`;
  return `\n\`${shortSha(sha)}\` ${WHY_BACK[back.why] ?? "was taken back"}${by}: ${withFullStop(foreignLine(back.reason, wording))}`;
}

const WHY_BACK: Readonly<Record<string, string>> = {
  worse: "is worse than the version before it",
  disaster: "does not work",
  failed: "could not be deployed to the end",
  person: "was taken back",
  alert: "was followed by an alert",
};

export const OUTCOME_WORDS: Readonly<Record<StepOutcome["is"], string>> = {
  waiting: "it waits to begin",
  running: "it is under way",
  done: "deployed",
  failed: "it failed",
  never_started: "nothing began it in time",
  cancelled: "it was cancelled, by a person or by a later run of its concurrency group",
  foreign: "the run is not the one that Forge started, so it does not count",
  rejected: "it was refused",
  too_slow: "it did not end in time",
};

function outcomeWords({ is, detail, awaits }: StepOutcome, wording: Wording): string {
  if (awaits) return awaitsWords(awaits, wording);
  const said = detail === undefined ? "" : ` (${foreignLine(detail, wording, { table: true, maximum: 160 })})`;
  return `${OUTCOME_WORDS[is]}${said}`;
}

/** For whom GitHub holds the jobs back, and until when. */
function awaitsWords({ reviewers, until }: NonNullable<StepOutcome["awaits"]>, wording: Wording): string {
  const names = reviewers.map((name) => foreignCode(name, wording, { table: true })).join(" or ");
  const yes = names === "" ? [] : [`for a yes on GitHub by ${names}`];
  const time = until === undefined ? [] : [`until ${moment(until)}, by GitHub's wait timer`];
  const all = [...yes, ...time];
  return `it waits ${all.length === 0 ? "for a protection rule of its environment on GitHub" : all.join(", and ")}`;
}

/** How a deployment ended: one sentence that says what runs now, and what a person has to do. */
export function endSentence(standing: ReleaseStanding, wording: Wording): string {
  const { end, sha, environment, back, steps } = standing;
  const version = `\`${shortSha(sha)}\``;
  const reason = end?.reason === undefined ? "" : ` ${withFullStop(foreignLine(end.reason, wording))}`;
  switch (end?.outcome) {
    case "healthy":
      return healthySentence(standing);
    case "unwatched":
      return `**Deployed, and not judged**: ${version} runs in ${environment}, and its health is unknown. ${steps.at(-1)?.promoted ? "A person let it go on." : "Look at it yourself."} To go back: \`/forge rollback ${environment}\``;
    case "degraded":
      return `**Degraded**: ${version} runs in ${environment} and is worse than it should be, but not so much that Forge takes it back by itself (\`judge.rollback\`). A later rollback does not go back to this version. To go back now: \`/forge rollback ${environment}\` (maintain permission)`;
    case "rolled_back":
      return `**Rolled back**: ${environment} runs ${back?.to === undefined ? "the version before" : `\`${shortSha(back.to)}\``} again.${why(standing, wording)}`;
    case "rollback_failed":
      return `${failedBack(standing, reason)}${why(standing, wording)}`;
    case "refused":
      return `**Not deployed to ${environment}**: ${version} was refused. ${end.refusal ? whyNotDeployed(end.refusal, environment) : reason.trim()}`.trim();
    case "failed": {
      const why = end.reason === undefined ? "." : `: ${reason.trim()}`;
      const next = end.refusal
        ? whyNotDeployed(end.refusal, environment)
        : `To try again: \`/forge deploy ${environment}\``;
      return `**Not deployed to ${environment}**: ${version} failed${steps.length > 0 ? " on its way" : " before anything was deployed"}${why} ${next}`;
    }
    case "rejected":
      return `**Not deployed to ${environment}**: nobody let ${version} through.${reason} To ask again: \`/forge deploy ${environment}\``;
    case "held":
      return `**Not deployed to ${environment}**: ${version} was held.${reason} To deploy it anyway: \`/forge deploy ${environment}\` (maintain permission)`;
    case "superseded":
      return `**Not deployed to ${environment}**: a later version took the place of ${version}. Nothing to do.`;
    case undefined:
      return nowLine(standing, wording);
  }
}

/** What is known of a version that went all the way: as good as the last one only where it was compared with that. */
function healthySentence(standing: ReleaseStanding): string {
  const { sha, environment } = standing;
  const runs = `**Deployed**: \`${shortSha(sha)}\` runs in ${environment}`;
  const { verdict } = judged(standing) ?? {};
  if (verdict?.is === "better_or_equal") {
    return isCompared(verdict)
      ? `${runs}, was watched to the end, and is as good as the version before it.`
      : `${runs}, was watched to the end, and is good by itself. There was no version to compare it with.`;
  }
  return `${runs}. To go back: \`/forge rollback ${environment}\``;
}

/** Whether a version should have been taken back from an environment that had none before it. */
export function hadNoEarlier({ end, cause, back }: ReleaseStanding): boolean {
  return end?.outcome === "rollback_failed" && cause !== "rollback" && back?.to === undefined;
}

/** What a person finds, and does, where a version could not be taken back. @param reason why going back failed, with a blank before it */
function failedBack(standing: ReleaseStanding, reason: string): string {
  const { environment, sha, previous, back, cause } = standing;
  const release = `\`/forge release ${environment}\``;
  if (hadNoEarlier(standing))
    return `**Not rolled back: ${environment} has no earlier version to go back to. A person has to act now.** Traffic may still meet \`${shortSha(sha)}\`. Deploy a version that works by hand, or fix this one; then ${release}.`;
  const [to, from] = cause === "rollback" ? [sha, previous] : [back?.to ?? sha, sha];
  const left = from === undefined ? "" : ` Part of the traffic may still meet \`${shortSha(from)}\`.`;
  return `**The rollback of ${environment} failed: a person has to act now.**${reason === "" ? "" : ` Why:${reason}`}${left} Deploy \`${shortSha(to)}\` by hand, see that it runs, then ${release}.`;
}

/** The latest step that was judged. */
function judged({ steps }: ReleaseStanding) {
  return steps.findLast(({ verdict }) => verdict !== undefined);
}

function verdictPart(standing: DeployStanding, wording: Wording): string[] {
  const { verdict } = judged(standing) ?? {};
  return verdict ? verdictTable(verdict, wording) : [];
}

/** What is looked at next and when, and who can stop it or help it on. */
export function nextPart(standing: ReleaseStanding): string[] {
  const { is, environment, until, probeSeconds, steps, previous, stopped } = standing;
  const every = probeSeconds === undefined ? "Looked at now and then" : `Looked at every ${probeSeconds} s`;
  const rollback = `\`/forge rollback ${environment}\``;
  const hold = `\`/forge hold ${environment}\``;
  const last = steps.at(-1);
  if (stopped)
    return [
      `No further step begins by itself. What is there is looked at ${probeSeconds === undefined ? "now and then" : `every ${probeSeconds} s`}, and goes back by itself if it gets worse. To continue: \`/forge resume\`; to go back: ${rollback} (maintain permission).`,
    ];
  switch (is) {
    case "baking":
      return last?.unclear && !last.promoted
        ? [
            `**The health of this step is unknown, so Forge neither continues nor rolls back by itself.** To continue: \`/forge promote ${environment} <reason>\`; to go back: ${rollback} (maintain permission). ${previous === undefined ? "It is the first version that Forge deploys there, so there is none to compare it with." : "Where requests are too few, what helps next time is a longer `bake_minutes`, or a query by the operator of Forge (`judge.queries`)."}`,
          ]
        : [
            `${every}${until === undefined ? "" : `; the next step not before ${moment(until)}`}. To go back: ${rollback}; to continue without a result: \`/forge promote ${environment}\` (maintain permission).`,
          ];
    case "watching":
      return [
        `${every}${until === undefined ? "" : ` until ${moment(until)}`}. It goes back by itself where it gets worse; by hand: ${rollback} (maintain permission).`,
      ];
    case "deploying":
      return [
        ...(last?.outcome.awaits
          ? ["**No time limit of Forge runs while GitHub waits.** A no there ends this step."]
          : []),
        `To go back: ${rollback}; to keep later versions out: ${hold} (maintain permission).`,
      ];
    case "looking":
    case "verifying":
      return [`To end it: ${rollback}; to keep later versions out: ${hold} (maintain permission).`];
    case "announced":
      return [
        `${testedWords(standing)}${goesIn(standing)}. To object takes push permission, and ends this deployment only; with maintain permission \`/forge hold ${environment}\` keeps later versions out too. To begin now: \`/forge promote ${environment}\` (maintain permission).`,
      ];
    case "going_back":
    case "asking":
    case "ended":
      return [];
  }
}

function testedWords({ verified }: ReleaseStanding): string {
  return verified?.is === "passed" ? "It was built and its tests pass" : "Its tests could not be run here";
}

/** "; it goes to 5 %, 25 %, 100 % of the traffic". */
function goesIn({ shares }: ReleaseStanding): string {
  return shares.length > 1 ? `; it goes to ${shares.map((share) => `${share} %`).join(", ")} of the traffic` : "";
}

/** Two or three narrow columns; what is to come shares one row. */
function stepsTable(standing: DeployStanding, wording: Wording): string[] {
  const { steps, shares, is } = standing;
  if (steps.length === 0) return [];
  const rows = steps.map(({ task, percentage, sha, outcome, verdict, promoted }) => {
    const what = task === "rollback" ? `back to \`${shortSha(sha)}\`` : `${percentage} %`;
    const said = promoted ? "a person let it go on" : verdict ? verdictWords(verdict) : "";
    return `| ${what} | ${outcomeWords(outcome, wording)} | ${said} |`;
  });
  const forward = steps.filter(({ task }) => task === "deploy").length;
  const later = steps.some(({ task }) => task === "rollback") || is === "ended" ? [] : shares.slice(forward);
  const toCome = later.length === 0 ? [] : [`| ${later.map((share) => `${share} %`).join(" · ")} | to come | |`];
  return [["| traffic | state | verdict |", "|---|---|---|", ...rows, ...toCome].join("\n")];
}

function factsLine(standing: DeployStanding, wording: Wording): string {
  const { by, previous, risk, runId, steps, environment } = standing;
  const { url, logUrl } = steps.at(-1)?.outcome ?? {};
  return [
    `${named(environment)}, asked for by ${foreignCode(by, wording)}`,
    `${broughtFacts(standing)}${previous === undefined ? "" : ` since \`${shortSha(previous)}\``}`,
    ...(risk === undefined ? [] : [`${risk} risk`]),
    ...(url === undefined ? [] : [`at ${foreignCode(url, wording)}`]),
    ...(logUrl === undefined ? [] : [`its log: ${foreignCode(logUrl, wording)}`]),
    `run ${foreignCode(runId, wording)}`,
  ].join(" · ");
}
