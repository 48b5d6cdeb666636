import { expect, it } from "vitest";
import { type Undo, undoAll } from "../../src/app/undo-all.ts";

it.each([
  ["none", []],
  ["the first to run", ["3"]],
  ["one in the middle", ["2"]],
  ["several", ["3", "1"]],
])("runs every undo once, the last first: %s fails", async (_which, failing) => {
  const ran: string[] = [];
  const undos: Undo[] = ["1", "2", "3"].map((name) => async () => {
    ran.push(name);
    if (failing.includes(name)) throw new Error(`no ${name}`);
  });
  const outcome = await undoAll(undos).catch((error: Error) => error.message);
  expect(outcome).toBe(failing.length === 0 ? undefined : `no ${failing[0]}`);
  await undoAll(undos);
  expect(ran.join("")).toBe("321");
});

it("waits for one before the next begins", async () => {
  const ran: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = undoAll([() => void ran.push("store"), () => promise.then(() => void ran.push("server"))]);
  expect(ran).toEqual([]);
  resolve();
  await done;
  expect(ran).toEqual(["server", "store"]);
});
