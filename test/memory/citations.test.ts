import { expect, it } from "vitest";
import { citeFile, citeLines, findCited } from "../../src/memory/citations.ts";
import { opposed, statementOf } from "../../src/memory/usable.ts";
import { ANA, lesson, memories, SHOP } from "./fixtures.ts";

const FILE = `import { db } from "./db";

export function list(limit) {
  if (limit > 50) {
    limit = 50;
  }
  return db.rows(limit);
}
`;

it("MEM-6: cited lines are found wherever they stand, however they are indented, and not when one of them changed", () => {
  const cited = citeLines("list.js", FILE, 4, 6)!;
  expect(cited).toEqual({ path: "list.js", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), lines: 3 });
  expect(findCited(cited, FILE)).toBe("holds");
  const moved = `// A comment\r\n${FILE.replaceAll("  ", "\t").replaceAll("\n", "\r\n")}`;
  expect(findCited(cited, moved)).toBe("holds");
  expect(findCited(cited, FILE.replace("limit = 50", "limit = 100"))).toBe("gone");
  expect(findCited(cited, "")).toBe("gone");
  expect(findCited(cited, undefined)).toBe("gone");
});

it("cites the neighbours of a line that stands everywhere, and nothing beyond the file", () => {
  expect(citeLines("list.js", FILE, 6, 6)).toMatchObject({ lines: 3 });
  expect(citeLines("list.js", FILE, 3, 900)).toMatchObject({ lines: 7 });
  expect(citeLines("list.js", FILE, 40, 41)).toBeUndefined();
  expect(citeLines("list.js", "\n\n\n", 1, 3)).toBeUndefined();
  expect(citeLines("long.js", "const one = twelve;\n".repeat(500), 1, 500)).toMatchObject({ lines: 20 });
});

it("a file that was cited as a whole holds while it is there", () => {
  const cited = citeFile("list.js", FILE);
  expect(findCited(cited, FILE)).toBe("holds");
  expect(findCited(cited, `${FILE}// more\n`)).toBe("changed");
  expect(findCited(cited, undefined)).toBe("gone");
});

it.each([
  ["Always mock the clock in tests", "Never mock the clock in tests", true],
  ["Log tokens in debug mode", "Don't log tokens", true],
  ["The request timeout is 5 seconds", "The request timeout is 30 seconds", true],
  ["Avoid default exports in components", "Use default exports in components", true],
  ["Never mock the clock", "Never mock the database", false],
  ["Tests live beside the code", "Docs live in docs/", false],
  ["Never log tokens", "Never log tokens or passwords", false],
  ["Port 3000 is the shop's", "Port 3001 is for the administration of stock", false],
  ["The cache lives in Redis", "The cart is not cached", false],
])("MEM-6: %s / %s: contradicting: %s", (one, other, expected) => {
  expect(opposed(statementOf(one), statementOf(other))).toBe(expected);
  expect(opposed(statementOf(other), statementOf(one))).toBe(expected);
});

const open = memories();
const about = { scope: SHOP, text: "clock in tests", purpose: "task", budgetTokens: 1_000 } as const;
const taught = (id: number) => ({ origin: "person", taughtBy: { ...ANA, id } }) as const;

it("MEM-6: what rests on code that is gone is not used, and the event says so and why", async () => {
  const memory = await open();
  const [held, gone] = [citeFile("clock.js", "now()"), citeFile("gone.js", "then()")];
  const one = await memory.remember(lesson("The clock of tests stands still.", { ...taught(1), cites: [held] }));
  const other = await memory.remember(
    lesson("Tests have a clock of their own.", {
      ...{ ...taught(1), cites: [held, gone], metadata: { subject: "pull_request:1:2" } },
    }),
  );
  const asked: unknown[] = [];
  const { items, event } = await memory.recall({
    ...about,
    check: async ({ path }, learntOn) => {
      asked.push([path, learntOn]);
      return path === "gone.js" ? "gone" : "changed";
    },
  });
  expect(items.map(({ id }) => id)).toEqual([one.id]);
  expect(event.payload.leftOut).toEqual([{ memoryId: other.id, why: "gone", path: "gone.js" }]);
  expect(event.payload.items.map(({ memoryId }) => memoryId)).toEqual([one.id]);
  expect(asked).toEqual(expect.arrayContaining([["gone.js", "pull_request:1:2"]]));
  expect((await memory.recall(about)).items).toHaveLength(2);
});

it("MEM-6: of two that contradict each other the one that is believed more is used, and the other where that cannot be", async () => {
  const memory = await open();
  const cites = [citeFile("clock.js", "now()")];
  const weak = await memory.remember(lesson("Always mock the clock in tests", taught(1)));
  const strong = await memory.remember(
    lesson("Never mock the clock in tests", { ...taught(2), confidence: 0.9, cites }),
  );
  const recall = async (is: "holds" | "gone") => {
    const { items, event } = await memory.recall({ ...about, check: async () => is });
    return [items.map(({ id }) => id), event.payload.leftOut];
  };
  expect(await recall("holds")).toEqual([[strong.id], [{ memoryId: weak.id, why: "contradicted", by: strong.id }]]);
  expect(await recall("gone")).toEqual([[weak.id], [{ memoryId: strong.id, why: "gone", path: "clock.js" }]]);
});
