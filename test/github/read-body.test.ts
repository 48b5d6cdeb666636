import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { LARGE_BYTES } from "../../src/github/intake/body-memory.ts";
import { type BodyReading, readBody } from "../../src/github/intake/read-body.ts";

/** A large body of which a half came, and what became of its memory. */
function begin(came: () => boolean) {
  const request = new PassThrough();
  const events: string[] = [];
  const memory = {
    take: (bytes: number) => Buffer.alloc(events.push("taken") * bytes),
    giveBack: () => void events.push("given back"),
  };
  const announced = 4 * LARGE_BYTES;
  const reading = readBody(request as unknown as IncomingMessage, announced, announced, memory, came);
  request.emit("data", Buffer.alloc(2 * LARGE_BYTES));
  return { request, events, reading };
}

it("SEC-9: gives back the memory of a body that is given up before its connection is closed", async () => {
  const { request, events, reading } = begin(() => true);
  reading.giveUp();
  expect(events).toEqual(["taken", "given back"]);
  request.emit("data", Buffer.alloc(LARGE_BYTES));
  request.emit("close");
  expect([await reading.body, events, request.listenerCount("data")]).toEqual(["aborted", ["taken", "given back"], 0]);
});

it("SEC-9: takes no memory for a body that is given up as its bytes are counted", async () => {
  let reading: BodyReading | undefined;
  const {
    request,
    events,
    reading: begun,
  } = begin(() => {
    reading?.giveUp();
    return reading !== undefined;
  });
  reading = begun;
  request.emit("data", Buffer.alloc(LARGE_BYTES));
  expect([await begun.body, events]).toEqual(["aborted", []]);
});
