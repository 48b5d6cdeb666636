import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { roleOf, turnsSoFar } from "../../test/e2e/implementer.ts";

/** How handlers are written in a house: what people say of it, how it looks where somebody keeps to it, and where nobody told him. */
export interface Convention {
  readonly sentence: string;
  readonly kept: string;
  readonly broken: string;
}

const CONVENTIONS: readonly Convention[] = [
  {
    sentence: "Handlers answer amounts as integer cents in a field named cents.",
    kept: "  answer.cents = 250;",
    broken: "  answer.amount = 2.5;",
  },
  {
    sentence: "Handlers write to the log with request.log, and not to the console.",
    kept: '  request.log("asked");',
    broken: '  console.log("asked");',
  },
  {
    sentence: "Handlers give moments in time as ISO 8601 text in UTC.",
    kept: "  answer.at = new Date().toISOString();",
    broken: "  answer.at = Date.now();",
  },
  {
    sentence: "Handlers take the customer from request.session, as anybody can write a header.",
    kept: "  answer.customer = request.session.customer;",
    broken: '  answer.customer = request.headers["x-customer"];',
  },
  {
    sentence: "Handlers freeze their answer before they return it.",
    kept: "  Object.freeze(answer);",
    broken: "  answer.done = true;",
  },
  {
    sentence: "Handlers name the version of their answer in a field named version.",
    kept: "  answer.version = 1;",
    broken: "  answer.v = 1;",
  },
];

/** What else people teach: a memory has to find what bears on a task among it. */
export const OTHER_LESSONS: readonly string[] = [
  "The colours of the shop stand in theme.css, and nowhere else.",
  "Pictures of products are squares of 600 pixels.",
  "The mail to customers is written by the marketing team.",
  "Migrations are numbered by day and never changed after a release.",
  "Releases are made on Tuesdays, by whoever is on duty.",
  "The search index is built anew each night.",
  "Handlers for the old app are frozen until it is switched off.",
  "Browsers older than two years are not supported.",
  "The word customer is written in full, never as cust.",
  "Errors of the payment provider are shown to customers in their own language.",
  "Backups are tried out on the first Monday of a month.",
  "The test shop is emptied each night.",
];

/** Four of the conventions, by the seed. */
export function drawHouse(random: () => number): Convention[] {
  const left = [...CONVENTIONS];
  return Array.from({ length: 4 }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** What a mind writes that was told this much. */
function handlerOf(house: readonly Convention[], told: string): string {
  const lines = house.map(({ sentence, kept, broken }) => (told.includes(sentence) ? kept : broken));
  return `export function handle(request) {\n  const answer = {};\n${lines.join("\n")}\n  return answer;\n}\n`;
}

/** What of a house is not kept in a text, with the lines, from 1. */
export function brokenIn(
  house: readonly Convention[],
  text: string,
): { readonly sentence: string; readonly line: number }[] {
  const lines = text.split("\n");
  return house
    .map(({ sentence, broken }) => ({ sentence, line: lines.indexOf(broken) + 1 }))
    .filter(({ line }) => line > 0);
}

/**
 * A model whose work depends on what stands in its prompt alone: it keeps to a convention exactly where its sentence stands there, from whomever, and
 * breaks it elsewhere. It is paid by the length of what it reads and writes, at four characters a token.
 */
export function mindIn(house: readonly Convention[]): (asked: Asked) => ScriptedReply {
  return (asked) => {
    const read = JSON.stringify(asked.messages);
    const calls = callsOf(asked, house, read);
    const usage = {
      inputTokens: Math.ceil(read.length / 4),
      outputTokens: Math.ceil(JSON.stringify(calls).length / 4),
    };
    return { calls, usage };
  };
}

type Calls = { readonly name: string; readonly input: unknown }[];

function callsOf(asked: Asked, house: readonly Convention[], read: string): Calls {
  const path = /src\/handlers\/\w+\.js/.exec(read)?.[0] ?? "src/handlers/none.js";
  const noun = /handlers\/(\w+)\.js/.exec(path)![1]!;
  const handIn = { summary: "It answers.", files_changed: [path], tests_added: [], validated: true };
  switch (roleOf(asked)) {
    case "planner": {
      const asksFor = /Add a handler for (\w+)/.exec(read)?.[1] ?? "none";
      return [{ name: "complete", input: planOf(asksFor) }];
    }
    case "implementer":
      if (turnsSoFar(asked) === 0) return [{ name: "write_file", input: { path, content: handlerOf(house, read) } }];
      return [{ name: "complete", input: { ...handIn, commit: { type: "feat", subject: `handle ${noun}` } } }];
    case "feedback": {
      if (turnsSoFar(asked) === 0) return [{ name: "write_file", input: { path, content: handlerOf(house, read) } }];
      const ids = [...new Set(read.match(/\b[CR]\d+(?=:)/g))];
      const answers = ids.map((id) => ({ id, done: true, answer: "It does now." }));
      return [{ name: "complete", input: { ...handIn, answers, commit: { type: "fix", subject: `mend ${noun}` } } }];
    }
    case "reader":
      return [{ name: "complete", input: { summary: "Handles.", findings: [] } }];
  }
}

function planOf(noun: string) {
  const files = [`src/handlers/${noun}.js`];
  return {
    title: `Add a handler for ${noun}`,
    kind: "feat",
    summary: `Nothing handles ${noun}.`,
    constraints: [],
    decisions: ["no package is added"],
    tasks: [{ id: "1", title: `Handle ${noun}`, description: `A handler for ${noun}.`, files, depends_on: [] }],
    acceptance_criteria: [`${noun} are handled`],
    not_included: [],
    risk: { level: "low", reasons: [] },
    complexity: "small",
    effort_minutes: 5,
  };
}
