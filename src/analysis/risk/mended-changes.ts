import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { RISK_COMPONENTS } from "../../domain/risk.ts";
import { saysFixOrRevert, titleOf } from "../../workspace/commit-title.ts";
import { pathFromBytes } from "../../workspace/path-text.ts";
import { languageOf } from "../languages.ts";
import { assessRisk } from "./assess-risk.ts";
import { createLineOrigins, type FilePatch, parsePatch, type RemovedLine } from "./line-origins.ts";
import { type HistoryFacts, kindByName, type RiskFile } from "./risk-facts.ts";

/** A change of the past, as the formula would have seen it, and what became of it. */
export interface PastChange {
  /** The commit by which it landed. */
  readonly sha: string;
  /** When it landed, in ms since 1970. */
  readonly at: number;
  /** Points of each component, in their order, by what can be known of the past: no file is parsed. */
  readonly points: readonly number[];
  readonly linesAdded: number;
  /** When a fix took away what it had written, within the days that count. */
  readonly mendedAt?: number;
}

/** Files of a folder with what git said, as `readLandedChanges` leaves them. */
export interface LandedFiles {
  readonly mark: string;
  readonly commits: string;
  readonly steps: string;
  readonly patches: readonly string[];
}

const DAY_MS = 86_400_000;
/** A fault that is found later says little of the change: by then others have built on it. */
export const MENDED_WITHIN_DAYS = 90;
const YEAR_MS = 365 * DAY_MS;
/** A change of more files is a sweep through the repository. */
const SWEEP_FILES = 300;
/** A fix of more files of code is a rewrite that mends something besides: most lines that it takes away were not at fault. */
const FIX_FILES = 20;
/** Commits of one author that count, as `readHistory` counts them. */
const AUTHOR_COMMITS = 2_000;

/**
 * Tells the changes of a history that were mended later: a fix took away or altered lines that they had written, within 90 days.
 * Lines that moved, comments and those that changed their white space do not count, nor do changes of bots, merges of branches and
 * sweeps. Only changes of code are told, oldest first.
 * @param now ms since 1970: no change landed later, whatever its date says
 */
export function findMended(
  files: LandedFiles,
  now = Date.now(),
): { readonly until: number; readonly changes: readonly PastChange[] } {
  const past = readCommits(read(files.commits), files.mark);
  const steps = readSteps(read(files.steps), files.mark).reverse();
  smoothTimes(steps, now);
  const patches = readPatches(files);
  const experience = createExperience(past);
  const origins = createLineOrigins();
  const changes: (PastChange & { mendedAt?: number })[] = [];
  const byStep = new Map<number, (typeof changes)[number]>();
  const bySha = new Map<string, number>();
  const first = steps.findIndex(({ sha }) => patches.has(sha));

  steps.forEach((step, at) => {
    bySha.set(step.sha, at);
    const patch = patches.get(step.sha);
    if (first === -1 || at < first || patch === undefined) {
      origins.forget(step.paths);
      experience.add(step);
      return;
    }
    const title = nameOf(step);
    const files = parsePatch(patch());
    const told = new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
    const sweep = title !== undefined && SWEEP.test(title) && files.length >= 5;
    const { removed, kept } = origins.apply(at, files, sweep);
    origins.forget(step.paths.filter((path) => !told.has(path)));
    const counts = title !== undefined && !isBot(step) && !sweep && !isMove(removed, kept);
    if (counts && saysFixOrRevert(title)) {
      const mend = (written: number) => {
        const change = byStep.get(written);
        if (change === undefined || step.at - change.at > MENDED_WITHIN_DAYS * DAY_MS) return;
        change.mendedAt ??= step.at;
      };
      const reverted = bySha.get(/\bThis reverts commit ([0-9a-f]{40})\b/.exec(step.body)?.[1] ?? "");
      if (reverted !== undefined) mend(reverted);
      const faulty = removed.filter(isCode);
      if (new Set(faulty.map(({ path }) => path)).size <= FIX_FILES) for (const { origin } of faulty) mend(origin);
    }
    const described = describe(files, step.paths);
    if (counts && changesCode(described)) {
      const history = experience.of(step, files);
      const change = { sha: step.sha, at: step.at, ...pointsOf(described, history) };
      changes.push(change);
      byStep.set(at, change);
    }
    experience.add(step);
  });
  return { until: steps.at(-1)?.at ?? 0, changes };
}

function read(name: string): string {
  return readFileSync(name, "latin1");
}

interface Commit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** ms since 1970, as the committer's machine claimed; of a step smoothed. */
  at: number;
  readonly author: string;
  readonly paths: readonly string[];
}

interface Step extends Commit {
  readonly subject: string;
  readonly body: string;
  readonly name: string;
}

