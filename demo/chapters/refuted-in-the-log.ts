import { wrapPlain } from "../inline.ts";
import type { Telling } from "../telling.ts";
import type { ReadByModel } from "./read-by-model.ts";

/** What agents looked at, and the result; the log has every step, with its model, its tokens and its cost. */
const TOLD = / (?:agent\.(?:started|completed|failed)|tool\.(?:called|failed)|finding\.\w+) /;

/** What the models did, and what was thrown away: for the operator of Forge, and not for the pull request. */
export async function refutedInTheLog(
  { stage, screen, expectations, refuted }: Telling,
  { reviewed }: ReadByModel,
): Promise<void> {
  const { expect } = expectations;
  screen.step("A claim that did not hold against a second look is in the log, and nowhere else");
  const run = /run `(\w+)`/.exec(reviewed.check.summary ?? "")?.[1] ?? "";
  const command = `forge show ${run} --log`;
  const lines = (await stage.forge.command("show", run, "--log")).trimEnd().split("\n");
  const told = lines.filter((line, at) => at === 0 || at === lines.length - 1 || TOLD.test(line));
  screen.say(
    `On the server, ${screen.paint("cyan", command)}, of which these are ${told.length} of ${lines.length} lines:`,
    "",
  );
  for (const line of told) screen.say(...wrapPlain(line, screen.width, "    "));
  refuted.push(...lines.filter((line) => / finding\.rejected .* by the verifier: /.test(line)));
  if (stage.model.kind === "given") return;
  expect("the log has the claim that was refuted", refuted.length, 1);
  expect("with the line of code that refutes it", refuted[0]?.includes("?? 0"), true);
}
