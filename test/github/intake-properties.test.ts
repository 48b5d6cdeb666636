import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignatureVerifier, parseSignature } from "../../src/github/intake/verify-signature.ts";
import { deliver, type FrontDoor, openFrontDoor, sign } from "./intake-client.ts";

const bodies = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const secrets = fc
  .string({ minLength: 1, maxLength: 40 })
  .filter((secret) => secret.trim() !== "" && secret !== "development");

function flipBit(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  const bit = at % (bytes.length * 8);
  flipped[bit >> 3] = flipped[bit >> 3]! ^ (1 << (bit & 7));
  return flipped;
}

describe("SEC-7: signatures, whatever the body and the secret", () => {
  it("what is signed as GitHub signs is taken, with any of the secrets", () => {
    fc.assert(
      fc.property(bodies, fc.array(secrets, { minLength: 1, maxLength: 2 }), fc.nat(), (body, known, pick) => {
        const digest = parseSignature(sign(body, known[pick % known.length]!));
        return digest !== undefined && createSignatureVerifier(known)(body, digest);
      }),
    );
  });

  it("any flipped bit of the body is refused", () => {
    fc.assert(
      fc.property(bodies, secrets, fc.nat(), (body, secret, bit) => {
        const digest = parseSignature(sign(body, secret))!;
        return !createSignatureVerifier([secret])(flipBit(body, bit), digest);
      }),
    );
  });

  it("any flipped bit of the signature is refused", () => {
    fc.assert(
      fc.property(bodies, secrets, fc.nat(), (body, secret, bit) => {
        const digest = parseSignature(flipBit(Buffer.from(sign(body, secret)), bit).toString("latin1"));
        return digest === undefined || !createSignatureVerifier([secret])(body, digest);
      }),
    );
  });

  it("any other text in its place is no signature", () => {
    fc.assert(fc.property(fc.string(), (text) => parseSignature(text) === undefined));
  });
});

describe("SEC-7: over HTTP", () => {
  let door: FrontDoor;
  beforeAll(async () => {
    door = await openFrontDoor();
  });
  afterAll(() => door.server.stop(0));

  it("any flipped bit of a signed body is answered 401 and nothing is taken", async () => {
    const body = Buffer.from('{"action":"opened","number":7}');
    const signature = sign(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (bit) => {
        const reply = await deliver(door.server.port, flipBit(body, bit), { "x-hub-signature-256": signature });
        expect(reply.status).toBe(401);
      }),
      { numRuns: 60 },
    );
    expect(door.taken).toEqual([]);
  });

  it("any header value in place of the signature is answered 401 and nothing is taken", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\x21-\x7e]{0,80}$/), async (text) => {
        expect((await deliver(door.server.port, undefined, { "x-hub-signature-256": text })).status).toBe(401);
      }),
      { numRuns: 60 },
    );
    expect(door.taken).toEqual([]);
  });
});
