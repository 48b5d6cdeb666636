// https://docs.github.com/en/rest/git
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setRef } from "../actions/write-refs.ts";
import { refusalOfMove } from "../facts/protected-branches.ts";
import { commitOf, refsOf } from "../git/bare-repository.ts";
import { commitInfo, commitTree, type Person } from "../git/commits.ts";
import { git } from "../git/run-git.ts";
import { listTree } from "../git/tree.ts";
import { notFound, Problem } from "../problem.ts";
import type { Repository } from "../records.ts";
import { nodeId, repositoryApi } from "../shapes/addresses.ts";
import { gitCommitShape } from "../shapes/commit.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, createRoutes, parameter, repositoryOf } from "./call.ts";

interface NewTreeEntry {
  readonly path: string;
  readonly mode?: string;
  readonly sha?: string | null;
  readonly content?: string;
}

interface NewCommit {
  readonly message: string;
  readonly tree: string;
  readonly parents?: readonly string[];
  readonly author?: Person;
  readonly committer?: Person;
}

export function gitDataRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/git";

  routes.get(`${base}/ref/:ref{.+}`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const ref = `refs/${parameter(call, "ref")}`;
    const sha = (await refsOf(repository.directory)).get(ref);
    if (!sha) throw notFound();
    return call.json(refShape(world, repository, ref, sha));
  });
  routes.get(`${base}/matching-refs/:ref{.+}`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const all = await refsOf(repository.directory);
    const matching = [...all].filter(([ref]) => ref.startsWith(`refs/${parameter(call, "ref")}`));
    return call.json(matching.map(([ref, sha]) => refShape(world, repository, ref, sha)));
  });
  routes.post(`${base}/refs`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const { ref, sha } = bodyOf<{ ref: string; sha: string }>(call);
    if (!/^refs\/[^/]+\/./.test(ref))
      throw new Problem(422, "Reference name must start with 'refs/' and contain at least two slashes.");
    if ((await refsOf(repository.directory)).has(ref)) throw new Problem(422, "Reference already exists");
    await setRef(world, repository, { ref, sha, force: true, by: actorOf(call) });
    return call.json(refShape(world, repository, ref, sha), 201);
  });
  routes.patch(`${base}/refs/:ref{.+}`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const ref = `refs/${parameter(call, "ref")}`;
    const { sha, force = false } = bodyOf<{ sha: string; force?: boolean }>(call);
    if (!(await refsOf(repository.directory)).has(ref)) throw new Problem(422, "Reference does not exist");
    await refuseProtected(repository, ref, sha);
    await setRef(world, repository, { ref, sha, force, by: actorOf(call) });
    return call.json(refShape(world, repository, ref, sha));
  });
  routes.delete(`${base}/refs/:ref{.+}`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const ref = `refs/${parameter(call, "ref")}`;
    if (!(await refsOf(repository.directory)).has(ref)) throw new Problem(422, "Reference does not exist");
    await refuseProtected(repository, ref, null);
    await setRef(world, repository, { ref, sha: null, force: true, by: actorOf(call) });
    return call.body(null, 204);
  });
  routes.post(`${base}/blobs`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const { content, encoding } = bodyOf<{ content: string; encoding?: string }>(call);
    const sha = await writeBlob(repository, Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
    return call.json({ url: `${repositoryApi(world, repository)}/git/blobs/${sha}`, sha }, 201);
  });
  routes.get(`${base}/blobs/:sha`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const sha = parameter(call, "sha");
    const found = await git(repository.directory, ["cat-file", "blob", sha], { accept: [0, 128] });
    if (found.code !== 0) throw notFound();
    const url = `${repositoryApi(world, repository)}/git/blobs/${sha}`;
    const content = found.output.toString("base64");
    return call.json({ sha, node_id: nodeId("B", sha), size: found.output.length, url, content, encoding: "base64" });
  });
  routes.post(`${base}/trees`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const { tree, base_tree } = bodyOf<{ tree: NewTreeEntry[]; base_tree?: string }>(call);
    await requireObjects(repository, [base_tree, ...tree.map((entry) => entry.sha)]);
    const sha = await writeTree(world, repository, tree, base_tree);
    return call.json(await treeShape(world, repository, sha, false), 201);
  });
  routes.get(`${base}/trees/:sha`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const sha = parameter(call, "sha");
    const known = await git(repository.directory, ["rev-parse", "--verify", "-q", `${sha}^{tree}`], {
      accept: [0, 1, 128],
    });
    if (known.code !== 0) throw notFound();
    return call.json(
      await treeShape(world, repository, known.output.toString().trim(), call.req.query("recursive") !== undefined),
    );
  });
  routes.post(`${base}/commits`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const { message, tree, parents = [], author, committer } = bodyOf<NewCommit>(call);
    await requireObjects(repository, [tree, ...parents]);
    const actor = actorOf(call);
    const person = author ?? { name: actor.login, email: actor.email };
    const sha = await commitTree(repository.directory, {
      tree,
      parents,
      message,
      author: person,
      committer: committer ?? person,
    });
    return call.json(gitCommitShape(world, repository, await commitInfo(repository.directory, sha)), 201);
  });
  routes.get(`${base}/commits/:sha`, async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const sha = await commitOf(repository.directory, parameter(call, "sha"));
    if (!sha) throw notFound();
    return call.json(gitCommitShape(world, repository, await commitInfo(repository.directory, sha)));
  });
  return routes;
}

