import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { askTask } from "../../src/agents/ask-agent.ts";
import { feedbackTask } from "../../src/agents/implementer/feedback-task.ts";
import { implementTask } from "../../src/agents/implementer/implement-task.ts";
import { planTask } from "../../src/agents/planner/plan-task.ts";
import { reviewTask, verifyTask } from "../../src/agents/reviewer/brief.ts";
import { testerTask } from "../../src/agents/tester/tester-agent.ts";
import { REDACTED_AT_ONCE } from "../../src/safety/redact.ts";
import { cleanText } from "../../src/tools/data/clean-text.ts";
import { showOutput } from "../../src/tools/data/show-text.ts";
import { onlyAside } from "../only-aside.ts";
import { brief, issue, plan, redact as redactHere, said } from "./planner/fixture.ts";

const redact = onlyAside(redactHere);
/** What the threads are asked, whenever they were started: other files of this process may have done so. */
const post = vi.spyOn(Worker.prototype, "postMessage");

const long = (name: string) => `${name} s3cret-value-of-a-key ${"and many words more\n".repeat(REDACTED_AT_ONCE / 16)}`;
const [task] = plan().tasks;
const place = { instructions: [{ path: "AGENTS.md", text: long("guide") }], steps: 5, leftUsd: 1, redact };
const files = [
  { path: "src/a.ts", text: `${"let nothing = 1;\n".repeat(3_000)}let wanted = 1; // s3cret-value-of-a-key\n` },
];
const presented = { path: "src/a.ts", text: `    1 +|${long("change")}` };

/** Each way on which foreign text comes into the first message of an agent, with the long texts that it is given. */
const WAYS: Readonly<Record<string, { readonly make: () => Promise<unknown>; readonly texts: readonly string[] }>> = {
  plan: {
    make: () =>
      planTask({
        ...brief({ redact, map: long("map"), documents: [{ path: "a.md", text: long("document") }] }),
        ...{ issue: issue({ body: said("eve", "none", long("body")), comments: [said("eve", "none", long("said"))] }) },
        ...{ instructions: place.instructions, wishes: [{ as: "note", by: "ben", text: long("wish") }] },
        earlier: plan({ summary: long("earlier") }),
      }),
    texts: ["guide", "map", "document", "body", "said", "wish", "earlier"],
  },
  task: {
    make: () =>
      implementTask({
        ...{ ...place, plan: plan({ summary: long("summary") }), files, map: long("map"), wishes: [] },
        task: { ...task!, id: "1", description: `wanted ${long("described")}` },
        done: [{ id: "0", title: "t", files: [], summary: long("done") }],
      }),
    texts: ["guide", "summary", "map", "described", "done", "wanted"],
  },
  feedback: {
    make: () =>
      feedbackTask({
        ...{ ...place, files: [], changed: ["a"], diff: long("diff"), mayPush: () => false },
        feedback: [
          { from: "ci", id: "C1", name: "build", message: long("log") },
          { from: "person", id: "P1", by: "eve", message: long("said") },
        ],
      }),
    texts: ["guide", "diff", "log", "said"],
  },
  question: {
    make: () => askTask({ question: long("question"), by: "eve", title: "t", changedPaths: [], steps: 5, redact }),
    texts: ["question"],
  },
  review: {
    make: () =>
      reviewTask({ ...place, files: [presented], elsewhere: [long("elsewhere")], found: [], title: "t", messages: [] }),
    texts: ["guide", "change", "elsewhere"],
  },
  verification: {
    make: () => verifyTask([], { ...place, files: [], others: [long("other")] }),
    texts: ["other"],
  },
  tests: {
    make: () =>
      testerTask({
        ...{ runner: "vitest", steps: 5, redact, change: [] },
        failures: [{ name: "a", message: "m", cause: long("cause") }],
      }),
    texts: ["cause"],
  },
  output: {
    make: () => showOutput({ stdout: Buffer.from(long("printed")), stderr: Buffer.alloc(0) }, redact),
    texts: ["printed"],
  },
};

beforeAll(async () => {
  // A thread that starts with a text is given it as it starts.
  await cleanText(long("first"), { redact, prose: true });
});
afterAll(() => post.mockRestore());

it.each(Object.keys(WAYS))("OPS-8, SEC-6: other threads clean and redact each long text of: %s", async (way) => {
  const { make, texts } = WAYS[way]!;
  post.mockClear();
  const made = await make();
  expect(JSON.stringify(made)).not.toContain("s3cret");
  for (const name of texts)
    for (const member of ["prose", "redactor", "shown"])
      expect(
        post.mock.calls.some(([one]) => member in (one as object) && JSON.stringify(one).includes(name)),
        `${name}: ${member}`,
      ).toBe(true);
});