/** Nothing that says what a change is for needs more of a message. */
const MESSAGE_CHARACTERS = 4_000;

function readCommits(listing: string, mark: string): Map<string, Commit> {
  const [, ...records] = listing.split(mark);
  return new Map(
    records.map((record) => {
      const [head = "", ...paths] = record.split("\0");
      const commit = { ...readHead(head.split("\u0001")), paths: paths.map(withoutBreak).filter(Boolean).map(pathOf) };
      return [commit.sha, commit];
    }),
  );
}

function readSteps(listing: string, mark: string): Step[] {
  const [, ...records] = listing.split(mark);
  return records.map((record) => {
    const [head = "", ...rest] = record.split("\0");
    const fields = head.split("\u0001", 7);
    const [, , , , name = "", subject = "", body = ""] = fields;
    const paths = rest.flatMap((entry, at) =>
      withoutBreak(rest[at - 1] ?? "").startsWith(":") ? [pathOf(entry)] : [],
    );
    const text = (said: string) => said.slice(0, MESSAGE_CHARACTERS);
    return { ...readHead(fields), name, subject: text(subject), body: text(body), paths };
  });
}

function withoutBreak(entry: string): string {
  return entry.startsWith("\n") ? entry.slice(1) : entry;
}

/** Written as everywhere else; here one character is a byte. */
function pathOf(bytes: string): string {
  return /^"|[^ -~]/.test(bytes) ? pathFromBytes(Buffer.from(bytes, "latin1")) : bytes;
}

function readHead([sha = "", parents = "", seconds = "", email = ""]: readonly string[]) {
  const address = email.toLowerCase();
  return {
    sha,
    parents: parents.split(" ").filter(Boolean),
    at: Number(seconds) * 1_000 || 0,
    author: address.endsWith("@users.noreply.github.com") ? address.replace(/^\d+\+/, "") : address,
  };
}

/** Patches by the commit; read a portion at a time, the oldest last, as they are asked for. */
function readPatches({ mark, patches }: LandedFiles): Map<string, () => string> {
  const found = new Map<string, () => string>();
  let [open, text] = ["", ""];
  for (const name of patches) {
    const portion = read(name);
    for (let from = portion.indexOf(mark); from !== -1; ) {
      const next = portion.indexOf(mark, from + 1);
      const start = from + mark.length;
      const sha = portion.slice(start, portion.indexOf("\n", start)).trim();
      const [begin, end] = [start, next === -1 ? portion.length : next];
      found.set(sha, () => {
        if (open !== name) [open, text] = [name, read(name)];
        return text.slice(begin, end);
      });
      from = next;
    }
  }
  return found;
}

const NEIGHBOURS = 5;

/**
 * Clocks of people's machines say anything: a step whose time is not between those of most of its neighbours before and behind it has the
 * middle of theirs, and none is before the one that it stands on.
 */
function smoothTimes(steps: Step[], now: number): void {
  const raw = steps.map(({ at }) => Math.min(at, now));
  let latest = 0;
  steps.forEach((step, at) => {
    const before = middle(raw.slice(Math.max(0, at - NEIGHBOURS), at)) ?? 0;
    const behind = middle(raw.slice(at + 1, at + 1 + NEIGHBOURS)) ?? now;
    const own = raw[at] ?? 0;
    const fits = before <= own && own <= behind;
    latest = Math.max(
      latest,
      fits ? own : (middle(raw.slice(Math.max(0, at - NEIGHBOURS), at + 1 + NEIGHBOURS)) ?? own),
    );
    step.at = latest;
  });
}

