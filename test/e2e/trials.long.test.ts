import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { type Asked, type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { boxed } from "../needs/sandbox.ts";
import { roleOf, turnsSoFar } from "./implementer.ts";
import { type RecordedReply, replay } from "./recorded-replies.ts";
import { openTrial, outcomeOf, readTrialIssue, type Said, sayAgain, TRIALS } from "./trial.ts";
import type { World } from "./world.ts";

interface Recording {
  readonly people: readonly Said[];
  readonly replies: readonly RecordedReply[];
  readonly outcome: Outcome;
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

let world: World | undefined;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await world?.expectGoodManners();
  await world?.end();
  await model?.stop();
  [world, model] = [undefined, undefined];
});

boxed.each(["hours-bug", "hours-feature"])(
  "GH-1, PLAN-1, IMPL-1, TEST-1: %s, once done by a reader, comes to the same work and verdicts when it says the same",
  async (name) => {
    const recording = JSON.parse(readFileSync(join(TRIALS, `${name}.json`), "utf8")) as Recording;
    const issue = readTrialIssue(name);
    model = await startScriptedModel(replay(recording.replies));
    const trial = await openTrial(issue, model.anthropicUrl);
    world = trial.world;
    const { number } = trial;
    await world.github.addLabel(`acme/${issue.project}`, number, "forge:implement", "ben");
    await world.settled();
    for (const said of recording.people) {
      await sayAgain(world, issue.project, number, said);
      await world.settled();
    }
    const outcome = await outcomeOf(world, issue.project, number);
    expect(verdictsOf(outcome)).toEqual(verdictsOf(recording.outcome));
    expect(model.asked).toHaveLength(recording.replies.length);
    const openings = model.asked.filter((asked) => turnsSoFar(asked) === 0);
    const opening = (role: string, at = 0) => textOf(openings.filter((asked) => roleOf(asked) === role)[at]);
    // What readers lacked when they did this by hand: the map, what the task names and what was made for it, what is demanded.
    expect(opening("planner")).toMatch(/src\/commands\/report\.js \(imported by 1\) \*|bin\/hours\.js \*/);
    expect(opening("implementer")).toMatch(
      /What surrounds the files of your task:\n<data [^>]+>\nsrc\/[a-z/]+\.js.* \*/,
    );
    if (name === "hours-feature") {
      expect(opening("implementer")).toContain('from="src/report/table.js"');
      expect(opening("implementer", 1)).toContain('from="src/report/csv.js"');
      expect(opening("implementer", 1)).toContain('from="src/report/totals.js"');
    }
    expect(opening("reader")).toContain(recording.outcome.plan?.acceptance_criteria.at(-1));
  },
);

function textOf(asked: Asked | undefined): string {
  return (asked?.messages ?? [])
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");
}

/** Without what is told in words, which may get better, and what is another each time: ids of commits, times, money. */
function verdictsOf({ plan, phases, commits, reviews, tests, pull, checks, agents }: Outcome) {
  return {
    plan,
    phases,
    commits: commits.map(({ message, tree }) => ({ message, tree })),
    reviews,
    // What tests reach of all the files is measured since these were recorded.
    tests: tests && { ...tests, headSha: undefined, durationMs: undefined, reached: undefined },
    pull: pull && { title: pull.title, draft: pull.draft },
    checks: checks?.map(({ name, conclusion }) => ({ name, conclusion })),
    agents: agents.map(({ agent, steps }) => ({ agent, steps })),
  };
}
