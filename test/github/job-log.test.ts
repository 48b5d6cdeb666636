import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import type { AppClient } from "../../src/github/app-client.ts";
import { aroundError, readJobLog } from "../../src/github/issues/job-log.ts";
import { plainOctokit } from "./effect-bench.ts";

/** GitHub, which sends whoever asks for a log elsewhere, and the host where it lies. */
let location: string | undefined;
let log = "";
let heard: IncomingHttpHeaders | undefined;
let asPermissions: unknown;
const github = createServer({ keepAliveTimeout: 0 }, (_, response) => {
  if (location === undefined) response.writeHead(410, { "content-type": "application/json" }).end("{}");
  else response.writeHead(302, { location }).end();
});
const store = createServer({ keepAliveTimeout: 0 }, ({ headers }, response) => {
  heard = headers;
  response.end(log);
});
const addressOf = (server: typeof github) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  for (const server of [github, store]) await once(server.listen(0, "127.0.0.1"), "listening");
  location = `${addressOf(store)}/log`;
  log = "Run npm test\n##[error]It failed.\n";
  heard = undefined;
});
afterEach(async () => {
  await Promise.all([github, store].map(closeServer));
});

function read(options: { allowHttp?: boolean; signal?: AbortSignal } = {}) {
  const { allowHttp = true, signal = new AbortController().signal } = options;
  const client: Pick<AppClient, "repository"> = {
    repository: (_, permissions) => {
      asPermissions = permissions;
      return plainOctokit(addressOf(github), "ghs_secret");
    },
  };
  const repository = { id: 5, owner: "acme", name: "shop", installationId: 9 };
  return readJobLog(client, repository, 7, { signal, allowHttp });
}

it("SEC-2: the host where a log lies is not sent the token", async () => {
  expect(await read()).toBe("Run npm test\n##[error]It failed.");
  expect(heard).toMatchObject({ host: new URL(location!).host });
  expect(heard).not.toHaveProperty("authorization");
  expect(asPermissions).toEqual({ actions: "read", metadata: "read" });
});

it("a log is fetched from where GitHub may send us, and from nowhere else", async () => {
  expect(await read({ allowHttp: false })).toBeUndefined();
  for (const elsewhere of ["file:///etc/passwd", "ftp://example.com/log", "/log"]) {
    location = elsewhere;
    expect(await read()).toBeUndefined();
  }
  expect(heard).toBeUndefined();
});

it("there is none when it has expired, and whoever waits no more is not answered", async () => {
  location = undefined;
  expect(await read()).toBeUndefined();
  await expect(read({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
});

it("of a long log the end is read", async () => {
  log = `##[error]Far away\n${`${"x".repeat(99)}\n`.repeat(30_000)}the end`;
  expect((await read())!.split("\n")).toEqual([...Array.from({ length: 199 }, () => "x".repeat(99)), "the end"]);
});

it("shows the lines before the first error, or the last ones", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `2026-11-20T10:00:00.1234567Z line ${at + 1}`);
  expect(aroundError(lines.join("\r\n")).split("\n")).toEqual(lines.slice(200).map((line) => line.slice(29)));
  expect(aroundError(`${lines[0]}\n2026-11-20T10:00:01.0000000Z ##[error]No\n${lines[1]}`)).toBe(
    "line 1\n##[error]No\nline 2",
  );
});
