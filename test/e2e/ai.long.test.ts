import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { boxed } from "../needs/sandbox.ts";
import { CLAIM, DEMONSTRATION, FIX, FORGETFUL, MENDED, READ_CART } from "./cart.ts";
import { openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();
const begin = (script: Parameters<typeof at.begin>[0], variables?: Record<string, string>) =>
  at.begin(script, READ_CART, variables);

function pull() {
  return at.world.github.pullRequest("acme/shop", 1);
}

boxed(
  "REV-4: a fix of several files mends two findings and the test that expects the fault, by one command",
  async () => {
    const pinned = DEMONSTRATION.replace("6", "3").replace('"counts"', '"sums"');
    const also = [
      {
        file: "test/total.test.js",
        start_line: 4,
        end_line: 4,
        replacement: pinned.split("\n")[3]!.replace("3));", "6));"),
      },
    ];
    const claims = [
      { ...CLAIM, fix: { ...FIX, also, mends: [2] } },
      {
        ...CLAIM,
        line: 6,
        quote: "return sum;",
        kind: "edge-case",
        claim: "Two of an item cost as much as one.",
      },
    ];
    const judge = (verdict: string, more = {}) =>
      [1, 2].map((claim) => ({ claim, verdict, reason: "read", ...(claim === 1 ? more : {}) }));
    const complete = (input: object) => ({ calls: [{ name: "complete", input }] });
    await begin(({ messages }) => {
      const text = JSON.stringify(messages);
      const isMended = text.includes("item.price * item.count") && !text.includes("proposed lines");
      if (!text.includes("Your task is to refute each claim"))
        return complete({ summary: "Sums prices.", findings: isMended ? [] : claims });
      const demonstration = { path: "test/count.test.js", content: DEMONSTRATION };
      return complete({ judgements: isMended ? judge("refuted") : judge("stands", { demonstration }) });
    });
    await openPull(at.world, { "src/total.js": FORGETFUL, "test/total.test.js": pinned }, { branch: "topic" });
    await at.world.settled();
    const bodies = pull().reviewComments.map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    const [first = "", second = ""] = bodies;
    const id = /F-[0-9A-Z]{4,8}/.exec(first)?.[0];
    expect(first).toContain("**Fix in 2 places**: `src/total.js` line 4, `test/total.test.js` line 4.");
    expect(first).toContain("`test/total.test.js` came with this change and expects the fault.");
    expect(first).toContain("fails on this head and passes with the fix.");
    expect(first).not.toContain("```suggestion");
    expect(second).toContain(`The fix of \`${id}\` fixes this too.`);

    at.world.github.comment("acme/shop", 1, { by: "ana", body: "/forge fix" });
    await at.world.settled();
    const show = (path: string) =>
      execFileSync("git", ["--git-dir", at.world.github.gitDirectory("acme/shop"), "show", `topic:${path}`], {
        encoding: "utf8",
      });
    expect(show("src/total.js")).toBe(MENDED);
    expect(show("test/total.test.js")).toBe(DEMONSTRATION.replace('"counts"', '"sums"'));
    expect(pull().checkRuns[0]).toMatchObject({ conclusion: "success" });
    expect(pull().checkRuns[0]?.summary).toContain("**Since the last review**: 2 fixed.");
  },
);

it("GH-3, REV-4a: a further push pays for what it changed, and what was read before is not read again", async () => {
  const module = (at: number, by: number) =>
    Array.from({ length: 60 }, (_, line) => `export const value${at}x${line} = input => input * ${line + by};`).join(
      "\n",
    );
  const path = (at: number) => `src/part/module${at}.js`;
  await begin(() => ({ calls: [{ name: "complete", input: { summary: "Numbers.", findings: [] } }] }));
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [path(at), `${module(at, 1)}\n`]));
  await openPull(at.world, files, { branch: "topic", title: "Add numbers" });
  await at.world.settled();
  let seen = 0;
  const asked = () => {
    const texts = (at.model.asked ?? []).slice(seen).map(({ messages, tools }) => JSON.stringify({ messages, tools }));
    seen += texts.length;
    return texts;
  };
  const [first = ""] = asked();
  expect(first).toContain("Add numbers");
  expect(first).toContain("value3x10");
  let third: string[] = [];
  for (let push = 2; push <= 3; push += 1) {
    const text = `${module(3, 1)}\nexport const pushed${push} = ${push};\n`;
    await at.world.github.commit("acme/shop", "topic", {
      files: { [path(3)]: text },
      message: `Push ${push}`,
      author: "ana",
    });
    await at.world.settled();
    third = asked();
  }
  expect(third).toHaveLength(1);
  expect(third[0]).toContain("pushed3");
  expect(third[0]).toContain("was reviewed up to");
  expect(third[0]).toContain("Push 3");
  expect(third[0]).not.toMatch(/Push 2|value4x10|value3x10 /);
  expect(third[0]!.length).toBeLessThan(first.length / 4);
  expect(pull().checkRuns[0]).toMatchObject({ conclusion: "success" });
});
