import type { Mind } from "../program/hostile-world.ts";
import type { Payload } from "../program/payload.ts";
import { claims, done, endless, FOREIGN, first, HAND_IN, LOUD, MEGABYTES, write } from "./minds.ts";
import { feedbackStory, fixStory, onlyAs, reviewStory, testStory } from "./stories.ts";

const WRITERS = ["write_file", "edit_file", "read_file", "run_command"];
const LARGE: Mind = (asked) =>
  first(1, ({ toolNames }) =>
    toolNames
      .filter((name) => WRITERS.includes(name))
      .map((name) => ({
        name,
        input: { path: "src/price.js", [name === "write_file" ? "content" : "program"]: MEGABYTES(5) },
      })),
  )(asked);
const judged = (verdict: string) => [1, 2, 3].map((claim) => ({ claim, verdict, reason: MEGABYTES(5), fix_ok: true }));

/** What comes after the first work: changes that people ask for, tests that fail, faults that are doubted, fixes that are taken. */
export const LATER: readonly Payload[] = [
  feedbackStory("endless", "looks around without end when changes are asked for", onlyAs("feedback", endless)),
  feedbackStory("large arguments", "hands 5 MB to every tool when changes are asked for", onlyAs("feedback", LARGE)),
  feedbackStory(
    "large answers",
    "answers what was asked for with 5 MB",
    onlyAs("feedback", () => done({ ...HAND_IN, answers: [{ id: "C1", done: true, answer: MEGABYTES(5) }] })),
  ),
  feedbackStory(
    "foreign files",
    "writes files of others when changes are asked for",
    onlyAs(
      "feedback",
      first(2, () => FOREIGN.map((path) => write(path)), HAND_IN),
    ),
  ),
  feedbackStory(
    "nothing done",
    "says that it did what was asked for",
    onlyAs("feedback", () =>
      done({ ...HAND_IN, answers: ["C1", "R1", "U1", "F-AAAA"].map((id) => ({ id, done: true, answer: LOUD })) }),
    ),
  ),
  testStory("endless", "looks into a failure without end", onlyAs("tester", endless)),
  testStory("large arguments", "hands 5 MB to every tool over a failure", onlyAs("tester", LARGE)),
  testStory(
    "large analysis",
    "explains a failure with 5 MB",
    onlyAs("tester", () => done({ failures: [{ failure: 1, class: "bug", cause: MEGABYTES(5), fix: MEGABYTES(5) }] })),
  ),
  testStory(
    "talked away",
    "says that what fails is the machine's fault",
    onlyAs("tester", () =>
      done({
        failures: [1, 2, 3, -1, 1e9].map((failure) => ({
          failure,
          class: "environment",
          cause: LOUD,
          fix: LOUD,
          confidence: 1,
        })),
      }),
    ),
  ),
  reviewStory("endless doubts", "looks into what was claimed without end", (asked) =>
    asked.messages.some(({ content }) => JSON.stringify(content ?? "").includes("refute each claim"))
      ? endless(asked)
      : done(claims(3, {})),
  ),
  reviewStory("large verdicts", "judges with 5 MB", (asked) =>
    JSON.stringify(asked.messages.slice(0, 2)).includes("refute each claim")
      ? done({ judgements: judged("stands") })
      : done(claims(3, {})),
  ),
  ...Object.entries({
    "a command": `  return 1; // ${LOUD}`,
    "a workflow": "  return 1;\n}\n// --- a/.github/workflows/ci.yml\n+++ b/.github/workflows/ci.yml\n",
    "other characters": "  return 1;\u202e\u2066 // ; 1 nruter",
    much: `  return [${"1, ".repeat(1_300)}];`,
    "a break": "  return 1; } } }",
  }).map(([name, replacement]) => fixStory(name, `offers ${name} as a fix that somebody takes`, replacement)),
  ...FOREIGN.slice(0, 3).map((path) => fixStory(`in ${path}`, `offers a fix in ${path}`, "  return 1;", path)),
];
