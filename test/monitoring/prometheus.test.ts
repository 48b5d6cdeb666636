import { describe, expect, it } from "vitest";
import { query, queryRange } from "../../src/monitoring/prometheus.ts";
import { builtInQueries, fillIn } from "../../src/monitoring/promql.ts";
import { MetricNames } from "../../src/monitoring/settings.ts";
import { serve } from "./serve.ts";

const WINDOW = { from: 1000, to: 1300 };

const vector = (...values: [number, string][]) =>
  JSON.stringify({
    status: "success",
    data: { resultType: "vector", result: values.map((value) => ({ metric: {}, value })) },
  });

async function answered(body: string, status = 200, headers: Record<string, string> = {}) {
  const url = await serve((_request, response) => response.writeHead(status, headers).end(body));
  return query({ url, headers: {}, timeoutMs: 60_000 }, "up", WINDOW);
}

describe("one number of Prometheus (MON-1)", () => {
  it("is read with the time and the credentials that were given", async () => {
    const asked: unknown[] = [];
    const url = await serve((request, response, body) => {
      asked.push([
        request.method,
        request.url,
        request.headers.authorization,
        Object.fromEntries(new URLSearchParams(body)),
      ]);
      response.end(vector([1300, "0.25"]));
    });
    const server = { url: `${url}/prefix/`, headers: { authorization: "Bearer t" }, timeoutMs: 60_000 };
    expect(await query(server, "a + b", WINDOW)).toEqual({ is: "value", value: 0.25 });
    expect(asked).toEqual([
      ["POST", "/prefix/api/v1/query", "Bearer t", { query: "a + b", time: "1300", timeout: "60s" }],
    ]);
  });

  it.each([
    ["nothing", vector(), 200, "no_data"],
    ["NaN", vector([1300, "NaN"]), 200, "not_a_number"],
    ["infinity", vector([1300, "+Inf"]), 200, "not_a_number"],
    ["minus infinity", vector([1300, "-Inf"]), 200, "not_a_number"],
    ["an empty text", vector([1300, ""]), 200, "not_a_number"],
    ["a number of another kind", vector([1300, "0x10"]), 200, "not_a_number"],
    ["a number from before the window", vector([999, "1"]), 200, "stale"],
    ["two series", vector([1300, "1"], [1300, "2"]), 200, "several"],
    [
      "a part, with a warning",
      JSON.stringify({ ...JSON.parse(vector([1300, "1"])), warnings: ["a store is away"] }),
      200,
      "partial",
    ],
    ["a range", JSON.stringify({ status: "success", data: { resultType: "matrix", result: [] } }), 200, "malformed"],
    [
      "a text",
      JSON.stringify({ status: "success", data: { resultType: "string", result: [1300, "x"] } }),
      200,
      "malformed",
    ],
    ["no JSON", "<html>", 200, "malformed"],
    ["a bare success", "{}", 200, "malformed"],
    ["too much", `"${"x".repeat(1024 * 1024)}"`, 200, "malformed"],
    ["a parse error", JSON.stringify({ status: "error", errorType: "bad_data", error: "parse error" }), 400, "refused"],
    [
      "an execution error",
      JSON.stringify({ status: "error", errorType: "execution", error: "many-to-many" }),
      422,
      "refused",
    ],
    [
      "its own time-out",
      JSON.stringify({ status: "error", errorType: "timeout", error: "query timed out" }),
      503,
      "unreachable",
    ],
    ["no access", "", 401, "refused"],
    ["a broken proxy", "bad gateway", 502, "unreachable"],
  ])("%s is no number, and says why", async (_, body, status, why) => {
    expect(await answered(body, status)).toMatchObject({ is: "none", why });
  });

  it("does not follow a redirection", async () => {
    const asked: unknown[] = [];
    const elsewhere = await serve((request, response) => {
      asked.push(request.url);
      response.end(vector([1300, "1"]));
    });
    expect(await answered("", 307, { location: elsewhere })).toMatchObject({ is: "none", why: "redirected" });
    expect(asked).toEqual([]);
  });

  it("gives up on a server that hangs, in its headers and in the middle of its answer", async () => {
    const silent = await serve(() => {});
    const halting = await serve((_request, response) => void response.writeHead(200).write('{"status":'));
    for (const url of [silent, halting]) {
      const answer = await query({ url, headers: {}, timeoutMs: 50 }, "up", WINDOW);
      expect(answer).toMatchObject({ is: "none", why: "unreachable", detail: "no answer within 0.05 s" });
    }
  });

  it("says that nobody listens, without the address", async () => {
    const answer = await query({ url: "http://127.0.0.1:59999", headers: {}, timeoutMs: 60_000 }, "up", WINDOW);
    expect(answer).toEqual({ is: "none", why: "unreachable", detail: "it could not be reached (ECONNREFUSED)" });
  });
});

it("a range is its numbers, without those that are none", async () => {
  const result = [
    {
      metric: {},
      values: [
        [1100, "1"],
        [1200, "NaN"],
        [1300, "3"],
      ],
    },
  ];
  const url = await serve((_request, response) =>
    response.end(JSON.stringify({ status: "success", data: { resultType: "matrix", result } })),
  );
  expect(await queryRange({ url, headers: {}, timeoutMs: 60_000 }, "x", WINDOW, 3)).toEqual({
    is: "series",
    values: [1, 3],
  });
});

describe("PromQL", () => {
  const hostile = `x"} or vector(0) or {a="\\'\`\n$window`;

  it("a hostile version ends no string that it is filled into", () => {
    for (const quote of ['"', "'", "`"]) {
      const filled = fillIn(`up{version=${quote}$version${quote}}[$window]`, hostile, 60);
      const inside = /^up\{version=(.)(.*)\1\}\[60s\]$/s.exec(filled)?.[2] ?? "";
      expect(inside).toMatch(/^(?:[\w.:/-]|\\x[0-9a-f]{2})+$/);
    }
  });

  it("nor one of Forge's own queries", () => {
    const names = MetricNames.parse({ labels: { job: hostile }, failed: '5.."' });
    const { errors } = builtInQueries(names, hostile, 60);
    const strings = [...errors.matchAll(/=~?"((?:[^"\\]|\\.)*)"/g)].map(([, inside]) => inside);
    expect(strings).toHaveLength(9);
    expect(errors.replace(/"(?:[^"\\]|\\.)*"/g, "S")).toBe(
      "sum((http_requests_total{job=S,version=S,code=~S} unless http_requests_total{job=S,version=S,code=~S} offset 60s) or increase(http_requests_total{job=S,version=S,code=~S}[60s]))",
    );
  });

  it("only the two names are filled in", () => {
    expect(fillIn("$version $versions $window $windowed $other", "v1", 90)).toBe("v1 $versions 90s $windowed $other");
  });
});