function middle(times: readonly number[]): number | undefined {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** What a change is called; undefined for a merge of branches, which is none. */
function nameOf({ parents, subject, body }: Step): string | undefined {
  const title = titleOf(subject, body);
  return title === subject && parents.length > 1 && /^(?:Merge|Merged|Merging)\b/.test(subject) ? undefined : title;
}

const SWEEP =
  /\b(?:prettier|reformat\w{0,20}|(?:run|apply) \w{1,40} (?:format|fix)\w{0,20}|format(?:ting)?|lint(?:ing)?|code ?style|style|white ?space|indent\w{0,20}|codemod|ruff|black|gofmt|rename\w{0,20})\b/i;

const BOT = /\[bot\]|\bbot@|^(?:dependabot|renovate|greenkeeper|snyk|semantic-release|github-actions)\b|[-_ ]bot$/i;

function isBot({ name, author }: Step): boolean {
  return BOT.test(name) || BOT.test(author);
}

/** Whether a file at this path counts as written by somebody: of others no line is compared. */
export function isWritten(path: string): boolean {
  const kind = kindByName(path);
  return kind === "code" || kind === "test" || kind === "docs";
}

/** Most of it is older text that stands elsewhere now, or in another form. */
function isMove(removed: readonly RemovedLine[], kept: number): boolean {
  return kept >= 50 && kept > 4 * removed.length;
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*[\s/]|\*$|#\s|<!--|--\s|"""|''')/;

function isCode({ path, text }: RemovedLine): boolean {
  return /[a-z0-9]/i.test(text) && !COMMENT.test(text) && kindByName(path) === "code" && isProgram(path);
}

/** Whether a change holds code, without which nothing of it can be mended in this sense. */
export function changesCode(files: readonly Pick<RiskFile, "kind" | "path">[]): boolean {
  return files.some(({ kind, path }) => kind === "code" && isProgram(path));
}

const DATA: ReadonlySet<string> = new Set(["JSON", "YAML", "TOML", "XML"]);

function isProgram(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && !DATA.has(language.name);
}

/** All changed files, also those without text: a change is spread over them all the same. */
function describe(files: readonly FilePatch[], paths: readonly string[]): RiskFile[] {
  const patched = files.map(({ oldPath, newPath, hunks }): RiskFile => {
    const path = newPath ?? oldPath ?? "";
    const [addedLines, deletedLines] = [
      count(hunks.map((hunk) => hunk.added)),
      count(hunks.map((hunk) => hunk.removed)),
    ];
    return {
      path,
      kind: kindByName(path),
      addedLines,
      deletedLines,
      pureRename: hunks.length === 0 && oldPath !== newPath,
    };
  });
  const told = new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
  const others = paths.filter((path) => !told.has(path));
  return [
    ...patched,
    ...others.map((path) => ({ path, kind: kindByName(path), addedLines: 0, deletedLines: 0, pureRename: false })),
  ];
}

function count(parts: readonly (readonly string[])[]): number {
  return parts.reduce((sum, lines) => sum + lines.length, 0);
}

function pointsOf(files: readonly RiskFile[], history: HistoryFacts): Pick<PastChange, "points" | "linesAdded"> {
  const nothing = { pathWeights: [], openFindings: [], migrations: [], workflowPermissions: [], protectedPaths: [] };
  const { components } = assessRisk({ files, history, ...nothing });
  const linesAdded = components.changeSize.factors[0]?.value ?? 0;
  return { points: RISK_COMPONENTS.map((name) => components[name].points), linesAdded };
}

/** Who worked where before, as each step found it. */
function createExperience(past: ReadonlyMap<string, Commit>) {
  const taken = new Set<string>();
  const onPath = new Map<string, Commit[]>();
  const byAuthor = new Map<string, { readonly commits: Set<Commit>; readonly below: Map<string, Commit[]> }>();

  const take = (commit: Commit) => {
    if (commit.parents.length > 1) return;
    const author = byAuthor.get(commit.author) ?? { commits: new Set(), below: new Map() };
    byAuthor.set(commit.author, author);
    const counted = author.commits.size < AUTHOR_COMMITS;
    if (counted) author.commits.add(commit);
    for (const path of commit.paths.slice(0, SWEEP_FILES)) {
      push(onPath, path, commit);
      if (counted) for (const place of placesAbove(path)) push(author.below, place, commit);
    }
  };
  return {
    /** Everything that the step brought is history for those after it. */
    add(step: Step) {
      const waiting = [step.sha];
      for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
        const commit = past.get(sha);
        if (commit === undefined || taken.has(sha)) continue;
        taken.add(sha);
        take(commit);
        waiting.push(...commit.parents);
      }
    },
    of(step: Step, files: readonly FilePatch[]): HistoryFacts {
      const paths = files.map(({ oldPath, newPath }) => oldPath ?? newPath ?? "");
      const recent = new Set<Commit>();
      for (const path of paths) {
        for (const commit of onPath.get(path) ?? []) if (commit.at > step.at - YEAR_MS) recent.add(commit);
      }
      // A merged pull request is its author's, not of whoever merged it.
      const second = past.get(step.parents[1] ?? "");
      const author = byAuthor.get((second ?? step).author);
      const here = new Set(paths.flatMap((path) => author?.below.get(placeOf(path)) ?? []));
      return {
        commits: recent.size,
        authors: new Set([...recent].map((commit) => commit.author)).size,
        author: { inTheseDirectories: here.size, elsewhere: (author?.commits.size ?? 0) - here.size },
        truncated: false,
      };
    },
  };
}

function push(map: Map<string, Commit[]>, key: string, commit: Commit): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [commit]);
  else if (list.at(-1) !== commit) list.push(commit);
}

function placeOf(path: string): string {
  const directory = posix.dirname(path);
  return directory === "." ? path : directory;
}

const DEEPEST = 20;

/** The folders that a path lies in; for a file in the root itself. */
function placesAbove(path: string): string[] {
  const parts = path.split("/").slice(0, DEEPEST);
  if (parts.length === 1) return [path];
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
