import type { ReportedFinding } from "../../domain/effects.ts";
import { type Finding, isBlocking, type Severity } from "../../domain/findings.ts";
import type { Annotation } from "../github-repository.ts";
import { findingHeading } from "./finding-heading.ts";
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

/** Every blocking finding, and every one that cannot be seen in a comment (GH-11). */
export function isAnnotated({ finding, placement }: ReportedFinding): boolean {
  return isBlocking(finding) || (placement !== "comment" && placement !== "file_comment");
}

/** A finding as an annotation: plain text, as GitHub shows it. */
export function annotationFor(finding: Finding, wording: Wording): Annotation {
  const { file, line, endLine, column, endColumn, severity, message, why, rule } = finding;
  const text = [message, ...(why === undefined ? [] : [why]), `rule ${rule}`].join("\n");
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
    title: foreignPlain(`${finding.id} · ${findingHeading(finding)}`, wording, MAXIMUM_TITLE),
    message: foreignPlain(text, wording, MAXIMUM_MESSAGE),
  };
}
