import { describe, expect, it } from "vitest";
import { planRisk } from "../../../src/agents/planner/plan-risk.ts";
import { reviewPlan } from "../../../src/agents/planner/planner-agent.ts";
import { PATHS, plan } from "./fixture.ts";

const facts = { paths: PATHS, truncated: false };
const naming = (...files: string[]) => plan({ tasks: [{ ...plan().tasks[0]!, files }] });

describe("a plan that has the right form", () => {
  it("PLAN-1: may name files that are there, and new ones where a file can be", () => {
    expect(reviewPlan(naming("src/server.ts", "src/new/deep.ts", "docs/a.md"), facts)).toEqual([]);
  });

  it.each([
    ["src", '"src" is a folder: name the files in it'],
    ["src/server.ts/part.ts", '"src/server.ts/part.ts" cannot be made, as "src/server.ts" is a file'],
    ["src/Server.ts", '"src/Server.ts" is not there, but "src/server.ts" is: write it so, or choose another name'],
    ["Src/a.ts", '"Src/a.ts" is not there, but "src" is: write it so, or choose another name'],
    ["node_modules/x/index.js", '"node_modules/x/index.js" belongs to an installed package'],
    ["-rf", '"-rf" holds a name that begins with "-"'],
    ["git~1/config", "belongs to git"],
    ["src/.git ./config", "belongs to git"],
    ["../other/a.ts", "leads upwards"],
    ["/etc/passwd", "is not relative"],
  ])("PLAN-1: may not name %s", (path, problem) => {
    const problems = reviewPlan(naming(path), facts);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^task 1: /);
    expect(problems[0]).toContain(problem);
  });

  it("PLAN-1: tells a few problems at once, and tasks that are the same", () => {
    const many = naming(...Array.from({ length: 20 }, (_, at) => `node_modules/a${at}.js`));
    expect(reviewPlan(many, facts)).toHaveLength(9);
    expect(reviewPlan(many, facts).at(-1)).toBe("and 12 more of this kind");
    const [task] = plan().tasks;
    const twice = plan({ tasks: [task!, { ...task!, id: "2", title: "limit requests" }] });
    expect(reviewPlan(twice, facts)).toEqual([
      "task 2: another task has the same title: make one of them, or say what differs",
    ]);
  });
});

describe("the risk of a plan", () => {
  it("PLAN-1: is what the planner says where its files say nothing", () => {
    expect(planRisk(plan({ risk: { level: "high", reasons: ["money"] } }), [])).toEqual({
      level: "high",
      reasons: ["money"],
    });
    expect(planRisk(plan(), [])).toEqual({ level: "low", reasons: ["a new answer of the server"] });
  });

  it.each([
    [".github/workflows/ci.yml", "high", "changes what runs or who must agree"],
    [".GitHub/CODEOWNERS", "high", "changes what runs or who must agree"],
    [".github/forge.yml", "high", "changes what runs or who must agree"],
    ["packages/a/.npmrc", "high", "changes what runs or who must agree"],
    ["src/billing/price.ts", "high", "changes protected paths"],
    ["db/migrate/001_users.rb", "critical", "changes a database migration"],
    ["package-lock.json", "medium", "changes locked packages"],
    ["AGENTS.md", "medium", "changes instructions for agents"],
    ["vendor/lib/a.go", "medium", "changes files that programs write"],
  ] as const)("SEC-5: %s raises it to %s, whatever the planner says", (path, level, reason) => {
    const risk = planRisk(naming(path), ["src/billing/**"]);
    expect(risk).toEqual({ level, reasons: [`${reason}: ${path}`, "a new answer of the server"] });
  });

  it("PLAN-1: never lowers it, and names a few of many files", () => {
    const files = Array.from({ length: 8 }, (_, at) => `.github/workflows/w${at}.yml`);
    const risk = planRisk({ ...naming(...files), risk: { level: "critical", reasons: [] } }, []);
    expect(risk.level).toBe("critical");
    expect(risk.reasons[0]).toContain("w4.yml and 3 more");
  });
});
