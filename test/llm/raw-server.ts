import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";

export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body byte by byte. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what the tests look at
  readonly json: any;
}

export type RawAnswer = (response: ServerResponse, request: RawRequest) => void;

export interface RawServer {
  readonly url: () => string;
  readonly requests: RawRequest[];
  /** One answer for each request to come; the last one also serves all further ones. */
  readonly answer: (...answers: RawAnswer[]) => void;
}

/** A server on this machine that records what it is sent, byte by byte, and answers what the test says. */
export function useRawServer(): RawServer {
  const requests: RawRequest[] = [];
  let answers: RawAnswer[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const request = {
        path: incoming.url ?? "",
        headers: incoming.headers,
        text,
        json: text ? JSON.parse(text) : null,
      };
      requests.push(request);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  beforeEach(() => {
    requests.length = 0;
    answers = [];
  });
  afterAll(() => closeServer(server));
  return {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (...given) => {
      answers = given;
    },
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): RawAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Server-sent events; without an end the connection is cut after them. */
export function events(
  all: readonly { event?: string; data: unknown }[],
  ending: "end" | "cut" | "hang" = "end",
): RawAnswer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_1", "x-request-id": "req_1" });
    const text = all.map(({ event, data }) => {
      const line = typeof data === "string" ? data : JSON.stringify(data);
      return `${event ? `event: ${event}\n` : ""}data: ${line}\n\n`;
    });
    if (ending === "end") response.end(text.join(""));
    else response.write(text.join(""), () => (ending === "cut" ? response.destroy() : undefined));
  };
}

/** Never answers. */
export const hang: RawAnswer = () => {};

export const hangUp: RawAnswer = (response) => {
  response.destroy();
};
