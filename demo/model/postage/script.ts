import type { ScriptedReply } from "../../../simulator/models/scripted-model.ts";
import { ERROR, WISH } from "../../deploy/issues.ts";
import type { Conversation } from "../conversation.ts";
import { type Piece, work } from "../work.ts";
import { MENDED, NUMBERED } from "./pieces.ts";

interface Job {
  /** What the issue is known by. */
  readonly about: string;
  readonly task: string;
  readonly piece: Piece;
  readonly plan: object;
}

const CONSTRAINTS = ["no packages are added", "a price without a number is never given out"];

const JOBS: readonly Job[] = [
  {
    about: WISH.title,
    task: "Give out numbers of two digits",
    piece: NUMBERED,
    plan: {
      title: WISH.title,
      kind: "feat",
      summary: "Each answer with a price has a number of two digits, which the display at the counter shows.",
      constraints: CONSTRAINTS,
      decisions: ["a number is taken for five seconds, so that two customers never see the same one"],
      acceptance_criteria: ["`/postage` answers with `cents` and `number`", "two prices at a time have two numbers"],
      not_included: ["numbers of three digits, which the display cannot show"],
    },
  },
  {
    about: ERROR,
    task: "Give out the oldest number again",
    piece: MENDED,
    plan: {
      title: "Always have a number for a price",
      kind: "fix",
      summary:
        "Numbers are kept for five seconds, and there are 90 of them: above 18 prices a second none is free, and `/postage` fails. They are given out in turn from now on.",
      constraints: CONSTRAINTS,
      decisions: ["where many ask, a number is given out again earlier: an older price beats none"],
      acceptance_criteria: ["there is always a number", "90 prices in a row have 90 numbers"],
      not_included: ["numbers of three digits, which the display cannot show"],
    },
  },
];

/** As a planner: looks at the code that the issue is about, then plans. Undefined where the issue is none of this project. */
export function planPostage({ task, results }: Conversation): ScriptedReply | undefined {
  const job = JOBS.find(({ about }) => task.includes(about));
  if (!job) return undefined;
  if (results.length === 0) {
    const calls = [{ name: "read_file", input: { path: "src/app.js" } }];
    return { text: "Where are prices answered?", calls };
  }
  const { edits, files = [] } = job.piece;
  const one = {
    id: "1",
    title: job.task,
    description: "`src/numbers.js` gives out numbers, and `src/app.js` puts one into each answer with a price.",
    files: [...edits, ...files].map(({ path }) => path),
    depends_on: [],
  };
  const risk = { level: "low", reasons: ["one module, with tests for its edges"] };
  const plan = { ...job.plan, tasks: [one], risk, complexity: "small", effort_minutes: 6 };
  return { calls: [{ name: "complete", input: plan }] };
}

/** As an implementer of one of these plans; undefined where the task is another. */
export function implementPostage(conversation: Conversation, toolNames: readonly string[]): ScriptedReply | undefined {
  const { task } = conversation;
  const own = task.slice(task.lastIndexOf("Your task:"));
  const job = JOBS.find((one) => own.includes(one.task));
  return job && work(job.piece, conversation, toolNames);
}
