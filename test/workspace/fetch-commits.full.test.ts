import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchCommits, joinPacks } from "../../src/workspace/fetch-commits.ts";
import { watchedTransfer } from "../../src/workspace/fetch-objects.ts";
import { runGit } from "../../src/workspace/git.ts";
import { type Mirror, openMirror } from "../../src/workspace/mirror.ts";
import { listTree } from "../../src/workspace/read-tree.ts";
import { expectOk, type Fixture, startFixture } from "./fixture.ts";
import { runTestGit } from "./test-repository.ts";

function history({ origin }: Fixture) {
  const base = origin.commit({ branch: "main", files: [{ path: "a", content: "a\n" }] });
  const head = origin.commit({ branch: "topic", parents: [base], files: [{ path: "b", content: "b\n" }] });
  return { base, head };
}

async function packsOf(mirror: Mirror): Promise<string[]> {
  return (await readdir(join(mirror.places.gitDirectory, "objects", "pack"))).sort();
}

describe("fetching commits", () => {
  it("brings base and head by id, without contents, and asks only once", async () => {
    await using fixture = await startFixture();
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    expect(expectOk(await fetchCommits(mirror, { shas: [base, head] })).bytes).toBeGreaterThan(0);
    const present = runTestGit(mirror.places.gitDirectory, ["cat-file", "--batch-all-objects", "--batch-check"]);
    expect(
      present
        .toString()
        .match(/ (commit|tree|blob) /g)
        ?.sort(),
    ).toEqual([" commit ", " commit ", " tree ", " tree "]);
    const asked = fixture.server.requests.length;
    expect(await fetchCommits(mirror, { shas: [base, head] })).toEqual({ ok: true, bytes: 0 });
    expect(fixture.server.requests).toHaveLength(asked);
  });

  it("starts no program for commits that were seen there, until the packs are others", async () => {
    await using fixture = await startFixture();
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    await fetchCommits(mirror, { shas: [base, head] });
    await fetchCommits(mirror, { shas: [base, head] });
    const { PATH } = process.env;
    process.env.PATH = mkdtempSync(join(tmpdir(), "forge-git-"));
    await writeFile(join(process.env.PATH, "git"), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    try {
      expectOk(await fetchCommits(mirror, { shas: [head] }));
      expect(await fetchCommits(mirror, { shas: ["1".repeat(40)] })).toMatchObject({ ok: false });
    } finally {
      process.env.PATH = PATH;
    }
    const packs = join(mirror.places.gitDirectory, "objects", "pack");
    for (const name of await readdir(packs)) await rm(join(packs, name), { force: true });
    expect(expectOk(await fetchCommits(mirror, { shas: [head] })).bytes).toBeGreaterThan(0);
    const tree = await listTree(mirror, head);
    expect(tree).toMatchObject({ ok: true });
  });

  it("finds the head of a fork by its reference when the server does not give it by id", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const { base, head } = history(fixture);
    origin.git("update-ref", "refs/pull/7/head", head);
    origin.git("update-ref", "-d", "refs/heads/topic");
    const mirror = fixture.mirror();
    const gone = "1".repeat(40);
    const wanted = { shas: [base, head], refs: ["refs/pull/9/head", "refs/pull/7/head"] };
    expectOk(await fetchCommits(mirror, wanted));
    expect(await fetchCommits(mirror, { ...wanted, shas: [base, gone] })).toEqual({
      ok: false,
      reason: "missing commit",
      detail: `The server does not give commit ${gone}: it may be gone after a force-push.`,
    });
  });

  it("says that a commit is missing in an empty repository", async () => {
    await using fixture = await startFixture();
    expect(await fetchCommits(fixture.mirror(), { shas: ["1".repeat(40)], refs: ["refs/pull/1/head"] })).toMatchObject({
      ok: false,
      reason: "missing commit",
    });
  });

  it("says that the repository is missing, and that the token is refused", async () => {
    const token = ["ghs", "right"].join("_");
    await using fixture = await startFixture({ token });
    const { base } = history(fixture);
    const access = { root: join(fixture.folder, "mirrors"), repositoryId: "9", allowHttp: true };
    const gone = openMirror({ ...access, remoteUrl: fixture.server.urlOf("gone"), token: async () => token });
    expect(await fetchCommits(gone, { shas: [base] })).toMatchObject({ ok: false, reason: "not found" });
    const wrong = openMirror({ ...access, remoteUrl: fixture.server.urlOf("origin"), token: async () => "wrong" });
    expect(await fetchCommits(wrong, { shas: [base] })).toMatchObject({ ok: false, reason: "unauthorised" });
  });

  it("lets several wait for one mirror without disturbing each other", async () => {
    await using fixture = await startFixture();
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    const outcomes = await Promise.all([base, head, base, head].map((sha) => fetchCommits(mirror, { shas: [sha] })));
    expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, true, true, true]);
    expect(existsSync(mirror.places.lock)).toBe(false);
  });

  it("joins the packs of a much used mirror and forgets its oldest references", async () => {
    await using fixture = await startFixture();
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    expectOk(await fetchCommits(mirror, { shas: [head] }));
    expect((await packsOf(mirror)).filter((name) => name.endsWith(".pack"))).toHaveLength(2);
    await joinPacks(mirror, { packs: 1, references: 1 });
    expect((await packsOf(mirror)).filter((name) => name.endsWith(".pack"))).toHaveLength(1);
    expect(runTestGit(mirror.places.gitDirectory, ["for-each-ref"]).toString().trim().split("\n")).toHaveLength(1);
    expect(expectOk(await listTree(mirror, head)).entries).toHaveLength(2);
    expect(await fetchCommits(mirror, { shas: [base, head] })).toEqual({ ok: true, bytes: 0 });
  });
});

