import { isUtf8 } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJsonCheck } from "../../src/github/intake/json-object.ts";
import { createJsonReader, DEEPEST } from "../../src/github/intake/json-reader.ts";
import fc from "../properties.ts";
import { turnsDuring } from "../turns.ts";
import { deliver, type FrontDoor, openFrontDoor } from "./intake-client.ts";

/** What `JSON.parse` says of the same bytes. */
function isParsed(body: Buffer): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return text.startsWith("{") && value !== null && typeof value === "object";
  } catch {
    return false;
  }
}

/** The same, read in turns of so many bytes. */
function isReadInTurns(body: Buffer, bytes: number): boolean {
  const reader = createJsonReader(body);
  for (let to = bytes; ; to += bytes) {
    const read = reader.read(to);
    if (read !== "more") return read === "whole";
  }
}

const BROKEN: Readonly<Record<string, Buffer>> = {
  "no JSON at all": Buffer.from("{ this is not JSON"),
  "cut off": Buffer.from('{"action":"opened"'),
  "cut off within a text": Buffer.from('{"action":"open'),
  "a brace alone": Buffer.from("{"),
  "two objects": Buffer.from("{}{}"),
  "something after it": Buffer.from("{} x"),
  "something before it": Buffer.from(" {}"),
  "a comma too many": Buffer.from('{"a":1,}'),
  "a comma too many in a list": Buffer.from('{"a":[1,]}'),
  "keys without quotes": Buffer.from("{a:1}"),
  "single quotes": Buffer.from("{'a':1}"),
  "a comment": Buffer.from('{/* a */"a":1}'),
  NaN: Buffer.from('{"a":NaN}'),
  "a number with a zero before it": Buffer.from('{"a":01}'),
  "a number that ends with a point": Buffer.from('{"a":1.}'),
  "a line break in a text": Buffer.from('{"a":"\n"}'),
  "an escape that is none": Buffer.from('{"a":"\\x41"}'),
  "half an escape": Buffer.from('{"a":"\\u00g0"}'),
  "a list closed as an object": Buffer.from('{"a":[}'),
  "invalid UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  "half a letter": Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d]),
  "UTF-16": Buffer.from('{"a":1}', "utf16le"),
  "a byte order mark": Buffer.from('\ufeff{"a":1}'),
  "zeros behind it": Buffer.from('{"a":1}\0\0'),
  "form fields": Buffer.from("payload=%7B%7D"),
  "form fields that begin with a brace": Buffer.from("{%22a%22:1}&b=2"),
  "nested without end": Buffer.from(`{"a":${"[".repeat(1_000_000)}`),
  "nested too deep": Buffer.from(`{"a":${"[".repeat(DEEPEST)}${"]".repeat(DEEPEST)}}`),
  "large, and broken in its last byte": Buffer.from(`{"a":"${"a".repeat(3_000_000)}"]`),
};

describe("SEC-7: a signed body that is no JSON object", () => {
  let door: FrontDoor;
  beforeAll(async () => {
    door = await openFrontDoor();
  });
  afterAll(() => door.server.stop(0));

  it.each(Object.entries(BROKEN))("is answered 400 and not taken: %s", async (_, body) => {
    const { status, body: said } = await deliver(door.server.port, body);
    expect([status, JSON.parse(said)]).toEqual([
      400,
      { error: "body_not_json", message: "The body must be a JSON object." },
    ]);
    expect(door.taken).toEqual([]);
  });

  it("is in the log by its reason, once a minute, without a word of the sender", () => {
    const lines = door.lines.filter(({ fields }) => fields.reason === "body_not_json");
    expect(lines).toEqual([
      { level: "warn", fields: { reason: "body_not_json", count: 1 }, message: "webhook deliveries refused" },
    ]);
  });
});

describe("whether a body is a JSON object is said as JSON.parse says it", () => {
  const agrees = async (body: Buffer) => {
    const expected = isParsed(body);
    expect(await createJsonCheck()(body)).toBe(expected);
    for (const bytes of [1, 2, 7, 1_000_000])
      expect(body[0] === 0x7b && isUtf8(body) && isReadInTurns(body, bytes)).toBe(expected);
  };

  it("of whatever JSON there is, also with spaces, and with a byte changed, removed or added anywhere", async () => {
    const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 }));
    const spoiled = fc.tuple(objects, fc.nat(), fc.nat(255), fc.nat(2), fc.boolean());
    await fc.assert(
      fc.asyncProperty(spoiled, async ([value, place, byte, how, isSpaced]) => {
        const body = Buffer.from(JSON.stringify(value, null, isSpaced ? "\t" : undefined));
        await agrees(body);
        const at = place % (body.length + 1);
        const put = how === 0 ? [] : [byte];
        await agrees(Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(how === 2 ? at : at + 1)]));
      }),
      { numRuns: 2_000 },
    );
  });

  it("of texts made of the letters of JSON", async () => {
    const letters = fc.constantFrom(...'{}[]:,"\\/utrefalsn0123456789+-.eE \t\n\u0001é😀');
    const inner = fc.array(letters, { maxLength: 12 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(inner, fc.boolean(), async (text, asValue) =>
        agrees(Buffer.from(asValue ? `{"a":${text}}` : `{${text}}`)),
      ),
      { numRuns: 20_000 },
    );
  });

  it("of numbers, which have the most rules", async () => {
    const letters = fc.constantFrom(..."0019-+.eE ");
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 8 }), (all) => agrees(Buffer.from(`{"a":${all.join("")}}`))),
      { numRuns: 10_000 },
    );
  });

  it("others have their turn between bodies of nothing but keys that came at once", async () => {
    const keys = Array.from({ length: 7_000 }, (_, at) => `"${at.toString(36)}":1`).join(",");
    const bodies = Array.from({ length: 60 }, (_, at) => Buffer.from(`{"${at}":0,${keys}}`));
    const check = createJsonCheck();
    const { result, turns } = await turnsDuring(() => Promise.all(bodies.map((body) => check(body))));
    expect(result.every((isObject) => isObject)).toBe(true);
    // A megabyte is parsed at once; each of the others waits for its turn.
    expect(turns).toBeGreaterThan(20);
  });
});
