import { describe, expect, it } from "vitest";
import { assessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import type { Judgement } from "../../../src/domain/review-report.ts";
import type { Role } from "../../../src/domain/subjects.ts";
import { judge } from "../../../src/pipeline/review/work/judge-head.ts";
import type { VerdictOnGitHub } from "../../../src/pipeline/runs/ports.ts";
import { changedFile, facts } from "../../analysis/risk/facts.ts";
import {
  A,
  ana,
  B,
  command,
  finding,
  finished,
  given,
  headChanged,
  minute,
  observed,
  type Story,
  subject,
} from "./story.ts";

const ASK = RepoConfig.parse({ review: { high_risk: "ask", tests: "never" } });
const HIGH = assessRisk(facts({ files: [changedFile("a.ts", 9, 0)], protectedPaths: ["a.ts"] }));
const CRITICAL = assessRisk(facts({ files: [changedFile("a.ts", 9, 0)], migrations: ["a.ts"] }));
const LOW = assessRisk(facts({ files: [changedFile("a.ts", 1, 0)] }));

const begun = (configuration = ASK) => given(headChanged(A), observed("run-a", A, { configuration }));
const reviewed = (configuration = ASK, risk = HIGH) => {
  const story = begun(configuration);
  story.when(finished("run-a", [], { risk }));
  return story;
};
const judged = (judgement: Judgement, headSha = A) =>
  ({ type: "head.judged", subject, at: minute(6), newRunId: "x", headSha, judgement }) as const;
const shown = (story: Story) => {
  const last = story.effects.findLast(({ kind }) => kind === "check.complete" || kind === "check.revise");
  return last && "conclusion" in last.payload ? last.payload.conclusion : undefined;
};

describe("REV-2: a high risk that waits for people", () => {
  it("holds the check up where the repository wants it, and only then", () => {
    expect(shown(reviewed())).toBe("action_required");
    expect(shown(reviewed(RepoConfig.parse({})))).toBe("action_required");
    expect(shown(reviewed(RepoConfig.parse({ review: { high_risk: "say" } })))).toBe("success");
    expect(shown(reviewed(ASK, LOW))).toBe("success");
  });

  it("GH-14b: goes on with an approval, and waits again where it is taken back or changes are asked for", () => {
    const story = reviewed();
    story.when(judged({ approvedBy: "ben" }));
    expect(shown(story)).toBe("success");
    expect(story.when(judged({ approvedBy: "ben" })).ignored).toBeDefined();
    story.when(judged({ approvedBy: "ben", rejectedBy: "cleo" }));
    expect(shown(story)).toBe("action_required");
    story.when(judged({}));
    expect(shown(story)).toBe("action_required");
    story.when(judged({ approvedBy: "ben" }));
    expect(shown(story)).toBe("success");
  });

  it("a critical one waits for an architect also when others approve, and says for whom", () => {
    const named = RepoConfig.parse({ review: { tests: "never", architects: ["cleo"] } });
    const story = reviewed(named, CRITICAL);
    story.when(judged({ approvedBy: "ben" }));
    expect(shown(story)).toBe("action_required");
    expect(story.effects.at(-1)?.payload).toMatchObject({
      report: { approval: { is: "wanted", by: "ben", architects: ["cleo"] } },
    });
    story.when(judged({ approvedBy: "ben", architect: "cleo" }));
    expect(shown(story)).toBe("success");
    story.when(judged({ approvedBy: "ben", architect: "cleo", rejectedBy: "dan" }));
    expect(shown(story)).toBe("action_required");
  });

  it("GH-14b: counts what they said before Forge was done", () => {
    const story = begun();
    story.when(judged({ approvedBy: "ben" }));
    story.when(finished("run-a", [], { risk: HIGH }));
    expect(shown(story)).toBe("success");
  });

  it("GH-14a: an approval is of its head, and a finding that blocks still blocks", () => {
    const story = reviewed();
    story.when(judged({ approvedBy: "ben" }));
    story.when(headChanged(B));
    story.when(observed("run-b", B, { configuration: ASK }));
    story.when(finished("run-b", [finding("one", { severity: "critical" })], { risk: HIGH }));
    expect(shown(story)).toBe("failure");
    story.when(judged({ approvedBy: "ben" }, B));
    expect(shown(story)).toBe("failure");
  });

  it("can be overridden by a maintainer", () => {
    const story = reviewed();
    story.when(command({ name: "override", check: "forge/review", reason: "urgent" }));
    expect(shown(story)).toBe("success");
  });

  it("is looked at when somebody gives a verdict, where it can matter", () => {
    const verdict = { type: "verdict.given", subject, at: minute(5), newRunId: "x" } as const;
    expect(
      reviewed()
        .when(verdict)
        .jobs.map(({ kind }) => kind),
    ).toEqual(["judge"]);
    expect(
      begun()
        .when(verdict)
        .jobs.map(({ kind }) => kind),
    ).toEqual(["judge"]);
    expect(reviewed(RepoConfig.parse({ review: { high_risk: "say" } })).when(verdict).ignored).toBeDefined();
    expect(given().when(verdict).ignored).toBeDefined();
  });
});

describe("GH-14: whose word counts", () => {
  const said = (login: string, is: VerdictOnGitHub["is"], headSha = A, to: object = {}): VerdictOnGitHub => {
    return { by: { login, id: login === "ana" ? ana.id : login.length * 100, kind: "user", ...to }, is, headSha };
  };
  const count = (all: readonly VerdictOnGitHub[], heads: readonly [string, ...string[]] = [A]) =>
    judge(all, { author: ana, heads, roleOf });
  const roleOf = async (login: string) =>
    (({ stranger: "read", mia: "maintain" }) as Readonly<Record<string, Role>>)[login] ?? "write";

  it.each<[string, readonly VerdictOnGitHub[], Judgement]>([
    ["nobody said anything", [], {}],
    ["somebody approved", [said("ben", "approved")], { approvedBy: "ben" }],
    ["the author did", [said("ana", "approved")], {}],
    ["somebody who may not push did", [said("stranger", "approved")], {}],
    ["a bot did", [said("robot", "approved", A, { kind: "bot" })], {}],
    ["somebody approved another head", [said("ben", "approved", B)], {}],
    ["it was dismissed", [said("ben", "approved"), said("ben", "dismissed")], {}],
    ["the last word counts", [said("ben", "changes_requested", B), said("ben", "approved")], { approvedBy: "ben" }],
    [
      "changes stay asked for",
      [said("ben", "approved"), said("cleo", "changes_requested", B)],
      { approvedBy: "ben", rejectedBy: "cleo" },
    ],
    ["a stranger asks for changes", [said("stranger", "changes_requested")], {}],
  ])("%s", async (_what, all, expected) => {
    expect(await count(all)).toEqual(expected);
  });

  it.each<[string, readonly string[], readonly string[], Judgement]>([
    ["nobody is named, and someone with push approved", [], ["ben"], { approvedBy: "ben" }],
    ["nobody is named, and a maintainer approved", [], ["mia"], { approvedBy: "mia", architect: "mia" }],
    ["another one approved", ["cleo"], ["mia"], { approvedBy: "mia" }],
    ["the named one did, in whatever letters", ["Cleo"], ["ben", "cleo"], { approvedBy: "ben", architect: "cleo" }],
    ["a member of the team did", ["@acme/architects"], ["dan"], { approvedBy: "dan", architect: "dan" }],
    ["another one did", ["@acme/architects"], ["ben"], { approvedBy: "ben" }],
    ["a named one who may not push did", ["stranger"], ["stranger"], {}],
    ["the team cannot be read", ["@acme/hidden"], ["dan"], { approvedBy: "dan", unreadTeams: ["@acme/hidden"] }],
  ])("REV-2: whose word is an architect's where %s", async (_what, names, logins, expected) => {
    const isInTeam = async (team: string, login: string) =>
      team === "acme/hidden" ? undefined : team === "acme/architects" && login === "dan";
    const all = logins.map((login) => said(login, "approved"));
    expect(await judge(all, { author: ana, heads: [A], roleOf, architects: { names, isInTeam } })).toEqual(expected);
  });

  it("GH-14a: an approval of a head with the same files counts", async () => {
    expect(await count([said("ben", "approved", B)], [A, B])).toEqual({ approvedBy: "ben" });
  });
});
