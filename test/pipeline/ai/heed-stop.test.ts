import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { Input } from "../../../src/domain/inputs.ts";
import { heedStop } from "../../../src/pipeline/ai/step-keeper.ts";
import { compareReplay } from "../../../src/pipeline/compare-replay.ts";
import { handleInput } from "../../../src/pipeline/runs/handle-input.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import { readReviews, readRun } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";
import { temporaryFolder } from "../../store/databases.ts";
import { A, command, finished, headChanged, minute, observed, subject } from "../review/story.ts";

const folder = temporaryFolder();
const makeId = createIdMaker();
let store: Store;
beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
});
afterAll(() => closeStore(store));

const tell = (input: Input) => handleInput({ store, makeId }, input);

it("PIPE-8: work on a stopped run ends with its step recorded, and the same run goes on when it is resumed", async () => {
  await tell(headChanged(A));
  await tell(observed("run-a", A));
  const recorded: number[] = [];
  const record = async (_events: unknown, { sequence }: { readonly sequence: number }) => {
    recorded.push(sequence);
  };
  const steps = heedStop(
    { outlives: true, note: async () => {}, open: async () => ({ recorder: { record } }) },
    store,
    "run-a",
  );
  const step = (sequence: number) => ({ sequence }) as never;
  const { recorder } = await steps.open("reviewer/1.1");
  await recorder.record([], step(1));
  await tell(command({ name: "stop" }));
  await expect(recorder.record([], step(2))).rejects.toMatchObject({ code: "run_stopped" });
  expect(recorded).toEqual([1, 2]);
  await expect(steps.open("verifier/1")).rejects.toMatchObject({ code: "run_stopped" });

  await tell(command({ name: "resume" }, { at: minute(6) }));
  await (await steps.open("reviewer/1.1")).recorder.record([], step(3));
  await tell(observed("run-a", A, { at: minute(7) }));
  await tell(finished("run-a", [], { at: minute(8) }));
  expect(await readRun(store, "run-a")).toMatchObject({ status: "completed", conclusion: "success" });
  expect((await compareReplay(store, "run-a")).differences).toEqual([]);
  expect(await readReviews(store, subject)).toHaveLength(1);
});
