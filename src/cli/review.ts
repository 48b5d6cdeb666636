import type { LoopEvent } from "../agents/library.ts";
import { writeSarif } from "../analysis/reports/write-sarif.ts";
import { defined } from "../domain/defined.ts";
import { errorFacts } from "../domain/errors.ts";
import type { FolderReview, FolderReviewOptions } from "../pipeline/review/folder/review-folder.ts";
import { redactStrings } from "../safety/redact-value.ts";
import { visibleText } from "../safety/visible-text.ts";
import { ownPages } from "../workspace/own-pages.ts";
import { USUAL_COLUMNS } from "./columns.ts";
import { costLine } from "./cost-line.ts";
import { UsageError } from "./dispatch.ts";
import { folderNamed } from "./folder-argument.ts";
import { formatOptions, oneOf, parseOptions } from "./parse-options.ts";
import { type PullName, pullNamed } from "./pull-argument.ts";
import { reviewAsJson } from "./review-json.ts";
import { gaps, lookups, reviewAsText } from "./review-text.ts";
import { createProgress, type Output, type Progress, writeReport } from "./terminal.ts";

/** Exit codes of `forge review`: 0 approve or nothing to review, 1 changes requested, 2 a person is required or a look is needed, 3 could not review (64 is wrong usage). */
export const REVIEW_EXIT = { approve: 0, request_changes: 1, require_human: 2, not_reviewed: 3 } as const;

const FORMATS = ["text", "json", "sarif"] as const;

/** What reviewing comes from. */
export interface Reviewers {
  /** `ai`: told of every step of a model when models are to read the change too. */
  folder(
    request: Pick<FolderReviewOptions, "folder" | "base" | "all" | How> & {
      readonly ai?: (agent: string, event: LoopEvent) => void;
    },
  ): Promise<FolderReview>;
  pull(pull: PullName, how: Pick<FolderReviewOptions, How>): Promise<FolderReview>;
}

type How = "onProgress" | "mostFindings" | "measuresRisk";

export interface ReviewOutput extends Output {
  /** Forge's own. */
  readonly version: string;
}

/** `forge review <folder>` and `forge review owner/repo#n`: findings on standard output, progress on standard error when that is a terminal. */
export async function runReview(args: readonly string[], review: Reviewers, output: ReviewOutput): Promise<number> {
  const { what, base, all, format, ai, report, mostFindings, info } = await readArguments(args);
  const progress = createProgress(output.err);
  const teller = tellAgents(progress);
  let reviewed: FolderReview;
  try {
    const onProgress = (step: string) => progress.show(`${step} done`);
    // Scripts read it; people do not wait for it.
    const measuresRisk = format === "json";
    const found =
      typeof what === "string"
        ? await review.folder({
            folder: what,
            all,
            ...defined({ base: base || undefined, ai: ai ? teller : undefined, mostFindings }),
            ...{ onProgress, measuresRisk },
          })
        : await review.pull(what, { onProgress, measuresRisk, ...defined({ mostFindings }) });
    reviewed = redactStrings(found, output.redact);
    if (report !== undefined) await writeReport(report, reportOf(reviewed));
  } catch (error) {
    progress.end();
    output.err.write(output.redact(`forge: could not review ${args[0]}: ${errorFacts(error).message}\n`));
    return REVIEW_EXIT.not_reviewed;
  }
  progress.end();
  const colors = output.out.isTTY === true && !output.noColor;
  if (format === "json") output.out.write(`${JSON.stringify(reviewAsJson(reviewed), null, 2)}\n`);
  else if (format === "sarif") {
    const log = sarif(reviewed, output.version, await ownPages());
    output.out.write(`${JSON.stringify(log, null, 2)}\n`);
  } else {
    const columns = output.out.isTTY === true ? (output.out.columns ?? USUAL_COLUMNS) : undefined;
    output.out.write(reviewAsText(reviewed, { colors, info, ...defined({ columns }) }));
  }
  if (reviewed.ai) output.err.write(`${costLine(reviewed.ai.cost)}\n`);
  if (format !== "text" && reviewed.beyondLimit > 0) {
    const all = reviewed.findings.length + reviewed.beyondLimit;
    output.err.write(`forge: ${reviewed.beyondLimit} of ${all} findings were left out; --max ${all} has them all\n`);
  }
  if (format !== "text" && reviewed.verdict.conclusion === "action_required") {
    output.err.write(`forge: not fully reviewed: ${gaps(reviewed).join("; ")}\n`);
  }
  return exitCode(reviewed);
}

