import { expect, it } from "vitest";
import type { ProductionFeedback, Suspicion } from "../../../src/domain/production-feedback.ts";
import { decideFeedback } from "../../../src/pipeline/deploy/feedback/decide-feedback.ts";
import type { Decision } from "../../../src/pipeline/runs/decision.ts";
import type { FeedbackCount, FeedbackDay, FeedbackFacts } from "../../../src/store/feedback.ts";

const subject = {
  kind: "environment",
  repository: { id: 3, owner: "acme", name: "shop", installationId: 7 },
  environment: "production",
} as const;
const AT = "2026-11-23T10:00:00.000Z";
const DAY_MS = 86_400_000;
const NO_DAY: FeedbackDay = { heard: 0, others: 0, othersTold: 0, changes: 0 };

/** An environment that gets one batch after the other, and keeps each decision as the tables do. */
function anEnvironment() {
  const known = new Map<string, FeedbackCount>();
  const days = new Map<string, FeedbackDay>();
  let [next, version] = [0, 0];
  /** How many messages of each thing one batch has. */
  const tell = (
    things: Readonly<Record<string, number>>,
    { resolved = false, at = AT, suspicion }: { resolved?: boolean; at?: string; suspicion?: Suspicion } = {},
  ): Decision => {
    const messages = Object.entries(things).flatMap(([fingerprint, times]) =>
      Array.from({ length: times }, (): ProductionFeedback => {
        next += 1;
        return { is: "alert", id: String(next), fingerprint, name: "A", resolved, labels: {}, summary: "" };
      }),
    );
    const recent = [...known.values()].filter(
      ({ issueAt }) => issueAt && Date.parse(issueAt) > Date.parse(at) - DAY_MS,
    );
    const today = days.get(at.slice(0, 10)) ?? NO_DAY;
    const facts: FeedbackFacts = { counted: new Set(), known: new Map(known), issues: recent.length, today };
    const suspicions = new Map(suspicion ? Object.keys(things).map((thing) => [thing, suspicion]) : []);
    const input = { type: "feedback.received", subject, at, newRunId: "n", messages, suspicions } as const;
    const decision = decideFeedback(facts, version, input);
    version += decision.appends.flatMap(({ events }) => events).length;
    const change = decision.feedback;
    for (const { fingerprint } of change?.counted ?? []) {
      const before = known.get(fingerprint) ?? {
        ...{ fingerprint, count: 0, firstAt: at, told: 0, toldResolved: false, issueAt: null, shown: null },
      };
      known.set(fingerprint, { ...before, count: before.count + 1, lastAt: at, resolved });
    }
    for (const { fingerprint, ...told } of change?.told ?? []) {
      const row = known.get(fingerprint);
      if (row) known.set(fingerprint, { ...row, ...told });
    }
    if (change) {
      const { heard, others, othersTold, changes } = change.today;
      const day = {
        ...{ heard: today.heard + heard, others: today.others + others },
        ...{ othersTold, changes: today.changes + changes },
      };
      days.set(at.slice(0, 10), day);
    }
    return decision;
  };
  return { tell, known, days };
}

/** The issues that change, and how many others one stands for. */
function shown({ ignored, effects }: Decision): unknown {
  if (ignored !== undefined) return ignored;
  return effects.map(({ runId, effects: [effect] }) => {
    const about = runId.split(":").slice(4).join(":");
    const more = effect?.kind === "feedback.show" ? effect.payload.standing.more : undefined;
    return more === undefined ? about : [about, more];
  });
}

it("PROD-1: one issue for each thing, told anew when it is more, over or back, and never twice", () => {
  const { tell } = anEnvironment();
  expect(shown(tell({ f: 1 }))).toEqual(["f"]);
  expect(shown(tell({ f: 1 }))).toEqual([]);
  expect(shown(tell({ f: 8 }))).toEqual(["f"]);
  expect(shown(tell({ f: 1 }, { resolved: true }))).toEqual(["f"]);
  expect(shown(tell({ f: 1 }, { resolved: true }))).toEqual([]);
  expect(shown(tell({ f: 1 }))).toEqual(["f"]);
  expect(shown(tell({ g: 1 }, { resolved: true }))).toEqual([]);
  expect(shown(tell({}))).toBe("the pipeline knows that already");
});

