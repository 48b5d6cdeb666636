import { describe, expect, it } from "vitest";
import { deploymentOf } from "../../../../bench/judge/deployments.ts";
import { JudgeSettings, NO_READING, type Reading, type Sample, Verdict } from "../../../../src/domain/samples.ts";
import { judge } from "../../../../src/pipeline/deploy/judge/judge.ts";
import { answers, counts, looks, measured, minute, none, SETTINGS, series, value } from "./samples-kit.ts";

/** 500 requests a look beside 9,500, of which so many fail. */
const errors = (ours: number, theirs: number) => measured("errors", counts(ours, 500), counts(theirs, 9_500));

describe("the judge (DEP-3): errors", () => {
  it("goes on with a version that fails as often as the one beside it", () => {
    const verdict = judge(
      SETTINGS,
      looks(10, () => [errors(5, 95)]),
    );
    expect(verdict).toMatchObject({ is: "better_or_equal", follows: "go_on", disaster: false, sourceErrors: [] });
    expect(verdict.metrics[0]).toMatchObject({
      metric: "errors",
      is: "fine",
      baseline: "concurrent",
      canary: 0.01,
      control: 0.01,
      of: 5_000,
    });
    expect(verdict.metrics[0]?.ratio).toBeCloseTo(1, 5);
  });

  it("rolls back at the second look that shows three times the errors, with the numbers it rests on", () => {
    const samples = looks(3, () => [errors(50, 317)]);
    expect(answers(samples)).toEqual(["wait", "wait", "roll_back"]);
    const [decisive] = judge(SETTINGS, samples).metrics;
    expect(decisive).toMatchObject({ metric: "errors", is: "worse", canary: 0.1, of: 1_500 });
    expect(decisive?.ratio).toBeGreaterThan(2);
    expect(decisive?.p).toBeLessThan(0.0005);
  });

  it("does not go on with one and a half times the errors, nor roll back", () => {
    const verdict = judge(
      SETTINGS,
      looks(20, () => [errors(16, 190)]),
    );
    expect(verdict).toMatchObject({ is: "worse", follows: "wait" });
    expect(verdict.metrics[0]).toMatchObject({ is: "degraded" });
  });

  it("does not roll back for one burst, however large", () => {
    const samples = looks(10, (at) => [errors(at === 3 ? 200 : 5, 95)]);
    expect(answers(samples)).not.toContain("roll_back");
  });

  it("rolls back for few errors only once three looks had some, and while they go on", () => {
    const few = (...each: number[]) =>
      looks(each.length, (at) => [measured("errors", counts(each[at]!, 218), counts(0, 9_500))]);
    expect(answers(few(4, 4, 4, 0, 0))).not.toContain("roll_back");
    expect(answers(few(4, 4, 4))).not.toContain("roll_back");
    expect(answers(few(4, 4, 4, 4))).toContain("roll_back");
  });

  it("acts at once where nearly all requests fail, and not where they fail beside it too", () => {
    expect(
      judge(
        SETTINGS,
        looks(1, () => [measured("errors", counts(24, 25), counts(4, 475))]),
      ),
    ).toMatchObject({ follows: "roll_back", disaster: true });
    expect(
      judge(
        SETTINGS,
        looks(1, () => [measured("errors", counts(24, 25), counts(300, 475))]),
      ).follows,
    ).not.toBe("roll_back");
    // A few clients whose errors come together, in trouble that both have.
    expect(
      judge(
        SETTINGS,
        looks(1, () => [measured("errors", counts(20, 25), counts(71, 475))]),
      ).follows,
    ).toBe("wait");
    expect(
      judge(
        SETTINGS,
        looks(1, () => [measured("errors", counts(5, 5), counts(1, 95))]),
      ).follows,
    ).toBe("wait");
  });

  it("does not blame the version for trouble that both have", () => {
    const samples = looks(10, (at) => [errors(at < 4 ? 2 : 150, at < 4 ? 38 : 2_850)]);
    expect(new Set(answers(samples))).not.toContain("roll_back");
    expect(judge(SETTINGS, samples)).toMatchObject({ is: "cannot_tell", follows: "wait" });
    expect(judge(SETTINGS, samples).metrics[0]?.why).toContain("both versions");
  });

  it("judges errors against none by what there is of them, not by a ratio without end", () => {
    const many = judge(
      SETTINGS,
      looks(5, () => [errors(10, 0)]),
    );
    expect(many.follows).toBe("roll_back");
    expect(Number.isFinite(many.metrics[0]?.ratio)).toBe(true);
    expect(
      judge(
        SETTINGS,
        looks(5, (at) => [errors(at === 2 ? 1 : 0, 0)]),
      ),
    ).toMatchObject({ follows: "go_on" });
  });

  it("keeps to the service's own objective below twice the errors", () => {
    const settings = JudgeSettings.parse({ objective: { error_rate: 0.02 } });
    const samples = looks(10, () => [errors(18, 190)]);
    expect(answers(samples, settings)).toContain("roll_back");
    expect(answers(samples)).not.toContain("roll_back");
  });

  it("asks about what rises against another time, but for the first step's own beginning", () => {
    const against = (at: number, since: number) => [
      measured("errors", counts(at >= since ? 60 : 3, 1_000), counts(3, 1_000), "before"),
    ];
    expect(
      answers(
        looks(10, (at) => against(at, 0), 100),
        SETTINGS,
        true,
      ),
    ).toContain("roll_back");
    expect(
      answers(
        looks(10, (at) => against(at, 5), 100),
        SETTINGS,
        true,
      ),
    ).not.toContain("roll_back");
    expect(
      answers(
        looks(10, (at) => against(at, 0), 100),
        SETTINGS,
        false,
      ),
    ).not.toContain("roll_back");
    expect(
      judge(
        SETTINGS,
        looks(10, (at) => against(at, 0), 100),
      ),
    ).toMatchObject({ is: "worse", follows: "wait" });
  });
});

