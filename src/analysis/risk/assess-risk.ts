import { posix } from "node:path";
import { defined } from "../../domain/defined.ts";
import { isBlocking, isCriticalSecurity } from "../../domain/findings.ts";
import {
  COMPONENT_POINTS,
  FLOORS_FROM_FINDINGS,
  levelOfRisk,
  RISK_COMPONENTS,
  type RiskComponent,
  type RiskComponentName,
  type RiskFactor,
  type RiskFloor,
  type RiskReport,
  type RiskWeights,
} from "../../domain/risk.ts";
import type { DiffCoverage } from "../../domain/test-report.ts";
import type { RiskFacts, RiskFile } from "./risk-facts.ts";

/** A component before it is rounded: its share of the 20 points, and the facts behind it. */
interface Share {
  readonly share: number;
  readonly factors: RiskFactor[];
}

/** What is not known counts as the middle: neither as proof of a risk nor as proof that there is none. */
const UNKNOWN_SHARE = 0.5;

/** Added cognitive complexity from which on a change counts as complex in full: four functions at a linter's usual limit. */
const FULL_COMPLEXITY = 60;

/**
 * The risk of a change (RISK-1) by the formula of DESIGN section 6. The same facts give the same report.
 * @param weights what each component counts for, where the repository's history says so
 */
export function assessRisk(facts: RiskFacts, weights?: RiskWeights): RiskReport {
  const change = measureChange(facts.files);
  const shares: Record<RiskComponentName, Share> = {
    changeSize: changeSize(change),
    complexity: complexity(change, facts.addedComplexity),
    criticality: criticality(change, facts),
    testCoverage: guessCoverage(change),
    authorExperience: authorExperience(change, facts),
  };
  const total = RISK_COMPONENTS.reduce(
    (all, name) => all + COMPONENT_POINTS * shares[name].share * (weights?.[name] ?? 1),
    0,
  );
  const sum = Math.min(100, Math.round(total));
  const floors = riskFloors(facts);
  const score = Math.max(sum, ...floors.map((floor) => floor.score));
  return {
    score,
    level: levelOfRisk(score),
    sum,
    components: {
      changeSize: component(shares.changeSize),
      complexity: component(shares.complexity),
      criticality: component(shares.criticality),
      testCoverage: component(shares.testCoverage),
      authorExperience: component(shares.authorExperience),
    },
    floors,
    ...defined({ weights }),
  };
}

function component({ share, factors }: Share): RiskComponent {
  return { points: Math.round(100 * COMPONENT_POINTS * share) / 100, factors };
}

function changeSize({ size, added, deleted }: ChangeMeasure): Share {
  return { share: size, factors: [factor("lines added", added), factor("lines deleted", deleted)] };
}

function complexity({ files, directories, entropyBits }: ChangeMeasure, added: number | undefined): Share {
  const spread = 0.5 * logShare(files, 30) + 0.25 * Math.min(1, entropyBits / 4) + 0.25 * logShare(directories, 20);
  const factors = [
    factor("files", files),
    factor("directories", directories),
    { ...factor("entropy of the changed lines over the files", entropyBits), unit: "bits" },
  ];
  if (added === undefined) return { share: spread, factors };
  return {
    share: (spread + logShare(added, FULL_COMPLEXITY)) / 2,
    factors: [...factors, factor("cognitive complexity added to functions", added)],
  };
}

function criticality({ size }: ChangeMeasure, { pathWeights, history }: RiskFacts): Share {
  const activity =
    history === undefined ? UNKNOWN_SHARE : 0.6 * logShare(history.commits, 300) + 0.4 * logShare(history.authors, 60);
  const heaviest = pathWeights.toSorted((a, b) => b.weight - a.weight)[0];
  const weight = Math.min(1, Math.max(0, heaviest?.weight ?? 0));
  return {
    share: Math.max(weight, size * activity),
    factors: [
      ...(heaviest === undefined ? [] : [{ ...factor("configured weight of a path", weight), path: heaviest.glob }]),
      ...(history === undefined
        ? [factor("history not known, counted as a share of", UNKNOWN_SHARE)]
        : [
            { ...factor("commits on these files in 12 months", history.commits), ...bound(history) },
            { ...factor("people who made them", history.authors), ...bound(history) },
          ]),
    ],
  };
}

