// https://docs.github.com/en/rest/repos/contents
import { commitOn } from "../actions/write-refs.ts";
import { refusalOfPush } from "../facts/protected-branches.ts";
import { commitOf } from "../git/bare-repository.ts";
import { commitInfo } from "../git/commits.ts";
import { gitFact } from "../git/run-git.ts";
import { listTree, type TreeEntry } from "../git/tree.ts";
import { notFound, Problem } from "../problem.ts";
import type { Repository } from "../records.ts";
import { repositoryApi, repositoryPage } from "../shapes/addresses.ts";
import { gitCommitShape } from "../shapes/commit.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, type Call, createRoutes, repositoryOf } from "./call.ts";

/** Larger files come without their content: "encoding" is then "none". */
const LARGEST_INLINE = 1024 * 1024;
const TYPES: Record<string, string> = { tree: "dir", blob: "file", commit: "submodule" };

interface PutRequest {
  readonly message: string;
  readonly content: string;
  readonly sha?: string;
  readonly branch?: string;
}

export function contentRoutes(world: World) {
  const routes = createRoutes();
  const path = (call: Call) => decodeURIComponent(call.req.param("path") ?? "").replace(/^\/+|\/+$/g, "");

  async function show(call: Call) {
    const repository = repositoryOf(world, call, "contents", "read");
    const ref = call.req.query("ref") ?? repository.defaultBranch;
    const sha = await commitOf(repository.directory, ref);
    // an empty repository answers 404 with its own words
    if (!sha)
      throw notFound(
        call.req.query("ref") === undefined ? "This repository is empty." : `No commit found for the ref ${ref}`,
      );
    const wanted = path(call);
    const entry = wanted === "" ? null : (await listTree(repository.directory, sha, [wanted]))[0];
    if (entry === undefined) throw notFound();
    if (entry === null || entry.type === "tree") {
      const inside = await listTree(repository.directory, sha, wanted === "" ? [] : [`${wanted}/`]);
      return call.json(inside.map((each) => entryShape(world, repository, each, ref)));
    }
    const bytes = (await gitFact(repository.directory, [entry.sha], ["cat-file", "blob", entry.sha])).output;
    if (/vnd\.github(\.v3)?\.raw/.test(call.req.header("accept") ?? ""))
      return call.body(new Uint8Array(bytes), 200, {
        "content-type": "application/vnd.github.raw+json; charset=utf-8",
      });
    const inline = bytes.length <= LARGEST_INLINE;
    return call.json({
      ...entryShape(world, repository, entry, ref),
      content: inline ? bytes.toString("base64").replace(/(.{60})/g, "$1\n") : "",
      encoding: inline ? "base64" : "none",
    });
  }
  for (const place of ["contents", "contents/", "contents/:path{.+}"]) routes.get(`/repos/:owner/:repo/${place}`, show);
  routes.put("/repos/:owner/:repo/contents/:path{.+}", async (call) => {
    const repository = repositoryOf(world, call, "contents", "write");
    const { message, content, sha, branch = repository.defaultBranch } = bodyOf<PutRequest>(call);
    const tip = await commitOf(repository.directory, `heads/${branch}`);
    const [old] = tip ? await listTree(repository.directory, tip, [path(call)]) : [];
    if (old && old.sha !== sha)
      throw new Problem(
        sha ? 409 : 422,
        sha ? `${path(call)} does not match ${sha}` : 'Invalid request.\n\n"sha" wasn\'t supplied.',
      );
    const words = refusalOfPush(repository, branch);
    if (words) throw new Problem(409, `Could not ${old ? "update" : "create"} file: ${words}`);
    const files = { [path(call)]: Buffer.from(content, "base64") };
    const made = await commitOn(world, repository, branch, { files, message, author: actorOf(call) });
    const [entry] = await listTree(repository.directory, made, [path(call)]);
    if (!entry) throw new Error("a file that was committed is in the tree");
    const commit = gitCommitShape(world, repository, await commitInfo(repository.directory, made));
    return call.json({ content: entryShape(world, repository, entry, branch), commit }, old ? 200 : 201);
  });
  return routes;
}

function entryShape(world: World, repository: Repository, entry: TreeEntry, ref: string) {
  const api = repositoryApi(world, repository);
  const page = repositoryPage(world, repository);
  const path = encodeURI(entry.path);
  const kind = entry.type === "tree" ? "trees" : "blobs";
  const links = {
    self: `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`,
    git: `${api}/git/${kind}/${entry.sha}`,
    html: `${page}/${entry.type}/${ref}/${path}`,
  };
  return {
    name: entry.path.split("/").at(-1) ?? "",
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url: links.self,
    html_url: links.html,
    git_url: links.git,
    download_url: entry.type === "blob" ? `${page}/raw/${ref}/${path}` : null,
    type: TYPES[entry.type] ?? "file",
    _links: links,
  };
}