describe("the judge (DEP-3): trouble that came and went where no other version runs", () => {
  const metrics = (at: number, to: number) => {
    const isTrouble = at >= 3 && at < to;
    return [
      measured("errors", counts(isTrouble ? 2_000 : 50, 10_000), counts(50, 10_000), "before"),
      measured("latency_p95", value(isTrouble ? 400 : 100, 1_000), value(100, 1_000), "before"),
    ];
  };
  const judgedWith = (calm: number, first = false) =>
    judge(
      SETTINGS,
      looks(10 + calm, (at) => metrics(at, 10), 100),
      first,
    );

  it("is over after ten looks as good as those before the version, and no sooner", () => {
    expect(judgedWith(9).follows).toBe("wait");
    const verdict = judgedWith(10);
    expect(verdict).toMatchObject({ is: "better_or_equal", follows: "go_on" });
    expect(verdict.metrics.map(({ why }) => why)).toEqual([
      "are not more frequent in the last 10 looks",
      "is not longer in the last 10 looks",
    ]);
  });

  it("is asked about in a first step, where nobody has seen the version next to another", () => {
    expect(judgedWith(10, true)).toMatchObject({ follows: "wait" });
  });

  it("gives no second chance to a version that is steadily worse and has ten lucky looks", () => {
    const failed = (at: number) => (at < 20 ? 110 : 60);
    const verdict = judge(
      SETTINGS,
      looks(30, (at) => [measured("errors", counts(failed(at), 10_000), counts(50, 10_000), "before")], 100),
    );
    expect(verdict.follows).toBe("wait");
  });
});

