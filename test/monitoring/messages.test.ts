import { describe, expect, it } from "vitest";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { fingerprintOf } from "../../src/monitoring/doors/fingerprint.ts";
import { readAlerts } from "../../src/monitoring/doors/read-alerts.ts";
import { readPlain, readSentry } from "../../src/monitoring/doors/read-errors.ts";
import { createRedactor } from "../../src/safety/redact.ts";

const clean = createClean(createRedactor(["tomorrow-and-tomorrow"]));

const frames = [
  { function: "handle", filename: "node_modules/express/index.js", lineno: 9, in_app: false },
  { function: "charge", abs_path: "/app/src/pay.js", lineno: 31, in_app: true },
];
const event = {
  event_id: "e1",
  issue_id: "117",
  project: "shop",
  release: "shop@3f2c1ab",
  web_url: "https://sentry.example/issues/117/?referrer=token-123",
  user: { email: "ana@example.org", ip_address: "203.0.113.7" },
  exception: {
    values: [{ type: "TypeError", value: "no card for ana@example.org at 203.0.113.7", stacktrace: { frames } }],
  },
};

describe("what Sentry tells (PROD-2)", () => {
  it("an event has the stack, innermost first, and nobody's address", () => {
    const told = readSentry({ action: "triggered", data: { event } }, "m1", clean);
    expect(told).toEqual({
      project: "shop",
      feedback: {
        ...{ is: "error", id: "m1", fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/), resolved: false },
        ...{ type: "TypeError", message: "no card for [e-mail] at [address]", release: "shop@3f2c1ab" },
        url: "https://sentry.example/issues/117/",
        frames: [
          { function: "charge", file: "/app/src/pay.js", line: 31, inApp: true },
          { function: "handle", file: "node_modules/express/index.js", line: 9, inApp: false },
        ],
      },
    });
    expect(JSON.stringify(told)).not.toContain("203.0");
  });

  it("an issue has the counts, as texts too, and is joined with its events", () => {
    const issue = {
      id: 117,
      project: { slug: "shop" },
      metadata: { type: "TypeError", value: "x" },
      count: "12",
      userCount: 3,
    };
    const told = readSentry(
      { action: "resolved", data: { issue: { ...issue, firstSeen: "2026-11-23T10:00:00Z" } } },
      "m2",
      clean,
    );
    const { feedback } = readSentry({ data: { event } }, "m1", clean)!;
    expect(told?.feedback).toMatchObject({
      fingerprint: feedback.fingerprint,
      count: 12,
      users: 3,
      resolved: true,
      firstSeen: "2026-11-23T10:00:00.000Z",
    });
  });

  it.each([
    [null],
    [[]],
    ["text"],
    [{}],
    [{ data: null }],
    [{ data: { installation: {} } }],
    [{ data: { issue: {} } }],
  ])("%j tells of nothing", (payload) => {
    expect(readSentry(payload, "m", clean)).toBeUndefined();
  });

  it("what is of another kind than it should be is left out", () => {
    const values = [
      { type: 5, value: { a: 1 }, stacktrace: { frames: [{ function: ["x"], lineno: "12", filename: null }] } },
    ];
    expect(
      readSentry({ data: { event: { ...event, exception: { values }, title: {} } } }, "m", clean)?.feedback,
    ).toMatchObject({
      ...{ type: "5", message: "", frames: [{ inApp: true, line: 12 }] },
    });
  });
});

