import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ProbotOctokit } from "probot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Ask, createAsk, type Octokit } from "../../src/github/ask.ts";
import { createCommentReader } from "../../src/github/comment-reader.ts";
import { createReader, type Read } from "../../src/github/reader.ts";

/** What GitHub answers by path; a string is where it redirects to. */
let answers: Map<string, { readonly status?: number; readonly body?: unknown; readonly to?: string }>;
let asked: string[];
let github: Server;
let octokit: Octokit;
const { signal } = new AbortController();
const repository = { owner: "acme", name: "shop", id: 11, installationId: 5 };

beforeAll(async () => {
  github = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(request.url ?? "");
    const {
      status = 200,
      body,
      to,
    } = answers.get(request.url ?? "") ?? { status: 404, body: { message: "Not Found" } };
    response.writeHead(to === undefined ? status : 301, {
      "content-type": "application/json",
      ...(to === undefined ? {} : { location: to }),
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => github.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
  octokit = new ProbotOctokit({ baseUrl, throttle: { enabled: false }, retry: { enabled: false } }) as Octokit;
});
afterAll(() => github.close());
beforeEach(() => {
  answers = new Map();
  asked = [];
});

const Numbers = z.array(z.object({ n: z.number() }));
const route = "GET /repos/{owner}/{repo}/things";
const place = "/repos/acme/shop/things";
const client = { repository: () => octokit };
const ask = (): Ask => createAsk(octokit, repository, { signal });
const read = (): Read => createReader(client, repository, {}, signal);

describe("GitHub is asked in one way", () => {
  it("a list is read to its end, and no further than somebody takes it", async () => {
    const page = (from: number, length: number) => ({ body: Array.from({ length }, (_, at) => ({ n: from + at })) });
    answers.set(`${place}?per_page=100&page=1`, page(0, 100));
    answers.set(`${place}?per_page=100&page=2`, page(100, 100));
    answers.set(`${place}?per_page=100&page=3`, page(200, 0));
    const all = await ask().askAll(z.object({ n: z.number() }), route);
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, at) => at));
    asked = [];
    for await (const [first] of ask().pages(Numbers, route)) if (first) break;
    expect(asked).toEqual([`${place}?per_page=100&page=1`]);
  });

  it("what is not there is undefined, and to who must have it a failure", async () => {
    for (const status of [404, 410]) {
      answers.set(place, { status, body: { message: "Not Found" } });
      expect(await ask().find(Numbers, route)).toBeUndefined();
      expect(await read()(Numbers, route)).toBeUndefined();
      await expect(ask().ask(Numbers, route)).rejects.toMatchObject({ failure: { cause: "gone" } });
    }
  });

  it("what was transferred is gone, and what only has another name is there", async () => {
    answers.set("/repositories/99/things", { body: [{ n: 1 }] });
    answers.set("/repositories/11/things", { body: [{ n: 2 }] });
    answers.set(place, { to: "/repositories/99/things" });
    expect(await read()(Numbers, route)).toBeUndefined();
    await expect(ask().askAll(z.unknown(), route)).rejects.toMatchObject({ failure: { cause: "gone" } });
    answers.set(place, { to: "/repositories/11/things" });
    expect(await read()(Numbers, route)).toEqual([{ n: 2 }]);
  });

  it("an answer that does not fit is none", async () => {
    answers.set(place, { body: { message: "a proxy's page" } });
    await expect(ask().ask(Numbers, route)).rejects.toMatchObject({ failure: { cause: "unavailable" } });
    await expect(read()(Numbers, route)).rejects.toMatchObject({ code: "github_unavailable" });
  });

  it("a refusal reaches the pipeline in its own words", async () => {
    answers.set(place, { status: 403, body: { message: "Resource not accessible by integration" } });
    await expect(read()(Numbers, route)).rejects.toMatchObject({ code: "github_forbidden" });
  });

  it("GH-14: a comment whose author is gone, or that was transferred, is nobody's; a stranger may do nothing", async () => {
    const reader = createCommentReader(client);
    const subject = { kind: "issue", repository, number: 4 } as const;
    const comment = "/repos/acme/shop/issues/comments/7";
    const source = { kind: "issue_comment", id: "7" } as const;
    const body = { body: "/forge stop", user: null };
    answers.set(comment, { body });
    expect(await reader.readComment(subject, source, signal)).toBeUndefined();
    const user = { login: "ana", id: 5, type: "User" };
    answers.set(comment, { body: { ...body, user } });
    expect(await reader.readComment(subject, source, signal)).toMatchObject({ author: { login: "ana", kind: "user" } });
    answers.set("/repositories/99/issues/comments/7", { body: { ...body, user } });
    answers.set(comment, { to: "/repositories/99/issues/comments/7" });
    expect(await reader.readComment(subject, source, signal)).toBeUndefined();
    expect(await reader.readRole(repository, "eve", signal)).toBe("none");
  });
});
