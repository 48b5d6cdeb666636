import { createHmac } from "node:crypto";
import type { HostileWorld } from "../program/hostile-world.ts";
import { answered, reviewed } from "../program/judge.ts";
import type { Ground, Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";

/** A secret of the doors below; they are the same in every world. */
export const DOOR_SECRET = ["canary-door", "51c0a9", "e77d20b4f1"].join("-");
/** Organisations of the grounds are numbered; a message names one as its project. */
const GROUNDS = 2_000;

const projects = Object.fromEntries(
  Array.from({ length: GROUNDS }, (_, index) => {
    return [`acme-${index + 1}`, { repository: `acme-${index + 1}/shop`, environment: "production" }];
  }),
);
const secret = { variable: "FORGE_DOOR" };

/** The file of sources: two doors through which production tells of the repository of any ground. */
export const STORM_SOURCES = JSON.stringify({
  doors: {
    errors: { kind: "sentry", secret, projects },
    alerts: { kind: "alertmanager", secret, projects },
  },
});

async function send({ port }: HostileWorld, door: string, body: string): Promise<number> {
  const sentry = { "sentry-hook-signature": createHmac("sha256", DOOR_SECRET).update(body).digest("hex") };
  const headers = door === "errors" ? sentry : { authorization: `Bearer ${DOOR_SECRET}` };
  const answer = await fetch(`http://127.0.0.1:${port}/api/feedback/${door}`, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends a storm about a repository that Forge knows, opens another pull request there, and looks at both. */
function storm(name: string, does: string, count: number, bodies: (project: string) => readonly [string, string][]) {
  let wrong: string[] = [];
  const strike = async (ground: Ground) => {
    const { world, repository } = ground;
    await openPull({ "src/a.ts": "export const a = 1;\n" })(ground);
    await world.settled();
    const waiting = [...bodies(repository.split("/")[0]!)];
    const statuses: number[] = [];
    const sender = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const status = await send(world, ...next);
        // "Not stored in time": the sender tries again, as monitoring does, and nothing is counted twice.
        if (status === 503) waiting.push(next);
        else statuses.push(status);
      }
    };
    const sending = Promise.all(Array.from({ length: 20 }, sender));
    const files = { "src/b.ts": "export const b = 2;\n" };
    await world.github.commit(repository, "second", { files, message: "Change", author: "ana" });
    const pull = { title: "Change", head: "second", by: "ana" };
    const { number } = await world.github.openPullRequest(repository, pull);
    await sending;
    wrong = statuses.filter((status) => status !== 202).map((status) => `answered ${status}`);
    return number;
  };
  const faults: Payload["faults"] = async (seen) => {
    const { world, repository } = seen.ground;
    const counted = await world.read((store) =>
      store.read.all<{ count: number }>("select max(heard) as count from feedback_days"),
    );
    const issues = world.github.requests.filter(
      ({ operation, status, path }) => operation === "issues/create" && status === 201 && path.includes(repository),
    );
    return [
      ...wrong,
      ...(await reviewed(seen)),
      ...(await answered(seen)),
      ...(counted[0]?.count === count ? [] : [`${counted[0]?.count} of ${count} were counted`]),
      ...(issues.length > 21 ? [`${issues.length} issues were opened`] : []),
    ];
  };
  return { name, does, strike, faults } satisfies Payload;
}

/** A4 of the red team: what production tells comes in a storm. */
export const STORMS: readonly Payload[] = [
  storm("storm of errors (A4)", "tells of 3,000 different errors in 3,000 messages", 3_000, (project) =>
    Array.from({ length: 3_000 }, (_, index) => {
      const event = { event_id: `e${index}`, issue_id: `i${index}`, title: `Error ${index}`, project };
      return ["errors", JSON.stringify({ data: { event } })];
    }),
  ),
  storm("storm in one message (A4)", "tells of 5,000 alerts in one message", 5_000, (project) => {
    const alerts = Array.from({ length: 5_000 }, (_, index) => ({
      ...{ status: "firing", labels: { alertname: `A${index}`, project }, fingerprint: `f${index}` },
      startsAt: "2026-11-23T10:00:00Z",
    }));
    return [["alerts", JSON.stringify({ version: "4", groupKey: "g", alerts })]];
  }),
];
