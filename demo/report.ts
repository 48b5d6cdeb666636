import type { Simulator } from "../simulator/start-simulator.ts";
import { deployedSteps } from "./deploy/look.ts";
import { SHOP, TALLY } from "./github.ts";
import type { Told } from "./implement/told.ts";
import type { DemoModel } from "./model/demo-model.ts";
import { type Comment, reviewsOf } from "./show.ts";
import type { Stage } from "./stage.ts";
import type { Verdict } from "./verdict.ts";

/** What the moments came from at which Forge was killed, and after how many steps that was; null where it was not. */
interface Crashes {
  readonly seed: number;
  readonly crashes: readonly number[];
}

/** What `--json` prints, oldest first everywhere. */
export interface Report {
  /** The one with seeded mistakes; null when the story ended before it was opened. */
  readonly pullRequest: { readonly number: number; readonly head: string } | null;
  readonly checkRuns: readonly {
    readonly pullRequest: number;
    readonly name: string;
    readonly head: string;
    readonly conclusion: string | null;
    readonly title: string | null;
    readonly annotations: readonly { path: string; line: number; level: string; title: string | null }[];
  }[];
  /** The issue that became a pull request; null where that was not told. */
  readonly implementation:
    | (Told & {
        /** Every check-run of every head. */
        readonly checks: readonly {
          readonly head: string;
          readonly name: string;
          readonly conclusion: string | null;
        }[];
        readonly chaos: Crashes | null;
      })
    | null;
  /** What was deployed; null where that was not told. */
  readonly deployment: {
    /** Every step, such as "production deploy 25 % 3f2c1ab". */
    readonly steps: readonly string[];
    readonly chaos: Crashes | null;
  } | null;
  /** Who read changes: the script of the demo, or a model of its user. Null when the story ended before it began. */
  readonly model: DemoModel["kind"] | null;
  /** What the check said after each step of the story. */
  readonly verdicts: readonly Verdict[];
  /** What models claimed and others refuted, as lines of the log. */
  readonly refuted: readonly string[];
  readonly reviews: readonly {
    readonly pullRequest: number;
    readonly head: string;
    readonly event: string;
    readonly comments: readonly { path: string; line: number | null; severity: string }[];
  }[];
  /** Webhooks: every attempt counts, redeliveries included. */
  readonly deliveries: { readonly sent: number; readonly accepted: number; readonly failed: number };
  /** `findings`: requests and webhooks that GitHub's own description of its API does not allow. */
  readonly referee: { readonly requests: number; readonly findings: number };
  readonly seconds: number;
  /** What did not go as told. */
  readonly failures: readonly string[];
}

/** The states of a review by the event that makes it. */
const EVENTS: Readonly<Record<string, string>> = {
  COMMENTED: "COMMENT",
  APPROVED: "APPROVE",
  CHANGES_REQUESTED: "REQUEST_CHANGES",
};

interface Ending {
  readonly told: Told;
  /** Numbers of pull requests. */
  readonly opened: readonly number[];
  readonly verdicts: readonly Verdict[];
  readonly refuted: readonly string[];
  readonly failures: readonly string[];
  readonly seconds: number;
}

export function makeReport(
  stage: Stage | undefined,
  { opened, verdicts, refuted, told, failures, seconds }: Ending,
): Report {
  const github = stage?.github;
  const pulls = github ? opened.map((number) => github.pullRequest(SHOP, number)) : [];
  const [seeded] = pulls;
  return {
    pullRequest: seeded ? { number: seeded.number, head: seeded.headSha } : null,
    checkRuns: pulls.flatMap((pull) =>
      pull.allCheckRuns.map(({ name, headSha, conclusion, title, annotations }) => ({
        pullRequest: pull.number,
        name,
        head: headSha,
        conclusion,
        title,
        annotations: annotations.map((each) => ({
          path: each.path,
          line: each.start_line,
          level: each.annotation_level,
          title: each.title ?? null,
        })),
      })),
    ),
    implementation: stage && told.issue !== undefined ? describe(stage, told) : null,
    deployment: stage?.company ? { steps: deployedSteps(stage), chaos: crashesOf(stage) } : null,
    model: stage?.model.kind ?? null,
    verdicts,
    refuted,
    reviews: pulls.flatMap((pull) =>
      reviewsOf(pull).map(({ commitId, state, comments }) => ({
        pullRequest: pull.number,
        head: commitId,
        event: EVENTS[state] ?? state,
        comments: comments.map((comment) => ({
          path: comment.path,
          line: comment.line,
          severity: severityOf(comment),
        })),
      })),
    ),
    deliveries: countDeliveries(github),
    referee: { requests: github?.referee.requests ?? 0, findings: github?.referee.findings.length ?? 0 },
    seconds: Math.round(seconds * 10) / 10,
    failures,
  };
}

function describe(stage: Stage, told: Told): Report["implementation"] {
  const runs = told.pull === undefined ? [] : stage.github.pullRequest(TALLY, told.pull).allCheckRuns;
  return {
    ...told,
    checks: runs.map(({ headSha, name, conclusion }) => ({ head: headSha, name, conclusion })),
    chaos: crashesOf(stage),
  };
}

function crashesOf({ chaos }: Stage): Crashes | null {
  return chaos ? { seed: chaos.seed, crashes: chaos.crashes } : null;
}

export function countDeliveries(github: Simulator | undefined): Report["deliveries"] {
  const all = github?.deliveries ?? [];
  const accepted = all.filter(({ statusCode }) => statusCode >= 200 && statusCode < 300).length;
  return { sent: all.length, accepted, failed: all.length - accepted };
}

/** What happened and Forge never heard of, however often it was sent. */
export function neverAccepted({ deliveries }: Simulator): Simulator["deliveries"] {
  const isAccepted = ({ statusCode }: Simulator["deliveries"][number]) => statusCode >= 200 && statusCode < 300;
  const accepted = new Set(deliveries.filter(isAccepted).map(({ guid }) => guid));
  return deliveries.filter(({ guid }) => !accepted.has(guid));
}

/** "src/run.ts:31 error". */
export function placeOf(comment: Comment): string {
  return `${comment.path}:${comment.line} ${severityOf(comment)}`;
}

/** A comment begins with its id and its severity. */
function severityOf({ body }: Comment): string {
  return /^(Critical|Error|Warning|Info) · /m.exec(body)?.[1]?.toLowerCase() ?? "unknown";
}