function guessCoverage({ size, docsOrTestsOnly, testChanged }: ChangeMeasure): Share {
  if (docsOrTestsOnly) return { share: 0, factors: [factor("changed lines outside documentation and tests", 0)] };
  const words = `coverage not known, a test ${testChanged ? "was" : "was not"} changed: counted as a share of`;
  const share = testChanged ? 0.3 : 0.7;
  return { share: size * share, factors: [factor(words, share)] };
}

function authorExperience({ size }: ChangeMeasure, { history }: RiskFacts): Share {
  const author = history?.author;
  if (author === undefined) {
    const words = "earlier commits by the same author not known, counted as a share of";
    return { share: size * UNKNOWN_SHARE, factors: [factor(words, UNKNOWN_SHARE)] };
  }
  const { inTheseDirectories, elsewhere } = author;
  return {
    share: size * (1 - logShare(inTheseDirectories + 0.25 * elsewhere, 500)),
    factors: [
      { ...factor("earlier commits by the same author in these directories", inTheseDirectories), ...bound(history) },
      { ...factor("and elsewhere in the repository", elsewhere), ...bound(history) },
    ],
  };
}

function factor(words: string, value: number): RiskFactor {
  return { words, value: Math.round(100 * value) / 100 };
}

function bound(history: RiskFacts["history"]): { atLeast?: true } {
  return history?.truncated ? { atLeast: true } : {};
}

/** The same change when other findings are open: its components stay, the floors that come from findings are laid anew. */
export function reassessRisk(report: RiskReport, openFindings: RiskFacts["openFindings"]): RiskReport {
  const none = { files: [], pathWeights: [], migrations: [], workflowPermissions: [], protectedPaths: [] };
  const kept = report.floors.filter(({ cause }) => !FLOORS_FROM_FINDINGS.has(cause));
  const floors = [...riskFloors({ ...none, openFindings }), ...kept].sort((a, b) => b.score - a.score);
  const score = Math.max(report.sum, ...floors.map((floor) => floor.score));
  return { ...report, score, level: levelOfRisk(score), floors };
}

/** The lowest score of the level critical, and of high. */
const CRITICAL = 76;
const HIGH = 51;

const SHOWN_PATHS = 10;

/** Every floor that applies, highest first. */
function riskFloors(facts: RiskFacts): RiskFloor[] {
  const { openFindings } = facts;
  const secrets = openFindings.filter((finding) => finding.secret).length;
  const criticalSecurity = openFindings.filter((finding) => isCriticalSecurity(finding) && !finding.secret).length;
  // A guess of low confidence is advisory (REV-3a): it must not call a person either.
  const high = openFindings.filter(isBlocking).length - secrets;
  return [
    ...counted(criticalSecurity, "critical_security_finding", CRITICAL, "open critical security finding"),
    ...counted(secrets, "secret", CRITICAL, "open secret"),
    ...placed(facts.migrations, "migration", CRITICAL, "a database migration"),
    ...placed(facts.workflowPermissions, "workflow_permissions", CRITICAL, "changed permissions of a workflow"),
    ...counted(high, "high_finding", HIGH, "open finding of severity error or critical"),
    ...placed(facts.protectedPaths, "protected_path", HIGH, "a protected path"),
  ];
}

function counted(count: number, cause: RiskFloor["cause"], score: number, what: string): RiskFloor[] {
  if (count === 0) return [];
  return [{ cause, score, reason: `${count} ${count === 1 ? what : what.replace(/(finding|secret)/, "$1s")}` }];
}

