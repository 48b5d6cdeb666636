import { describe, expect, it } from "vitest";
import { classifyFailure } from "../../src/github/classify-failure.ts";

const now = Date.parse("2026-11-20T10:00:00Z");

function answered(status: number, headers: Record<string, string | number> = {}, message = "no") {
  return Object.assign(new Error(message), { name: "HttpError", status, response: { headers } });
}

describe("failures of GitHub, by what follows from them", () => {
  it.each([
    ["429 with retry-after", answered(429, { "retry-after": "17" }), 17_000, true],
    ["403 with retry-after", answered(403, { "retry-after": "1" }), 1000, true],
    ["a date", answered(429, { "retry-after": "Fri, 20 Nov 2026 10:00:30 GMT" }), 30_000, true],
    [
      "the primary limit",
      answered(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": now / 1000 + 90 }),
      90_000,
      true,
    ],
    [
      "a reset that has passed",
      answered(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": now / 1000 - 5 }),
      1000,
      true,
    ],
    ["429 without any header", answered(429), 60_000, false],
    ["a secondary limit told by words", answered(403, {}, "You have exceeded a secondary rate limit."), 60_000, false],
  ])("waits for the limit: %s", (_what, error, retryAfterMs, announced) => {
    expect(classifyFailure(error, now)).toEqual({
      cause: "rate_limited",
      message: error.message,
      retryAfterMs,
      announced,
    });
  });

  it.each([
    [403, "forbidden"],
    [401, "forbidden"],
    [451, "forbidden"],
    [404, "gone"],
    [410, "gone"],
    [422, "refused"],
    [400, "refused"],
    [408, "unavailable"],
    [500, "unavailable"],
    [502, "unavailable"],
  ])("%i is %s", (status, cause) => {
    expect(classifyFailure(answered(status))?.cause).toBe(cause);
  });

  it.each([
    ["FORBIDDEN", "forbidden"],
    ["NOT_FOUND", "gone"],
    ["UNPROCESSABLE", "refused"],
    ["RATE_LIMITED", "rate_limited"],
    [undefined, "unavailable"],
  ])("reads the error %s of GraphQL, which answers 200, as %s", (type, cause) => {
    const errors = [{ ...(type ? { type } : {}), message: "no" }];
    const thrown = Object.assign(new Error("no"), { name: "GraphqlResponseError", errors, headers: {} });
    expect(classifyFailure(thrown)?.cause).toBe(cause);
  });

  it("does not know whether a request without an answer was done", () => {
    const withoutAnswer = Object.assign(new Error("socket hang up"), { name: "HttpError", status: 500 });
    expect(classifyFailure(withoutAnswer)).toEqual({ cause: "unavailable", message: "no answer: socket hang up" });
    expect(classifyFailure(new DOMException("late", "TimeoutError"))?.cause).toBe("unavailable");
    expect(classifyFailure(new DOMException("stopped", "AbortError"))?.cause).toBe("unavailable");
  });

  it("leaves bugs alone", () => {
    expect(classifyFailure(new TypeError("x is not a function"))).toBeUndefined();
    expect(classifyFailure("text")).toBeUndefined();
  });
});
