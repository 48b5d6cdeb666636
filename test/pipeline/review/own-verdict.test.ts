import { describe, expect, it } from "vitest";
import { assessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import type { MergeSettled, ReviewFinished } from "../../../src/domain/inputs.ts";
import type { TaskKind } from "../../../src/domain/ladder.ts";
import type { MergeLook, MergeState } from "../../../src/domain/merging.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import {
  A,
  ana,
  B,
  command,
  ends,
  finding,
  finished,
  given,
  headChanged,
  mergeLook,
  minute,
  OWN,
  observed,
  type Story,
  subject,
} from "./story.ts";

const WANTS = {
  ...DEFAULT_REPO_CONFIG,
  review: { ...DEFAULT_REPO_CONFIG.review, approve: true, request_changes: true },
};
const nothing = { pathWeights: [], openFindings: [], migrations: [], workflowPermissions: [], protectedPaths: [] };
const riskOf = (addedLines: number) => {
  const files = [{ path: "a.ts", kind: "code" as const, addedLines, deletedLines: 0, pureRename: false }];
  return assessRisk({ files, ...nothing });
};
const LOW = riskOf(2);
const blocking = finding("AAA", { severity: "error" });

interface Scene {
  readonly level?: number;
  readonly carries?: Partial<Record<TaskKind, number>>;
  readonly found?: Parameters<typeof finished>[1];
  readonly configuration?: typeof WANTS;
  readonly result?: Partial<ReviewFinished>;
  readonly own?: boolean;
}

/** Head A was reviewed in a repository that wants Forge's verdicts. */
function reviewed({
  level = 2,
  carries = { fix: 2 },
  found = [],
  configuration = WANTS,
  result = {},
  own,
}: Scene = {}) {
  const implemented = own ? { implements: { issue: 1, runId: "work" } } : {};
  const story = given(headChanged(A, implemented), observed("run-a", A, { configuration }));
  story.level = { level, carries, by: "ana", at: "", changes: 1 };
  story.when(finished("run-a", found, { risk: LOW, task: "fix", ...result }));
  return story;
}

const verdicts = (story: Story) => {
  return story.effects.flatMap((effect) =>
    effect.kind === "review.verdict" ? [`${effect.payload.is} ${effect.payload.headSha[0]}`] : [],
  );
};

describe("SAFE-4, GH-10b: Forge approves by itself", () => {
  it("a change of low risk in which nothing was found, at level 2, where the repository wants it", () => {
    const story = reviewed();
    expect(LOW.level).toBe("low");
    expect(verdicts(story)).toEqual(["approved a"]);
    expect(story.types(OWN)).toEqual(["verdict.set", "level.acted"]);
    // Said again, the review changes nothing.
    story.when(finished("run-a", [], { risk: LOW, task: "fix" }));
    expect(verdicts(story)).toEqual(["approved a"]);
  });

  it.each<[string, Scene]>([
    ["at level 1", { level: 1 }],
    ["at level 0", { level: 0 }],
    ["of a kind of task whose record does not carry it", { result: { task: "docs" } }],
    ["of a kind that nobody knows", { result: { task: undefined as never } }],
    ["above low risk", { result: { risk: riskOf(2_000) } }],
    ["of a risk that nobody knows", { result: { risk: undefined as never } }],
    ["with a warning", { found: [finding("AAA")] }],
    [
      "with a blocking finding",
      { found: [blocking], configuration: { ...WANTS, review: { ...WANTS.review, request_changes: false } } },
    ],
    ["that Forge opened itself", { own: true }],
    ["where nobody asked for it", { configuration: { ...WANTS, review: { ...WANTS.review, approve: false } } }],
    [
      "where the configuration caps the level",
      { configuration: { ...WANTS, safety: { ...WANTS.safety, automation_level: 1 } } },
    ],
  ])("and nothing %s", (_, scene) => {
    expect(verdicts(reviewed(scene))).toEqual([]);
  });

  it("takes it back with the next head, before that was looked at, and when its check is not green any more", () => {
    const pushed = reviewed();
    pushed.when(headChanged(B));
    expect(verdicts(pushed)).toEqual(["approved a", "none a"]);
    pushed.when(observed("run-b", B, { configuration: WANTS }));
    pushed.when(finished("run-b", [blocking], { risk: LOW, task: "fix" }));
    expect(verdicts(pushed)).toEqual(["approved a", "none a", "changes_requested b"]);
    const closed = reviewed();
    closed.when({
      type: "pull_request.closed",
      subject,
      at: "2026-11-01T11:00:00.000Z",
      newRunId: "x",
      by: ana,
      merged: true,
    });
    expect(verdicts(closed)).toEqual(["approved a"]);
  });
});

