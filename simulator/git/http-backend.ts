// `git http-backend` as a CGI program under node:http.
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gitEnvironment } from "./run-git.ts";

export interface BackendCall {
  readonly root: string;
  /** Path below the root: "/17.git/git-upload-pack". */
  readonly path: string;
  readonly query: string;
  /** Login of who pushes. */
  readonly user: string | null;
  /** Do the work but answer nothing. */
  readonly silent: boolean;
  readonly environment: Record<string, string>;
}

/** Resolves with the HTTP status when git has ended. The caller ends the answer, when what follows from it is done. */
export function serveBackend(request: IncomingMessage, response: ServerResponse, call: BackendCall): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn("git", ["http-backend"], { env: cgiEnvironment(request, call) });
    request.pipe(child.stdin);
    // the client may go away, or git may answer early: the exit code tells
    child.stdin.on("error", () => undefined);
    child.stderr.resume();
    let head = Buffer.alloc(0);
    let status = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      if (status !== 0) return forward(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      status = readHead(head.subarray(0, end).toString(), response);
      if (head.length > end + 4) forward(head.subarray(end + 4));
    });
    function forward(chunk: Buffer): void {
      if (call.silent || response.write(chunk)) return;
      child.stdout.pause();
      response.once("drain", () => child.stdout.resume());
    }
    response.on("close", () => {
      if (!response.writableEnded) child.kill();
    });
    child.on("close", (code) => {
      if (status === 0) response.statusCode = 500;
      resolve(code === 0 ? status : 500);
    });
  });
}

function readHead(head: string, response: ServerResponse): number {
  let status = 200;
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.statusCode = status;
  return status;
}

function cgiEnvironment(request: IncomingMessage, call: BackendCall): Record<string, string> {
  const { headers } = request;
  const optional: Record<string, string | undefined> = {
    CONTENT_LENGTH: headers["content-length"],
    HTTP_CONTENT_ENCODING: headers["content-encoding"],
    GIT_PROTOCOL: headers["git-protocol"]?.toString(),
    REMOTE_USER: call.user ?? undefined,
  };
  const present = Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return gitEnvironment({
    GIT_PROJECT_ROOT: call.root,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: call.path,
    QUERY_STRING: call.query,
    CONTENT_TYPE: headers["content-type"] ?? "",
    REMOTE_ADDR: request.socket.remoteAddress ?? "",
    ...Object.fromEntries(present),
    ...call.environment,
  });
}