describe("the judge (DEP-3): latency, throughput, values", () => {
  const latency = (ours: number, theirs: number, of = 500, baseline: "concurrent" | "before" = "concurrent") => [
    measured("latency_p95", value(ours, of), value(theirs, 9_500), baseline),
  ];

  it("rolls back for three times the 95th percentile, and only asks against another time", () => {
    expect(answers(looks(6, () => latency(300, 100)))).toContain("roll_back");
    expect(
      answers(
        looks(20, () => latency(300, 100, 500, "before")),
        SETTINGS,
        true,
      ),
    ).not.toContain("roll_back");
    expect(
      judge(
        SETTINGS,
        looks(20, () => latency(300, 100, 500, "before")),
      ).is,
    ).toBe("worse");
  });

  it("says nothing of a percentile of few requests, nor of a few milliseconds", () => {
    expect(
      judge(
        SETTINGS,
        looks(10, () => latency(300, 100, 50)),
      ),
    ).toMatchObject({ is: "cannot_tell", follows: "wait" });
    expect(
      judge(
        SETTINGS,
        looks(10, () => latency(9, 3)),
      ).follows,
    ).toBe("go_on");
    expect(
      judge(
        SETTINGS,
        looks(10, () => latency(90, 0)),
      ),
    ).toMatchObject({ is: "cannot_tell" });
  });

  it("takes lost traffic as worse only where the version had its share, beside another", () => {
    const traffic = (ours: number, baseline: "concurrent" | "before" = "concurrent") =>
      measured("throughput", value(ours / 60, ours), value(9_500 / 60, 9_500), baseline);
    expect(answers(looks(12, (at) => [traffic(at < 3 ? 500 : 50)]))).toContain("roll_back");
    expect(answers(looks(12, () => [traffic(50)]))).not.toContain("roll_back");
    expect(answers(looks(12, (at) => [traffic(at < 3 ? 500 : 50, "before")]))).not.toContain("roll_back");
    expect(answers(looks(12, () => [traffic(2_000)]))).not.toContain("roll_back");
  });

  it("judges own queries by their bad direction", () => {
    const depth = (times: number, bad: "up" | "down") => {
      const values = Array.from({ length: 20 }, (_, at) => 10 + (at % 5));
      return [{ ...measured("queue", series(...values.map((one) => one * times)), series(...values)), bad }];
    };
    expect(answers(looks(8, () => depth(4, "up")))).toContain("roll_back");
    expect(answers(looks(8, () => depth(4, "down")))).not.toContain("roll_back");
    expect(answers(looks(8, () => depth(0.25, "down")))).toContain("roll_back");
    expect(
      judge(
        SETTINGS,
        looks(3, () => depth(1, "up")),
      ).follows,
    ).toBe("go_on");
  });

  it("takes a health endpoint that is dead twice as a disaster, and one that answers for little", () => {
    const withHealth = (failed: number, otherVersion = 0) =>
      looks(2, () => [errors(5, 95)]).map((one) => ({ ...one, health: { asked: 3, failed, otherVersion } }));
    expect(judge(SETTINGS, withHealth(3))).toMatchObject({ follows: "roll_back", disaster: true });
    expect(judge(SETTINGS, withHealth(3).slice(0, 1)).follows).toBe("wait");
    expect(judge(SETTINGS, withHealth(1)).follows).toBe("wait");
    expect(judge(SETTINGS, withHealth(0, 3)).follows).toBe("wait");
  });
});

it("DEP-3: does not go on where the health endpoint says that the old version answers, whatever else is fine", () => {
  const withVersion = (otherVersion: number) =>
    looks(10, () => [errors(5, 95)]).map((one) => ({ ...one, health: { asked: 3, failed: 0, otherVersion } }));
  expect(judge(SETTINGS, withVersion(0))).toMatchObject({ is: "better_or_equal", follows: "go_on" });
  const old = judge(SETTINGS, withVersion(3));
  // `wait`: after `ask_minutes` a person is asked.
  expect(old).toMatchObject({ is: "cannot_tell", follows: "wait", disaster: false });
  expect(old.metrics).toContainEqual({
    ...{ metric: "health", is: "cannot_tell", baseline: "none", of: 3 },
    why: "was answered by another version only",
  });
});