describe("what Alertmanager and Grafana tell", () => {
  const alert = (more: object = {}) => ({
    ...{ status: "firing", labels: { alertname: "HighErrors", job: "shop" }, annotations: { summary: "5 % fail" } },
    ...{
      startsAt: "2026-11-23T10:00:00Z",
      endsAt: "0001-01-01T00:00:00Z",
      fingerprint: "abc",
      generatorURL: "http://prom/graph?g0.expr=x",
    },
    ...more,
  });
  const told = (...alerts: unknown[]) => [...readAlerts({ version: "4", groupKey: "{}:{}", alerts }, clean)];

  it("is the same message when it is told again, and another when it is over or begins anew", () => {
    const [first, again, over, anew] = [
      {},
      { endsAt: "2026-11-23T11:00:00Z" },
      { status: "resolved" },
      { startsAt: "2026-11-23T12:00:00Z" },
    ].map((more) => told(alert(more))[0]!.feedback);
    expect(first).toMatchObject({
      is: "alert",
      name: "HighErrors",
      summary: "5 % fail",
      resolved: false,
      url: "http://prom/graph",
    });
    expect(again!.id).toBe(first!.id);
    expect(new Set([first, over, anew].map((one) => one!.id)).size).toBe(3);
    expect(new Set([first, over, anew].map((one) => one!.fingerprint)).size).toBe(1);
    expect(over!.resolved).toBe(true);
  });

  it("has Grafana's numbers, and leaves out what is no alert", () => {
    const values = { B: 22.5, C: 1 };
    expect(told(null, 5, { status: "odd" }, alert({ values }))).toMatchObject([
      { project: "shop", feedback: { metric: "B", current: 22.5 } },
    ]);
  });

  it("hostile labels and annotations are plain, short and without secrets", () => {
    const labels = {
      alertname: "A\u202eB\u0000",
      __proto__: "x",
      "a b\n": "tomorrow-and-tomorrow",
      long: "x".repeat(9_999),
    };
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`l${index}`, "v"]));
    const [one] = told(
      alert({ labels: { ...labels, ...many }, annotations: { summary: "/forge approve\n@everyone 10.0.0.1 fe80::1" } }),
    );
    if (one?.feedback.is !== "alert") throw new Error("no alert");
    expect(one.feedback.name).toBe("AB");
    expect(one.feedback.labels.a_b).toBe("[redacted]");
    expect(one.feedback.labels.long).toHaveLength(200);
    expect(Object.keys(one.feedback.labels)).toHaveLength(20);
    expect(one.feedback.summary).toBe("/forge approve\n@everyone [address] [address]");
  });
});

describe("Forge's own form", () => {
  it("reads stacks as JavaScript and Python print them", () => {
    const stack = `TypeError: x
    at charge (/app/src/pay.js:31:7)
    at async file:///app/src/main.js:4:1
    at node:internal/process:95:5`;
    expect(readPlain({ type: "TypeError", stack, sha: "3f2c1ab" }, "m", clean)?.feedback).toMatchObject({
      release: "3f2c1ab",
      frames: [
        { function: "charge", file: "/app/src/pay.js", line: 31, inApp: true },
        { file: "/app/src/main.js", line: 4, inApp: true },
        { file: "node:internal/process", inApp: false },
      ],
    });
    const python = `Traceback (most recent call last):
  File "/app/main.py", line 3, in run
    pay()
  File "/app/pay.py", line 9, in pay
    raise ValueError`;
    expect(readPlain({ type: "ValueError", stack: python }, "m", clean)?.feedback).toMatchObject({
      frames: [
        { function: "pay", line: 9 },
        { function: "run", line: 3 },
      ],
    });
  });

  it("is an anomaly where it names a metric, and nothing where it says nothing", () => {
    const anomaly = { metric: "errors", baseline: 0.01, current: 0.2, started_at: "2026-11-23T10:00:00Z" };
    expect(readPlain(anomaly, "m", clean)?.feedback).toMatchObject({
      is: "alert",
      metric: "errors",
      baseline: 0.01,
      current: 0.2,
    });
    expect(readPlain({ project: "shop" }, "m", clean)).toBeUndefined();
  });

  it("reads a stack of lines that match nothing in no time that grows with their square", () => {
    const stack = ` at ${"(a ".repeat(30_000)}\n`.repeat(3);
    expect(readPlain({ type: "E", stack }, "m", clean)?.feedback).toMatchObject({ frames: [] });
  });
});

it("a fingerprint stays where lines and numbers change, and code of others does not count", () => {
  const frame = (name: string, line: number, inApp = true) => ({ function: name, file: "a.js", line, inApp });
  const one = fingerprintOf("TypeError", "x", [frame("f", 1), frame("lib", 2, false)]);
  expect(fingerprintOf("TypeError", "y", [frame("f", 99), frame("other", 3, false)])).toBe(one);
  expect(fingerprintOf("TypeError", "x", [frame("g", 1)])).not.toBe(one);
  expect(fingerprintOf("E", "order 17 at 0xdeadbeef", [])).toBe(fingerprintOf("E", "order 8 at 0x1", []));
});
