import { expect, it } from "vitest";
import { textLine } from "../../src/app/log-text.ts";

const line = (facts: object) =>
  textLine(JSON.stringify({ level: 30, time: 0, pid: 1, hostname: "h", name: "forge", ...facts }));

it("CLI-3: a line of the log on a terminal says what happened and why, without a stack", () => {
  expect(line({ msg: "forge is running", port: 3000, role: "both" })).toMatch(
    /^\d\d:\d\d:\d\d forge is running port=3000 role=both\n$/,
  );
  const err = { type: "Error", message: "no answer", stack: "Error: no answer\n    at here" };
  expect(line({ level: 40, msg: "chore failed", err, chore: "tidy" })).toMatch(
    / warning: chore failed: no answer chore=tidy\n$/,
  );
  expect(line({ level: 60, msg: "ended", error: err, found: { a: [1] } })).toMatch(
    / error: ended: no answer found=\{"a":\[1\]\}\n$/,
  );
  expect(line({ level: 40, msg: "sandbox tested", detail: "missing", advice: "install it" })).toMatch(
    / warning: sandbox tested: missing → install it\n$/,
  );
});

it("SEC-6: text from outside moves no cursor, and no line is long", () => {
  const said = line({
    msg: "refused \u001b[2J",
    title: `a\nb\u202e${"x".repeat(10_000)}`,
    err: { message: "y".repeat(10_000) },
  });
  for (const character of ["\u001b", "\u202e"]) expect(said.includes(character)).toBe(false);
  expect(said.split("\n")).toHaveLength(2);
  expect(said.length).toBeLessThan(1_100);
});
