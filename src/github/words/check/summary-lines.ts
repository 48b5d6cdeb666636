import type { CheckReport } from "../../../domain/effects.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { Approval, QueuedPull } from "../../../domain/review-report.ts";
import {
  asksForPerson,
  COMPONENT_POINTS,
  levelOfRisk,
  type MendedShare,
  RISK_COMPONENTS,
  type RiskComponentName,
  type RiskFactor,
  type RiskReport,
} from "../../../domain/risk.ts";
import { count, foreignCode, foreignLine, shortSha, type Wording } from "../wording.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

/** The title of a merge group's check where a pull request in it decided; undefined where its own findings did. */
export function queuedTitle(conclusion: Conclusion, { queued = [], findings, blocking }: Reviewed): string | undefined {
  const pull = queued.find((one) => one.conclusion === conclusion && !one.overridden);
  if (!pull) return undefined;
  if (conclusion === "failure" && blocking === 0) {
    return `#${pull.number} is queued with ${count(pull.blocking, "blocking finding")}`;
  }
  if (conclusion === "action_required") return `#${pull.number} is queued and not fully reviewed`;
  if (conclusion === "neutral" && findings.length === 0) {
    return `Advisory findings in #${pull.number}, nothing blocking`;
  }
  return undefined;
}

/** Which pull requests a merge group holds, each with what its own check said. */
export function queuedLines({ queued = [] }: Reviewed): string[] {
  if (queued.length === 0) return [];
  const pulls = queued.map((pull) => `#${pull.number} at \`${shortSha(pull.headSha)}\` (${saidOf(pull)})`);
  return [`**Queued**: ${pulls.join(", ")}. The worst verdict counts.`];
}

const SAID: Readonly<Record<Conclusion, string>> = {
  success: "clean",
  neutral: "advisory findings",
  failure: "changes requested",
  action_required: "not fully reviewed",
  skipped: "left out",
  cancelled: "not reviewed",
};

function saidOf({ conclusion, overridden }: QueuedPull): string {
  return overridden ? "overridden" : SAID[conclusion];
}

/** From which head a verdict was carried over, and why it could be. */
export function carriedLines({ carried }: Reviewed): string[] {
  if (!carried) return [];
  const from = `\`${shortSha(carried.headSha)}\``;
  return carried.pull === undefined
    ? [`**Carried over** from ${from}: this push only merges the base branch, so Forge did not review it again.`]
    : [`**Carried over** from #${carried.pull} at ${from}: this group has the same files.`];
}

const SHORT: Readonly<Record<RiskComponentName, string>> = {
  changeSize: "size",
  complexity: "complexity",
  criticality: "criticality",
  testCoverage: "tests",
  authorExperience: "experience",
};

/**
 * "**Risk** 46, medium: size 14, complexity 11, criticality 12 (`auth/`), tests 6, experience 3.", and folded what it rests on. The number is
 * what the parts come to; what raises the level besides says so: "**Risk** 12, raised to critical (1 open secret): ...".
 */
export function riskLines(risk: RiskReport, wording: Wording, approval?: Approval): string[] {
  const { sum, level, components, planned } = risk;
  const [floor] = risk.floors.filter((one) => one.score > sum);
  const isRaised = floor !== undefined && level !== levelOfRisk(sum);
  const how = isRaised ? `raised to ${level} (${foreignLine(floor.reason, wording)})` : level;
  const whole = shownPoints(risk);
  const parts = RISK_COMPONENTS.map((name) => {
    const path = components[name].factors.find((factor) => factor.path !== undefined)?.path;
    const times = weightOf(risk, name);
    return `${SHORT[name]} ${whole[name]}${times}${path === undefined ? "" : ` (${foreignCode(path, wording)})`}`;
  });
  const wanted = asksForPerson(risk) ? " A person should look at this before it is merged." : "";
  const person = approval?.is === "approved" ? ` Approved by ${foreignCode(approval.by ?? "", wording)}.` : wanted;
  const past = risk.mended === undefined ? "" : ` ${fixedSentence(risk.mended)}`;
  const before = planned === undefined ? "" : `, planned as ${planned}`;
  return [`**Risk** ${sum}, ${how}${before}: ${parts.join(", ")}.${person}${past}`, folded(risk, wording)];
}

/** Points by which five parts can miss their sum once each is rounded. */
const ROUNDED = 2;

/** The points of the parts as whole numbers that add up to the sum: what is lost by rounding goes where it was most. With weights each is rounded by itself. */
function shownPoints({ components, sum, weights }: RiskReport): Readonly<Record<RiskComponentName, number>> {
  const shown = new Map(RISK_COMPONENTS.map((name) => [name, Math.round(components[name].points)]));
  if (weights === undefined) {
    const lost = (name: RiskComponentName) => components[name].points - (shown.get(name) ?? 0);
    let missing = sum - [...shown.values()].reduce((all, points) => all + points, 0);
    const step = Math.abs(missing) > ROUNDED ? 0 : Math.sign(missing);
    for (const name of RISK_COMPONENTS.toSorted((a, b) => step * (lost(b) - lost(a)))) {
      if (missing === 0 || step === 0) break;
      shown.set(name, (shown.get(name) ?? 0) + step);
      missing -= step;
    }
  }
  return Object.fromEntries(shown) as Record<RiskComponentName, number>;
}

/** " × 1.5", where the repository's history gives a component another weight than the others. */
function weightOf({ weights }: RiskReport, name: RiskComponentName): string {
  return weights === undefined || weights[name] === 1 ? "" : ` × ${weights[name]}`;
}

/** "Of 84 changes like this here, 11 were fixed within 90 days." */
function fixedSentence({ alike, mended: fixed, days }: MendedShare): string {
  return `Of ${alike} changes like this here, ${fixed} ${fixed === 1 ? "was" : "were"} fixed within ${days} days.`;
}

function folded(risk: RiskReport, wording: Wording): string {
  const { components, floors, weights, mended } = risk;
  const whole = shownPoints(risk);
  const facts = RISK_COMPONENTS.map((name) => {
    const { factors } = components[name];
    return `- ${SHORT[name]} ${whole[name]} of ${COMPONENT_POINTS}: ${factors.map((one) => fact(one, wording)).join(", ")}`;
  });
  const least = floors.map(({ score, reason, paths = [] }) => {
    const level = levelOfRisk(score);
    const where = paths.length > 0 ? `: ${paths.map((path) => foreignCode(path, wording)).join(", ")}` : "";
    return `- at least ${level}: ${foreignLine(reason, wording)}${where}`;
  });
  const fitted = "- × is how much a component counts here, by which earlier changes in this repository were fixed";
  const past = mended && [pastFact(mended)];
  const lines = [...facts, ...least, ...(weights ? [fitted] : []), ...(past ?? [])].join("\n");
  return `<details><summary>what the risk rests on</summary>\n\n${lines}\n\n</details>`;
}

function pastFact({ all, allMended }: MendedShare): string {
  const number = (value: number) => value.toLocaleString("en-US");
  return `- like this: with a score within 5 points of this one; ${number(allMended)} of all ${number(all)} analyzed code changes were fixed`;
}

function fact({ words, value, unit, path, atLeast }: RiskFactor, wording: Wording): string {
  const number = `${atLeast ? "at least " : ""}${value.toLocaleString("en-US")}${unit === undefined ? "" : ` ${unit}`}`;
  return `${words} ${number}${path === undefined ? "" : ` (${foreignCode(path, wording)})`}`;
}
