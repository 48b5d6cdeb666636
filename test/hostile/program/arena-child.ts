// One arena in a process of its own, for `npm run hostile`: is told which payload to let loose, and says what was wrong.
import { parseArgs } from "node:util";
import { CLASSES } from "../classes.ts";
import { createArena } from "./arena.ts";
import { postedOn } from "./posted.ts";
import type { Answer, Asked } from "./remote-arena.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
    spare: { type: "boolean", default: false },
  },
});
const arena = createArena({
  spared: values.spare,
  isTimed: true,
  ...(values.show ? { onSeen: (seen) => console.log(postedOn(seen)) } : {}),
});
const payloads = new Map(
  CLASSES.map(({ name, payloads }) => [name, new Map(payloads(Number(values.seed)).map((each) => [each.name, each]))]),
);
/** The payloads themselves, which every process holds. */
const ownBytes = heldBytes();

process.on("message", async (asked: Asked) => {
  const faults = asked === "end" ? await arena.end() : await arena.run(payloads.get(asked.of)!.get(asked.name)!);
  process.send?.({ faults, bytes: heldBytes() - ownBytes } satisfies Answer);
});
// Whoever asked is gone: the program under attack goes with us.
process.on("disconnect", () => process.exit(1));

/** Without what is only not collected yet, as far as that is known. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
