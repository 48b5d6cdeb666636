import { describe, expect, it } from "vitest";
import { assessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import type { ReviewFinished } from "../../../src/domain/inputs.ts";
import type { TaskKind } from "../../../src/domain/ladder.ts";
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
