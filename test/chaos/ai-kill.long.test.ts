import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import { type ChaosWorld, createChaosWorld, type OpenedPull } from "./chaos-world.ts";
import { DOWN_MS } from "./kill-review.ts";
import { type Outcome, outcomeOf, violations } from "./violations.ts";

/** Ten turns: six of the reader, four of whoever tries to refute it. */
const READING = 6;
const REFUTING = 4;
const MOMENTS = [
  ...Array.from({ length: READING }, (_, at) => `reader ${at + 1}`),
  ...Array.from({ length: REFUTING }, (_, at) => `verifier ${at + 1}`),
];
/** All of them take a minute: each is two processes. */
const KILLS =
  process.env.FORGE_TEST_KILLS === "all" ? MOMENTS : ["reader 1", "reader 4", "reader 6", "verifier 2", "verifier 4"];

const CLAIM = {
  ...{ file: "src/a.js", line: 2, quote: "return items.length - 1;", kind: "logic", severity: "error" },
  ...{ claim: "The last one is not counted.", scenario: "Of three items two are counted.", confidence: 0.9 },
};

let world: ChaosWorld;
let asked: string[] = [];
/** The process dies while it waits for this answer. */
let killAt: string | undefined;
let expected: Outcome;

const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const text = Buffer.concat(parts).toString();
    const { messages } = JSON.parse(text) as { messages: { role: string }[] };
    const turn = messages.filter(({ role }) => role === "assistant").length + 1;
    const who = text.includes("Your task is to refute each claim") ? "verifier" : "reader";
    asked.push(`${who} ${turn}`);
    if (killAt === `${who} ${turn}`) {
      killAt = undefined;
      world.forge.child.kill("SIGKILL");
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(reply(who, turn)));
  });
});

/** Looks at something else each time, and hands in its result in the last turn. */
function reply(who: string, turn: number) {
  const isLast = turn === (who === "reader" ? READING : REFUTING);
  const result =
    who === "reader"
      ? { summary: "Counts.", findings: [CLAIM] }
      : { judgements: [{ claim: 1, verdict: "stands", reason: "one too few" }] };
  const [name, input] = isLast ? ["complete", result] : ["list_files", { depth: turn }];
  return {
    ...{ id: `msg_${turn}`, type: "message", role: "assistant", model: "claude-haiku-5-5" },
    content: [{ type: "tool_use", id: `toolu_${turn}`, name, input }],
    ...{ stop_reason: "tool_use", stop_sequence: null, usage: { input_tokens: 1_000, output_tokens: 50 } },
  };
}

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  world = await createChaosWorld({
    variables: {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ANTHROPIC_API_KEY: "a-key-for-tests-only",
    },
    organisations: 1,
  });
  const files = { ".github/forge.yml": "review:\n  ai: always\n" };
  await world.github.commit("acme-0/shop", "main", { files, message: "Configure", author: "ana" });
  await world.start({ watched: false });
  await world.settled();
  const pull = await review();
  expected = outcomeOf(world, pull);
}, 300_000);
afterAll(async () => {
  await world.end();
  await closeServer(server);
});

async function review(): Promise<OpenedPull> {
  asked = [];
  const dies = killAt !== undefined;
  const pull = await world.openPull({ "src/a.js": "export function count(items) {\n  return items.length - 1;\n}\n" });
  await (dies ? world.forge.ended : world.settled());
  return pull;
}

it("finds what the model claims when nobody disturbs it, in ten turns", () => {
  expect(asked).toEqual(MOMENTS);
  expect(expected.comments).toEqual([expect.stringContaining("The last one is not counted.")]);
});

it.each(KILLS)(
  "PIPE-7: killed while it waits for turn %s, a review goes on from its last step: only that call is paid twice, one review, one check",
  async (moment) => {
    killAt = moment;
    const pull = await review();
    await world.github.idle();
    await world.age(DOWN_MS);
    await world.start({ watched: false });
    await world.settled();
    expect(asked).toEqual(MOMENTS.flatMap((each) => (each === moment ? [each, each] : [each])));
    expect(await violations(world, pull, expected)).toEqual([]);
    const states = await world.read((store) =>
      store.read.all<{ state: string; calls: number }>(
        sql`select state, count(*) as calls from spend where state <> 'settled' group by state`,
      ),
    );
    // What the call in flight cost for being sent stays counted; nothing stays set aside.
    expect(states.map(({ state }) => state)).toEqual(["lost"]);
  },
  300_000,
);