describe("the limits of a fetch", () => {
  it("refuses redirects", async () => {
    let target = "";
    await using fixture = await startFixture({
      instead: (request, response) => {
        if (request.url?.startsWith("/elsewhere")) return false;
        response.writeHead(302, { location: target + request.url }).end();
        return true;
      },
    });
    const { base } = history(fixture);
    target = fixture.server.urlOf("elsewhere").replace("/elsewhere.git", "/elsewhere");
    expect(await fetchCommits(fixture.mirror(), { shas: [base] })).toMatchObject({ ok: false, reason: "redirected" });
    expect(fixture.server.requests.filter((request) => request.includes("elsewhere"))).toEqual([]);
  });

  it("ends at the time limit and when it is aborted, and leaves nothing unfinished", async () => {
    await using fixture = await startFixture({ instead: (request) => request.method === "POST" });
    const { base } = history(fixture);
    const mirror = fixture.mirror();
    const limits = { timeMs: 400 };
    expect(await fetchCommits(mirror, { shas: [base], limits })).toMatchObject({ ok: false, reason: "timeout" });
    const posts = () => fixture.server.requests.filter((request) => request.startsWith("POST")).length;
    // On a busy machine the time is over before the first one has asked for anything.
    const before = posts();
    const controller = new AbortController();
    const waiting = fetchCommits(mirror, { shas: [base], signal: controller.signal });
    await expect.poll(posts).toBeGreaterThan(before);
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, reason: "aborted" });
    expect(await packsOf(mirror)).toEqual([]);
    expect(existsSync(mirror.places.fetching)).toBe(false);
  });

  it("ends at the size limit with a reason", async () => {
    await using fixture = await startFixture();
    const files = Array.from({ length: 2_000 }, (_, at) => ({ path: `f${at}`, content: `${at * at}` }));
    const base = fixture.origin.commit({ branch: "main", files });
    const mirror = fixture.mirror();
    expect(await fetchCommits(mirror, { shas: [base], limits: { bytes: 10_000 } })).toEqual({
      ok: false,
      reason: "too large",
      detail: "The transfer was stopped at 10000 bytes.",
    });
    expect(await packsOf(mirror)).toEqual([]);
    expectOk(await fetchCommits(mirror, { shas: [base] }));
  });

  it("ends when the mirror grows beyond the limit, also where the kernel does not hold it", async () => {
    await using fixture = await startFixture();
    const { base } = history(fixture);
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    const { gitDirectory } = mirror.places;
    const outcome = await watchedTransfer(mirror, { limits: { bytes: 1_000, timeMs: 60_000 } }, async (signal) => {
      await writeFile(join(gitDirectory, "objects", "pack", "tmp_pack_growing"), Buffer.alloc(2_000));
      await once(signal, "abort");
      return runGit({ gitDirectory, args: ["version"] });
    });
    expect(outcome).toMatchObject({ ok: false, reason: "too large" });
    expect((await packsOf(mirror)).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  });
});

