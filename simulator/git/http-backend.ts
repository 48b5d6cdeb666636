// `git http-backend` as a CGI program under node:http.
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { askGit, gitEnvironment } from "./run-git.ts";

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
export async function serveBackend(
  request: IncomingMessage,
  response: ServerResponse,
  call: BackendCall,
): Promise<number> {
  // What is asked and answered here is small: it goes through the process that starts programs, whole.
  const body = await buffer(request).catch(() => undefined);
  const answer = body === undefined ? undefined : await askGit(["http-backend"], cgiEnvironment(request, call), body);
  const end = answer === undefined || "failure" in answer ? -1 : answer.output.indexOf("\r\n\r\n");
  if (answer === undefined || "failure" in answer || end < 0) {
    response.statusCode = 500;
    return 500;
  }
  const status = readHead(answer.output.subarray(0, end).toString(), response);
  if (!call.silent) response.write(answer.output.subarray(end + 4));
  return answer.code === 0 ? status : 500;
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
