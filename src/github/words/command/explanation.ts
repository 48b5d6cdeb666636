import type { Answer } from "../../../domain/answers.ts";
import { confidenceInWords, isBlocking } from "../../../domain/findings.ts";
import type { FindingMoment } from "../../../domain/told-facts.ts";
import { fence } from "../../../safety/code-text.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import { findingTitle, findingTraits, linesOf } from "../review/finding-heading.ts";
import { statement } from "../review/review-comments.ts";
import { foreignCode, foreignLine, moment, shortSha, type Wording } from "../wording.ts";

type Explained = Extract<Answer, { kind: "explained" }>;

const MAXIMUM_EVIDENCE = 4000;
/** Things that happened to one finding; older ones are left out. */
const MAXIMUM_MOMENTS = 12;

/** `/forge explain`: what a finding rests on and what became of it, from what is on record and nothing else. */
export function explanation(explained: Explained, wording: Wording): string {
  const { finding, history } = explained;
  const evidence =
    finding.evidence === undefined || finding.secret
      ? []
      : [fence(redactBeginning(finding.evidence, wording.redact).slice(0, MAXIMUM_EVIDENCE))];
  return [
    `${findingTitle(finding, wording)} · ${foreignCode(finding.file, wording)} ${linesOf(finding)}`,
    ...statement(finding, wording),
    `${findingTraits(finding, wording)}.`,
    ...(finding.source === "ai" ? ofModel(explained, wording) : [ofAnalyser(explained, wording)]),
    stateLine(explained, wording),
    ...evidence,
    ...(history.length > 0
      ? [
          history
            .slice(-MAXIMUM_MOMENTS)
            .map((one) => momentLine(one, wording))
            .join("\n"),
        ]
      : []),
  ].join("\n\n");
}

function ofAnalyser({ finding, tool }: Explained, wording: Wording): string {
  const by = tool
    ? `${foreignCode(tool.name, wording)} ${foreignLine(tool.version, wording)}`
    : `the ${finding.source} layer`;
  return `**Reported by** ${by}, rule ${foreignCode(finding.rule, wording)}, which gives it its severity and ${confidenceInWords(finding.confidence)} confidence; it ${blocks(finding)}.`;
}

/** A model is believed as far as something was executed, and people should know how far that is (REV-4). */
function ofModel({ finding, tool }: Explained, wording: Wording): string[] {
  const model = tool ? ` (${foreignCode(tool.version, wording)})` : "";
  const by = `**Reported by** the AI layer${model}, rule ${foreignCode(finding.rule, wording)}, with ${confidenceInWords(finding.confidence)} confidence; it ${blocks(finding)}.`;
  if (finding.verified === undefined) {
    return [by, "**Not verified**: no executed test shows it, so it does not block, whatever its severity."];
  }
  const where = finding.verified === "base" ? "before the change" : "with the problem fixed";
  return [by, `**Verified**: the test below failed on the head where it was found and passed ${where}.`];
}

function blocks(finding: Explained["finding"]): string {
  return isBlocking(finding) ? "blocks" : "does not block";
}

function stateLine({ state, dismissal, headSha, finding }: Explained, wording: Wording): string {
  if (state === "dismissed" && dismissal) {
    const { by, at, reason, scope, findingId } = dismissal;
    const far = { here: "this place", rule: "its rule everywhere", path: "" }[scope.kind];
    const how = scope.kind === "path" ? `its rule under ${foreignCode(scope.glob, wording)}` : far;
    const with_ = findingId === finding.id ? "" : `, with \`${findingId}\``;
    const why = reason === "" ? "no reason was given" : foreignLine(reason, wording);
    return `**Dismissed** by ${foreignCode(by.login, wording)} at ${moment(at)} for ${how}${with_}: ${why}`;
  }
  const where = headSha === "" ? "" : `, last checked on \`${shortSha(headSha)}\``;
  return `**State**: ${state === "regressed" ? "open, back again" : state}${where}.`;
}

const HAPPENED = {
  detected: "first seen",
  resolved: "fixed",
  outdated: "outdated, as its file left the change",
  regressed: "back again",
  dismissed: "dismissed",
  undismissed: "open again",
} as const;

function momentLine({ what, at, headSha, by }: FindingMoment, wording: Wording): string {
  const on = headSha ? ` on \`${shortSha(headSha)}\`` : "";
  return `- ${moment(at)}: ${HAPPENED[what]}${on}${by ? ` by ${foreignCode(by, wording)}` : ""}`;
}
