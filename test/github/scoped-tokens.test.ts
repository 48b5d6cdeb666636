import { beforeEach, expect, it } from "vitest";
import type { Octokit } from "../../src/github/ask.ts";
import { createScopedTokens } from "../../src/github/scoped-tokens.ts";

const repository = { id: 5, owner: "acme", name: "shop", installationId: 9 };
const READ = { contents: "read" } as const;
const start = Date.parse("2026-11-01T10:00:00Z");
const hour = 3_600_000;

let now = start;
let asked: unknown[] = [];
let failing = false;
beforeEach(() => {
  now = start;
  asked = [];
  failing = false;
});

/** The one call that is made of the App's client, answered here. */
const app = {
  request: async (route: string, { request: _, ...parameters }: Record<string, unknown>) => {
    asked.push([route, parameters]);
    if (failing) throw new Error("no answer");
    return { data: { token: `t${asked.length}`, expires_at: new Date(now + hour).toISOString() } };
  },
} as unknown as Octokit;
const tokens = () => createScopedTokens(async () => app, { now: () => now });

it("SEC-2: asks for exactly one repository and the permissions of the task", async () => {
  await tokens().get(repository, READ);
  expect(asked).toEqual([
    [
      "POST /app/installations/{installation_id}/access_tokens",
      { installation_id: 9, repository_ids: [5], permissions: READ },
    ],
  ]);
});

it("shares one token between requests at the same time, and keeps it until shortly before it ends", async () => {
  const kept = tokens();
  expect(await Promise.all([1, 2, 3].map(() => kept.get(repository, READ)))).toEqual(["t1", "t1", "t1"]);
  now = start + hour - 6 * 60_000;
  expect(await kept.get(repository, READ)).toBe("t1");
  now = start + hour - 4 * 60_000;
  expect(await Promise.all([kept.get(repository, READ), kept.get(repository, READ)])).toEqual(["t2", "t2"]);
});

it("never hands the token of one repository or task to another", async () => {
  const kept = tokens();
  await kept.get(repository, READ);
  expect(await kept.get({ ...repository, id: 6 }, READ)).toBe("t2");
  expect(await kept.get(repository, { checks: "write" })).toBe("t3");
});

it("a failure is not kept, and a token that GitHub refuses is forgotten", async () => {
  const kept = tokens();
  failing = true;
  await expect(kept.get(repository, READ)).rejects.toThrow("no answer");
  failing = false;
  const token = await kept.get(repository, READ);
  kept.drop("another");
  expect(await kept.get(repository, READ)).toBe(token);
  kept.drop(token);
  await Promise.resolve();
  expect(await kept.get(repository, READ)).not.toBe(token);
});

it("SEC-2: asks by name where the id is not known, and never mixes the two up", async () => {
  const kept = tokens();
  await kept.get({ installationId: 9, name: ".github" }, READ);
  await kept.get(repository, READ);
  expect(asked.map((call) => (call as [string, object])[1])).toEqual([
    { installation_id: 9, repositories: [".github"], permissions: READ },
    { installation_id: 9, repository_ids: [5], permissions: READ },
  ]);
});
