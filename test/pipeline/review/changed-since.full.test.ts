import { describe, expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG, type RepoConfig } from "../../../src/domain/repo-config.ts";
import type { PullRequestEnds } from "../../../src/domain/subjects.ts";
import { readChange } from "../../../src/pipeline/change/read-change.ts";
import { filesThen, pushSince } from "../../../src/pipeline/review/work/changed-since.ts";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import { mirrorStore } from "../../../src/workspace/git-store.ts";
import { messagesBetween } from "../../../src/workspace/history-of-path.ts";
import { expectOk, type Fixture, startFixture } from "../../workspace/fixture.ts";
import type { TestFile } from "../../workspace/test-repository.ts";

const { signal } = new AbortController();
const long = (text: string) => `${Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n")}\n${text}\n`;

interface Heads {
  readonly base: string;
  readonly head: string;
}

/** A base of three files and a branch that changed two of them. */
function begin({ origin }: Fixture): Heads & { readonly commit: Fixture["origin"]["commit"] } {
  const files = ["a.ts", "b.ts", "c.ts"].map((path) => ({ path, content: long("old") }));
  const base = origin.commit({ branch: "main", files });
  const changed = ["a.ts", "b.ts"].map((path) => ({ path, content: long("new") }));
  return { base, head: origin.commit({ branch: "topic", parents: [base], files: changed }), commit: origin.commit };
}

async function since(fixture: Fixture, then: Heads, now: Heads, configuration: RepoConfig = DEFAULT_REPO_CONFIG) {
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [then.base, then.head, now.base, now.head] }));
  const ends = (of: Heads): PullRequestEnds =>
    ({ baseSha: of.base, headSha: of.head, baseRef: "main", headRef: "topic" }) as PullRequestEnds;
  const change = await readChange(mirror, ends(now), signal);
  const last = { entered: { phase: "review" as const, ends: ends(then), configuration: DEFAULT_REPO_CONFIG } };
  const push = await pushSince(mirror, last, { ends: ends(now), change, configuration, signal });
  if (!push) return undefined;
  const files = await filesThen(mirror, push, change, signal);
  const without = [change.mergeBaseSha, push.headSha];
  return {
    ranges: Object.fromEntries(push.changed.map(({ path, ranges }) => [path, ranges])),
    files: Object.fromEntries([...files].map(([path, then]) => [path, then.toString()])),
    messages: await messagesBetween(mirrorStore(mirror), { head: now.head, without, most: 20, signal }),
  };
}

describe("GH-3: what a further push changed", () => {
  it("names its lines, and holds the touched files as they were read", async () => {
    await using fixture = await startFixture();
    const { base, head, commit } = begin(fixture);
    const next = commit({
      branch: "topic",
      parents: [head],
      message: "Mend a",
      files: [{ path: "a.ts", content: long("mended") }],
    });
    expect(await since(fixture, { base, head }, { base, head: next })).toEqual({
      ranges: { "a.ts": [[13, 13]] },
      files: { "a.ts": long("new") },
      messages: ["Mend a"],
    });
  });

  it("has a file read whole that the base changed too, came with another mode, or cannot be compared", async () => {
    await using fixture = await startFixture();
    const { base, head, commit } = begin(fixture);
    const theirs = long("new").replace("line 1\n", "line one\n");
    const moved = commit({
      branch: "main",
      parents: [base],
      message: "Theirs",
      files: [{ path: "b.ts", content: long("old").replace("line 1\n", "line one\n") }],
    });
    const files: TestFile[] = [
      { path: "a.ts", content: long("mended") },
      { path: "b.ts", content: theirs },
      { path: "c.ts", content: long("old"), mode: "100755" },
      { path: "d.ts", content: "new\n" },
    ];
    const merged = commit({ branch: "topic", parents: [head, moved], message: "Merge main", files });
    expect(await since(fixture, { base, head }, { base: moved, head: merged })).toMatchObject({
      files: { "a.ts": long("new"), "b.ts": "other", "c.ts": "other", "d.ts": "other" },
      // Neither the merge nor what it brought is the author's word.
      messages: [],
    });
  });

  it("is not known after a rewritten branch, of a rewritten base, of a head that is gone, by another configuration", async () => {
    await using fixture = await startFixture();
    const { base, head, commit } = begin(fixture);
    const now = (branch: string, parents: readonly string[]) =>
      commit({ branch, parents, files: [{ path: "a.ts", content: long(branch) }] });
    const next = now("topic", [head]);
    const then = { base, head };
    expect(await since(fixture, then, { base, head: next })).toBeDefined();
    expect(await since(fixture, then, { base, head: now("rebased", [base]) })).toBeUndefined();
    const other = commit({ branch: "other", files: [{ path: "z.ts", content: "" }] });
    const base2 = commit({ branch: "main", parents: [base], files: [{ path: "c.ts", content: "" }] });
    const head2 = now("later", [base2, head]);
    expect(await since(fixture, { base: base2, head: head2 }, { base, head: now("further", [head2]) })).toBeUndefined();
    expect(await since(fixture, { base: other, head }, { base, head: next })).toBeUndefined();
    const { review } = DEFAULT_REPO_CONFIG;
    const configuration = { ...DEFAULT_REPO_CONFIG, review: { ...review, exclude: ["docs/**"] } };
    expect(await since(fixture, then, { base, head: next }, configuration)).toBeUndefined();
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, next] }));
    const ends = { baseSha: base, headSha: next, baseRef: "main" } as PullRequestEnds;
    const gone = { ...ends, headSha: "0123456789012345678901234567890123456789" };
    const last = { entered: { phase: "review" as const, ends: gone, configuration: DEFAULT_REPO_CONFIG } };
    const change = await readChange(mirror, ends, signal);
    const beginning = { ends, change, configuration: DEFAULT_REPO_CONFIG, signal };
    expect(await pushSince(mirror, last, beginning)).toBeUndefined();
  });
});
