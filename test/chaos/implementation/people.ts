import type { Simulator } from "../../../simulator/start-simulator.ts";
import { ANSWERS, WISH } from "./shop.ts";

export const REPOSITORY = "acme-0/shop";
const FORGE = "forge[bot]";

/** An issue that is asked for, and the pull request that follows it. */
export interface Asked {
  readonly issue: number;
  readonly pull: number;
}

/** Somebody writes down what they want; nobody asks Forge for it yet. */
export async function writeIssue(github: Simulator): Promise<Asked> {
  const issue = { title: "Prices have odd digits", body: "250 is shown as 2.5", by: "ana" };
  const { number } = await github.openIssue(REPOSITORY, issue);
  return { issue: number, pull: number + 1 };
}

/**
 * What people do next, going by what GitHub shows them: ask for the work, approve the plan, wish for something else, merge. They act while
 * Forge is at rest, and whatever they did counts, whether Forge was there to hear it or not.
 * @returns what they did; undefined when all is merged, or when they still wait for Forge
 */
export async function actAsPeople(github: Simulator, { issue, pull }: Asked): Promise<string | undefined> {
  const again = await sayAgain(github, { issue, pull });
  if (again) return again;
  const { labels, comments } = github.issue(REPOSITORY, issue);
  if (!labels.includes("forge:implement")) {
    await github.addLabel(REPOSITORY, issue, "forge:implement", "ben");
    return "asked for the work";
  }
  const gate = comments.map(({ by, body }) => by === FORGE && /\/forge approve (G-\d+)/.exec(body)?.[1]).find(Boolean);
  const isAnswered = comments.some(({ by, body }) => by === "ana" && body === `/forge approve ${gate}`);
  if (gate && !isAnswered) {
    github.comment(REPOSITORY, issue, { by: "ana", body: `/forge approve ${gate}` });
    return "approved the plan";
  }
  const opened = findPull(github, pull);
  if (!opened || opened.draft || opened.merged) return undefined;
  if (!opened.reviews.some(({ by }) => by === "ana")) {
    await github.submitReview(REPOSITORY, pull, { by: "ana", event: "REQUEST_CHANGES", comments: [WISH] });
    return "asked for changes";
  }
  if (!opened.reviewComments.some(({ body }) => body.includes(ANSWERS.person))) return undefined;
  const tests = opened.checkRuns.find(({ name }) => name === "forge/tests");
  if (tests?.conclusion !== "success") return undefined;
  await github.mergePullRequest(REPOSITORY, pull, "ana");
  return "merged";
}

/** Sentences that people read already. */
const READ = new WeakMap<Simulator, Set<number>>();

export function isSetAsideSentence(body: string): boolean {
  return body.startsWith("Forge ended ");
}

/** Who reads that what they did was set aside does it again. */
async function sayAgain(github: Simulator, { issue, pull }: Asked): Promise<string | undefined> {
  const read = READ.get(github) ?? new Set();
  READ.set(github, read);
  const onPull = findPull(github, pull)?.comments ?? [];
  const said = [...github.issue(REPOSITORY, issue).comments, ...onPull];
  const sentence = said.find(({ id, by, body }) => by === FORGE && isSetAsideSentence(body) && !read.has(id));
  if (!sentence) return retry(github, { issue, pull });
  read.add(sentence.id);
  if (sentence.body.includes("the label that")) {
    await github.removeLabel(REPOSITORY, issue, "forge:implement", "ben");
    return "took the label away";
  }
  if (onPull.some(({ id }) => id === sentence.id) && sentence.body.includes("a comment by")) {
    await github.submitReview(REPOSITORY, pull, { by: "ana", event: "REQUEST_CHANGES", comments: [WISH] });
    return "asked for changes again";
  }
  const last = github.issue(REPOSITORY, issue).comments.findLast(({ by }) => by === "ana");
  if (last && /what `ana` asked|a comment by/.test(sentence.body)) {
    github.comment(REPOSITORY, issue, { by: "ana", body: last.body });
    return "said it again";
  }
  return undefined;
}

/** The work itself was set aside, or its review: status and check say so, and how it goes on. */
async function retry(github: Simulator, { issue, pull }: Asked): Promise<string | undefined> {
  const { comments } = github.issue(REPOSITORY, issue);
  const checks = findPull(github, pull)?.checkRuns ?? [];
  const command = comments.map(({ by, body }) => by === FORGE && ENDED.exec(body)?.[1]).find(Boolean);
  const isSetAside = checks.some(({ title }) => title?.startsWith("Not reviewed: Forge ended"));
  if (!command && !isSetAside) return undefined;
  github.comment(REPOSITORY, command ? issue : pull, { by: "ana", body: command || "/forge review" });
  return "had it tried again";
}

/** The status of work that failed or stands still, with what to say to have it go on. */
const ENDED = /^\*\*(?:Failed|Stopped)\b.*?`(\/forge (?:retry|resume))`/;

/** How often work was set aside, and somebody had it go on. */
export function retriesOf(github: Simulator, { issue, pull }: Asked): number {
  const said = [...github.issue(REPOSITORY, issue).comments, ...(findPull(github, pull)?.comments ?? [])];
  return said.filter(({ by, body }) => by === "ana" && /^\/forge (?:retry|resume|review)$/.test(body)).length;
}

/** As GitHub shows it; undefined before there is one. */
export function findPull(github: Simulator, number: number): ReturnType<Simulator["pullRequest"]> | undefined {
  try {
    return github.pullRequest(REPOSITORY, number);
  } catch {
    return undefined;
  }
}