it("PROD-2: a message that was counted before changes nothing, whatever else is known of its thing", () => {
  const feedback = { is: "alert", id: "1", fingerprint: "f", name: "A", labels: {}, summary: "" } as const;
  const input = { type: "feedback.received", subject, at: AT, newRunId: "n", suspicions: new Map() } as const;
  const messages = [{ ...feedback, resolved: false }];
  const facts = { counted: new Set(["1"]), known: new Map(), issues: 0, today: NO_DAY };
  const row = {
    fingerprint: "f",
    count: 3,
    firstAt: AT,
    lastAt: AT,
    resolved: true,
    told: 3,
    toldResolved: true,
    shown: null,
  };
  expect(decideFeedback(facts, 1, { ...input, messages }).ignored).toBeDefined();
  const known = new Map([["f", { ...row, issueAt: AT }]]);
  expect(decideFeedback({ ...facts, known }, 1, { ...input, messages }).ignored).toBeDefined();
});

it("PROD-1: of a storm of different things twenty have issues, and one more counts the others", () => {
  const { tell } = anEnvironment();
  const answers = Array.from({ length: 130 }, (_, index) => shown(tell({ [`f${index}`]: 1 })));
  expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => [`f${index}`]));
  expect(answers.slice(20).flatMap((answer) => answer as unknown[])).toEqual([
    ["more:2026-11-23", 1],
    ["more:2026-11-23", 10],
    ["more:2026-11-23", 100],
  ]);
  expect(shown(tell({ f50: 9 }))).toEqual([]);
  expect(shown(tell({ h: 1 }, { at: "2026-11-24T11:00:00.000Z" }))).toEqual(["h"]);
});

it("PROD-3: 5,000 things in one batch are one append of 21 events, and of the 5,001st there is only the number", () => {
  const { tell, known, days } = anEnvironment();
  const things = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
  const { appends, effects } = tell(things);
  expect(appends.map(({ events }) => events.length)).toEqual([21]);
  expect(effects).toHaveLength(21);
  expect([known.size, days.get("2026-11-23")]).toMatchObject([5_000, { heard: 5_000, others: 4_980 }]);
  tell({ one: 1, more: 1 });
  expect([known.size, days.get("2026-11-23")]).toMatchObject([5_000, { heard: 5_002, others: 4_982 }]);
});

it("PROD-3: an alert that comes and goes changes its issue 200 times a day, and again on the next", () => {
  const { tell } = anEnvironment();
  tell({ f: 1 });
  const told = Array.from({ length: 300 }, (_, index) => shown(tell({ f: 1 }, { resolved: index % 2 === 0 })));
  expect(told.filter((answer) => (answer as string[]).length > 0)).toHaveLength(200);
  const at = "2026-11-24T11:00:00.000Z";
  expect(shown(tell({ f: 1 }, { at, resolved: true }))).toEqual(["f"]);
});

it("PROD-1: a cause is traced to the run behind the pull request that brought it; a suspicion, or what is over, is not", () => {
  const decided = (is: "caused" | "suspected", resolved = false) => {
    const { tell } = anEnvironment();
    tell({ f: 1 });
    const suspicion = { is, why: "after_and_on_line", sha: "b".repeat(40), pull: 12, file: "a.js" } as const;
    return tell({ f: 9 }, { resolved, suspicion }).jobs.filter(({ kind }) => kind === "learn");
  };
  expect(decided("caused")).toMatchObject([
    {
      key: "learn:pull_request:3:12",
      payload: {
        subject: { kind: "pull_request", number: 12 },
        fault: { id: "production:f", is: "error", what: "A", pull: 12, file: "a.js" },
      },
    },
  ]);
  expect([decided("suspected"), decided("caused", true)]).toEqual([[], []]);
});
