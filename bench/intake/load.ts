import { createHmac, randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";

/** What to send, and for how long. */
export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
  readonly body: Buffer;
  readonly secret: string;
  /** `pull_request` when left out. */
  readonly event?: string;
  /** Whether the signature is wrong by one digit. */
  readonly forged?: boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Sends signed deliveries over keep-alive connections, each waiting for its answer before the next. Raw sockets and one reused buffer
 * for each connection: a client as heavy as the server would measure itself.
 */
export async function drive(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const begin = performance.now();
  const end = begin + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      sendUntil(end, options, (status, milliseconds) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        latencies.push(milliseconds);
      }),
    ),
  );
  const elapsed = (performance.now() - begin) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN;
  return { perSecond: latencies.length / elapsed, p50Ms: quantile(0.5), p99Ms: quantile(0.99), statuses };
}

function sendUntil(
  end: number,
  options: LoadOptions,
  onAnswer: (status: number, milliseconds: number) => void,
): Promise<void> {
  const { request, guidAt } = buildRequest(options);
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port: options.port, host: "127.0.0.1", noDelay: true });
    let sentAt = 0;
    let answer = "";
    function send(): void {
      sentAt = performance.now();
      request.write(randomUUID(), guidAt, "latin1");
      socket.write(request);
    }
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () =>
      performance.now() < end ? reject(new Error("the server closed a connection")) : resolve(),
    );
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      const status = completeStatus(answer);
      if (status === undefined) return;
      answer = "";
      const now = performance.now();
      onAnswer(status, now - sentAt);
      if (now < end) send();
      else socket.destroy();
    });
  });
}

/** One whole request, and where its GUID stands: a new one is written over it each time; the signature covers the body only. */
function buildRequest({ path, body, secret, event = "pull_request", forged = false }: LoadOptions): {
  request: Buffer;
  guidAt: number;
} {
  const digest = createHmac("sha256", secret).update(body).digest();
  if (forged) digest[31] = digest[31]! ^ 1;
  const guid = randomUUID();
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "User-Agent: GitHub-Hookshot/bench",
    "Accept: */*",
    "Content-Type: application/json",
    `X-GitHub-Event: ${event}`,
    "X-GitHub-Hook-ID: 1",
    "X-GitHub-Hook-Installation-Target-ID: 1",
    "X-GitHub-Hook-Installation-Target-Type: integration",
    `X-Hub-Signature-256: sha256=${digest.toString("hex")}`,
    `X-GitHub-Delivery: ${guid}`,
    `Content-Length: ${body.length}`,
    "",
    "",
  ].join("\r\n");
  return { request: Buffer.concat([Buffer.from(head), body]), guidAt: head.indexOf(guid) };
}

function completeStatus(answer: string): number | undefined {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const length = Number(/content-length: *(\d+)/i.exec(answer)?.[1] ?? 0);
  return answer.length >= headEnd + 4 + length ? Number(answer.slice(9, 12)) : undefined;
}
