import { expect, it } from "vitest";
import { lookAtHealth } from "../../src/monitoring/health.ts";
import { serve } from "./serve.ts";

const SHA = "3f2c1ab09d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a";
/** Answers have all the time that they take on a busy machine. */
const endpoint = (url: string, version?: string) => ({ url, headers: {}, version, probes: 4, timeoutMs: 60_000 });

it("several probes are asked, and each that fails is counted with its reason (MON-1)", async () => {
  const statuses = [200, 503, 204, 500];
  const url = await serve((_request, response) => response.writeHead(statuses.shift() ?? 200).end());
  expect(await lookAtHealth(endpoint(url), SHA)).toEqual({
    asked: 4,
    failed: 2,
    otherVersion: 0,
    detail: "it answered 500",
  });
});

it("an answer of another build says nothing of this one, healthy or not", async () => {
  const answers = [
    [200, { build: { sha: SHA } }],
    [200, { build: { sha: SHA.slice(0, 12) } }],
    [500, { build: { sha: "0000000000000" } }],
    [200, { build: {} }],
  ] as const;
  let at = 0;
  const url = await serve((_request, response) => {
    const [status, body] = answers[at++] ?? [500, {}];
    response.writeHead(status).end(JSON.stringify(body));
  });
  const look = await lookAtHealth(endpoint(url, "build.sha"), SHA);
  expect(look).toEqual({
    asked: 4,
    failed: 1,
    otherVersion: 1,
    detail: "its answer does not say its version (build.sha)",
  });
});

it("does not follow a redirection or read without end", async () => {
  const asked: string[] = [];
  const elsewhere = await serve((request, response) => void response.end(asked.push(request.url ?? "")));
  let at = 0;
  const url = await serve((_request, response) => {
    at += 1;
    if (at === 1) response.writeHead(302, { location: elsewhere }).end();
    else if (at === 2) response.end("x".repeat(100_000));
    else response.end();
  });
  expect(await lookAtHealth(endpoint(url), SHA)).toMatchObject({ asked: 4, failed: 2, otherVersion: 0 });
  expect(asked).toEqual([]);
});

it("does not wait without end", async () => {
  const url = await serve((_request, response) => void response.writeHead(200).write("{"));
  const look = await lookAtHealth({ ...endpoint(url), probes: 2, timeoutMs: 200 }, SHA);
  expect(look).toMatchObject({ asked: 2, failed: 2, otherVersion: 0 });
});
