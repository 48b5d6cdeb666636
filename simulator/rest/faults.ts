// Requests that go wrong because a fault was planned for them.

import type { ProposedComment } from "../faults.ts";
import type { World } from "../world.ts";
import { bodyOf, type Call } from "./call.ts";

export async function applyFault(world: World, call: Call, carryOut: () => Promise<void>): Promise<void> {
  const facts = call.get("facts");
  if (anchorsRejected(world, call)) {
    const documentation_url = "https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request";
    const body = { message: "Unprocessable Entity", errors: ["Line could not be resolved"], documentation_url };
    call.res = Response.json(body, { status: 422 });
    return;
  }
  const fault = world.faults.takeRequestFault(["lostResponse", "status", "hang", "rateLimit"], facts);
  switch (fault?.kind) {
    case "lostResponse":
      await carryOut();
      call.env.incoming.socket.destroy();
      return;
    case "hang":
      await untilGivenUp(call, world.stopping.signal);
      call.env.incoming.socket.destroy();
      call.res = new Response(null, { status: 499 });
      return;
    case "status":
      call.res = Response.json(fault.body ?? { message: "Server Error" }, {
        status: fault.status,
        ...headersOf(fault.headers),
      });
      return;
    case "rateLimit":
      call.res = limited(fault.status ?? 403, fault.retryAfter);
      return;
    default:
      await carryOut();
  }
}

function headersOf(headers: Record<string, string> | undefined): { headers?: Record<string, string> } {
  return headers ? { headers } : {};
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits */
function limited(status: 403 | 429, retryAfter: number | undefined): Response {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const documentation_url =
    "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits";
  return Response.json({ message, documentation_url }, { status, headers });
}

function untilGivenUp(call: Call, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted || call.env.incoming.socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stopped.addEventListener("abort", () => resolve(), { once: true });
    call.env.incoming.socket.once("close", () => resolve());
  });
}

/** GitHub's answer to a bad anchor names no comment, so a caller has to find it by halving. */
function anchorsRejected(world: World, call: Call): boolean {
  const facts = call.get("facts");
  if (facts.method !== "POST" || !/\/pulls\/\d+\/reviews$/.test(facts.path)) return false;
  const { comments = [] } = bodyOf<{ comments?: ProposedComment[] }>(call);
  return world.faults.takeRequestFault(["rejectAnchors"], facts, ({ bad = () => true }) => comments.some(bad)) !== null;
}
