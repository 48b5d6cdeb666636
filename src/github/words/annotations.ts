import type { ReportedFinding } from "../../domain/effects.ts";
import { type Finding, isBlocking, type Severity } from "../../domain/findings.ts";
import type { Annotation } from "../github-repository.ts";
import { traits } from "./finding-heading.ts";
import { shortRule } from "./rule-name.ts";
import { foreignPlain, type Wording } from "./wording.ts";

/** GitHub's limits: 255 characters, 64 KB. The message is cut well before: it is read in the margin of a diff. */
const MAXIMUM_TITLE = 255;
const MAXIMUM_MESSAGE = 16_000;

const LEVELS: Record<Severity, Annotation["level"]> = {
  info: "notice",
  warning: "warning",
  error: "failure",
  critical: "failure",
};

/** Every blocking finding, and every one that cannot be seen in a comment (GH-11); what no line of the head holds is in the summary alone. */
export function isAnnotated({ finding, placement }: ReportedFinding): boolean {
  if (finding.commit !== undefined) return false;
  return isBlocking(finding) || (placement !== "comment" && placement !== "file_comment");
}

/** A finding as an annotation: plain text, as GitHub shows it. The title says what is so, the message begins with the id. */
export function annotationFor(finding: Finding, wording: Wording): Annotation {
  const { id, file, line, endLine, column, endColumn, severity, message, why, rule } = finding;
  const fits = message.length <= MAXIMUM_TITLE && !message.includes("\n");
  const about = [id, ...traits(finding), `rule ${shortRule(rule)}`].join(" · ");
  const text = [about, ...(fits ? [] : [message]), ...(why === undefined ? [] : [why])].join("\n");
  const columns =
    line === endLine && column !== undefined
      ? { startColumn: column, ...(endColumn !== undefined && endColumn >= column ? { endColumn } : {}) }
      : {};
  return {
    path: file,
    startLine: line,
    endLine,
    ...columns,
    level: LEVELS[severity],
    title: foreignPlain(message.split("\n")[0] ?? "", wording, MAXIMUM_TITLE),
    message: foreignPlain(text, wording, MAXIMUM_MESSAGE),
  };
}
