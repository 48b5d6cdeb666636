import { beforeEach, describe, expect, it } from "vitest";
import type { Command } from "../../src/domain/commands.ts";
import type { LearntEvent, RunEvent } from "../../src/domain/events.ts";
import { type Finding, isOpen } from "../../src/domain/findings.ts";
import type { Hiding } from "../../src/domain/hiding.ts";
import type { PullInput } from "../../src/domain/inputs.ts";
import { type Actor, type NumberedSubject, type Role, subjectKey } from "../../src/domain/subjects.ts";
import { judgeProbes } from "../../src/learning/judge-probes.ts";
import { measure } from "../../src/learning/metrics.ts";
import { proposeHiding } from "../../src/learning/propose-hiding.ts";
import { isProbe, worksWithoutMemory } from "../../src/safety/held-out.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { readHidings } from "../../src/store/runs/hidings.ts";
import { readLedger } from "../../src/store/runs/ledger.ts";
import {
  A,
  ana,
  B,
  command,
  finding,
  finished,
  headChanged,
  minute,
  observed,
  subject,
} from "../pipeline/review/story.ts";
import { deskForEach } from "./desk.ts";

const ben: Actor = { login: "ben", id: 8, kind: "user" };
const eve: Actor = { login: "eve", id: 9, kind: "user" };
const cleo: Actor = { login: "cleo", id: 10, kind: "user" };
const ROLES: Readonly<Record<string, Role>> = { ana: "maintain", ben: "write", eve: "triage", cleo: "admin" };

const pull = (number: number): NumberedSubject => ({ kind: "pull_request", repository: subject.repository, number });
/** Pull requests that work with memory, and one that does not. */
const WITH = Array.from({ length: 60 }, (_, at) => at + 1).filter((number) => !worksWithoutMemory(pull(number)));
const WITHOUT = Array.from({ length: 200 }, (_, at) => at + 1).find((number) => worksWithoutMemory(pull(number)))!;
const [P1, P2, P3, P4, P5, P6] = WITH as [number, number, number, number, number, number];

let now = 9;
const desk = deskForEach(() => minute(now));
let made = 0;
/** Every id and fingerprint is another one; of a probe those that are drawn. */
function found(to: Partial<Finding> = {}, probe = false): Finding {
  for (;;) {
    made += 1;
    const name = made.toString(16).padStart(4, "0");
    if (isProbe({ fingerprint: name.padEnd(64, "0") }) !== probe) continue;
    const fields = {
      id: `F-${name.toUpperCase()}`,
      rule: "biome/same",
      file: `src/old/f${made}.ts`,
      message: `\`a${made}\` is compared with itself`,
    };
    return finding(name, { ...fields, ...to });
  }
}

beforeEach(() => {
  now = 9;
});

const runOf = (number: number, head = A) => `run-${number}-${head[0]}`;
const on = (number: number, input: PullInput): PullInput => ({ ...input, subject: pull(number) });

/** A review of a pull request that finds this. */
async function review(number: number, findings: readonly Finding[], head = A): Promise<void> {
  now += 10;
  const runId = runOf(number, head);
  await desk.tell(
    on(number, headChanged(head, { runId, at: minute(now) })),
    on(number, observed(runId, head, { at: minute(now) })),
    on(number, finished(runId, [...findings], { at: minute(now) })),
  );
}

async function say(number: number, given: Command, by = ana, role: Role = ROLES[by.login]!): Promise<void> {
  now += 1;
  await desk.tell(on(number, command(given, { by, role, at: minute(now) })));
}

const dismiss = (number: number, { id }: Finding, by = ana, reason = "we want that here") =>
  say(number, { name: "dismiss", finding: id, reason, scope: { kind: "here" } }, by);

async function learn(then: () => void = () => undefined): Promise<number> {
  const comments = { readRole: async (_repository: unknown, login: string) => ROLES[login] ?? "none" };
  const dependencies = () => ({ store: desk.store(), makeId: desk.makeId, now: desk.now, comments });
  return desk.work(async ({ subject: about }, { fence, signal }) => {
    await proposeHiding(dependencies(), { subject: about, fence, signal });
    await judgeProbes(dependencies(), { subject: about, fence });
    then();
  });
}