describe("GH-10b: Forge requests changes", () => {
  it("while blocking findings are open, and takes it back as soon as they are dismissed or overridden", () => {
    const dismissed = reviewed({ level: 1, found: [blocking] });
    expect(verdicts(dismissed)).toEqual(["changes_requested a"]);
    const pull = { open: true, ends: ends(A), title: "Add a cart" };
    dismissed.when(command({ name: "dismiss", finding: "F-AAA", reason: "meant", scope: { kind: "here" } }, { pull }));
    expect(verdicts(dismissed)).toEqual(["changes_requested a", "none a"]);
    const passed = reviewed({ found: [blocking] });
    passed.when(command({ name: "override", check: "forge/review", reason: "hotfix" }, { pull }));
    expect(verdicts(passed)).toEqual(["changes_requested a", "none a"]);
  });

  it("not at level 0, where it only reports, and not of its own pull requests", () => {
    expect(verdicts(reviewed({ level: 0, found: [blocking] }))).toEqual([]);
    expect(verdicts(reviewed({ own: true, found: [blocking] }))).toEqual([]);
  });

  it("stands while a push is looked at, and goes when that fixed it", () => {
    const story = reviewed({ level: 1, found: [blocking] });
    story.when(headChanged(B));
    expect(verdicts(story)).toEqual(["changes_requested a"]);
    story.when(observed("run-b", B, { configuration: WANTS }));
    story.when(finished("run-b", [], { risk: LOW, task: "fix" }));
    expect(verdicts(story)).toEqual(["changes_requested a", "none b"]);
  });
});

