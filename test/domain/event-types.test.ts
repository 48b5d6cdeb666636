import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EVENT_CATALOGUE } from "../../src/domain/event-catalogue.ts";

/** The types that EVT-2 asks for. */
const ASKED = names(`
  run started completed failed cancelled resumed
  phase entered completed failed bounced skipped
  agent started iteration reasoned completed failed reflected escalated stagnated compressed warning
  tool called completed failed skipped approval_requested approval_resolved
  guardrail triggered
  finding detected posted resolved regressed dismissed
  risk assessed
  review completed
  test started passed failed skipped flaky
  deployment started progressed completed rolled_back
  metric collected
  anomaly detected
  alert triggered
  gate requested approved rejected timeout voided
  breaker tripped reset
  cost threshold_reached
  memory stored recalled applied consolidated pruned
  checkpoint created restored
  feedback human_dismissed human_edited suggestion_applied suggestion_rewritten human_comment
  error occurred recovered escalated
  webhook received ignored
  command received refused`);

/** Said by another type, or elsewhere, for the reason that docs/specification.md gives. */
const SAID_OTHERWISE = new Set(["test.started", "checkpoint.created", "webhook.ignored"]);

/** Of what Forge does not do yet: deployments and their watch. */
const NOT_YET = new Set([
  ...["deployment.started", "deployment.progressed", "deployment.completed", "deployment.rolled_back"],
  ...["anomaly.detected", "alert.triggered"],
]);

function names(list: string): string[] {
  return list
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [of, ...types] = line.trim().split(" ");
      return types.map((type) => `${of}.${type}`);
    });
}

const known = Object.keys(EVENT_CATALOGUE);
const lines = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith("event-catalogue.ts"))
  .flatMap((file) => readFileSync(join("src", file), "utf8").split("\n"))
  .filter((line) => line.includes("type"));

/** Whether an event of the type is made anywhere: who asks for a type compares with it, or lists it. */
function isMade(type: string): boolean {
  const made = [`type: "${type}"`, `type: \`${type.split(".")[0]}.\${`];
  return lines.some((line) => {
    if (/^\s*case "|readonly type: "|Extract</.test(line)) return false;
    const rest = line.replace(/[!=]== "[^"]*"/g, "");
    return made.some((start) => rest.includes(start)) || (/const type = /.test(rest) && rest.includes(`"${type}"`));
  });
}

it("EVT-2: every type that is asked for is in the catalogue, said otherwise, or of what Forge does not do yet", () => {
  const missing = ASKED.filter((type) => !known.includes(type) && !SAID_OTHERWISE.has(type) && !NOT_YET.has(type));
  expect(missing).toEqual([]);
  expect([...SAID_OTHERWISE].filter((type) => known.includes(type) || !ASKED.includes(type))).toEqual([]);
  const page = readFileSync("docs/specification.md", "utf8");
  expect([...SAID_OTHERWISE].filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
});

it("EVT-2: every type of the catalogue is emitted somewhere", () => {
  expect(known.filter((type) => !isMade(type))).toEqual([]);
  expect(isMade("made.up")).toBe(false);
});