const hidings = (): Promise<Hiding[]> => readHidings(desk.store(), subject.repository.id);
const own = (number: number): Promise<readonly RunEvent[]> => readEvents(desk.store(), subjectKey(pull(number)));
const typed = async (number: number, type: string) => (await own(number)).filter((event) => event.type === type);
const open = async (number: number) =>
  (await readLedger(desk.store(), pull(number))).filter(isOpen).map((entry) => entry.finding.id);

/** The two who may push dismiss three on three pull requests. */
async function teach(to: Partial<Finding> = {}): Promise<void> {
  for (const [number, by] of [
    [P1, ana],
    [P2, ben],
    [P3, ana],
  ] as const) {
    const one = found(to);
    await review(number, [one]);
    await dismiss(number, one, by);
    await learn();
  }
}

async function approved(to: Partial<Finding> = {}): Promise<string> {
  await teach(to);
  const [hiding] = await hidings();
  await say(P3, { name: "hide", hiding: hiding!.class.id });
  return hiding!.class.id;
}

describe("MEM-6: a class is taught, proposed where it was taught, and approved", () => {
  it("is proposed after three dismissals by two people, on the last one's pull request, with what it would have hidden", async () => {
    const fixed = found();
    await review(P4, [fixed]);
    await review(P4, [], B);
    await teach();
    const said = await typed(P3, "hiding.proposed");
    expect(said).toMatchObject([
      {
        payload: {
          class: { rule: "biome/same", folder: "src/old", endings: [".ts"], severity: "warning", blocking: false },
          replay: { findings: 4, counts: { dismissed: 3, fixed: 1, ignored: 0, open: 0 } },
        },
      },
    ]);
    expect([...(await typed(P1, "hiding.proposed")), ...(await typed(P2, "hiding.proposed"))]).toEqual([]);
    expect(await hidings()).toMatchObject([{ state: "proposed", by: "forge" }]);
  });

  it("hides nothing before a maintainer approves it; then the next pull request is silent, and counts it", async () => {
    await teach();
    const [before, after] = [found(), found()];
    await review(P4, [before]);
    expect(await open(P4)).toEqual([before.id]);
    const { id } = (await hidings())[0]!.class;
    await say(P4, { name: "hide", hiding: id }, ben);
    expect((await hidings())[0]).toMatchObject({ state: "proposed" });
    await say(P4, { name: "hide", hiding: id });
    expect((await hidings())[0]).toMatchObject({ state: "on", by: "ana" });
    await review(P5, [after]);
    expect(await open(P5)).toEqual([]);
    const log = await readEvents(desk.store(), runOf(P5));
    expect(log.find(({ type }) => type === "review.completed")?.payload).toMatchObject({
      conclusion: "success",
      hidden: [{ hidingId: id, findings: 1 }],
    });
    expect(log.filter(({ type }) => type === "finding.hidden")).toHaveLength(1);
    // What people saw before stays until they deal with it.
    await review(P4, [before], B);
    expect(await open(P4)).toEqual([before.id]);
    await say(P5, { name: "unhide", hiding: id }, ben);
    await review(P5, [after], B);
    expect(await open(P5)).toEqual([after.id]);
  });

  it("never hides a secret, a critical security finding, what blocks, what is graver, elsewhere or says something else", async () => {
    await approved();
    const others = [
      { secret: true, severity: "critical", category: "security" },
      { severity: "critical", category: "security" },
      { severity: "error" },
      { severity: "error", confidence: 0.4 },
      { file: "src/new/a.ts" },
      { file: "src/old/a.py" },
      { rule: "biome/other" },
      { message: "`a` is never closed when reading fails" },
      { verified: "base" },
    ].map((to) => found(to as Partial<Finding>));
    await review(P4, others);
    expect((await open(P4)).sort()).toEqual(others.map(({ id }) => id).sort());
  });

  it("a secret teaches nothing, however often it is dismissed", async () => {
    await teach({ secret: true });
    expect(await hidings()).toEqual([]);
  });

  it("hides what blocks only where maintainers dismissed such, and even there no secret and no critical security finding", async () => {
    const id = await approved({ severity: "error" });
    expect((await hidings())[0]?.class).toMatchObject({ severity: "error", blocking: false });
    const [blocks, advises] = [found({ severity: "error" }), found({ severity: "error", confidence: 0.4 })];
    await review(P4, [blocks, advises]);
    expect([await open(P4), id]).toEqual([[blocks.id], id]);
    const of = { severity: "critical", rule: "biome/blocks" } as const;
    for (const [number, by] of [
      [P4, ana],
      [P5, cleo],
      [P6, ana],
    ] as const) {
      const one = found(of);
      await review(number, [one], B);
      await dismiss(number, one, by);
      await learn();
    }
    const blocking = (await hidings()).find((one) => one.class.rule === "biome/blocks");
    expect(blocking?.class.blocking).toBe(true);
    await say(P6, { name: "hide", hiding: blocking!.class.id });
    const guarded = [found({ ...of, secret: true }), found({ ...of, category: "security" })];
    await review(WITH[6]!, [found(of), ...guarded]);
    expect((await open(WITH[6]!)).sort()).toEqual(guarded.map((one) => one.id).sort());
  });
});

