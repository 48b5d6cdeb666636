import { PLAN, turnsSoFar } from "../../e2e/implementer.ts";
import type { Mind } from "../program/hostile-world.ts";
import type { Payload } from "../program/payload.ts";
import { claims, done, endless, FOREIGN, first, HAND_IN, LOUD, MEGABYTES, read, write } from "./minds.ts";
import { askStory, implementStory, onlyAs, replyStory, reviewStory } from "./stories.ts";

const repeating: Mind = () => ({ calls: [read("src/a.js")] });
const REVIEWS: readonly Payload[] = [
  reviewStory("endless calls", "calls a tool without end", endless),
  reviewStory("the same call", "calls the same without end", repeating),
  reviewStory(
    "hundreds at once",
    "makes 300 calls in one reply",
    first(2, () => Array.from({ length: 300 }, (_, at) => read(`src/${at}.js`))),
  ),
  reviewStory(
    "large arguments",
    "hands 5 MB to every tool",
    first(1, ({ toolNames }) =>
      toolNames
        .filter((name) => name !== "complete")
        .map((name) => ({ name, input: { path: MEGABYTES(5), pattern: MEGABYTES(1), question: MEGABYTES(1) } })),
    ),
  ),
  reviewStory("large reply", "says 5 MB", () => ({ text: MEGABYTES(5) })),
  reviewStory("large result", "hands in 5 MB", () => done({ summary: MEGABYTES(5), findings: [] })),
  reviewStory("no JSON", "hands in what is no JSON", () => ({
    calls: [{ name: "complete", input: '{"findings": [' }],
  })),
  reviewStory(
    "foreign tools",
    "calls what it was not handed",
    first(2, () =>
      ["run_command", "write_file", "bash", "github_merge", "constructor", "__proto__"].map((name) => ({
        name,
        input: { path: "src/a.js", program: "sh", content: "x" },
      })),
    ),
  ),
  reviewStory("claims without number", "claims 3,000 things", () => done(claims(3_000, {}))),
  reviewStory("no quotes", "claims what stands nowhere", () => done(claims(20, { quote: "nothing of the kind" }))),
  reviewStory("foreign places", "claims things of files that are not in the change", () =>
    done({
      summary: "x",
      findings: FOREIGN.map((file) => ({
        file,
        line: 1,
        quote: "root:x:0:0",
        kind: "security",
        severity: "critical",
        claim: LOUD,
        scenario: "x",
        confidence: 1,
      })),
    }),
  ),
  reviewStory("loud fixes", "offers fixes that are commands", () =>
    done(claims(3, { fix: { start_line: 1, end_line: 1, replacement: LOUD } })),
  ),
];

const ASKS: readonly Payload[] = [
  askStory("large answer", "answers 5 MB", () => done({ answer: MEGABYTES(5) }, MEGABYTES(5))),
  askStory("loud answer", "answers with commands, names and pictures", () =>
    done({ answer: LOUD, summary: LOUD }, LOUD),
  ),
  askStory("endless", "looks around without end", endless),
  askStory("nothing", "says nothing at all", () => ({ text: "" })),
];

const planned = (more: object): Mind => onlyAs("planner", () => done({ ...PLAN, ...more }));
const task = (more: object) => ({ ...PLAN.tasks[0], ...more });

const IMPLEMENTS: readonly Payload[] = [
  implementStory("foreign plan", "plans to change files of others", planned({ tasks: [task({ files: FOREIGN })] })),
  implementStory(
    "circular plan",
    "plans tasks that wait for each other",
    planned({ tasks: [task({ id: "1", depends_on: ["2"] }), task({ id: "2", depends_on: ["1"] })] }),
  ),
  implementStory(
    "large plan",
    "plans 2,000 tasks",
    planned({ tasks: Array.from({ length: 2_000 }, (_, at) => task({ id: `${at}` })) }),
  ),
  implementStory("wordy plan", "describes its plan in 5 MB", planned({ summary: MEGABYTES(5), decisions: [LOUD] })),
  implementStory("endless planner", "looks around without end", onlyAs("planner", endless)),
  implementStory(
    "foreign files",
    "writes files of others",
    onlyAs(
      "implementer",
      first(2, () => FOREIGN.map((path) => write(path)), HAND_IN),
    ),
  ),
  implementStory(
    "large file",
    "writes a file of 5 MB",
    onlyAs(
      "implementer",
      first(1, () => [write("src/price.js", `// ${MEGABYTES(5)}\n`)], HAND_IN),
    ),
  ),
  implementStory(
    "nothing done",
    "says that it has done what it has not",
    onlyAs("implementer", () => done(HAND_IN)),
  ),
  implementStory(
    "endless writer",
    "writes without end",
    onlyAs("implementer", (asked) => ({ calls: [write("src/price.js", `export const a = ${turnsSoFar(asked)};\n`)] })),
  ),
  implementStory(
    "programs",
    "runs whatever comes to its mind",
    onlyAs(
      "implementer",
      first(
        2,
        () =>
          [
            ["sh", "-c", "id"],
            ["npm", "publish"],
            ["git", "push", "--force"],
            ["node", "-e", "1"],
            ["npm", "install", "evil"],
          ].map(([program, ...args]) => ({
            name: "run_command",
            input: { program, args, command: [program, ...args] },
          })),
        HAND_IN,
      ),
    ),
  ),
];

const REPLIES: readonly Payload[] = [
  replyStory("talked away", "withdraws whatever somebody doubts", () => done({ answer: LOUD, verdict: "withdraw" })),
  replyStory("large reply", "answers 5 MB", () => done({ answer: MEGABYTES(5), verdict: "stands" })),
];

/** Reviews, questions, work on issues and answers to findings. */
export const FIRST: readonly Payload[] = [...REVIEWS, ...ASKS, ...IMPLEMENTS, ...REPLIES];
