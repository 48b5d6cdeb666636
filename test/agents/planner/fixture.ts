import type { PlanBrief } from "../../../src/agents/planner/plan-task.ts";
import type { IssueSnapshot } from "../../../src/domain/implementation.ts";
import type { Plan } from "../../../src/domain/plan.ts";
import type { Role } from "../../../src/domain/subjects.ts";
import { createRedactor } from "../../../src/safety/redact.ts";

export const redact = createRedactor(["s3cret-value-of-a-key"]);

export function said(login: string, role: Role, text: string): IssueSnapshot["body"] {
  return { by: { login, id: 7, kind: "user" }, role, at: "2026-03-01T10:00:00Z", text };
}

export function issue(over: Partial<IssueSnapshot> = {}): IssueSnapshot {
  return {
    title: "Limit requests",
    body: said("ana", "write", "The server should answer 429 after 100 requests a minute."),
    labels: ["forge"],
    comments: [],
    leftOut: { comments: 0, characters: 0 },
    ...over,
  };
}

export const PATHS = ["README.md", "package.json", "src/server.ts", "src/limiter.ts", "test/server.test.ts"];

export function plan(over: Partial<Plan> = {}): Plan {
  return {
    title: "Limit requests per client",
    kind: "feat",
    summary: "Clients that send too much get 429.",
    constraints: ["no new package"],
    decisions: ["a sliding window in memory"],
    tasks: [
      {
        id: "1",
        title: "Limit requests",
        description: "Count requests in src/limiter.ts and answer 429 in src/server.ts.",
        files: ["src/server.ts", "src/limiter.ts", "test/limiter.test.ts"],
        depends_on: [],
      },
    ],
    acceptance_criteria: ["the 101st request of a minute gets 429"],
    not_included: [],
    risk: { level: "low", reasons: ["a new answer of the server"] },
    complexity: "small",
    effort_minutes: 10,
    ...over,
  };
}

export function brief(over: Partial<PlanBrief> = {}): PlanBrief {
  return {
    number: 12,
    issue: issue(),
    paths: PATHS,
    truncated: false,
    documents: [{ path: "package.json", text: '{ "name": "shop" }' }],
    instructions: [{ path: "AGENTS.md", text: "Keep it simple." }],
    wishes: [],
    steps: 20,
    leftUsd: 5,
    redact,
    ...over,
  };
}