describe("MEM-6: what teaches nothing", () => {
  const three = async (people: readonly Actor[], reason = "we want that here") => {
    for (const [at, by] of people.entries()) {
      const one = found();
      await review(WITH[at]!, [one]);
      await dismiss(WITH[at]!, one, by, reason);
      await learn();
    }
    return hidings();
  };
  it("one person alone", async () => expect(await three([ana, ana, ana, ana])).toEqual([]));
  it("without a reason", async () => expect(await three([ana, ben, ana], "")).toEqual([]));
  it("people without push permission", async () => expect(await three([eve, eve, ana, eve])).toEqual([]));
  it("one finding again and again", async () => {
    const one = found();
    for (const [at, by] of [ana, ben, ana].entries()) {
      await review(WITH[at]!, [{ ...one, id: `${one.id}${at}` }]);
      // It is dismissed already where it shows again, and by that word.
      await dismiss(WITH[at]!, { ...one, id: `${one.id}${at}` }, by);
      await learn();
    }
    expect(await hidings()).toEqual([]);
  });
  it("where somebody fixed one since, or took a dismissal back", async () => {
    const [one, two, three, wanted] = [found(), found(), found(), found()];
    await review(P1, [one]);
    await dismiss(P1, one, ana);
    await review(P4, [wanted]);
    await review(P4, [], B);
    await review(P2, [two]);
    await dismiss(P2, two, ben);
    await review(P3, [three]);
    await dismiss(P3, three, ana);
    await learn();
    expect(await hidings()).toEqual([]);
    const back = [found({ rule: "biome/back" }), found({ rule: "biome/back" }), found({ rule: "biome/back" })];
    await review(P5, back);
    for (const [at, each] of back.entries()) await dismiss(P5, each, at === 1 ? ben : ana);
    await say(P5, { name: "undismiss", finding: back[1]!.id });
    await learn();
    expect(await hidings()).toEqual([]);
  });
});

it("MEM-6: whenever the worker dies between a dismissal and its proposal, there is one proposal and one comment", async () => {
  const dead = () => {
    throw new Error("killed");
  };
  const all = [found(), found(), found()];
  await review(P1, all);
  for (const [at, each] of all.entries()) await dismiss(P1, each, at === 1 ? ben : ana);
  await expect(learn(dead)).rejects.toThrow("killed");
  await desk.die();
  await expect(learn(dead)).rejects.toThrow("killed");
  await desk.die();
  await learn();
  expect(await typed(P1, "hiding.proposed")).toHaveLength(1);
  expect(await hidings()).toHaveLength(1);
  // Turned down is turned down.
  await say(P1, { name: "unhide", hiding: (await hidings())[0]!.class.id });
  const more = found();
  await review(P2, [more]);
  await dismiss(P2, more, ben);
  await learn();
  expect(await hidings()).toMatchObject([{ state: "withdrawn", by: "ana" }]);
});

