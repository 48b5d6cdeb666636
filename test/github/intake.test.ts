import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ForgeError } from "../../src/domain/errors.ts";
import { BODY_LIMIT_BYTES } from "../../src/github/intake/http-server.ts";
import {
  ask,
  BODY,
  deliver,
  deliverInChunks,
  type FrontDoor,
  headersFor,
  openFrontDoor,
  SECRET,
  sign,
} from "./intake-client.ts";

let door: FrontDoor;
beforeEach(async () => {
  door = await openFrontDoor();
});
afterEach(() => door.server.stop(0));

/** Sends it, and says how it was answered and that nothing came of it. */
async function refused(body: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<[number, string]> {
  const reply = await deliver(door.server.port, body, headers);
  expect(door.taken).toEqual([]);
  return [reply.status, (JSON.parse(reply.body) as { error: string }).error];
}

describe("a delivery that GitHub signed", () => {
  it("is taken with its raw bytes and answered 202", async () => {
    const guid = randomUUID();
    const reply = await deliver(door.server.port, BODY, { "x-github-delivery": guid });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([202, { status: "accepted" }]);
    expect(door.taken).toEqual([
      {
        guid,
        event: "pull_request",
        hookTargetId: "4711",
        receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        body: BODY,
      },
    ]);
  });

  it("is taken whatever its event, action and content are", async () => {
    const body = Buffer.from('{"action":[],"installation":"none","__proto__":{}}');
    const reply = await deliver(door.server.port, body, { "x-github-event": "never_heard_of" });
    expect(reply.status).toBe(202);
    expect(door.taken.map(({ event }) => event)).toEqual(["never_heard_of"]);
  });

  it("is taken in chunks without a content length", async () => {
    expect(await deliverInChunks(door.server.port, [Buffer.from('{"a":'), Buffer.from("1"), Buffer.from("}")])).toBe(
      202,
    );
    expect(door.taken.map(({ body }) => body.toString())).toEqual(['{"a":1}']);
  });

  it("SEC-7: is answered 202 again when it is redelivered or replayed, also in capitals, and taken once", async () => {
    const guid = randomUUID();
    const headers = { "x-github-delivery": guid };
    const replies = await Promise.all([1, 2, 3].map(() => deliver(door.server.port, BODY, headers)));
    replies.push(await deliver(door.server.port, BODY, { "x-github-delivery": guid.toUpperCase() }));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(replies.filter(({ body }) => body.includes("accepted"))).toHaveLength(1);
    expect(door.taken).toHaveLength(1);
  });

  it("is taken with either secret while one replaces the other", async () => {
    await door.server.stop(0);
    door = await openFrontDoor({ secrets: ["the new one", "the old one"] });
    for (const secret of ["the old one", "the new one"]) {
      expect((await deliver(door.server.port, BODY, { "x-hub-signature-256": sign(BODY, secret) })).status).toBe(202);
    }
    expect((await deliver(door.server.port, BODY, { "x-hub-signature-256": sign(BODY, SECRET) })).status).toBe(401);
  });
});

describe("SEC-7: a delivery with a bad signature changes nothing and is answered 401", () => {
  const good = sign(BODY);
  const cases: Record<string, [string | undefined, string]> = {
    "made with another secret": [sign(BODY, "another"), "signature_wrong"],
    "of another body": [sign(Buffer.from("{}")), "signature_wrong"],
    missing: [undefined, "signature_missing"],
    empty: ["", "signature_malformed"],
    truncated: [good.slice(0, -2), "signature_malformed"],
    "too long": [`${good}00`, "signature_malformed"],
    "in capitals": [good.toUpperCase(), "signature_malformed"],
    "with digits in capitals": [`sha256=${good.slice(7).toUpperCase().replace(/^\d/, "A")}`, "signature_malformed"],
    "without its prefix": [good.slice(7), "signature_malformed"],
    "of sha1 in its place": [sign(BODY, SECRET, "sha1"), "signature_malformed"],
    "given twice": [`${good}, ${good}`, "signature_malformed"],
  };
  for (const [name, [signature, error]] of Object.entries(cases)) {
    it(`when the signature is ${name}`, async () => {
      expect(await refused(BODY, { "x-hub-signature-256": signature })).toEqual([401, error]);
    });
  }

  it("when only the sha1 signature of old is there", async () => {
    const headers = { "x-hub-signature-256": undefined, "x-hub-signature": sign(BODY, SECRET, "sha1") };
    expect(await refused(BODY, headers)).toEqual([401, "signature_missing"]);
  });
});

describe("SEC-7: a malformed delivery changes nothing", () => {
  it("when it is form-encoded: 415, with what to change in the settings of the webhook", async () => {
    const body = Buffer.from(`payload=${encodeURIComponent(BODY.toString())}`);
    expect(await refused(body, { "content-type": "application/x-www-form-urlencoded" })).toEqual([
      415,
      "content_type_unsupported",
    ]);
    const reply = await deliver(door.server.port, body, { "content-type": "application/x-www-form-urlencoded" });
    expect(reply.body).toContain("Set the content type of the webhook to application/json");
  });

  it.each([undefined, "not-a-guid", "f0e0d0c0", "../../etc/passwd"])("when its GUID is %s: 400", async (guid) => {
    expect(await refused(BODY, { "x-github-delivery": guid })).toEqual([400, "delivery_id_invalid"]);
  });

  it.each([undefined, "Pull Request", "a".repeat(65), "x;drop table"])("when its event is %s: 400", async (event) => {
    expect(await refused(BODY, { "x-github-event": event })).toEqual([400, "event_name_invalid"]);
  });

  it.each(["", "[]", "null", '"text"', "\ufeff{}"])("when it is signed but its body is %j: 400", async (text) => {
    expect(await refused(Buffer.from(text), {})).toEqual([400, "body_not_json"]);
  });

  it("when it is not a POST: 405", async () => {
    const reply = await ask(door.server.port, "/api/github/webhooks");
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("when it comes to another path: 404", async () => {
    const reply = await ask(door.server.port, "/api/github/webhook", {
      method: "POST",
      headers: headersFor(BODY),
      body: new Uint8Array(BODY),
    });
    expect(reply.status).toBe(404);
    expect(door.taken).toEqual([]);
  });
});

describe("SEC-7: the size of a delivery", () => {
  it("may reach the 25 MB at which GitHub caps payloads", async () => {
    const body = Buffer.alloc(BODY_LIMIT_BYTES, 0x20);
    body[0] = 0x7b;
    body[BODY_LIMIT_BYTES - 1] = 0x7d;
    expect((await deliver(door.server.port, body)).status).toBe(202);
    expect(door.taken[0]?.body.equals(body)).toBe(true);
  });

  it("may not exceed it: 413, before the body is looked at", async () => {
    const body = Buffer.alloc(26 * 1024 * 1024, 0x20);
    expect(await refused(body, { "x-hub-signature-256": `sha256=${"0".repeat(64)}` })).toEqual([413, "body_too_large"]);
  });

  it("is counted while it arrives in chunks: 413", async () => {
    await door.server.stop(0);
    door = await openFrontDoor({ bodyLimitBytes: 1000 });
    const start = Buffer.from(`{${" ".repeat(998)}`);
    expect(await deliverInChunks(door.server.port, [start, Buffer.from(" }")])).toBe(413);
    expect(await deliverInChunks(door.server.port, [start, Buffer.from("}")])).toBe(202);
  });

  it("does not matter to other deliveries: large ones are read one after another, and all are taken", async () => {
    const body = Buffer.from(`{"text":"${"a".repeat(20_000_000)}"}`);
    const replies = await Promise.all([1, 2, 3].map(() => deliver(door.server.port, body)));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(door.taken.every((delivery) => delivery.body.equals(body))).toBe(true);
  });
});

describe("when a delivery cannot be stored", () => {
  it("it is answered 503, so that GitHub counts it as failed and it is redelivered", async () => {
    await door.server.stop(0);
    door = await openFrontDoor({
      accept: () => Promise.reject(new ForgeError("storage_full", "The disk is full.", { source: "resource" })),
    });
    const reply = await deliver(door.server.port);
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(reply.body).not.toContain("disk");
    expect(door.lines).toMatchObject([{ level: "error", fields: { error: { code: "storage_full" } } }]);
  });
});

describe("without a secret", () => {
  it.each([[[]], [[""]], [["  "]], [["development"]], [["a good one", "development"]]])(
    "%j does not start",
    async (secrets) => {
      await expect(openFrontDoor({ secrets })).rejects.toMatchObject({ code: "webhook_secret_missing" });
    },
  );
});
