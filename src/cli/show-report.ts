import { isBlocking, isOpen, type LedgerEntry } from "../domain/findings.ts";
import { subjectName } from "../domain/subjects.ts";
import { releaseWords } from "../github/words/deploy/standing-words.ts";
import { gateName } from "../github/words/gate/work-gate-text.ts";
import {
  endWords,
  FINDING_STATES,
  GATE,
  needs,
  phaseName,
  RUN,
  SPENT,
  standingWords,
  TESTS,
  timeWords,
} from "../github/words/view-words.ts";
import { count, duration, durationOf, shortSha, usd } from "../github/words/wording.ts";
import { activityWords } from "../github/words/work/activity-words.ts";
import { kindName } from "../pipeline/kinds.ts";
import type { Stretch } from "../pipeline/views/timeline.ts";
import type { RunReport } from "../pipeline/views/view-run.ts";
import { plainLine } from "../safety/plain-line.ts";
import type { ListedRun } from "../store/runs/overview.ts";
import { type TableLook, table } from "./run-table.ts";
import { plainBlock } from "./terminal.ts";

/** Failing tests that are named. */
const MOST_FAILURES = 20;
/** Stretches of a timeline that are listed; the ones before are counted. */
const MOST_STRETCHES = 60;

/** What the page of a run shows, on a terminal. */
export function reportText(report: RunReport, look: TableLook): string {
  const { run, failure, activity, release } = report;
  const parts: (readonly [string, readonly string[]])[] = [
    [RUN.gates, gateLines(report, look)],
    [RUN.timeline, timelineLines(report, look)],
    [RUN.bounces, bounceLines(report)],
    planLines(report),
    [RUN.findings, findingLines(report)],
    [RUN.tests, testLines(report)],
    [RUN.cost, costLines(report, look)],
  ];
  return [
    headline(run, look),
    ...(run.title === null ? [] : [plainLine(run.title)]),
    ...(failure === undefined ? [] : [plainBlock(failure, "")]),
    ...(activity === undefined
      ? []
      : [`${RUN.now}: ${activityWords(activity.is)}, ${timeWords(activity.at, look.now)}`]),
    ...(release === undefined
      ? []
      : [`${RUN.version}: ${plainLine(releaseWords(release.is))}, ${timeWords(release.at, look.now)}`]),
    ...parts.flatMap(([title, lines]) => (lines.length === 0 ? [] : ["", title, ...lines])),
    "",
    RUN.logBy(run.runId),
  ].join("\n");
}

/** "acme/shop#3, review at df85694: passed, 3 s, $0.01, began 2 h ago by mona, run 01…". */
export function headline(run: ListedRun, { now }: TableLook): string {
  const { kind, subject, headSha, startedAt, author, runId } = run;
  const what = `${plainLine(subjectName(subject))}, ${kindName(kind)}`;
  const by = author === null ? "" : ` by ${plainLine(author)}`;
  const facts = [
    standingWords(run),
    durationOf(startedAt, run.endedAt, now),
    usd(run.usd),
    `began ${timeWords(startedAt, now)}${by}`,
  ];
  return `${what}${headSha === "" ? "" : ` at ${shortSha(headSha)}`}: ${facts.join(", ")}, run ${runId}`;
}

function gateLines({ gates }: RunReport, { now }: TableLook): string[] {
  return gates.map(({ gate, question, since, deadline, needs: role }) =>
    [
      `  ${gate} ${GATE.waitsFor} ${plainLine(gateName(question))}: ${GATE.since} ${timeWords(since, now)}`,
      ...[`${GATE.until} ${timeWords(deadline, now)}`, needs(role)],
    ].join(", "),
  );
}

function timelineLines({ timeline: { stretches } }: RunReport, look: TableLook): string[] {
  if (stretches.length === 0) return [`  ${RUN.noTimeline}`];
  const left = Math.max(0, stretches.length - MOST_STRETCHES);
  const rows = stretches.slice(left).map((stretch) => {
    return [nameOf(stretch), durationOf(stretch.from, stretch.to, look.now), endWords(stretch)];
  });
  return [...(left > 0 ? [`  ${RUN.before(left)}`] : []), table(rows, look)];
}

