// Identifies the caller, keeps a record of the request and lets the referee see both sides of it.
import { identifyCaller } from "../access/caller.ts";
import type { RecordedRequest } from "../log-records.ts";
import { Problem } from "../problem.ts";
import type { Operation } from "../referee/operations.ts";
import type { World } from "../world.ts";
import type { Call } from "./call.ts";

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

export async function observe(world: World, call: Call, carryOut: () => Promise<void>): Promise<void> {
  const { method } = call.req;
  const url = new URL(call.req.url);
  const isGraphql = url.pathname === "/api/graphql";
  const path = url.pathname.replace(/^\/api(\/v3)?/, "");
  const body = WRITES.has(method) ? await readBody(call) : undefined;
  const identified = identifyCaller(world, call.req.header("authorization"));
  const caller = identified.kind === "refused" ? ({ kind: "anonymous" } as const) : identified;
  const operation = isGraphql ? null : (world.findOperation(method, path)?.operation ?? null);
  const facts = { method, path, operation: isGraphql ? graphqlName(body) : (operation?.id ?? null), by: caller.kind };
  const entry: RecordedRequest = {
    ...facts,
    sequence: world.requests.length + 1,
    query: url.search,
    status: 0,
    login: "user" in caller ? caller.user.login : null,
    ...(body === undefined ? {} : { body }),
  };
  world.requests.push(entry);
  call.set("caller", caller);
  call.set("body", body);
  call.set("facts", facts);
  if (identified.kind === "refused") throw refused(entry, identified.status, identified.message);
  if (world.referee && !isGraphql) {
    const fatal = world.referee
      .checkRequest({ method, path, query: url.searchParams, body })
      .filter((each) => each.fatal);
    if (fatal.length > 0 && operation) throw refused(entry, 422, `Invalid request.\n\n${fatal[0]?.detail}`);
  }
  await carryOut();
  Object.assign(entry, { status: call.env.incoming.socket.destroyed ? 0 : call.res.status });
  if (world.referee && operation) await checkAnswer(world, call, operation);
}

function refused(entry: RecordedRequest, status: number, message: string): Problem {
  Object.assign(entry, { status });
  return new Problem(status, message);
}

async function readBody(call: Call): Promise<unknown> {
  const text = await call.req.text();
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Problem(400, "Problems parsing JSON");
  }
}

/** "graphql:<first field>", so that a fault can be aimed at one mutation. */
function graphqlName(body: unknown): string {
  const query = typeof body === "object" && body !== null && "query" in body ? String(body.query) : "";
  return `graphql:${/\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query)?.[1] ?? ""}`;
}

async function checkAnswer(world: World, call: Call, operation: Operation): Promise<void> {
  const { status, headers } = call.res;
  const isJson = /^application\/(json|vnd\.github\+json)/.test(headers.get("content-type") ?? "");
  const body: unknown = isJson && status !== 204 ? await call.res.clone().json() : undefined;
  world.referee?.checkResponse(operation, status, body);
}
