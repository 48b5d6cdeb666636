import type { TestFailure, TestOutcome } from "../../domain/test-report.ts";
import type { Annotation } from "../github-repository.ts";
import { foreignPlain, type Wording } from "./wording.ts";

const MAXIMUM_TITLE = 255;
const MAXIMUM_MESSAGE = 8_000;
/** Places without a test that are shown in the diff; all of them stand in the summary. */
const MAXIMUM_GAPS = 50;

const LEVELS: Readonly<Record<TestFailure["class"], Annotation["level"]>> = {
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
      : [at(file, [1, 1], LEVELS[kind], `Fails: ${name}`, cause === undefined ? message : `${cause}\n\n${message}`)],
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
    const text = foreignPlain(message, wording, MAXIMUM_MESSAGE);
    const plainTitle = foreignPlain(title.replace(/\s+/g, " "), wording, MAXIMUM_TITLE);
    return { path, startLine, endLine, level, title: plainTitle, message: text === "" ? plainTitle : text };
  }
}
