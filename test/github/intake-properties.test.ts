import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignatureVerifier, parseSignature } from "../../src/github/intake/verify-signature.ts";
import fc from "../properties.ts";
import { deliver, type FrontDoor, openFrontDoor, SECRET, sign } from "./intake-client.ts";

/** Bytes of any kind, and texts, which are checked another way. */
const bodies = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: "binary", minLength: 1, maxLength: 300 }).map((text) => Buffer.from(text)),
);
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
  it("what is signed as GitHub signs is taken, with any of the secrets", async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.array(secrets, { minLength: 1, maxLength: 2 }),
        fc.nat(),
        async (body, known, pick) => {
          const signature = parseSignature(sign(body, known[pick % known.length]!))!;
          expect(await createSignatureVerifier(known)(body, signature)).toBe(true);
        },
      ),
    );
  });

  it("any flipped bit of the body is refused", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secrets, fc.nat(), async (body, secret, bit) => {
        const signature = parseSignature(sign(body, secret))!;
        expect(await createSignatureVerifier([secret])(flipBit(body, bit), signature)).toBe(false);
      }),
    );
  });

  it("any flipped bit of the signature is refused", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secrets, fc.nat(), async (body, secret, bit) => {
        const signature = parseSignature(flipBit(Buffer.from(sign(body, secret)), bit).toString("latin1"));
        if (signature !== undefined) expect(await createSignatureVerifier([secret])(body, signature)).toBe(false);
      }),
    );
  });

  it("bytes that only read like the signed ones are refused", async () => {
    const signature = parseSignature(sign(Buffer.from('{"title":"\uFFFD"}')))!;
    const body = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await createSignatureVerifier([SECRET])(body, signature)).toBe(false);
  });

  it("a large body is taken and refused as a small one is, and so is an empty one", async () => {
    const verify = createSignatureVerifier(["another one", SECRET]);
    for (const body of [Buffer.alloc(3 * 1024 * 1024, "é"), Buffer.alloc(0)]) {
      expect(await verify(body, parseSignature(sign(body))!)).toBe(true);
      expect(await verify(body, parseSignature(sign(body, "a third one"))!)).toBe(false);
    }
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