describe("the judge (DEP-3): what it cannot tell", () => {
  const good = errors(5, 95);
  const endingWith = (canary: Reading, control: Reading = counts(95, 9_500)) => [
    ...looks(10, () => [good]),
    ...looks(1, () => [measured("errors", canary, control)]).map((one) => ({
      ...one,
      from: minute(10),
      to: minute(11),
      at: minute(11),
    })),
  ];

  it.each(NO_READING)("says that it cannot tell of a reading that is none: %s", (why) => {
    for (const samples of [endingWith(none(why)), endingWith(counts(5, 500), none(why))]) {
      const verdict = judge(SETTINGS, samples);
      expect(verdict).toMatchObject({ is: "cannot_tell", follows: "wait" });
      const isOfSource = ["not_written", "partial", "unreachable", "refused", "redirected", "malformed"].includes(why);
      expect(verdict.sourceErrors).toHaveLength(isOfSource ? 1 : 0);
    }
  });

  it.each([
    ["not a number", { is: "counts", requests: Number.NaN, errors: 0 }],
    ["infinite", { is: "counts", requests: Number.POSITIVE_INFINITY, errors: 0 }],
    ["negative", { is: "counts", requests: 100, errors: -3 }],
    ["more errors than requests", { is: "counts", requests: 3, errors: 9 }],
    ["text", { is: "counts", requests: "500", errors: "5" } as unknown as Reading],
  ] satisfies [string, Reading][])("never counts what is no amount: %s", (_, reading) => {
    for (const samples of [endingWith(reading), endingWith(counts(5, 500), reading)]) {
      expect(judge(SETTINGS, samples)).toMatchObject({ is: "cannot_tell", follows: "wait" });
    }
    // Nor does it hold back what other looks show.
    const bad = looks(8, (at) => [at === 1 ? measured("errors", reading, reading) : errors(100, 95)]);
    expect(answers(bad)).toContain("roll_back");
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, "80" as unknown as number])("nor a latency of %s", (amount) => {
    const latency = looks(5, () => [measured("latency_p95", value(amount, 500), value(100, 9_500))]);
    expect(judge(SETTINGS, latency)).toMatchObject({ is: "cannot_tell", follows: "wait" });
  });

  it("cannot tell of no samples, no metrics, no traffic, few requests and nothing to compare with", () => {
    for (const samples of [
      [],
      looks(3, () => []),
      looks(10, () => [measured("errors", counts(0, 0), counts(95, 9_500))]),
      looks(5, () => [measured("errors", counts(0, 4), counts(95, 9_500))]),
      looks(10, () => [measured("errors", counts(5, 500), none("no_data"), "none")]),
    ]) {
      expect(judge(SETTINGS, samples)).toMatchObject({ is: "cannot_tell", follows: "wait" });
    }
  });

  it("counts no window twice, whatever the clocks say", () => {
    const once = looks(2, () => [errors(12, 95)]);
    const again = [once[0]!, ...Array.from({ length: 20 }, () => once[1]!), once[0]!];
    expect(judge(SETTINGS, again)).toEqual(judge(SETTINGS, once));
    const broken = { ...once[1]!, from: "yesterday", to: "today" };
    expect(judge(SETTINGS, [...once, broken])).toEqual(judge(SETTINGS, once));
  });

  it("does not let too little of one metric hold back the others, but an own query that says nothing", () => {
    const p99 = measured("latency_p99", value(300, 100), value(100, 9_500));
    const p95 = measured("latency_p95", value(100, 500), value(100, 9_500));
    expect(
      judge(
        SETTINGS,
        looks(10, () => [good, p95, p99]),
      ).follows,
    ).toBe("go_on");
    expect(
      judge(
        SETTINGS,
        looks(10, () => [good, p95, measured("queue", none("no_data"), none("no_data"))]),
      ).follows,
    ).toBe("wait");
  });
});

it("DEP-3: what earlier steps showed side by side lets a step go on that has less to say, but for one that looks worse by itself", () => {
  const side = (errors: number) => [measured("errors", counts(errors, 800), counts(152, 15_200))];
  const earlier = looks(12, () => side(8));
  // One window of the time before, of 40 errors in 4,000 requests: no more than a hint.
  const last = (errors: number) =>
    looks(3, () => [measured("errors", counts(errors, 400), counts(40, 4_000), "before")], 100);
  const word = (samples: readonly Sample[], before: readonly Sample[]) => judge(SETTINGS, samples, false, before).is;
  expect(word(last(5), [])).toBe("cannot_tell");
  expect(word(last(5), earlier)).toBe("better_or_equal");
  expect(word(last(8), earlier)).toBe("cannot_tell");
  // Beside another version too: a leak that grows is not hidden by how it began.
  const two = (errors: number) => looks(1, () => [measured("errors", counts(errors, 400), counts(4, 400))], 50);
  expect(word(two(4), [])).toBe("cannot_tell");
  expect(word(two(4), earlier)).toBe("better_or_equal");
  expect(word(two(10), earlier)).toBe("cannot_tell");
});

it("says the same again after its samples and its word went through the log", () => {
  const samples = looks(6, () => [errors(20, 95), measured("latency_p95", value(120, 500), value(100, 9_500))]);
  const verdict = judge(SETTINGS, samples);
  expect(judge(SETTINGS, JSON.parse(JSON.stringify(samples)))).toEqual(verdict);
  expect(Verdict.parse(JSON.parse(JSON.stringify(verdict)))).toEqual(verdict);
});

it("rolls back none of 40 good deployments of the bench, and finds what is five times worse with enough traffic", () => {
  const isRolledBack = (seed: number, isBad: boolean) => {
    const deployment = deploymentOf(seed, isBad);
    if (isBad && !(deployment.enough && deployment.times > 5)) return undefined;
    return deployment.steps.some((_, step) => {
      const samples = Array.from({ length: 10 }, (_, at) => deployment.look(step, at));
      return [8, 9, 10].some((end) => judge(SETTINGS, samples.slice(0, end), step === 0).follows === "roll_back");
    });
  };
  const seeds = Array.from({ length: 40 }, (_, at) => 77_000 + at);
  expect(seeds.filter((seed) => isRolledBack(seed, false))).toEqual([]);
  const found = seeds.map((seed) => isRolledBack(seed, true)).filter((one) => one !== undefined);
  expect(found.length).toBeGreaterThan(10);
  expect(found).not.toContain(false);
});