describe("SAFE-4: Forge merges by itself", () => {
  const HOUR = 60;
  const at = (minutes: number) => ({ subject, at: minute(minutes), newRunId: "x" });
  const opened = () => given(headChanged(A));
  const look = (story: Story, minutes: number, to: Partial<MergeLook> = {}) =>
    story.when({ ...at(minutes), ...mergeLook(to) });
  const github = (to: Partial<MergeState>) => ({ github: to as MergeState });
  const merges = (story: Story) => story.effects.filter(({ kind }) => kind === "pull.merge").length;
  const standing = (story: Story) => {
    const { merging } = story.facts();
    return merging?.is === "dropped" ? merging.bar.why : merging?.is;
  };
  const settled = (story: Story, outcome: MergeSettled["outcome"]) =>
    story.when({ ...at(3 * HOUR), type: "merge.settled", runId: OWN, headSha: A, outcome });

  it("after two hours, once, however often and with whatever clock it looks", () => {
    const story = opened();
    const { jobs } = look(story, 10);
    expect(jobs.find(({ kind }) => kind === "merge")?.runAt).toBe(minute(10 + 2 * HOUR));
    look(story, 0);
    look(story, 10 + 2 * HOUR - 1);
    expect([standing(story), merges(story)]).toEqual(["announced", 0]);
    look(story, 10 + 2 * HOUR);
    look(story, 10 + 2 * HOUR);
    expect([standing(story), merges(story)]).toEqual(["merging", 1]);
    settled(story, { is: "merged" });
    settled(story, { is: "merged" });
    look(story, 20 * HOUR);
    expect(story.types(OWN)).toEqual(["merge.set", "merge.set", "merge.set", "level.acted"]);
  });

  it("at once at level 4", () => {
    const story = opened();
    expect(look(story, 10, { level: 4 }).jobs.find(({ kind }) => kind === "merge")?.runAt).toBe(minute(10));
    look(story, 10, { level: 4 });
    expect(merges(story)).toBe(1);
  });

  it.each<[string, Partial<MergeLook>]>([
    ["draft", { draft: true }],
    ["configuration", { wants: "never" }],
    ["configuration", { own: false, wants: "own" }],
    ["level", { level: 2 }],
    ["findings", { calm: false }],
    ["governs", { forPeople: undefined as never }],
    ["people_pushed", { adopted: true }],
    ["not_approved", { own: false, wants: "approved" }],
    ["outsider", { own: false, wants: "approved", insider: false }],
    ["changes_requested", { rejectedBy: "ben" }],
    ["conflicts", github({ status: "conflicts" })],
    ["pushed", github({ headSha: B })],
    ["pushed", github({ baseRef: "next" })],
    ["closed", github({ queued: true })],
    ["checks_failing", github({ status: "failing" })],
  ])("not where it is %s: nothing is said before it was announced, and afterwards it falls away", (why, to) => {
    const story = opened();
    look(story, 10, to);
    expect([standing(story), story.effects.filter(({ kind }) => kind === "merge.show")]).toEqual([undefined, []]);
    look(story, 20);
    look(story, 20 + 2 * HOUR, to);
    expect([standing(story), merges(story)]).toEqual([why, 0]);
  });

  it("says once that a branch is not protected, or that it could go around what protects it", () => {
    for (const to of [{ isProtected: false }, { mayBypass: true }]) {
      const story = opened();
      look(story, 10, github(to));
      look(story, 20, github(to));
      expect(story.effects.filter(({ kind }) => kind === "merge.show")).toHaveLength(1);
      look(story, 20 + 2 * HOUR, github(to));
      expect(merges(story)).toBe(0);
    }
  });

  it("waits a day for what the branch requires, and no longer", () => {
    const story = opened();
    look(story, 0);
    const waits = look(story, 2 * HOUR, github({ status: "blocked" }));
    expect(waits.jobs.map(({ kind, runAt }) => [kind, runAt])).toEqual([["merge", minute(2 * HOUR + 10)]]);
    look(story, 26 * HOUR, github({ status: "pending" }));
    expect(standing(story)).toBe("announced");
    look(story, 26 * HOUR + 1, github({ status: "blocked" }));
    expect(standing(story)).toBe("blocked");
  });

  it("not while somebody holds it, whatever is pushed, and anew with all its time when nobody does", () => {
    const story = opened();
    look(story, 0);
    story.when(command({ name: "hold" }, { at: minute(5) }));
    look(story, 3 * HOUR);
    story.when(headChanged(B));
    look(story, 9 * HOUR, { headSha: B });
    expect([standing(story), merges(story)]).toEqual(["held", 0]);
    const looks = story.when(command({ name: "unhold" }, { at: minute(9 * HOUR) }));
    expect(looks.jobs.some(({ kind }) => kind === "merge")).toBe(true);
    look(story, 9 * HOUR, { headSha: B });
    look(story, 11 * HOUR - 1, { headSha: B });
    expect(merges(story)).toBe(0);
    look(story, 11 * HOUR, { headSha: B });
    expect(merges(story)).toBe(1);
    story.when(command({ name: "hold" }, { at: minute(11 * HOUR) }));
    expect(story.refusal()).toEqual({ reason: "merge_under_way" });
  });

  it("anew after a push or with another base, also while it is being merged, and not what GitHub refused", () => {
    const story = opened();
    look(story, 0);
    look(story, 2 * HOUR);
    story.when(headChanged(B));
    expect(standing(story)).toBe("pushed");
    settled(story, { is: "merged" });
    expect(standing(story)).toBe("pushed");
    look(story, 3 * HOUR, { headSha: B });
    story.when(headChanged(B, { runId: "run-c", requestId: "base", ends: { ...ends(B), baseRef: "next" } }));
    expect(standing(story)).toBe("pushed");
    const refused = opened();
    look(refused, 0);
    look(refused, 2 * HOUR);
    settled(refused, { is: "refused", said: "Head branch was modified." });
    expect([standing(refused), refused.types(OWN).includes("level.acted")]).toEqual(["refused", false]);
  });

  it("looks when a review ends, something is pushed or somebody gives a verdict, and only at level 3 and above", () => {
    const jobs = (level: number) => {
      const story = opened();
      story.level = { level, carries: {}, by: "ana", at: "", changes: 1 };
      const decisions = [
        story.when(observed("run-a", A)),
        story.when(finished("run-a", [], { risk: LOW, task: "fix" })),
        story.when({ ...at(5), type: "verdict.given" }),
        story.when({ ...at(5), type: "pull.readied" }),
        story.when(headChanged(A, { runId: "run-r", request: { id: "ready", reason: "ready", automatic: true } })),
      ];
      return decisions.map((decision) => decision.jobs.filter(({ kind }) => kind === "merge").length);
    };
    expect(jobs(2)).toEqual([0, 0, 0, 0, 0]);
    expect(jobs(3)).toEqual([0, 1, 1, 1, 1]);
  });

  it("says once which files wait for a person, where nothing else is against it", () => {
    const story = opened();
    const forPeople = [".claude/settings.json"];
    look(story, 10, { forPeople, calm: false });
    expect(standing(story)).toBeUndefined();
    look(story, 20, { forPeople });
    look(story, 30, { forPeople });
    const said = story.effects.filter(({ kind }) => kind === "merge.show");
    expect(said.map(({ payload }) => payload)).toEqual([
      { standing: { is: "dropped", headSha: A, bar: { why: "governs", files: forPeople } } },
    ]);
    look(story, 20 + 2 * HOUR, { forPeople });
    expect(merges(story)).toBe(0);
  });

  it.each([[[".github/workflows/ci.yml"]], [undefined]])(
    "and approves nothing in which %j waits for a person, however low its risk",
    (forPeople) => {
      expect(verdicts(reviewed({ result: { forPeople } as never }))).toEqual([]);
    },
  );
});
