import { describe, expect, it } from "vitest";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { readBlobs } from "../../src/workspace/read-blobs.ts";
import { readFileAt } from "../../src/workspace/read-file-at.ts";
import { listTree } from "../../src/workspace/read-tree.ts";
import { expectOk, type Fixture, startFixture } from "./fixture.ts";
import type { TestFile } from "./test-repository.ts";

async function fetched(fixture: Fixture, files: TestFile[]) {
  const commit = fixture.origin.commit({ branch: "main", files });
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [commit] }));
  fixture.server.requests.length = 0;
  return { commit, mirror };
}

describe("reading contents", () => {
  it("gives them by id and by path, in the order asked, after one fetch", async () => {
    await using fixture = await startFixture();
    const binary = Buffer.from([0, 10, 255, 10]);
    const { commit, mirror } = await fetched(fixture, [
      { path: "empty", content: "" },
      { path: "dir/a b.txt", content: "text\n" },
      { path: "*", content: binary, mode: "100755" },
    ]);
    const sha = fixture.origin.git("rev-parse", `${commit}:*`);
    const requests = [{ commit, path: "dir/a b.txt" }, { sha }, { commit, path: "empty" }, { commit, path: "*" }];
    const { blobs } = expectOk(await readBlobs(mirror, requests));
    expect(blobs.map((blob) => ("content" in blob ? blob.content : blob))).toEqual([
      Buffer.from("text\n"),
      binary,
      Buffer.alloc(0),
      binary,
    ]);
    expect(fixture.server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expectOk(await readBlobs(mirror, requests));
    expect(fixture.server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });

  it("says why something was left out", async () => {
    await using fixture = await startFixture();
    const { commit, mirror } = await fetched(fixture, [
      { path: "large", content: "x".repeat(101) },
      { path: "one", content: "1".repeat(60) },
      { path: "two", content: "2".repeat(60) },
      { path: "link", content: "/etc/passwd", mode: "120000" },
      { path: "module", content: "1".repeat(40), mode: "160000" },
      { path: "dir/x", content: "x" },
    ]);
    const paths = ["large", "one", "two", "one", "link", "module", "dir", "none"];
    const limits = { maxBlobBytes: 100, maxTotalBytes: 100 };
    const requests = [...paths.map((path) => ({ commit, path })), { sha: "1".repeat(40) }, { sha: commit }];
    const { blobs } = expectOk(await readBlobs(mirror, requests, { limits }));
    expect(blobs.map((blob) => ("skipped" in blob ? blob.skipped : blob.bytes))).toEqual([
      "too large",
      60,
      "total reached",
      60,
      "not a file",
      "not a file",
      "not a file",
      "missing",
      "unavailable",
      "not a file",
    ]);
    expect(blobs[0]).toMatchObject({ bytes: 101 });
  });

  it("refuses what is no id and no path", async () => {
    await using fixture = await startFixture();
    const mirror = fixture.mirror();
    await expect(readBlobs(mirror, [{ sha: "--batch-all-objects" }])).rejects.toMatchObject({
      code: "invalid_revision",
    });
    const climbing = [{ commit: "1".repeat(40), path: "../x" }];
    await expect(readBlobs(mirror, climbing)).rejects.toMatchObject({ code: "invalid_path" });
  });
});

describe("reading one file", () => {
  it("SEC-5: gives a regular file, and undefined only when there is none", async () => {
    await using fixture = await startFixture();
    const { commit, mirror } = await fetched(fixture, [
      { path: ".github/forge.yml", content: "review: {}\n" },
      { path: "link.yml", content: ".github/forge.yml", mode: "120000" },
      { path: "large.yml", content: "x".repeat(200) },
    ]);
    const read = (path: string) => readFileAt(mirror, commit, path, { maxBytes: 100 });
    expect(await read(".github/forge.yml")).toMatchObject({ ok: true, content: Buffer.from("review: {}\n") });
    expect(await read("forge.yml")).toBeUndefined();
    expect(await read("link.yml")).toMatchObject({ ok: false, reason: "not a file" });
    expect(await read(".github")).toMatchObject({ ok: false, reason: "not a file" });
    expect(await read("large.yml")).toEqual({
      ok: false,
      reason: "too large",
      detail: '"large.yml" has 200 bytes; at most 100 are read.',
    });
    expect(await readFileAt(mirror, "1".repeat(40), "a")).toMatchObject({ ok: false, reason: "missing commit" });
  });

  it("does not take a server that is gone for a missing file", async () => {
    await using fixture = await startFixture();
    const { commit, mirror } = await fetched(fixture, [{ path: "forge.yml", content: "review: {}\n" }]);
    await fixture.server.close();
    expect(await readFileAt(mirror, commit, "forge.yml")).toMatchObject({ ok: false, reason: "unreachable" });
  });
});

describe("listing a tree", () => {
  it("marks links and submodules, keeps odd paths, and needs no content", async () => {
    await using fixture = await startFixture();
    const { commit, mirror } = await fetched(fixture, [
      { path: "dir/a", content: "a\n" },
      { path: Buffer.from([0xff]), content: "b\n" },
      { path: "link", content: "dir/a", mode: "120000" },
      { path: "module", content: "1".repeat(40), mode: "160000" },
    ]);
    const tree = expectOk(await listTree(mirror, commit));
    expect(tree.entries.map((entry) => `${entry.mode} ${entry.kind} ${entry.path}`)).toEqual([
      "100644 file dir/a",
      "120000 symlink link",
      "160000 submodule module",
      '100644 file "\\377"',
    ]);
    expect(tree.truncated).toBe(false);
    expect(fixture.server.requests).toEqual([]);
    expect(expectOk(await listTree(mirror, commit, { maxEntries: 2 }))).toMatchObject({
      truncated: true,
      entries: [{ path: "dir/a" }, { path: "link" }],
    });
  });
});
