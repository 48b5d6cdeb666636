import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import { findBrokenLink } from "../../src/domain/events.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { openStore } from "../../src/store/open-store.ts";

const CHILD = fileURLToPath(new URL("./killed-child.ts", import.meta.url));
const TURNS = 10;
/** While the model answers, or while a tool writes, in this turn. All of them take a minute: each is a process of its own. */
const KILLS =
  process.env.FORGE_TEST_KILLS === "all"
    ? [...Array.from({ length: TURNS }, (_, index) => `model ${index + 1}`), "tool 3", "tool 6", "tool 9"]
    : ["model 1", "tool 6", "model 10"];
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** A model that plays ten turns by what it is sent: calls, and at the end its result. Each request is a moment to kill. */
async function startModel(onMoment: (moment: string, turn: number) => boolean) {
  const turns: number[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.url === "/tool") {
        if (!onMoment("tool", turns.at(-1)!)) response.end("done");
        return;
      }
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: { role: string }[] };
      const turn = messages.filter(({ role }) => role === "assistant").length + 1;
      turns.push(turn);
      if (onMoment("model", turn)) return;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(reply(turn)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => closeServer(server));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, turns };
}

function reply(turn: number) {
  const [name, input] =
    turn === TURNS ? ["complete", { answer: "ten" }] : [turn % 3 === 0 ? "write" : "look", { turn }];
  return {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [{ type: "tool_use", id: `toolu_${turn}`, name, input }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
}

describe("kill -9", () => {
  it("PIPE-7: in a run of ten turns: resumed from the last checkpoint, only the call in flight is paid twice", async () => {
    const directory = await mkdtemp(join(tmpdir(), "forge-killed-"));
    cleanups.push(() => rm(directory, { recursive: true }));
    const database = `file:${join(directory, "forge.db")}`;
    const kills = new Set(KILLS);
    let kill = () => {};
    const model = await startModel((moment, turn) => {
      if (!kills.delete(`${moment} ${turn}`)) return false;
      kill();
      return true;
    });
    let output = "";
    let lives = 0;
    for (let code: number | null = null; code === null && lives < 30; lives += 1) {
      const child = spawn(process.execPath, [CHILD, database, model.url], { stdio: ["ignore", "pipe", "inherit"] });
      kill = () => child.kill("SIGKILL");
      child.stdout.on("data", (text: Buffer) => {
        output += text.toString();
      });
      [code] = (await once(child, "exit")) as [number | null];
    }
    expect(JSON.parse(output)).toMatchObject({
      standing: { is: "ended", end: { reason: "completed", output: { answer: "ten" } } },
      totalCalls: TURNS,
    });
    expect([kills.size, lives]).toEqual([0, KILLS.length + 1]);
    const killed = (turn: number) => KILLS.includes(`model ${turn}`);
    const paid = Array.from({ length: TURNS }, (_, index) => index + 1).flatMap((turn) =>
      killed(turn) ? [turn, turn] : [turn],
    );
    expect(model.turns).toEqual(paid);
    const store = await openStore({ url: database });
    cleanups.push(() => store.close());
    const events = await readEvents(store, "run");
    expect(findBrokenLink(events)).toBeUndefined();
    expect(events.filter(({ type }) => type === "agent.reasoned")).toHaveLength(TURNS);
  });
});
