import {
  asksForPerson,
  COMPONENT_POINTS,
  RISK_COMPONENTS,
  type RiskComponentName,
  type RiskFactor,
  type RiskReport,
} from "../../../domain/risk.ts";
import { foreignCode, foreignLine, type Wording } from "../wording.ts";

const SHORT: Readonly<Record<RiskComponentName, string>> = {
  changeSize: "size",
  complexity: "complexity",
  criticality: "criticality",
  testCoverage: "tests",
  authorExperience: "experience",
};

/** "**Risk** 46, medium: size 14, complexity 11, criticality 12 (`auth/`), tests 6, experience 3.", and folded what it rests on. */
export function riskLines(risk: RiskReport, wording: Wording): string[] {
  const { score, level, components } = risk;
  const [floor] = risk.floors.filter((one) => one.score > risk.sum);
  const because = floor ? ` (at least ${floor.score}: ${foreignLine(floor.reason, wording)})` : "";
  const parts = RISK_COMPONENTS.map((name) => {
    const { points, factors } = components[name];
    const path = factors.find((factor) => factor.path !== undefined)?.path;
    return `${SHORT[name]} ${Math.round(points)}${path === undefined ? "" : ` (${foreignCode(path, wording)})`}`;
  });
  const person = asksForPerson(risk) ? " A person should look at this before it is merged." : "";
  return [`**Risk** ${score}, ${level}${because}: ${parts.join(", ")}.${person}`, folded(risk, wording)];
}

function folded({ components, floors }: RiskReport, wording: Wording): string {
  const facts = RISK_COMPONENTS.map((name) => {
    const { points, factors } = components[name];
    return `- ${SHORT[name]} ${Math.round(points)} of ${COMPONENT_POINTS}: ${factors.map((one) => fact(one, wording)).join(", ")}`;
  });
  const least = floors.map(({ score, reason, paths = [] }) => {
    const where = paths.length > 0 ? `: ${paths.map((path) => foreignCode(path, wording)).join(", ")}` : "";
    return `- at least ${score}: ${foreignLine(reason, wording)}${where}`;
  });
  const lines = [...facts, ...least].join("\n");
  return `<details><summary>what the risk rests on</summary>\n\n${lines}\n\n</details>`;
}

function fact({ words, value, unit, path, atLeast }: RiskFactor, wording: Wording): string {
  const number = `${atLeast ? "at least " : ""}${value.toLocaleString("en-US")}${unit === undefined ? "" : ` ${unit}`}`;
  return `${words} ${number}${path === undefined ? "" : ` (${foreignCode(path, wording)})`}`;
}
