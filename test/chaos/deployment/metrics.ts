import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../../../simulator/close-server.ts";

/** What one version does: requests in any window, how many of them fail, and how long they take. */
interface Traffic {
  readonly failed: number;
  readonly seconds: number;
}

const REQUESTS = 20_000;
const FINE: Traffic = { failed: 40, seconds: 0.12 };
const BAD: Traffic = { failed: 4_000, seconds: 0.12 };

/** A Prometheus that says of each version what the story wants, in whichever window it is asked. */
export interface ScriptedMetrics {
  readonly url: string;
  /** Versions that fail. */
  readonly bad: Set<string>;
  stop(): Promise<void>;
}

export async function startMetrics(): Promise<ScriptedMetrics> {
  const bad = new Set<string>();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const query = new URLSearchParams(body).get("query") ?? "";
      const version = /version="([0-9a-f]{40})"/.exec(query)?.[1] ?? "";
      const value = String(numberFor(query, bad.has(version) ? BAD : FINE));
      const result = [{ metric: {}, value: [Number(new URLSearchParams(body).get("time")), value] }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bad,
    stop: () => closeServer(server),
  };
}

function numberFor(query: string, { failed, seconds }: Traffic): number {
  if (query.includes("histogram_quantile")) return seconds;
  return query.includes("code=~") ? failed : REQUESTS;
}
