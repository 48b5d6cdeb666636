import { describe, expect, it } from "vitest";
import { readCommitPatches } from "../../src/workspace/commit-patches.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { expectOk, startFixture } from "./fixture.ts";

const file = (path: string | Buffer, content?: string) => (content === undefined ? { path } : { path, content });

describe("what the commits of a pull request add", () => {
  it("SEC-6: is told commit by commit, also what a later one takes away again", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const base = origin.commit({ branch: "main", files: [file("a.txt", "one\ntwo\n")] });
    const first = origin.commit({
      branch: "topic",
      parents: [base],
      files: [file("a.txt", "one\nx = 1\ntwo\ny\n"), file('größe "1".txt', "zwölf\n")],
    });
    const second = origin.commit({
      branch: "topic",
      parents: [first],
      files: [file("a.txt", "one\ntwo\ny\n"), { path: 'größe "1".txt' }],
    });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, second] }));
    expect(await readCommitPatches(mirror, { base, head: second })).toEqual({
      ok: true,
      commits: [
        { sha: second, files: [] },
        {
          sha: first,
          files: [
            { path: "a.txt", text: "x = 1\ny", lines: [2, 4] },
            { path: 'größe "1".txt', text: "zwölf", lines: [1] },
          ],
        },
      ],
    });
  });

  it("is nothing more than the comparison when there is one commit", async () => {
    await using fixture = await startFixture();
    const base = fixture.origin.commit({ branch: "main", files: [file("a", "1\n")] });
    const head = fixture.origin.commit({ branch: "topic", parents: [base], files: [file("a", "1\n2\n")] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    expect(await readCommitPatches(mirror, { base, head })).toEqual({ ok: true, commits: [] });
  });

  it("is of a merge only what no parent has", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const start = origin.commit({ branch: "main", files: [file("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")] });
    const base = origin.commit({
      branch: "main",
      parents: [start],
      files: [file("a", "one\n2\n3\n4\n5\n6\n7\n8\n9\n"), file("b", "new\n")],
    });
    const topic = origin.commit({
      branch: "topic",
      parents: [start],
      files: [file("a", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n")],
    });
    const merge = origin.commit({
      branch: "topic",
      parents: [topic, base],
      files: [file("a", "one\n2\n3\n4\nevil\n5\n6\n7\n8\nnine\n"), file("b", "new\n"), file("c", "also\n")],
    });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, merge] }));
    const { commits } = expectOk(await readCommitPatches(mirror, { base, head: merge }));
    expect(commits).toEqual([
      {
        sha: merge,
        files: [
          { path: "a", text: "evil", lines: [5] },
          { path: "c", text: "also", lines: [1] },
        ],
      },
      { sha: topic, files: [{ path: "a", text: "nine", lines: [9] }] },
    ]);
  });

  it("is of a merge of neighbouring lines not what either side brought", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const start = origin.commit({ branch: "main", files: [file("a", "1\n2\n3\n")] });
    const base = origin.commit({ branch: "main", parents: [start], files: [file("a", "one\n2\n3\n")] });
    const topic = origin.commit({ branch: "topic", parents: [start], files: [file("a", "1\ntwo\n3\n")] });
    const resolved = [file("a", "one\nevil\ntwo\n3\n")];
    const merge = origin.commit({ branch: "topic", parents: [topic, base], files: resolved });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, merge] }));
    const { commits } = expectOk(await readCommitPatches(mirror, { base, head: merge }));
    expect(commits[0]).toEqual({ sha: merge, files: [{ path: "a", text: "evil", lines: [2] }] });
  });

  it("is bounded, and what is left out is said", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const base = origin.commit({ branch: "main", files: [file("a", "0\n")] });
    let head = base;
    for (let at = 1; at <= 3; at += 1)
      head = origin.commit({ branch: "topic", parents: [head], files: [file("a", `${at}\n${"x".repeat(500)}\n`)] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    const few = expectOk(await readCommitPatches(mirror, { base, head, limits: { commits: 2 } }));
    expect([few.commits.length, few.truncated]).toEqual([2, "Of the commits only the newest 2 were read one by one."]);
    const short = expectOk(await readCommitPatches(mirror, { base, head, limits: { patchBytes: 900 } }));
    expect(short.truncated).toBe("The commits add more than 900 bytes.");
    const wide = expectOk(await readCommitPatches(mirror, { base, head, limits: { files: 2 } }));
    expect([wide.commits, wide.truncated]).toEqual([[], "The commits change more than 2 files."]);
  });
});
