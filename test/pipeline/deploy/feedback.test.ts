import { expect, it } from "vitest";
import type { PlacedEvent } from "../../../src/domain/events.ts";
import type { FeedbackStanding } from "../../../src/domain/production-feedback.ts";
import {
  decideFeedback,
  type FeedbackFacts,
  feedbackOf,
} from "../../../src/pipeline/deploy/feedback/decide-feedback.ts";

const subject = {
  kind: "environment",
  repository: { id: 3, owner: "acme", name: "shop", installationId: 7 },
  number: 2,
} as const;
const AT = "2026-11-23T10:00:00.000Z";

/** An environment that is told of one thing after the other; what each is answered with. */
function anEnvironment() {
  const log: PlacedEvent[] = [];
  const told = new Set<string>();
  return (fingerprint: string, times = 1, resolved = false, at = AT) => {
    const feedback = { is: "alert", id: "m", fingerprint, name: "A", resolved, labels: {}, summary: "" } as const;
    const standing: FeedbackStanding = {
      environment: "production",
      feedback,
      times,
      resolved,
      firstAt: at,
      lastAt: at,
    };
    told.add(fingerprint);
    const decision = decideFeedback(feedbackOf(log), log.length, {
      type: "feedback.received",
      subject,
      at,
      newRunId: "n",
      standing,
      heard: told.size,
    });
    for (const event of decision.appends.flatMap(({ events }) => events)) {
      log.push({ ...event, traceId: "t", version: log.length + 1, at } as PlacedEvent);
    }
    const [effect] = decision.effects;
    return decision.ignored ?? (effect ? `${effect.runId.split(":").slice(4).join(":")}` : "noted");
  };
}

it("PROD-1: one issue for each thing, told anew when it is more, over or back, and never twice", () => {
  const told = anEnvironment();
  expect(told("f")).toBe("f");
  expect(told("f")).toBe("the pipeline knows that already");
  expect(told("f", 10)).toBe("f");
  expect(told("f", 11, true)).toBe("f");
  expect(told("f", 12)).toBe("f");
  expect(told("g", 1, true)).toBe("it was over before anything was opened");
});

it("of a storm of different things twenty have issues, and one more counts the others", () => {
  const told = anEnvironment();
  const answers = Array.from({ length: 130 }, (_, index) => told(`f${index}`));
  expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => `f${index}`));
  const more = answers.slice(20);
  expect(
    more.flatMap((answer, index) => (answer === "it is counted among others" ? [] : [[answer, index + 1]])),
  ).toEqual([
    ["more:2026-11-23", 1],
    ["more:2026-11-23", 10],
    ["more:2026-11-23", 100],
  ]);
  expect(told("f50", 10)).toBe("it is counted among others");
  expect(told("h", 1, false, "2026-11-24T11:00:00.000Z")).toBe("h");
});

it("PROD-1: a cause is traced to the run behind the pull request that brought it; a suspicion, or what is over, is not", () => {
  const decided = (is: "caused" | "suspected", resolved = false) => {
    const feedback = { is: "alert", id: "m", fingerprint: "f", name: "A", resolved, labels: {}, summary: "" } as const;
    const suspicion = { is, why: "after_and_on_line", sha: "b".repeat(40), pull: 12, file: "a.js" } as const;
    const times = { times: 1, firstAt: AT, lastAt: AT, resolved };
    const known = new Map([["f", { times: 9, resolved: false, at: AT, together: false }]]);
    const facts: FeedbackFacts = { known, others: new Map() };
    return decideFeedback(facts, 1, {
      ...{ type: "feedback.received", subject, at: AT, newRunId: "n", heard: 1 },
      standing: { environment: "production", feedback, suspicion, ...times },
    }).jobs.filter(({ kind }) => kind === "learn");
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
