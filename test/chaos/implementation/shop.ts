import type { Asked, ScriptedReply } from "../../../simulator/models/scripted-model.ts";
import { calls, FORMATTED, handIn, PLAN, roleOf, SHOP, TESTED, turnsSoFar } from "../../e2e/implementer.ts";

const LOCKED = {
  ...{ name: "shop", lockfileVersion: 3, requires: true },
  packages: {
    "": { name: "shop", devDependencies: { digits: "file:vendor/digits" } },
    "node_modules/digits": { resolved: "vendor/digits", link: true },
    "vendor/digits": { version: "1.0.0", dev: true },
  },
};

/** A shop with a package of its own, so that there is something to install, and with a plan that people approve. */
export const SHOP_WITH_PACKAGE: Readonly<Record<string, string>> = {
  ...SHOP,
  "package.json": `${JSON.stringify({ ...JSON.parse(SHOP["package.json"]), devDependencies: { digits: "file:vendor/digits" } })}\n`,
  "package-lock.json": `${JSON.stringify(LOCKED)}\n`,
  "vendor/digits/package.json": '{ "name": "digits", "version": "1.0.0" }\n',
  ".github/forge.yml": "safety:\n  gates:\n    architecture_approval: always\n",
};

const TWO_TASKS = {
  ...PLAN,
  tasks: [
    PLAN.tasks[0],
    {
      ...{ id: "2", title: "Label prices", description: "label() puts the currency behind a price." },
      files: ["src/label.js", "test/label.test.js"],
      depends_on: ["1"],
    },
  ],
};

/** Assigns to a constant, which the review is sure about and no test reaches. */
const FAULTY = `${FORMATTED}
export function digits() {
  const count = 1;
  count = 2;
  return count;
}
`;
const LABEL = "export function label(price) {\n  return `" + "$" + "{price} EUR`;\n}\n";
const LABEL_TESTED =
  'import assert from "node:assert";\nimport { test } from "node:test";\nimport { label } from "../src/label.js";\n\ntest("a label", () => assert.equal(label("2.50"), "2.50 EUR"));\n';
/** What the person's wish makes of it. */
const TAKES_TEXTS = FORMATTED.replace("cents / 100", "Number(cents) / 100");

/** What the person wants of the finished pull request, at this place of it. */
export const WISH = { path: "src/price.js", line: 2, body: "Cents may come as a text." } as const;
export const ANSWERS = { review: "The constant is gone.", person: "Texts are numbers now." } as const;

const write = (path: string, content: string) => ({ name: "write_file", input: { path, content } });

/** What a call of a model is about, whatever ids are in it: the same in every telling of the story. */
export function momentOf(asked: Asked): string {
  return `${actorOf(asked)} ${turnsSoFar(asked) + 1}`;
}

function actorOf(asked: Asked): string {
  const role = roleOf(asked);
  if (asked.toolNames.length === 0) return "reflection";
  if (role === "implementer") return isAboutLabels(asked) ? "implementer of labels" : "implementer of prices";
  if (role === "feedback") return isFromPerson(asked) ? "implementer for a person" : "implementer for the review";
  return role;
}

function isAboutLabels({ messages }: Asked): boolean {
  return /Your task:.{0,400}?(Label|Format) prices/s.exec(JSON.stringify(messages.slice(0, 2)))?.[1] === "Label";
}

function isFromPerson({ messages }: Asked): boolean {
  return JSON.stringify(messages.slice(0, 2)).includes(WISH.body);
}

/** Says the same to the same question, in whichever telling of the story, before a kill and after it. */
export function mind(asked: Asked): ScriptedReply {
  const begins = turnsSoFar(asked) === 0;
  switch (actorOf(asked)) {
    case "planner":
      return calls({ name: "complete", input: TWO_TASKS });
    case "implementer of prices":
      return begins
        ? calls(write("src/price.js", FAULTY), write("test/price.test.js", TESTED))
        : handIn("show prices with two digits");
    case "implementer of labels":
      return begins
        ? calls(write("src/label.js", LABEL), write("test/label.test.js", LABEL_TESTED))
        : handIn("label prices", { files_changed: ["src/label.js", "test/label.test.js"] });
    case "implementer for the review":
      return begins
        ? calls(write("src/price.js", FORMATTED))
        : handIn("drop the constant", { answers: answersTo(asked, /\bF-[0-9A-Z]{4,8}\b/g, ANSWERS.review) });
    case "implementer for a person":
      return begins
        ? calls(write("src/price.js", TAKES_TEXTS))
        : handIn("take texts too", { answers: answersTo(asked, /\b[CR]\d+(?=:)/g, ANSWERS.person) });
    default:
      return calls({ name: "complete", input: { summary: "Formats.", findings: [] } });
  }
}

function answersTo({ messages }: Asked, ids: RegExp, answer: string) {
  const found = new Set(JSON.stringify(messages.slice(0, 2)).match(ids));
  return [...found].map((id) => ({ id, done: true, answer }));
}
