import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { createWorld, type World } from "../../test/e2e/world.ts";
import type { Result } from "../report.ts";
import { OTHER_LESSONS } from "./house.ts";
import { seeded } from "./seeded.ts";
import { isHeldOut, propose, SHOP } from "./shop.ts";

const TEAMS = 3;
/** Reviews that work with memory and are followed in each repository. */
const REVIEWS = 6;

/** What somebody taught who may, and is wrong here. */
const FALSE = [
  "Handlers must give amounts as floats; integer cents are a fault.",
  "Handlers must give cents as a text, for numbers lose digits.",
  "Handlers must not give cents at all, but whole euros.",
];

/** What people do about what is said because of it. */
const ANSWERS = {
  dismiss: "three dismissals of what it led to",
  thumbs: "the same, while its teacher gives each a thumbs up",
  teach: "somebody else teaches the opposite",
  forget: "a maintainer has it forgotten",
  nothing: "nobody says anything",
} as const;
type Answer = keyof typeof ANSWERS;

/**
 * A false memory, believed by a mind that believes all that it is shown: after how many reviews that used it is it used no more? The whole program, on
 * the simulated GitHub; the team is modelled.
 */
export async function measureFalseMemory(seed: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const answer of Object.keys(ANSWERS) as Answer[]) {
    const uses: number[] = [];
    for (let team = 0; team < TEAMS; team += 1) uses.push(await followTeam(seed * 1_000 + team, answer));
    const most = Math.max(...uses);
    const isGone = answer !== "nothing";
    results.push({
      ...{
        name: `${ANSWERS[answer]}: reviews that used it, at most (${TEAMS} teams)`,
        value: most,
        unit: `of ${REVIEWS}`,
      },
      ...(isGone ? { goal: "at most 3", met: most <= 3 && Math.min(...uses) > 0 } : {}),
    });
  }
  return results;
}

async function followTeam(seed: number, answer: Answer): Promise<number> {
  const random = seeded(seed);
  const lie = FALSE[Math.floor(random() * FALSE.length)]!;
  const model = await startScriptedModel(believing(lie));
  const world = await createWorld({
    files: { ".github/forge.yml": "review:\n  ai: always\n" },
    environment: model.environment,
  });
  try {
    const talk = world.github.openIssue(SHOP, { title: "How we work", by: "ana" }).number;
    const say = async (body: string, by: string) => {
      world.github.comment(SHOP, talk, { by, body });
      await world.settled();
    };
    for (const lesson of OTHER_LESSONS.slice(0, 4)) await say(`/forge remember ${lesson}`, "ana");
    await say(`/forge remember ${lie}`, "ben");
    const id = memoryIn(world, talk);
    let used = 0;
    for (let followed = 0, at = 0; followed < REVIEWS; at += 1) {
      const before = model.asked.length;
      const files = {
        [`src/handlers/amount${at}.js`]: `export function handle${at}() {\n  return { cents: 250 };\n}\n`,
      };
      const title = "Handlers give amounts in cents";
      const number = await propose(world, { branch: `topic-${at}`, title, files });
      const reads = model.asked.slice(before).map(({ messages }) => JSON.stringify(messages));
      if (await isHeldOut(world)) continue;
      followed += 1;
      if (!reads.some((read) => read.includes(lie))) continue;
      used += 1;
      const [comment] = world.github.pullRequest(SHOP, number).reviewComments;
      if (!comment) throw new Error("what it was shown led to nothing");
      if (answer === "thumbs") world.github.react(SHOP, { reviewComment: comment.id }, "+1", "ben");
      if (answer === "dismiss" || answer === "thumbs") {
        const body = "/forge dismiss amounts are integer cents here";
        world.github.replyToReviewComment(SHOP, number, comment.id, { by: "ana", body });
        await world.settled();
      }
      if (answer === "teach")
        await say(
          `/forge remember ${lie.replace(/\bmust not\b|\bmust\b/, (is) => (is === "must" ? "must not" : "must"))}`,
          "ana",
        );
      if (answer === "forget") await say(`/forge forget ${id}`, "ana");
    }
    await world.expectGoodManners();
    return used;
  } finally {
    await world.end();
    await model.stop();
  }
}

/** Claims what it was told to look for, naming the memory, exactly where that stands in its prompt. */
function believing(lie: string): (asked: Asked) => ScriptedReply {
  return ({ messages }) => {
    const read = JSON.stringify(messages);
    if (read.includes("Your task is to refute each claim")) {
      return {
        calls: [{ name: "complete", input: { judgements: [{ claim: 1, verdict: "stands", reason: "so it says" }] } }],
      };
    }
    const shown = read
      .slice(0, Math.max(0, read.indexOf(lie)))
      .match(/memory M-[0-9A-Z]{8}/g)
      ?.at(-1)
      ?.slice(7);
    const path = /src\/handlers\/\w+\.js/.exec(read)?.[0];
    const claim = {
      ...{ file: path, line: 2, quote: "cents: 250", kind: "logic", severity: "error", confidence: 0.9 },
      ...{ claim: lie, scenario: "An amount is asked for.", memories: [shown] },
    };
    const findings = shown === undefined ? [] : [claim];
    return { calls: [{ name: "complete", input: { summary: "Handles.", findings } }] };
  };
}

function memoryIn({ github }: World, issue: number): string {
  return /M-[0-9A-Z]{8}/.exec(github.issue(SHOP, issue).comments.at(-1)!.body)![0];
}
