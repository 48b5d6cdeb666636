// git over HTTP: who may fetch and push, and what follows from a push.
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename } from "node:path";
import { type Caller, identifyCaller } from "../access/caller.ts";
import { may, mayReach } from "../access/permissions.ts";
import { protectionLines } from "../facts/protected-branches.ts";
import type { RecordedRequest } from "../log-records.ts";
import type { Repository } from "../records.ts";
import { refsMoved } from "../webhooks/refs-moved.ts";
import { fullName, type World, withRepositoryLock } from "../world.ts";
import { refsOf } from "./bare-repository.ts";
import { serveBackend } from "./http-backend.ts";
import { PROTECTED_BRANCHES, WORKFLOWS_REFUSED } from "./pre-receive.ts";

const GIT_PATH = /^\/([^/]+\/[^/]+?)\.git(\/.*)$/;

export function isGitPath(url: string): boolean {
  return GIT_PATH.test(url.split("?")[0] ?? "");
}

export async function serveGit(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", world.origin);
  const [, name = "", rest = ""] = GIT_PATH.exec(url.pathname) ?? [];
  const isPush = url.searchParams.get("service") === "git-receive-pack" || rest === "/git-receive-pack";
  const identified = identifyCaller(world, request.headers.authorization);
  const caller: Caller = identified.kind === "refused" ? { kind: "anonymous" } : identified;
  const entry = record(world, request, url, caller, isPush);
  const settle = (status: number) => void Object.assign(entry, { status });

  const facts = { method: entry.method, path: entry.path, operation: entry.operation, by: entry.by };
  const fault = world.faults.takeRequestFault(["lostResponse", "status", "hang", "rateLimit"], facts);
  if (fault?.kind === "hang") {
    world.stopping.signal.addEventListener("abort", () => request.socket.destroy(), { once: true });
    return;
  }
  if (fault?.kind === "status") return settle(refuse(request, response, fault.status, "Server Error"));
  if (fault?.kind === "rateLimit") return settle(refuse(request, response, fault.status ?? 403, "rate limited"));

  const repository = world.repositories.get(name.toLowerCase()) ?? world.redirects.get(name.toLowerCase());
  const refusal =
    identified.kind === "refused" ? refusalOfToken(identified.status) : refusalOf(caller, repository, isPush);
  if (refusal || !repository) {
    settle(refuse(request, response, refusal?.status ?? 404, refusal?.text ?? "Repository not found."));
    return;
  }
  const work = () =>
    serveBackend(request, response, {
      root: world.root,
      path: `/${basename(repository.directory)}${rest}`,
      query: url.search.slice(1),
      user: "user" in caller ? caller.user.login : null,
      silent: fault?.kind === "lostResponse",
      environment: {
        [PROTECTED_BRANCHES]: protectionLines(repository),
        ...(may(caller, repository, "workflows", "write") ? {} : { [WORKFLOWS_REFUSED]: "yes" }),
      },
    });
  const status = isPush && request.method === "POST" ? await push(world, repository, caller, work) : await work();
  settle(fault ? 0 : status);
  if (fault) request.socket.destroy();
  else response.end();
}

function push(world: World, repository: Repository, caller: Caller, work: () => Promise<number>): Promise<number> {
  return withRepositoryLock(world, repository, async () => {
    const before = await refsOf(repository.directory);
    const status = await work();
    if ("user" in caller) await refsMoved(world, repository, before, caller.user);
    return status;
  });
}

interface GitRefusal {
  readonly status: 401 | 403 | 404;
  readonly text: string;
}

function refusalOfToken(status: 401 | 403): GitRefusal {
  return { status, text: "Invalid username or token. Password authentication is not supported for Git operations." };
}

/** An App's token reaches the repositories of its installation only: it can read a public fork but never push to one.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation */
function refusalOf(caller: Caller, repository: Repository | undefined, isPush: boolean): GitRefusal | null {
  if (caller.kind === "anonymous" && (isPush || !repository || repository.private))
    return { status: 401, text: "Authentication required." };
  if (!repository || !mayReach(caller, repository) || !may(caller, repository, "contents", "read"))
    return { status: 404, text: "Repository not found." };
  if (!isPush || may(caller, repository, "contents", "write")) return null;
  const login = "user" in caller ? caller.user.login : "this app";
  return { status: 403, text: `Permission to ${fullName(repository)}.git denied to ${login}.` };
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): number {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
  response.writeHead(status, { "content-type": "text/plain", ...challenge });
  response.end(text);
  request.resume();
  return status;
}

function record(world: World, request: IncomingMessage, url: URL, caller: Caller, isPush: boolean): RecordedRequest {
  const entry: RecordedRequest = {
    sequence: world.requests.length + 1,
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.search,
    operation: isPush ? "git:push" : "git:fetch",
    status: 0,
    by: caller.kind,
    login: "user" in caller ? caller.user.login : null,
  };
  world.requests.push(entry);
  return entry;
}
