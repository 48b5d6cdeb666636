import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import { type Mirror, openMirror } from "../../../src/workspace/mirror.ts";
import type { RemoteAccess } from "../../../src/workspace/remote-access.ts";
import { type PushSpec, pushBranch, readRemoteBranch } from "../../../src/workspace/working-tree/push-branch.ts";
import type { TreeSnapshot } from "../../../src/workspace/working-tree/snapshot.ts";
import { openWorkingTree } from "../../../src/workspace/working-tree/working-tree.ts";
import { aGitHub, type GitHub } from "../../simulator/a-github.ts";
import { expectOk, startFixture } from "../fixture.ts";
import { BY, signal } from "./tree-fixture.ts";

const BRANCH = "forge/42-rate-limit-login";
let github: GitHub;
let folder: string;
let mirror: Mirror;
let remote: RemoteAccess;

beforeEach(async () => {
  github = await aGitHub();
  folder = await mkdtemp(join(tmpdir(), "forge-push-"));
  const url = github.simulator.cloneUrl("acme/shop");
  remote = { url, allowHttp: true, token: () => github.installationToken() };
  const readOnly = { permissions: { contents: "read", metadata: "read" } };
  mirror = openMirror({
    root: join(folder, "mirrors"),
    repositoryId: "1",
    remoteUrl: url,
    allowHttp: true,
    token: () => github.installationToken(readOnly),
  });
});
afterEach(async () => {
  await github.stop();
  await rm(folder, { recursive: true, force: true });
});

/** One commit on top of another, as an implementation makes it. */
async function worked(on?: string): Promise<TreeSnapshot> {
  const base = on ?? (await readRemoteBranch({ remote, branch: "main", signal }));
  await using tree = await openWorkingTree({ mirror, base: base ?? "", scratchRoot: folder, signal });
  writeFileSync(join(tree.folder, `file-${Math.random()}.txt`), "work\n");
  await tree.commit({ message: "feat: work", ...BY });
  return tree.snapshot();
}

function push(snapshot: TreeSnapshot, given: Partial<PushSpec> = {}) {
  return pushBranch({ mirror, remote, branch: BRANCH, sha: snapshot.head, snapshot, expected: null, signal, ...given });
}

const at = (branch = BRANCH) => readRemoteBranch({ remote, branch, signal });

