import { describe, expect, it } from "vitest";
import { listCommits } from "../../src/workspace/commit-log.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { isUpdateMergeOnly } from "../../src/workspace/update-merge.ts";
import { expectOk, startFixture } from "./fixture.ts";

const TEN_LINES = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n";

describe("the commits of a pull request", () => {
  it("are those that the head has and the base has not, newest first", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const base = origin.commit({ branch: "main", message: "base" });
    const first = origin.commit({ branch: "topic", parents: [base], message: "größe\n\nbody" });
    const head = origin.commit({ branch: "topic", parents: [first, base], message: "merge" });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    const author = { name: "Ana", email: "ana@example.com" };
    const authoredAt = "2023-11-14T23:13:20+01:00";
    expect(await listCommits(mirror, { base, head })).toEqual({
      ok: true,
      truncated: false,
      commits: [
        { sha: head, parents: [first, base], author, authoredAt, subject: "merge" },
        { sha: first, parents: [base], author, authoredAt, subject: "größe" },
      ],
    });
    expect(await listCommits(mirror, { base: head, head })).toEqual({ ok: true, truncated: false, commits: [] });
    const cut = expectOk(await listCommits(mirror, { base, head, maxCommits: 1 }));
    expect([cut.truncated, cut.commits.length]).toEqual([true, 1]);
  });
});

describe("a push that only updates from the base", () => {
  async function scene(
    resolve: (base: string, oldHead: string) => { parents: string[]; content: string; extra?: string },
  ) {
    const fixture = await startFixture();
    const { origin } = fixture;
    const start = origin.commit({ branch: "main", files: [{ path: "a", content: TEN_LINES }] });
    const base = origin.commit({
      branch: "main",
      parents: [start],
      files: [{ path: "a", content: TEN_LINES.replace("0", "zero") }],
    });
    const topic = [{ path: "a", content: TEN_LINES.replace("9", "nine") }];
    const oldHead = origin.commit({ branch: "topic", parents: [start], files: topic });
    const { parents, content, extra } = resolve(base, oldHead);
    const files = [{ path: "a", content }, ...(extra === undefined ? [] : [{ path: extra, content: "extra\n" }])];
    const newHead = origin.commit({ branch: "topic", parents, files });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, oldHead, newHead] }));
    return { fixture, mirror, push: { oldHead, newHead, base } };
  }
  const MERGED = TEN_LINES.replace("0", "zero").replace("9", "nine");

  it("GH-3: is recognised by the tree that git's own merge gives", async () => {
    const { fixture, mirror, push } = await scene((base, oldHead) => ({ parents: [oldHead, base], content: MERGED }));
    await using _ = fixture;
    expect(await isUpdateMergeOnly(mirror, push)).toEqual({
      ok: true,
      isUpdateMergeOnly: true,
      because: "every commit is a clean merge",
    });
    expect(await isUpdateMergeOnly(mirror, { ...push, newHead: push.oldHead })).toMatchObject({
      isUpdateMergeOnly: false,
    });
  });

  it("GH-3: is not one when the merge brings something of its own", async () => {
    const { fixture, mirror, push } = await scene((base, oldHead) => ({
      parents: [oldHead, base],
      content: MERGED,
      extra: "evil",
    }));
    await using _ = fixture;
    expect(await isUpdateMergeOnly(mirror, push)).toMatchObject({
      isUpdateMergeOnly: false,
      because: "the merge was edited or had conflicts",
    });
  });

  it("GH-3: is not one when it is no merge, or a merge of something else than the base", async () => {
    const plain = await scene((_, oldHead) => ({ parents: [oldHead], content: MERGED }));
    await using _plain = plain.fixture;
    expect(await isUpdateMergeOnly(plain.mirror, plain.push)).toMatchObject({ because: "a commit is no merge" });
    const { fixture, mirror, push } = await scene((base, oldHead) => ({ parents: [oldHead, base], content: MERGED }));
    await using _ = fixture;
    const start = fixture.origin.git("rev-parse", `${push.base}^`);
    expect(await isUpdateMergeOnly(mirror, { ...push, base: start })).toMatchObject({
      isUpdateMergeOnly: false,
      because: "something else than the base branch was merged",
    });
  });

  it("GH-3: is not one after a force-push", async () => {
    const { fixture, mirror, push } = await scene((base) => ({ parents: [base], content: MERGED }));
    await using _ = fixture;
    expect(await isUpdateMergeOnly(mirror, push)).toMatchObject({ isUpdateMergeOnly: false });
  });
});
