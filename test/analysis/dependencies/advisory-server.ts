import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { closeServer } from "../../../simulator/close-server.ts";

export interface Received {
  readonly path: string;
  readonly body: unknown;
}

export interface AdvisoryServer extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
}

/** Answers as the handler says; a number is a status without an answer, "hang" no answer at all. */
export async function startAdvisoryServer(
  answer: (request: Received) => unknown | number | "hang",
): Promise<AdvisoryServer> {
  const received: Received[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, async (request: IncomingMessage, response) => {
    const body = await text(request);
    const one = { path: request.url ?? "", body: body === "" ? undefined : (JSON.parse(body) as unknown) };
    received.push(one);
    const given = answer(one);
    if (given === "hang") return;
    if (typeof given === "number") {
      response.writeHead(given).end();
      return;
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(typeof given === "string" ? given : JSON.stringify(given));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

interface Vulnerable {
  readonly id: string;
  readonly name: string;
  readonly versions: readonly string[];
  readonly record?: object;
}

/** A service with OSV's interface that knows these. */
export function osvAnswers(known: readonly Vulnerable[]): (request: Received) => unknown {
  return ({ path, body }) => {
    if (path === "/v1/querybatch") {
      const { queries } = body as { queries: { package: { name: string }; version: string }[] };
      const results = queries.map(({ package: { name }, version }) => {
        const vulns = known
          .filter((one) => one.name === name && one.versions.includes(version))
          .map(({ id }) => ({ id, modified: "2026-01-01T00:00:00Z" }));
        return vulns.length === 0 ? {} : { vulns };
      });
      return { results };
    }
    const one = known.find(({ id }) => path === `/v1/vulns/${id}`);
    return one === undefined
      ? 404
      : { schema_version: "1.7.0", id: one.id, modified: "2026-01-01T00:00:00Z", ...one.record };
  };
}
