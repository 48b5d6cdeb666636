import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../../simulator/close-server.ts";

export interface GitServer {
  /** Address of the repository `name.git` under the folder that is served. */
  readonly urlOf: (name: string) => string;
  /** `METHOD path` of every request, in order. */
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

export interface GitServerOptions {
  readonly folder: string;
  /** Required as the password of `x-access-token`. */
  readonly token?: string;
  /** Answers instead of git when it returns true. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Real `git http-backend` behind node:http, as GitHub answers: any object by id, filters permitted. */
export async function startGitServer({ folder, token, instead }: GitServerOptions): Promise<GitServer> {
  const requests: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (token !== undefined && !isAuthorized(request, token)) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    if (instead?.(request, response)) return;
    serve(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}.git`,
    requests,
    close: () => closeServer(server),
  };
}

function isAuthorized(request: IncomingMessage, token: string): boolean {
  const expected = Buffer.from(`x-access-token:${token}`).toString("base64");
  return request.headers.authorization === `basic ${expected}`;
}

function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => undefined);
  response.on("close", () => backend.kill());
  forwardCgi(backend.stdout, response);
}

function forwardCgi(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0);
  let inBody = false;
  output.on("data", (chunk: Buffer) => {
    if (inBody) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    inBody = true;
    const fields = head.toString("latin1", 0, end).split("\r\n");
    const headers = fields.map((field) => field.split(/: (.*)/, 2) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== "Status")));
    response.write(head.subarray(end + 4));
  });
  output.on("end", () => response.end());
}