it("MEM-6: of two workers that propose the same at once on two pull requests one does, and one switches it off", async () => {
  await review(P4, [found()]);
  await review(P5, [found()]);
  await teach();
  const [{ class: it }] = (await hidings()) as [Hiding];
  const other = { ...it, id: "H-AAA2" };
  const replay = { findings: 0, counts: { dismissed: 0, fixed: 0, ignored: 0, open: 0 }, listed: [] };
  const both = (event: LearntEvent) =>
    Promise.all(
      [P4, P5].map((number) => {
        const { cause } = event.payload;
        const learnt = { type: "learning.observed", subject, at: minute(now), newRunId: "x", cause } as const;
        return desk.tell(on(number, { ...learnt, events: [event] }));
      }),
    );
  await both({ type: "hiding.proposed", payload: { cause: "proposed", class: other, replay } });
  expect((await typed(P4, "hiding.proposed")).length + (await typed(P5, "hiding.proposed")).length).toBe(1);
  await say(P4, { name: "hide", hiding: other.id });
  await both({ type: "hiding.ended", payload: { cause: "ended", hidingId: other.id, after: 1, wrong: 3 } });
  expect((await typed(P4, "hiding.ended")).length + (await typed(P5, "hiding.ended")).length).toBe(1);
  expect((await hidings()).at(-1)).toMatchObject({ class: { id: other.id }, state: "off", changes: 2 });
});

describe("MEM-6: probes", () => {
  it("one in twenty is shown, marked, on every head again; three that were wanted switch the class off where it happened", async () => {
    const id = await approved();
    for (const [at, number] of [P4, P5, P6].entries()) {
      const probe = found({}, true);
      await review(number, [probe, found()]);
      expect(await readLedger(desk.store(), pull(number))).toMatchObject([{ finding: { id: probe.id, probe: id } }]);
      await review(number, [probe], "d".repeat(40));
      expect((await typed(number, "hiding.judged")).length).toBe(0);
      await review(number, [], B);
      await desk.tell(
        on(number, { type: "pull_request.closed", subject, at: minute(now), newRunId: "x", by: ana, merged: true }),
      );
      await learn();
      expect(await typed(number, "hiding.judged")).toMatchObject([{ payload: { is: "wrong", hidingId: id } }]);
      expect((await hidings())[0]).toMatchObject({ state: at === 2 ? "off" : "on", wrong: at + 1 });
      expect(await typed(number, "hiding.ended")).toHaveLength(at === 2 ? 1 : 0);
    }
    const after = found();
    await review(WITH[6]!, [after]);
    expect(await open(WITH[6]!)).toEqual([after.id]);
    // A person may have it again, and the count begins anew.
    await say(P6, { name: "hide", hiding: id });
    expect((await hidings())[0]).toMatchObject({ state: "on", wrong: 0 });
  });

  it("one that is dismissed was hidden rightly, and counts once", async () => {
    const id = await approved();
    const probe = found({}, true);
    await review(P4, [probe]);
    await dismiss(P4, probe, ben);
    await learn();
    await dismiss(P4, probe, ana);
    await learn();
    expect((await hidings())[0]).toMatchObject({ class: { id }, right: 1, wrong: 0 });
  });
});

it("MEM-6: a subject without memory hides nothing, its run says so, and the metrics compare it with the others", async () => {
  await approved();
  const one = found();
  await review(WITHOUT, [one]);
  expect(await open(WITHOUT)).toEqual([one.id]);
  const started = async (number: number) => (await readEvents(desk.store(), runOf(number)))[0]?.payload;
  expect([await started(WITHOUT), await started(P1)]).toMatchObject([{ memory: "without" }, { memory: "with" }]);
  const last = (await readEvents(desk.store(), runOf(WITHOUT))).at(-1)!.at;
  const { arms } = await measure(desk.store(), new Date(Date.parse(last) + 60_000).toISOString());
  const cost = arms?.find(({ name }) => name === "cost_of_run");
  expect([cost?.without.of, (cost?.with.of ?? 0) > 0]).toEqual([1, true]);
});
