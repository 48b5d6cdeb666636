import { createHash } from "node:crypto";
import type { PresentedFile } from "../../analysis/present-change.ts";
import type { RunReport } from "../loop/run-report.ts";
import type { AiReviewDependencies, AiReviewTask } from "./ai-review.ts";
import { reviewTask } from "./brief.ts";
import type { Claim, ReviewerOutput } from "./claims.ts";
import { reviewerAgent } from "./definitions.ts";
import type { Recheck } from "./earlier.ts";
import { showOnce, type UnreadLines } from "./show-change.ts";
import { VOTING } from "./vote.ts";

export interface Reading {
  readonly passes: readonly (readonly Claim[])[];
  /** Claims that the fix of another one mends, with that one. */
  readonly mends: ReadonlyMap<Claim, Claim>;
  readonly reports: readonly RunReport[];
  readonly gaps: readonly string[];
  /** Lines that were hidden from the readers, by file. */
  readonly unread: readonly UnreadLines[];
  /** Files that were too large for them. */
  readonly tooLarge: readonly string[];
}

/** One reader per part of the change; at high risk several readers of the whole, each in another order. */
export async function readByModel(
  { run, tools, tokensOf, redact }: AiReviewDependencies,
  task: AiReviewTask,
  recheck: Recheck,
): Promise<Reading> {
  const { readBefore } = task;
  const toRead = task.files.flatMap(({ presented, since }) => (since === "unchanged" ? [] : [since ?? presented]));
  const { parts, left } = partition(toRead, tokensOf);
  const all = [...toRead.map(({ path }) => path), ...task.others];
  const further = readBefore === undefined ? undefined : { readBefore, unchanged: task.files.length - toRead.length };
  const isSmall = further !== undefined && toRead.reduce((sum, { text }) => sum + tokensOf(text), 0) <= SMALL_TOKENS;
  const hands = isSmall ? tools.filter(({ name }) => !ORIENTATION.has(name)) : tools;
  const wholeOf = new Map(task.files.map(({ presented }) => [presented.path, presented]));
  const linesOf = new Map(task.files.map(({ presented, lines }) => [presented.path, lines]));
  const found = [...(further ? foundIn(task, toRead) : task.found), ...knownPlaces(task, recheck)];
  const passes: Claim[][] = [];
  const mends = new Map<Claim, Claim>();
  const reports: RunReport[] = [];
  const gaps = left.length === 0 ? [] : [`too large for a model: ${left.slice(0, 10).join(", ")}`];
  const unread = new Map<string, UnreadLines>();
  const rounds = task.depth === "deep" && !isSmall ? VOTING.passes : 1;
  for (let round = 1; round <= rounds; round += 1) {
    const claims: Claim[] = [];
    let whole = true;
    for (const [at, part] of parts.entries()) {
      const files = rotate(part, round - 1);
      const here = new Set(files.map(({ path }) => path));
      const shownFiles = files.map((file) => ({
        ...{ path: file.path, text: file.text, lines: linesOf.get(file.path) ?? [] },
        partly: wholeOf.get(file.path) !== file,
      }));
      const agent = reviewerAgent(showOnce(hands, shownFiles), task.iterations, parts.length);
      const brief = {
        ...task,
        ...{ found, files, further },
        steps: agent.iterationLimit,
        elsewhere: all.filter((path) => !here.has(path)),
        redact,
      };
      const key = `reviewer/${round}.${at + 1}-${contentKey(part.map(({ text }) => text).join("\n"))}`;
      const shown = await reviewTask(brief);
      for (const file of shown.unread) unread.set(file.path, file);
      const outcome = await run<ReviewerOutput>(agent, { key, task: shown.text });
      reports.push(outcome.report);
      if (outcome.ok) {
        const { findings } = outcome.output;
        claims.push(...findings);
        for (const source of findings)
          for (const place of source.fix?.mends ?? []) {
            const mended = findings[place - 1];
            if (mended && mended !== source) mends.set(mended, source);
          }
      } else {
        whole = false;
        gaps.push(outcome.reason);
      }
    }
    if (whole || claims.length > 0) passes.push(claims);
    // Whatever stopped one reader stops the next one too.
    if (!whole) break;
  }
  return { passes, mends, reports, gaps, unread: [...unread.values()], tooLarge: left };
}

/** On a further push only what is about the files that are shown: the rest was said then. */
function foundIn({ found }: AiReviewTask, toRead: readonly PresentedFile[]): AiReviewTask["found"] {
  const shown = new Set(toRead.map(({ path }) => path));
  return found.filter(({ file }) => shown.has(file));
}

/** Earlier findings of this layer, and dismissed ones, where they stand now: not to be repeated. */
function knownPlaces(task: AiReviewTask, { unchanged, changed, dismissed }: Recheck): AiReviewTask["found"] {
  const stands = [...unchanged, ...dismissed].flatMap(({ id, file, place }) => {
    const finding = task.earlier.find((each) => each.id === id)?.finding;
    return finding ? [{ file, line: place.line, rule: finding.rule, message: finding.message }] : [];
  });
  const mended = changed.map(({ finding: { rule, message }, claim: { file }, place: { line } }) => ({
    ...{ file, line, rule, message: `${message} (its lines changed since; others judge whether it is mended)` },
  }));
  return [...stands, ...mended];
}

/** Where a file stands in a long text decides how well it is read: each pass begins with another one. */
function rotate<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : Math.floor((by * items.length) / VOTING.passes) % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** The size of one reading: with more, every reviewer gets worse (REV-4a). Twenty ordinary files fit. */
const PART_TOKENS = 60_000;

/** Readings of one change; what is beyond them is not read, and said. */
const MOST_PARTS = 4;

/**
 * A further push that did no more is read once, without votes: passes differ in the order of what they read, and here there is next to
 * none. Its reader does without what helps to find one's way in a repository, which the first reading had (GH-3).
 */
const SMALL_TOKENS = 4_000;
const ORIENTATION = new Set(["list_files", "repository_map", "git_log", "git_blame", "recall", "remember"]);

interface Partition {
  readonly parts: readonly (readonly PresentedFile[])[];
  /** Files that no part holds. */
  readonly left: readonly string[];
}

/**
 * The change in portions that one reviewer can hold, files of one folder together. A file that is larger than a portion is not read by
 * the model: so much was not written by hand, and cannot be reviewed in one go.
 */
function partition(files: readonly PresentedFile[], tokensOf: (text: string) => number): Partition {
  const parts: PresentedFile[][] = [];
  const left: string[] = [];
  let remaining = 0;
  for (const file of files.toSorted((a, b) =>
    folderOf(a.path) < folderOf(b.path) ? -1 : folderOf(a.path) > folderOf(b.path) ? 1 : 0,
  )) {
    const tokens = tokensOf(file.text);
    if (tokens > PART_TOKENS) left.push(file.path);
    else if (tokens <= remaining) {
      parts.at(-1)!.push(file);
      remaining -= tokens;
    } else if (parts.length < MOST_PARTS) {
      parts.push([file]);
      remaining = PART_TOKENS - tokens;
    } else left.push(file.path);
  }
  return { parts, left };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Names an agent by what it was given: a resumed run finds it again only where it would be given the same. */
export function contentKey(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
