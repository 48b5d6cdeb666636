import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { jobFacts } from "../../../src/app/watchdog/job-facts.ts";
import { restarts } from "../../../src/app/watchdog/restart-after-hang.ts";
import { countTick } from "../../../src/app/watchdog/still-ticks.ts";
import { createRedactor } from "../../../src/safety/redact.ts";

/** What the thread has counted when it ticked once for each of these numbers of beats. */
function afterTicks(...beats: readonly number[]): number {
  return beats.reduce(countTick, { beats: -1, ticks: 0 }).ticks;
}

describe("OPS-7: the watchdog's count", () => {
  it("counts ticks of its own during which the main loop did not turn, and starts again when it turns", () => {
    expect(afterTicks(4)).toBe(0);
    expect(afterTicks(4, 4, 4)).toBe(2);
    expect(afterTicks(4, 4, 4, 5)).toBe(0);
    expect(afterTicks(4, 4, 4, 5, 5)).toBe(1);
  });

  it("is the same after a night's sleep of the machine: neither of the two ran, and time is not counted", () => {
    // Asleep between the second and the third tick. The thread wakes first.
    expect(afterTicks(4, 8, 8, 9, 13)).toBe(0);
    expect(afterTicks(4, 8, 8)).toBe(1);
  });
});

it("OPS-7, SEC-6: a running job is named with its kind and subject, without secrets and without its payload", () => {
  const repository = { id: 1, owner: "acme", name: "shop", installationId: 2 };
  const payload = { subject: { kind: "pull_request", repository, number: 12 }, bodyHash: "not to be seen" };
  const job = { id: "J1", kind: "command", key: "of hunter2hunter2", payload, runId: "R1" };
  const claimed = { ...job, attempt: 2, failures: 1, lostLeases: 0, deaths: 0, token: 3 };
  expect(jobFacts(claimed, createRedactor(["hunter2hunter2"]))).toEqual({
    ...{
      job: "J1",
      kind: "command",
      key: "of [redacted]",
      subject: "pull_request acme/shop#12",
      traceId: "R1",
      attempt: 2,
    },
  });
  expect(jobFacts({ ...claimed, payload: { deliveryId: "D1" } }, (text) => text)).not.toHaveProperty("subject");
});

describe("OPS-7: whether a hang is followed by a restart", () => {
  const hung = { code: 70, isStopping: false, ticksSinceRestart: undefined };

  it("restarts once, and again when an hour of its own ticks has passed", () => {
    expect(restarts(hung)).toBe(true);
    expect(restarts({ ...hung, ticksSinceRestart: 0 })).toBe(false);
    expect(restarts({ ...hung, ticksSinceRestart: 59 })).toBe(false);
    expect(restarts({ ...hung, ticksSinceRestart: 60 })).toBe(true);
  });

  it("restarts after nothing but a hang, and never while it stops", () => {
    for (const code of [0, 1, 64, null]) expect(restarts({ ...hung, code })).toBe(false);
    expect(restarts({ ...hung, isStopping: true })).toBe(false);
  });
});

it("OPS-7: a thread ends the whole process with code 70 while the main thread hangs", async () => {
  const module = new URL("../../../src/app/watchdog/end-process.ts", import.meta.url).href;
  const thread = `import(${JSON.stringify(module)}).then(({ endProcess }) => endProcess(70))`;
  const main = `new (require("node:worker_threads").Worker)(${JSON.stringify(thread)}, { eval: true });
    setImmediate(() => { for (;;); });`;
  const child = spawn(process.execPath, ["--eval", main], { env: {}, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([70, null]);
});