function placed(paths: readonly string[], cause: RiskFloor["cause"], score: number, what: string): RiskFloor[] {
  if (paths.length === 0) return [];
  const more = paths.length > 1 ? ` (${paths.length} files)` : "";
  return [{ cause, score, reason: `${what}${more}`, paths: paths.slice(0, SHOWN_PATHS) }];
}

/** The same change when it is known what tests reach of it (RISK-1): measured, where it was guessed. */
export function withCoverage(report: RiskReport, measured: DiffCoverage | undefined): RiskReport {
  const { testCoverage: guessed } = report.components;
  if (measured === undefined || guessed.points === 0) return report;
  const { executable, unmeasured = 0 } = measured;
  const missed = Math.max(0, executable - measured.covered);
  const lines = executable + unmeasured;
  const share = lines === 0 ? 0 : (missed + unmeasured * (guessed.points / COMPONENT_POINTS)) / lines;
  const factors = [
    factor("changed lines that tests can reach", executable),
    factor("of them covered", executable - missed),
    ...(unmeasured > 0 ? [factor("further changed lines of code, not measured", unmeasured)] : []),
  ];
  const components = { ...report.components, testCoverage: component({ share, factors }) };
  // The weight was fitted to the guess.
  const weights = report.weights && { ...report.weights, testCoverage: 1 };
  const total = RISK_COMPONENTS.reduce((all, name) => all + components[name].points * (weights?.[name] ?? 1), 0);
  const sum = Math.min(100, Math.round(total));
  const score = Math.max(sum, ...report.floors.map((floor) => floor.score));
  return { ...report, components, sum, score, level: levelOfRisk(score), ...defined({ weights }) };
}

/** Size and spread of a change, as DESIGN section 6 counts them. */
interface ChangeMeasure {
  /** Lines that somebody wrote or removed: without generated, lock, vendored and merely moved files. */
  readonly added: number;
  readonly deleted: number;
  /** All changed files, also those whose lines do not count: a change is spread over them all the same. */
  readonly files: number;
  readonly directories: number;
  /** Shannon entropy of the counted lines over their files: 0 when all are in one. */
  readonly entropyBits: number;
  /** Whether all counted lines belong to documentation or tests. */
  readonly docsOrTestsOnly: boolean;
  readonly testChanged: boolean;
  /** 0 to 1, and 1 from 1,000 added lines on. */
  readonly size: number;
}

const UNCOUNTED_KINDS: ReadonlySet<RiskFile["kind"]> = new Set(["generated", "lock", "vendored"]);

function measureChange(files: readonly RiskFile[]): ChangeMeasure {
  const counted = files.filter((file) => !UNCOUNTED_KINDS.has(file.kind) && !file.pureRename && linesOf(file) > 0);
  const added = sum(counted.map((file) => file.addedLines));
  const deleted = sum(counted.map((file) => file.deletedLines));
  return {
    added,
    deleted,
    files: files.length,
    directories: new Set(files.map((file) => posix.dirname(file.path))).size,
    entropyBits: entropyBits(counted.map(linesOf)),
    docsOrTestsOnly: counted.length > 0 && counted.every(({ kind }) => kind === "docs" || kind === "test"),
    testChanged: counted.some(({ kind }) => kind === "test"),
    size: logShare(added + 0.25 * deleted, 1_000),
  };
}

/** `ln(1 + value) / ln(1 + full)`, at most 1: the first of anything weighs more than the hundredth. */
function logShare(value: number, full: number): number {
  return Math.min(1, Math.log1p(value) / Math.log1p(full));
}

function linesOf(file: RiskFile): number {
  return file.addedLines + file.deletedLines;
}

function entropyBits(lines: readonly number[]): number {
  const total = sum(lines);
  // The subtraction from zero keeps a single file at 0 and not at -0.
  return 0 - sum(lines.map((count) => (count / total) * Math.log2(count / total)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
