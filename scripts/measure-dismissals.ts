// What learning from dismissals would have hidden of review comments that others have labelled: rightly and wrongly, against hiding nothing
// and against hiding a rule after three dismissals. `npm run measure:dismissals -- <folder>`, where the folder holds a clone of
// brinnarlyne8585/AIReviewActionAnalysis (5,652 comments of AI reviewers on public repositories, labelled by what became of them); it is
// cloned there where there is none. The data has no licence of its own: it is read, and nothing of it is kept here.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Finding } from "../src/domain/findings.ts";
import { type FindingClass, LEAST_DISMISSALS, type PastOutcome } from "../src/domain/hiding.ts";
import { classOf, isContradicted, isInClass, type TaughtFinding } from "../src/safety/finding-class.ts";
import { readCsv } from "./dismissals/read-csv.ts";

const SOURCE = "https://github.com/brinnarlyne8585/AIReviewActionAnalysis";
const LABELS =
  "llm_analysis/output/reviews(llm_input)(consider_path)/Addressed_openai-o3-mini_p=4.7(1)_based_Suggestion_openai-o3-mini_p=3.12(1)(f).csv";
const COMMENTS = /^_data\/[^/]+\/crawled_data\/valid_reviews\.csv$/;
/** Bytes of a file that is read. */
const LARGEST = 64 * 1024 * 1024;

/** `left`: somebody saw it and changed nothing; that stands for a dismissal. `nothing`: it wanted nothing of anybody. */
type Label = "left" | "partly" | "fully" | "nothing";
const LABEL_OF: Readonly<Record<string, Label>> = {
  ...{ "2,0": "left", "2,1": "partly", "2,2": "fully", "0": "nothing", "1": "nothing" },
};

interface Comment {
  readonly repository: string;
  readonly pull: string;
  readonly at: string;
  readonly label: Label;
  readonly past: TaughtFinding;
}

/** The comments name no rule: what they are about is told by words, the first theme that fits. */
const THEMES = {
  security: /secur|secret|credential|inject|sanitiz|password|token\b/i,
  error_handling: /error|exception|catch|fail|null|undefined|none\b/i,
  performance: /performan|effici|slow|memory|cache/i,
  tests: /\btests?\b|coverage|assert|mock/i,
  documentation: /document|comment|docstring|readme|typo/i,
  naming: /\bnam(?:e|ing)\b|renam/i,
  dependencies: /version|dependenc|package|upgrad|updat/i,
  removal: /remov|unused|delet/i,
  style: /format|style|readab|indent|quote|whitespace|consisten/i,
} as const;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("npm run measure:dismissals -- <folder of the clone>");
if (!existsSync(folder)) execFileSync("git", ["clone", "--depth", "1", SOURCE, folder], { stdio: "inherit" });

const comments = readComments();
console.log(`${comments.length} labelled comments on ${new Set(comments.map(({ pull }) => pull)).size} pull requests`);
for (const split of ["later half by the earlier one", "each pull request by those before it"] as const) {
  console.log(`\n${split}`);
  console.log(
    "| policy | judged | hidden | left alone | wanted nothing | partly done | fully done | of all fully done |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const [name, policy] of Object.entries({
    "hide nothing": nothing,
    "a rule after 3": byRule,
    "a class": byClass,
  })) {
    console.log(`| ${name} | ${row(policy, split === "each pull request by those before it")} |`);
  }
}

/** Which of the judged are hidden, knowing what came before. */
type Policy = (known: readonly Comment[]) => (comment: Comment) => boolean;

function nothing(): ReturnType<Policy> {
  return () => false;
}

function byRule(known: readonly Comment[]): ReturnType<Policy> {
  const counts = new Map<string, number>();
  for (const { label, past } of known) {
    if (label === "left") counts.set(past.finding.rule, (counts.get(past.finding.rule) ?? 0) + 1);
  }
  return ({ past }) => (counts.get(past.finding.rule) ?? 0) >= LEAST_DISMISSALS;
}

/** As Forge does: each dismissal may teach a class, and what was fixed since keeps it from that. Everything proposed counts as approved. */
function byClass(known: readonly Comment[]): ReturnType<Policy> {
  const classes: FindingClass[] = [];
  const past = known.map((comment) => comment.past);
  const taught = past.filter(({ became }) => became === "dismissed");
  for (const like of taught) {
    if (classes.some((one) => isInClass(like.finding, one))) continue;
    const found = classOf(like, taught, 1);
    if (found && !isContradicted(found, past)) classes.push(found);
  }
  return ({ past: { finding } }) => classes.some((one) => isInClass(finding, one));
}

