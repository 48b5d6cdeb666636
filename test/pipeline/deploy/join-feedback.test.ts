import { join } from "node:path";
import { expect, it } from "vitest";
import { environmentSubject } from "../../../src/domain/deployments.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { FeedbackStanding, Suspicion } from "../../../src/domain/production-feedback.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { createClean } from "../../../src/monitoring/doors/clean-text.ts";
import { readSentry } from "../../../src/monitoring/doors/read-errors.ts";
import { receiveFeedback } from "../../../src/pipeline/deploy/feedback/receive-feedback.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { scratchFolder } from "../../analysis/change-of.ts";

const repository = { id: 7, owner: "ana", name: "shop", installationId: 1 };
const environment = environmentSubject(repository, "production");
const clean = createClean(createRedactor([]));
const VERSION = "b".repeat(40);
const CAUSE: Suspicion = {
  is: "caused",
  why: "after_and_on_line",
  sha: VERSION,
  pull: 12,
  file: "src/pay.js",
  line: 31,
};

const EVENT = {
  ...{ issue_id: "4711", project: 1, release: `shop@${VERSION}`, title: "TypeError" },
  exception: {
    values: [
      {
        type: "TypeError",
        value: "no card",
        stacktrace: { frames: [{ filename: "src/pay.js", lineno: 31, function: "pay", in_app: true }] },
      },
    ],
  },
};
const issue = (count: number, users: number, action = "created") => ({
  action,
  data: {
    issue: {
      id: "4711",
      title: "TypeError",
      metadata: { type: "TypeError", value: "" },
      count: `${count}`,
      userCount: users,
      firstSeen: "2026-11-23T09:00:00Z",
    },
  },
});
const alert = (event: object = EVENT) => ({ action: "triggered", data: { event } });

/** A door that stores each message by itself, and what the issue says after each. */
async function aDoor(found: (standing: Pick<FeedbackStanding, "feedback">) => Suspicion | undefined = () => undefined) {
  const store = await openStore({ url: `file:${join(await scratchFolder(), "forge.db")}` });
  let looked = 0;
  const dependencies = {
    ...{ store, makeId: createIdMaker(), now: () => "2026-11-23T10:00:00.000Z" },
    suspect: async (_: unknown, { feedback }: Pick<FeedbackStanding, "feedback">) => {
      looked += 1;
      return found({ feedback });
    },
  };
  let messages = 0;
  const tell = async (payload: unknown): Promise<FeedbackStanding | undefined> => {
    const before = (await readEvents(store, subjectKey(environment))).length;
    messages += 1;
    const told = readSentry(payload, `m${messages}`, clean);
    await receiveFeedback(dependencies, repository, "production", told ? [told.feedback] : []);
    const [event] = (await readEvents(store, subjectKey(environment))).slice(before);
    return event?.type === "feedback.received" ? event.payload.standing : undefined;
  };
  return { tell, looks: () => looked };
}

const STACK = [{ function: "pay", file: "src/pay.js", line: 31, inApp: true }];

it.each([
  ["the counts first", [issue(12, 3), alert()]],
  ["the stack first", [alert(), issue(12, 3)]],
])("PROD-2: counts and stack of one error are joined over two deliveries, %s", async (_, [one, other]) => {
  const { tell } = await aDoor();
  expect(await tell(one)).toMatchObject({ times: 1 });
  expect(await tell(other)).toMatchObject({
    ...{ times: 2, feedback: { type: "TypeError", message: "no card", frames: STACK, count: 12, users: 3 } },
    feedback: { release: `shop@${VERSION}`, firstSeen: "2026-11-23T09:00:00.000Z" },
  });
  // It says all of that already.
  expect(await tell(other)).toBeUndefined();
});

it("PROD-2: an issue is updated when its source counts ten times as many, and keeps its stack", async () => {
  const { tell } = await aDoor();
  await tell(alert());
  await tell(issue(12, 3));
  expect(await tell(issue(119, 30))).toBeUndefined();
  expect(await tell(issue(120, 30))).toMatchObject({ feedback: { count: 120, users: 30, frames: STACK } });
});

it("PROD-1: a stack that comes later makes a cause of what was a suspicion, and counts later take it from nobody", async () => {
  const hasStack = ({ feedback }: Pick<FeedbackStanding, "feedback">) =>
    feedback.is === "error" && feedback.frames.length > 0;
  const { tell, looks } = await aDoor((standing) =>
    hasStack(standing) ? CAUSE : { ...CAUSE, is: "suspected", why: "after" },
  );
  expect(await tell(issue(12, 3))).toMatchObject({ suspicion: { is: "suspected" } });
  expect(await tell(alert())).toMatchObject({ suspicion: CAUSE });
  expect(await tell(issue(1_200, 3))).toMatchObject({ suspicion: CAUSE });
  expect(looks()).toBe(2);
  expect(await tell(issue(1_200, 3, "resolved"))).toMatchObject({ resolved: true, suspicion: CAUSE });
  expect(await tell(alert())).toMatchObject({ resolved: false, suspicion: CAUSE });
  expect(looks()).toBe(3);
});