async function refuseProtected(repository: Repository, ref: string, sha: string | null): Promise<void> {
  // one that does not exist, or is not a fast forward, is answered as everywhere
  if (sha !== null && !(await commitOf(repository.directory, sha))) return;
  const words = await refusalOfMove(repository, ref, sha);
  if (words) throw new Problem(422, words);
}

function refShape(world: World, repository: Repository, ref: string, sha: string) {
  const api = `${repositoryApi(world, repository)}/git`;
  return {
    ref,
    node_id: nodeId("REF", ref),
    url: `${api}/${ref}`,
    object: { sha, type: "commit", url: `${api}/commits/${sha}` },
  };
}

async function treeShape(world: World, repository: Repository, sha: string, recursive: boolean) {
  const api = `${repositoryApi(world, repository)}/git`;
  const entries = await listTree(repository.directory, sha, [], recursive);
  const tree = entries.map(({ path, mode, type, sha: entrySha, size }) => ({
    path,
    mode,
    type,
    sha: entrySha,
    ...(size === null ? {} : { size }),
    url: `${api}/${type}s/${entrySha}`,
  }));
  return { sha, url: `${api}/trees/${sha}`, truncated: false, tree };
}

async function requireObjects(repository: Repository, shas: readonly (string | null | undefined)[]): Promise<void> {
  for (const sha of shas) {
    if (!sha) continue;
    const isThere =
      /^[0-9a-f]{40}$/.test(sha) &&
      (await git(repository.directory, ["cat-file", "-e", sha], { accept: [0, 1, 128] })).code === 0;
    if (!isThere) throw new Problem(422, `${sha} is not a valid object`);
  }
}

async function writeBlob(repository: Repository, content: string | Buffer): Promise<string> {
  const made = await git(repository.directory, ["hash-object", "-w", "--stdin"], { input: content });
  return made.output.toString().trim();
}

async function writeTree(
  world: World,
  repository: Repository,
  entries: readonly NewTreeEntry[],
  start: string | undefined,
): Promise<string> {
  const index = join(world.root, `index-${randomBytes(6).toString("hex")}`);
  const environment = { GIT_INDEX_FILE: index };
  const { directory } = repository;
  if (start) await git(directory, ["read-tree", start], { environment });
  const lines: string[] = [];
  for (const entry of entries) {
    const sha = entry.sha === undefined ? await writeBlob(repository, entry.content ?? "") : entry.sha;
    lines.push(sha === null ? `0 ${"0".repeat(40)}\t${entry.path}` : `${entry.mode ?? "100644"} ${sha}\t${entry.path}`);
  }
  const input = lines.map((line) => `${line}\0`).join("");
  await git(directory, ["update-index", "-z", "--index-info"], { environment, input });
  const made = await git(directory, ["write-tree"], { environment });
  await rm(index, { force: true });
  return made.output.toString().trim();
}