describe("a mirror that was left in a bad state", () => {
  it("is repaired after a kill -9 in the middle of a fetch", async () => {
    let holdBack = true;
    await using fixture = await startFixture({ instead: (request) => holdBack && request.method === "POST" });
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    const { lock, fetching, gitDirectory } = mirror.places;
    const source = new URL("../../src/workspace/", import.meta.url).href;
    const spec = { root: join(fixture.folder, "mirrors"), repositoryId: "1", allowHttp: true };
    const victim = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `import { openMirror } from "${source}mirror.ts"; import { fetchCommits } from "${source}fetch-commits.ts";
       const spec = ${JSON.stringify({ ...spec, remoteUrl: fixture.server.urlOf("origin") })};
       await fetchCommits(openMirror(spec), { shas: ["${base}"] });`,
    ]);
    await expect.poll(() => fixture.server.requests.length).toBe(2);
    const ended = new Promise((resolve) => victim.once("exit", resolve));
    victim.kill("SIGKILL");
    await ended;
    expect([existsSync(lock), existsSync(fetching)]).toEqual([true, true]);
    await writeFile(join(gitDirectory, "objects", "pack", "tmp_pack_left"), "half");
    await mkdir(join(gitDirectory, "refs", "forge", "commit"), { recursive: true });
    await writeFile(join(gitDirectory, "refs", "forge", "commit", `${base}.lock`), "");
    holdBack = false;
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    expect((await packsOf(mirror)).filter((name) => name.startsWith("tmp_"))).toEqual([]);
    expect([existsSync(lock), existsSync(fetching)]).toEqual([false, false]);
  });

  it("is built anew when its objects are damaged", async () => {
    await using fixture = await startFixture();
    const { base, head } = history(fixture);
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    const packs = await packsOf(mirror);
    expectOk(await fetchCommits(mirror, { shas: [head] }));
    // The head is still there, so that the server believes the mirror to have its ancestors as well.
    for (const name of packs) {
      const file = join(mirror.places.gitDirectory, "objects", "pack", name);
      // Git takes the right to write away, from all but root.
      await chmod(file, 0o644);
      await truncate(file, 10);
    }
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    expect(expectOk(await listTree(mirror, head)).entries).toHaveLength(2);
  });

  it("is built anew after a read that failed for no good reason", async () => {
    await using fixture = await startFixture();
    const { base } = history(fixture);
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    const tree = fixture.origin.git("rev-parse", `${base}^{tree}`);
    const loose = join(mirror.places.gitDirectory, "objects", tree.slice(0, 2));
    const folder = join(mirror.places.gitDirectory, "objects", "pack");
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".pack")) continue;
      const bytes = await readFile(join(folder, name));
      await chmod(join(folder, name), 0o644);
      await writeFile(join(folder, name), bytes.fill(0xff, 40, 60));
    }
    await mkdir(loose, { recursive: true });
    const broken = await listTree(mirror, base);
    expect(broken).toMatchObject({ ok: false, reason: "unreadable" });
    expect(existsSync(mirror.places.suspect)).toBe(true);
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    expect(expectOk(await listTree(mirror, base)).entries).toHaveLength(1);
  });
});