function nameOf(stretch: Stretch): string {
  if (stretch.is === "phase") return phaseName(stretch.phase);
  return stretch.is === "gate" ? `${stretch.gate} ${plainLine(gateName(stretch.question))}` : RUN.stopped;
}

function bounceLines({ timeline: { bounces } }: RunReport): string[] {
  return bounces
    .slice(-20)
    .map(({ from, to, reason }) => `  ${phaseName(from)} -> ${phaseName(to)}: ${plainLine(reason)}`);
}

function planLines({ plan: found }: RunReport): readonly [string, readonly string[]] {
  if (found === undefined) return [RUN.plan, []];
  const { plan, revision, done } = found;
  const tasks = plan.tasks.map(({ id, title }) => `  [${done.has(id) ? "x" : " "}] ${plainLine(title)}`);
  const ends = plan.acceptance_criteria.map((each) => `    ${plainLine(each)}`);
  const title = `${RUN.plan}${revision > 1 ? ` (${RUN.revision} ${revision})` : ""}`;
  return [
    title,
    [plainBlock(plan.summary, "  "), ...tasks, ...(ends.length > 0 ? [`  ${RUN.doneWhen}:`, ...ends] : [])],
  ];
}

function findingLines({ findings, moreFindings }: RunReport): string[] {
  if (findings.length === 0) return [`  ${RUN.noFindings}`];
  const line = ({ finding, state, dismissal }: LedgerEntry) => {
    const { id, severity, rule, file, line: at, message } = finding;
    const blocks = isOpen({ state }) && isBlocking(finding) ? `, ${RUN.blocks}` : "";
    const by = dismissal ? `, ${RUN.dismissedBy} ${plainLine(dismissal.by.login)}` : "";
    return [
      `  ${severity.padEnd(8)}  ${plainLine(message, 500)}`,
      `            ${id}, ${FINDING_STATES[state]}${blocks}${by}, ${plainLine(file)}:${at}, ${plainLine(rule)}`,
    ];
  };
  return [...findings.flatMap(line), ...(moreFindings > 0 ? [`  and ${count(moreFindings, "more finding")}`] : [])];
}

function testLines({ tests }: RunReport): string[] {
  if (tests === undefined) return [];
  const { outcome, reason, passed, failed, skipped, failures, runner, durationMs } = tests;
  if (outcome === "not_run") return [`  ${TESTS.not_run}: ${plainLine(reason ?? "", 500)}`];
  const by = runner === undefined ? "" : `, ${plainLine(runner)}`;
  const counts = `${passed} ${TESTS.passed}, ${failed} ${TESTS.failed}, ${skipped} ${TESTS.skipped}`;
  const named = failures.slice(0, MOST_FAILURES).map(({ name }) => `    ${TESTS.failed}: ${plainLine(name)}`);
  const rest = failures.length - named.length;
  return [
    `  ${TESTS[outcome]}: ${counts}${by}, ${duration(durationMs)}`,
    ...named,
    ...(rest > 0 ? [`    and ${rest.toLocaleString("en-US")} more`] : []),
  ];
}

function costLines({ spent }: RunReport, look: TableLook): string[] {
  if (spent.length === 0) return [`  ${RUN.noCost}`];
  const number = (value: number) => value.toLocaleString("en-US");
  const rows = spent.map(({ phase, model, calls, usd: cost, outputTokens, ...read }) => [
    ...[phaseName(phase), plainLine(model), number(calls)],
    number(read.inputTokens + read.cacheReadTokens + read.cacheWriteTokens),
    ...[number(outputTokens), usd(cost)],
  ]);
  return [table([[SPENT.phase, SPENT.model, SPENT.calls, SPENT.read, SPENT.written, SPENT.cost], ...rows], look)];
}
