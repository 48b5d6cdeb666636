// A transferred repository is found under its id, and its old name leads there.
// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
import { identifyCaller } from "../access/caller.ts";
import { mayReach } from "../access/permissions.ts";
import { fullName, type World } from "../world.ts";

/** The answer for an old name; null when it is none, or none that the caller may know of. */
export function redirectOf(world: World, request: Request): Response | null {
  const url = new URL(request.url);
  const [, name = "", rest = ""] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)(.*)$/.exec(url.pathname) ?? [];
  const repository = world.repositories.has(name.toLowerCase()) ? undefined : world.redirects.get(name.toLowerCase());
  if (!repository) return null;
  const caller = identifyCaller(world, request.headers.get("authorization") ?? undefined);
  if (caller.kind === "refused" || !mayReach(caller, repository)) return null;
  const location = `${world.origin}/api/v3/repositories/${repository.id}${rest}${url.search}`;
  const body = { message: "Moved Permanently", url: location, documentation_url: "https://docs.github.com/rest" };
  return Response.json(body, { status: request.method === "GET" ? 301 : 307, headers: { location } });
}

/** "/api/v3/repositories/<id>/…" stands for the repository's present name. */
export function withPresentName(world: World, request: Request): Request {
  const url = new URL(request.url);
  const [, id, rest = ""] = /^\/api\/v3\/repositories\/(\d+)(.*)$/.exec(url.pathname) ?? [];
  const repository = id && [...world.repositories.values()].find((each) => each.id === Number(id));
  if (!repository) return request;
  url.pathname = `/api/v3/repos/${fullName(repository)}${rest}`;
  return new Request(url, request);
}
