import { describe, expect, it } from "vitest";
import { showProgress } from "../../src/cli/run/progress.ts";
import { createProgress } from "../../src/cli/terminal.ts";
import type { RunEvent } from "../../src/domain/events.ts";

const begun = "2026-11-20T10:00:00.000Z";
const event = (type: string, payload: object = {}, usd?: number) =>
  ({ type, payload, at: begun, ...(usd === undefined ? {} : { cost: { usd, tokens: 1 } }) }) as unknown as RunEvent;

function started(events: readonly RunEvent[] = []) {
  const shown: string[] = [];
  const said: string[] = [];
  const clock = { now: Date.parse(begun) };
  const show = (step: string, end = "", start = "") =>
    void shown.push(`${[start, step].filter((part) => part !== "").join(" · ")}${end}`);
  const line = { show, end: () => {} };
  const progress = showProgress(line, { events, now: () => clock.now, say: (text) => said.push(text) });
  return { progress, clock, said, last: () => shown.at(-1) };
}

describe("CLI-4: the line of progress of a run", () => {
  it("says in words what runs, for how long, and what it cost", () => {
    const { progress, clock, last } = started();
    progress.status({ step: { is: "planning", revision: 0 } } as never);
    progress.event(event("agent.reasoned", { model: "claude-sonnet-5-5" }, 0.02));
    progress.heard({ type: "step_started", step: 1, model: "claude-sonnet-5-5" });
    clock.now += 12_000;
    progress.tick();
    expect(last()).toBe("planning · asking claude-sonnet-5-5, 12 s · 12 s in all · $0.02");
    progress.status({ step: { is: "task", done: 0, all: 2, title: "Drop accents" } } as never);
    progress.heard({ type: "tool_started", callId: "1", tool: "edit_file", input: { path: "src/slug.js" } });
    expect(last()).toBe("task 1 of 2: Drop accents · editing src/slug.js, under 1 s · 12 s in all · $0.02");
  });

  it("continues time and money of a resumed run", () => {
    const { progress, clock, last } = started([event("run.started"), event("agent.reasoned", { model: "m" }, 1.5)]);
    clock.now += 65_000;
    progress.heard({ type: "step_started", step: 1, model: "m" });
    expect(last()).toBe("starting · asking m, under 1 s · 1 min 5 s in all · $1.50");
  });

  it("keeps errors and warnings on the screen", () => {
    const { progress, said } = started();
    progress.event(event("agent.warning", { message: "80 % of the budget is used" }));
    progress.event(event("tool.failed", { tool: "run_tests", message: "no\u001b[2J runner" }));
    progress.event(event("tool.failed", { tool: "complete", message: "a commit is needed" }));
    expect(said).toEqual([
      "warning: 80 % of the budget is used",
      "run_tests failed: no[2J runner",
      "the result was returned to the agent to correct: a commit is needed",
    ]);
  });

  it("names what a tool is about and never its JSON", () => {
    const { progress, last } = started();
    const call = (tool: string, input: object) => progress.heard({ type: "tool_started", callId: "1", tool, input });
    call("run_command", { program: "npm", args: ["run", "a\u001b[2J"] });
    expect(last()).toContain("running npm run a[2J, ");
    call("fetch_issue", { number: 3 });
    expect(last()).toContain("using fetch_issue, ");
    for (const path of ["a.ts", "b.ts"]) call("read_file", { path });
    expect(last()).toContain("reading 2 files, ");
  });

  it("keeps the activity where a long title has no room", () => {
    const written: string[] = [];
    const line = createProgress({ isTTY: true, columns: 80, write: (text: string) => void written.push(text) });
    const progress = showProgress(line, { events: [], now: () => Date.parse(begun), say: () => {} });
    progress.status({ step: { is: "task", done: 0, all: 1, title: "Refuse a limit of depth below -1" } } as never);
    progress.heard({ type: "step_started", step: 1, model: "claude-sonnet-5-5" });
    expect(written.at(-1)).toBe(
      "\r\u001b[2Ktask 1 of 1: … · asking claude-sonnet-5-5, under 1 s · under 1 s in all · $0.00",
    );
  });

  it("never wraps: it is cut by columns", () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 20, write: (text: string) => void written.push(text) };
    createProgress(stream).show("漢字漢字漢字漢字漢字漢字\nabc");
    createProgress(stream).show("漢字漢字漢字漢字漢字漢字", " · 9 s · $1");
    expect(written).toEqual(["\r\u001b[2K漢字漢字漢字漢字漢…", "\r\u001b[2K漢字漢… · 9 s · $1"]);
  });
});