function row(policy: Policy, each: boolean): string {
  const judged: { readonly comment: Comment; readonly isHidden: boolean }[] = [];
  for (const own of Map.groupBy(comments, ({ repository }) => repository).values()) {
    const pulls = [...new Set(own.map(({ pull }) => pull))];
    const steps = each
      ? pulls.map((_, at) => [at, at + 1] as const)
      : [[Math.ceil(pulls.length / 2), pulls.length] as const];
    for (const [from, to] of steps) {
      const before = own.filter(({ pull }) => pulls.indexOf(pull) < from);
      const texts = new Set(before.map(({ past }) => past.finding.message));
      const hides = policy(before);
      const after = own.filter(({ pull }) => pulls.indexOf(pull) >= from && pulls.indexOf(pull) < to);
      // What says word for word what was said before tells nothing of likeness.
      const fresh = after.filter(({ past }) => !texts.has(past.finding.message));
      judged.push(...fresh.map((comment) => ({ comment, isHidden: hides(comment) })));
    }
  }
  const hidden = judged.filter(({ isHidden }) => isHidden);
  const of = (label: Label) => hidden.filter(({ comment }) => comment.label === label).length;
  const fully = judged.filter(({ comment }) => comment.label === "fully").length;
  return [
    ...[judged.length, hidden.length, of("left"), of("nothing"), of("partly"), of("fully")],
    `${of("fully")} of ${fully}`,
  ].join(" | ");
}

/** All comments with a label, by repository and pull request in the order of time. */
function readComments(): Comment[] {
  const labels = new Map(
    readCsv(show(LABELS)).map((line) => [line.Comment_URL, LABEL_OF[line.Resolution_Formated ?? ""]]),
  );
  const files = git("ls-tree", "-r", "--name-only", "HEAD")
    .split("\n")
    .filter((path) => COMMENTS.test(path));
  const lines = files.flatMap((path) => {
    try {
      return readCsv(show(path));
    } catch {
      console.log(`not there: ${path}`);
      return [];
    }
  });
  const sorted = lines.toSorted((a, b) => ((a.Created_At ?? "") < (b.Created_At ?? "") ? -1 : 1));
  return sorted.flatMap((line, order): Comment[] => {
    const {
      Repository: repository = "",
      Affiliated_PR_URL: pull = "",
      Created_At: at = "",
      Body = "",
      Diff_path = "",
    } = line;
    const label = labels.get(line.Comment_URL ?? "");
    const message = firstWords(Body);
    if (label === undefined || message === "" || repository === "") return [];
    const rule = `ai/${themeOf(message)}`;
    const became: PastOutcome = label === "left" ? "dismissed" : label === "nothing" ? "open" : "fixed";
    const id = `F-${order}`;
    const place = { file: Diff_path || "unknown", line: 1, endLine: 1 };
    const finding: Finding = {
      ...{
        id,
        fingerprint: id,
        source: "ai",
        rule,
        severity: "warning",
        category: "correctness",
        confidence: 0.6,
        message,
      },
      ...place,
    };
    // Who left it alone is not told: they are taken for two people in turn.
    const by = { login: `person-${order % 2}`, id: order % 2, kind: "user" } as const;
    const past = { finding, pull: order + 1, became, order, by, maintains: false, reason: "left alone", at };
    return [{ repository, pull, at, label, past }];
  });
}

/** About what a finding's message says: the prose at the beginning, without code, pictures and marks. */
function firstWords(body: string): string {
  const prose = body
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, " ")
    .replace(/\bCodeRabbit\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const sentences = prose.match(/[^.!?]+[.!?]*/g) ?? [];
  return sentences.slice(0, 2).join("").trim().slice(0, 300);
}

function themeOf(message: string): string {
  return Object.entries(THEMES).find(([, words]) => words.test(message))?.[0] ?? "logic";
}

function show(path: string): string {
  return git("show", `HEAD:${path}`);
}

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder!, ...args], {
    ...{ encoding: "utf8", maxBuffer: LARGEST, stdio: ["ignore", "pipe", "ignore"] },
  });
}