function exitCode({ verdict }: FolderReview): number {
  if (verdict.decision !== "approve") return REVIEW_EXIT[verdict.decision];
  return verdict.conclusion === "action_required" ? REVIEW_EXIT.not_reviewed : REVIEW_EXIT.approve;
}

async function readArguments(args: readonly string[]) {
  const options = {
    base: { type: "string" },
    all: { type: "boolean", default: false },
    format: { type: "string", default: "text" },
    ai: { type: "boolean", default: false },
    report: { type: "string" },
    max: { type: "string" },
    info: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseOptions(args, { allowPositionals: true, options }, formatOptions(FORMATS));
  const [named = ""] = positionals;
  if (positionals.length !== 1)
    throw new UsageError("review takes one folder, or one pull request as owner/repo#n or by its address");
  const format = oneOf("--format", FORMATS, values.format);
  if (values.all && values.base !== undefined) throw new UsageError("--all looks at every file, so it takes no --base");
  if (values.report !== undefined && !values.ai) {
    throw new UsageError("--report writes what the models did, so it takes --ai");
  }
  const { base, all, ai, report, info } = values;
  const mostFindings = values.max === undefined ? undefined : Number(values.max);
  if (
    mostFindings !== undefined &&
    !(Number.isInteger(mostFindings) && mostFindings >= 1 && mostFindings <= 1_000_000)
  ) {
    throw new UsageError(`--max is a number from 1 to 1000000, not ${JSON.stringify(values.max)}`);
  }
  const what = (await folderNamed(named, "review")) ?? pullNamed(named);
  if (what === undefined && /^https?:/i.test(named)) {
    throw new UsageError(
      `${named.slice(0, 200)} is not the address of a pull request: https://<host>/<owner>/<repo>/pull/<n>`,
    );
  }
  if (what === undefined) throw new UsageError(`there is no folder ${named}`);
  if (typeof what !== "string" && (base !== undefined || all || ai)) {
    throw new UsageError("--base, --all and --ai need a folder: check out the pull request and review that folder");
  }
  return { what, base, all, format, ai, report, mostFindings, info };
}

function sarif(reviewed: FolderReview, version: string, pages: string | undefined) {
  return writeSarif(reviewed.findings, {
    ...{ version, pages },
    notes: [...lookups(reviewed), ...reviewed.coverage.notes, ...gaps(reviewed)],
  });
}

/** Characters of an argument on the line of progress. */
const SHOWN = 60;

/** The agents' activity, on the one line of progress: who, and which tool on what. */
function tellAgents(progress: Progress): (agent: string, event: LoopEvent) => void {
  return (agent, event) => {
    const said = describe(event);
    if (said !== undefined) progress.show(`${agent}: ${said}`);
  };
}

function describe(event: LoopEvent): string | undefined {
  switch (event.type) {
    case "step_started":
      return `step ${event.step}, asking ${event.model}`;
    case "tool_started":
      return `${event.tool} ${visibleText(JSON.stringify(event.input) ?? "").slice(0, SHOWN)}`;
    case "step_ended":
      return `step ${event.step} done, $${event.costUsd.toFixed(4)}`;
    case "done":
      return event.end;
    case "text":
    case "thinking":
    case "tool_output":
    case "tool_ended":
      return undefined;
    default:
      return event satisfies never;
  }
}

/** The run reports of all agents, and the claims that did not become findings (LOOP-18). */
function reportOf({ ai }: FolderReview): object {
  return { cost: ai?.cost, rejected: ai?.rejected ?? [], runs: ai?.reports ?? [] };
}
