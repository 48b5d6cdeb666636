import { describe, expect, it } from "vitest";
import { membersOf } from "../../src/github/handlers/members-of.ts";
import fc from "../properties.ts";
import { turnsDuring } from "../turns.ts";

const WANTED = new Set(["a", "id", "body", "repositories"]);

/** The same of a parsed value. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).filter(([name]) => WANTED.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, without(member)]));
}
const read = async (text: string) => {
  const left = await membersOf(Buffer.from(text), WANTED);
  return left && JSON.parse(left.toString("utf8"));
};

describe("the members of a large body that Forge reads (SEC-1)", () => {
  it("are what JSON.parse makes of them, and nothing else", async () => {
    const name = fc.constantFrom("a", "id", "body", "b", "x{", "", "repositories", '"', "é");
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.constantFrom("{", "}", ",", "\\", '"a":', "é\u2028"),
        fc.array(tie("any"), { maxLength: 4 }),
        fc.dictionary(name, tie("any"), { maxKeys: 5 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 5 }), fc.boolean(), async (object, isSpaced) => {
        const text = JSON.stringify(object, null, isSpaced ? "\t" : undefined);
        expect(await read(text)).toEqual(without(JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["{", "[", '{"a":1', '{"a":}', "", `{"a":${"[".repeat(1_000)}`, `{"body":"${"a".repeat(5_000_000)}"}`])(
    "nothing, of what is no object or too much: %.20s",
    async (text) => expect(await read(text)).toBeUndefined(),
  );

  it("are read in turns with others, whether of keys, objects or words", async () => {
    const bodies = [
      `{"a":1,"x":{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":0`).join(",")}}}`,
      `{"x":[${"{},".repeat(800_000)}{}],"a":1}`,
      `{"x":"${"word ".repeat(480_000)}","a":1}`,
    ].map((text) => Buffer.from(text));
    for (const body of bodies) {
      const { result, turns } = await turnsDuring(() => membersOf(body, WANTED));
      expect(result?.toString()).toMatch(/^\{("x":[\]["{}]+,)?"a":1\}$/);
      expect(turns).toBeGreaterThanOrEqual(4);
    }
  });
});
