// A simulator with a repository, an App, an installation and a server that takes the App's webhooks.
import { createSign, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import { type SimulatorOptions, startSimulator } from "../../simulator/start-simulator.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const SECRET = "a secret of the tests";
export const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const APP_ID = 77;
const EVENTS = [
  "issue_comment",
  "issues",
  "merge_group",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "push",
  "repository",
  "status",
];

export interface Received {
  readonly event: string;
  readonly guid: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly payload: Record<string, unknown>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What GitHub answers, read as the fields that a test asks about. */
export function as<T>(answer: { readonly body: unknown }): T {
  return answer.body as T;
}

interface GitHubOptions extends SimulatorOptions {
  /** Replace the App's permissions; it then hears of nothing that `events` does not name. */
  readonly permissions?: Record<string, string>;
  /** Replace what the App hears of. */
  readonly events?: readonly string[];
  /** The status that the App answers webhooks with. */
  readonly appAnswer?: (received: Received) => number;
}

export async function aGitHub(options: GitHubOptions = {}) {
  const { permissions, events: heard, appAnswer, ...simulatorOptions } = options;
  const received: Received[] = [];
  const app = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { headers } = request;
    const event = String(headers["x-github-event"]);
    const delivery = { event, guid: String(headers["x-github-delivery"]), headers, text, payload: JSON.parse(text) };
    received.push(delivery);
    response.writeHead(appAnswer?.(delivery) ?? 202).end();
  });
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  const simulator = await startSimulator(simulatorOptions);
  simulator.createAccount("acme", "Organization");
  for (const login of ["ana", "ben", "eve"]) simulator.createAccount(login);
  await simulator.createRepository("acme", "shop", {
    files: { "src/list.txt": `${LINES.join("\n")}\n`, "README.md": "# Shop\n" },
    collaborators: { ana: "maintain", ben: "write" },
  });
  const registered = simulator.createApp({
    appId: APP_ID,
    slug: "forge",
    privateKey,
    webhookUrl: `http://127.0.0.1:${(app.address() as AddressInfo).port}/`,
    webhookSecret: SECRET,
    permissions: permissions ?? {
      checks: "write",
      contents: "write",
      issues: "write",
      merge_queues: "read",
      metadata: "read",
      pull_requests: "write",
      statuses: "write",
    },
    events: heard ?? (permissions ? [] : EVENTS),
  });
  const installation = simulator.installApp(registered, "acme", { repositories: ["shop"] });
  await simulator.idle();
  received.length = 0;

  async function call(method: string, path: string, token: string, body?: unknown, accept = "application/json") {
    const response = await fetch(`${simulator.origin}/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept, connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  }

  async function graphql(token: string, query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
    const response = await fetch(`${simulator.origin}/api/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** A token of the installation, narrowed when asked. */
  async function installationToken(narrowed: Record<string, unknown> = {}): Promise<string> {
    const minted = await call("POST", `/app/installations/${installation.id}/access_tokens`, jwt(), narrowed);
    if (minted.status !== 201) throw new Error(`no token: ${minted.status} ${JSON.stringify(minted.body)}`);
    return as<{ token: string }>(minted).token;
  }

  /** A pull request of ben's that changes line 3 and adds line 31. */
  async function aPullRequest(): Promise<{ number: number; headSha: string }> {
    const changed = [...LINES.slice(0, 2), "line three", ...LINES.slice(3), "line 31"].join("\n");
    const files = { "src/list.txt": `${changed}\n` };
    await simulator.commit("acme/shop", "feature", { files, message: "Change two lines", author: "ben" });
    return simulator.openPullRequest("acme/shop", { title: "Two lines", head: "feature", by: "ben" });
  }

  async function stop(): Promise<void> {
    await simulator.stop();
    await closeServer(app);
  }

  const events = () => received.map(({ event, payload }) => [event, payload.action].filter(Boolean).join("."));
  return {
    simulator,
    registered,
    installation,
    received,
    events,
    call,
    graphql,
    installationToken,
    aPullRequest,
    stop,
  };
}

export type GitHub = Awaited<ReturnType<typeof aGitHub>>;

/** Signed as GitHub asks of an App; `expiresIn` in seconds. */
export function jwt(expiresIn = 540): string {
  const seconds = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: seconds - 30, exp: seconds + expiresIn, iss: APP_ID })}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey).toString("base64url")}`;
}

/** Stops it, and fails the test when GitHub would have refused or ignored something that it was sent. */
export async function stopWithoutFindings(github: GitHub): Promise<void> {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
}
