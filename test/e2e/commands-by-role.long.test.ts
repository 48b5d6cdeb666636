import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/domain/subjects.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import { shareWorld } from "./end-world.ts";
import { createTalkingWorld, DONE, REFUSED, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
shareWorld(createTalkingWorld, (made) => {
  world = made;
});

const { reviewed, outcome, say, conclusion } = talkIn(() => world);

describe("GH-14: every command by every role", () => {
  const LEAST = {
    help: "read",
    status: "read",
    "explain <id>": "read",
    config: "triage",
    cost: "triage",
    trust: "triage",
    untrust: "triage",
    "dismiss <id>": "triage",
    "undismiss <id>": "triage",
    "override review because": "maintain",
    review: "triage",
    pause: "triage",
    unpause: "triage",
    "pause --repository": "maintain",
    "unpause --repository": "maintain",
  } as const;

  it.each(ROLES)("%s", async (role) => {
    const { number, ids } = await reviewed();
    const lines = Object.keys(LEAST) as (keyof typeof LEAST)[];
    const given = lines.map((line) => {
      const body = `/forge ${line.replace("<id>", ids[0]!)}`;
      return world.github.comment("acme/shop", number, { by: `${role}-er`, body }).id;
    });
    const { reactions, answers } = await outcome(number, given);
    // Everybody can read a public repository: no role at all is that of a passer-by.
    const has = role === "none" ? "read" : role;
    const may = (line: keyof typeof LEAST) => ROLES.indexOf(has) >= ROLES.indexOf(LEAST[line]);
    expect(Object.fromEntries(lines.map((line, i) => [line, reactions[i]]))).toEqual(
      Object.fromEntries(lines.map((line) => [line, may(line) ? DONE : REFUSED])),
    );
    const no = answers.filter((text) => text?.includes("permission here"));
    expect(no).toHaveLength(lines.filter((line) => !may(line)).length);
    for (const text of no)
      expect(text).toMatch(/^`\w+` needs (?:triage|push|maintain) permission here; `[\w-]+` has \w+\.$/);
  });

  it("the author of a pull request and somebody who left have the role that GitHub says they have", async () => {
    world.github.createAccount("leaver");
    world.github.setRole("acme/shop", "leaver", "admin");
    world.github.setRole("acme/shop", "leaver", null);
    await world.github.fork("acme/shop", "read-er");
    const { number, ids } = await reviewed(undefined, { by: "read-er", fork: "read-er" });
    for (const by of ["read-er", "leaver"]) {
      const { reactions, answers } = await say(number, `/forge dismiss ${ids[0]}`, by);
      expect(reactions).toEqual(REFUSED);
      expect(answers).toEqual([`\`dismiss\` needs triage permission here; \`${by}\` has read.`]);
    }
    expect(conclusion(number)).toBe("failure");
  });

  it("when GitHub does not say what somebody may do, nothing is done, and it says so", async () => {
    const { number } = await reviewed();
    const operation = "repos/get-collaborator-permission-level";
    const fault = world.github.faults.add({ kind: "status", status: 502, match: { operation } });
    const { reactions, answers } = await say(number, "/forge pause", "admin-er");
    fault.remove();
    expect(reactions).toEqual(REFUSED);
    expect(answers).toEqual([
      "GitHub did not say what `admin-er` may do here, so `pause` was not carried out. Try again later.",
    ]);
    // The operator sees it among the dead letters.
    const { store } = world.forge!;
    expect(await listDeadJobs(store)).toMatchObject([{ kind: "command", error: expect.stringContaining("502") }]);
    await store.queue.alone([{ sql: "delete from jobs where state = 'dead'", args: [] }]);
  });
});
