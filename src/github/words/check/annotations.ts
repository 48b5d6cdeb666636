import { headline, remedyOf, titleOf } from "../../../analysis/rule-facts.ts";
import type { ReportedFinding } from "../../../domain/effects.ts";
import { type Finding, isBlocking, isUnproven, type Severity } from "../../../domain/findings.ts";
import type { TestFailure, TestOutcome } from "../../../domain/test-report.ts";
import type { Annotation } from "../../github-repository.ts";
import { flowText, shortRule, traits } from "../review/finding-heading.ts";
import { foreignPlain, type Wording } from "../wording.ts";

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

/** A finding as an annotation: plain text, as GitHub shows it. The title names the problem, and severity and ID come last. */
export function annotationFor(finding: Finding, wording: Wording): Annotation {
  const { id, file, line, endLine, column, endColumn, message, why, rule, category, fix } = finding;
  // Where the rule has no name, the message is the title.
  const fits = titleOf(rule) === undefined && message.length <= MAXIMUM_TITLE && !message.includes("\n");
  const because = [why ?? "", remedyOf(finding) ?? ""].filter((part) => part !== "").join(" ");
  const flow = flowText(finding.flow);
  const about = [id, ...traits(finding), `rule ${shortRule(rule)}`].join(" · ");
  // A note is no comment, so nobody sees the suggestion that it has.
  const offer = category === "style" && fix ? [`/forge fix ${id} commits it.`] : [];
  const said = [
    ...(fits ? [] : [message]),
    ...(because === "" ? [] : [because]),
    ...(flow === undefined ? [] : [flow]),
  ];
  const text = [...said, about, ...offer].join("\n");
  const columns =
    line === endLine && column !== undefined
      ? { startColumn: column, ...(endColumn !== undefined && endColumn >= column ? { endColumn } : {}) }
      : {};
  return {
    path: file,
    startLine: line,
    endLine,
    ...columns,
    level: LEVELS[isUnproven(finding) ? "warning" : finding.severity],
    title: foreignPlain(headline(finding), wording, MAXIMUM_TITLE),
    message: foreignPlain(text, wording, MAXIMUM_MESSAGE),
  };
}

const MAXIMUM_TEST_MESSAGE = 8_000;
/** Places without a test that are shown in the diff; the summary has all of them. */
const MAXIMUM_GAPS = 50;

const TEST_LEVELS: Readonly<Record<TestFailure["class"], Annotation["level"]>> = {
  bug: "failure",
  environment: "failure",
  flaky: "warning",
  existing: "notice",
};

/** Failing tests at the top of their files, weakened tests and changed lines without a test where they are. */
export function testAnnotations({ failures, weakened, coverage }: TestOutcome, wording: Wording): Annotation[] {
  const failed = failures.flatMap(({ name, file, message, cause, class: kind }) =>
    file === undefined
      ? []
      : [
          at(
            file,
            [1, 1],
            TEST_LEVELS[kind],
            `Fails: ${name}`,
            cause === undefined ? message : `${cause}\n\n${message}`,
          ),
        ],
  );
  const weak = weakened.map(({ path, line, what }) => {
    const where = Math.max(1, line ?? 1);
    return at(path, [where, where], "failure", "A test was weakened", what);
  });
  const gaps = (coverage?.missed ?? []).flatMap(({ path, ranges }) =>
    ranges.map(([from, to]) => at(path, [Math.max(1, from), Math.max(1, to)], "notice", "No test reaches this", "")),
  );
  return [...failed, ...weak, ...gaps.slice(0, MAXIMUM_GAPS)];

  function at(
    path: string,
    [startLine, endLine]: readonly [number, number],
    level: Annotation["level"],
    title: string,
    message: string,
  ): Annotation {
    const text = foreignPlain(message, wording, MAXIMUM_TEST_MESSAGE);
    const plainTitle = foreignPlain(title.replace(/\s+/g, " "), wording, MAXIMUM_TITLE);
    return { path, startLine, endLine, level, title: plainTitle, message: text === "" ? plainTitle : text };
  }
}