describe("pushing a branch of Forge", () => {
  it("makes the branch, moves it on, and says when it is there already", async () => {
    expect(await at()).toBeNull();
    const first = await worked();
    expect(await push(first)).toEqual({ outcome: "pushed" });
    expect(await at()).toBe(first.head);
    expect(await push(first)).toEqual({ outcome: "already" });
    const second = await worked(first.head);
    expect(await push(second, { expected: first.head })).toEqual({ outcome: "pushed" });
    expect(await at()).toBe(second.head);
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("PIPE-7: finds a push that arrived though its answer was lost", async () => {
    const work = await worked();
    github.simulator.faults.add({
      match: { path: /git-receive-pack$/, method: "POST" },
      kind: "lostResponse",
      times: 1,
    });
    expect(await push(work)).toEqual({ outcome: "already" });
    expect(await at()).toBe(work.head);
  });

  it("leaves alone what somebody else pushed, made or deleted", async () => {
    const [first, other] = [await worked(), await worked()];
    await push(other);
    expect(await push(first)).toEqual({ outcome: "moved", sha: other.head });
    expect(await push(first, { expected: first.base })).toEqual({ outcome: "moved", sha: other.head });
    expect(await push(first, { expected: other.head })).toEqual({ outcome: "moved", sha: other.head });
    expect(await at()).toBe(other.head);
    const gone = await push(first, { branch: "forge/7", expected: other.head });
    expect(gone).toEqual({ outcome: "moved", sha: null });
    expect(await at("forge/7")).toBeNull();
  });

  it("sends nothing but the work, also when the base branch has moved since", async () => {
    const sent: number[] = [];
    const instead = ({ method, url, headers }: IncomingMessage) => {
      if (method === "POST" && url?.endsWith("/git-receive-pack")) sent.push(Number(headers["content-length"]));
      return false;
    };
    await using fixture = await startFixture({ instead });
    const { origin } = fixture;
    origin.git("config", "http.receivepack", "true");
    const noise = { path: "once.bin", content: randomBytes(200_000) };
    const first = origin.commit({ branch: "main", files: [noise, { path: "a", content: "a\n" }] });
    const base = origin.commit({ branch: "main", parents: [first], files: [{ path: "once.bin" }] });
    mirror = fixture.mirror();
    const work = await worked(base);
    origin.commit({ branch: "main", parents: [base], files: [{ path: "b", content: "b\n" }] });
    expect(await push(work, { remote: mirror.remote })).toEqual({ outcome: "pushed" });
    expect(sent).not.toEqual([]);
    expect(sent.every((bytes) => bytes < 2_000)).toBe(true);
    origin.git("fsck", "--strict", "--connectivity-only");
  });

  it("pushes a commit that the mirror has without a snapshot", async () => {
    const main = (await at("main")) ?? "";
    expectOk(await fetchCommits(mirror, { shas: [main] }));
    expect(await pushBranch({ mirror, remote, branch: BRANCH, sha: main, expected: null, signal })).toEqual({
      outcome: "pushed",
    });
  });

  it("says in the server's words why a protected branch or a workflow file is refused", async () => {
    github.simulator.protectBranch("acme/shop", BRANCH, { requiresPull: true });
    const first = await worked();
    const outcome = await push(first);
    expect(outcome).toEqual({
      outcome: "refused",
      reason: `GH006: Protected branch update failed for refs/heads/${BRANCH}. - Changes must be made through a pull request.`,
    });
    expect(await at()).toBeNull();
  });

  it("is refused where the token may not write, without a word about the token", async () => {
    const work = await worked();
    const token = (await mirror.remote.token?.()) ?? "";
    const outcome = await push(work, { remote: { ...mirror.remote, token: async () => token } });
    expect(outcome).toEqual({ outcome: "refused", reason: expect.stringMatching(/denied|403/) });
    expect(JSON.stringify(outcome)).not.toContain(token);
    expect(await at()).toBeNull();
  });

  it("throws what may be better the next time when the server does not answer", async () => {
    const work = await worked();
    github.simulator.faults.add({ match: { operation: "git:push" }, kind: "status", status: 503, times: 1 });
    await expect(push(work)).rejects.toMatchObject({ code: "github_unavailable", context: { cause: "unavailable" } });
    const arriving = { path: /git-receive-pack$/, method: "POST" };
    github.simulator.faults.add({ match: arriving, kind: "status", status: 500, times: 1 });
    await expect(push(work)).rejects.toMatchObject({ code: "github_unavailable", recoverability: "auto" });
    github.simulator.faults.add({ match: { operation: "git:fetch" }, kind: "status", status: 502, times: 1 });
    await expect(at()).rejects.toMatchObject({ code: "github_unavailable" });
    expect(await push(work)).toEqual({ outcome: "pushed" });
  });

  it("GH-14: adds to a branch of people that it was asked to add to, and neither makes nor rewrites one", async () => {
    const base = await at("main");
    const fix = await worked(base ?? "");
    const theirs = { theirs: true } as const;
    await expect(push(fix, { branch: "topic", expected: null, ...theirs })).rejects.toThrow(
      /does not push to a branch/,
    );
    await expect(push(fix, { branch: "a..b", expected: base, ...theirs })).rejects.toThrow(/Not a full reference/);
    const sha = await github.simulator.commit("acme/shop", "topic", { files: {}, message: "Topic", author: "ana" });
    const other = await push(fix, { branch: "topic", expected: sha, ...theirs });
    expect(other).toEqual({ outcome: "moved", sha });
    const onTop = await worked(sha);
    expect(await push(onTop, { branch: "topic", expected: sha, ...theirs })).toEqual({ outcome: "pushed" });
    expect(await at("topic")).toBe(onTop.head);
    await expect(push(await worked(onTop.head), { branch: "topic", expected: onTop.head })).rejects.toThrow(
      /does not push/,
    );
  });

  it("takes no other branch, no option and no word for a commit", async () => {
    const work = await worked();
    for (const branch of ["main", "forge/42:refs/heads/main", "--mirror", "forge/42\n", "forge/../main"]) {
      await expect(push(work, { branch })).rejects.toMatchObject({ code: "branch_refused" });
    }
    await expect(push(work, { sha: "--all" })).rejects.toMatchObject({ code: "invalid_revision" });
    await expect(push(work, { expected: "HEAD" })).rejects.toMatchObject({ code: "invalid_revision" });
    await expect(push(work, { sha: "1".repeat(40) })).rejects.toMatchObject({ code: "working_tree_unavailable" });
    await expect(at("a b")).rejects.toMatchObject({ code: "invalid_revision" });
  });
});
