import { afterEach, describe, expect, it } from "vitest";
import { ROLES } from "../../src/domain/subjects.ts";
import { plainMind, SHOP } from "./implementer.ts";
import { ALWAYS_ASK, createIssueWorld, type IssueWorld, REPOSITORY } from "./issue-world.ts";
import { DONE, REFUSED } from "./talk.ts";

let at: IssueWorld;
afterEach(async () => {
  await at.expectGoodManners();
  await at.end();
});

const FILES = { "src/price.js": SHOP["src/price.js"] };

describe("GH-14: every command by every role, on an issue", () => {
  const LEAST = {
    help: "read",
    status: "read",
    config: "triage",
    cost: "triage",
    implement: "write",
    plan: "write",
    "approve G-1": "write",
    "reject G-1": "write",
    "answer two": "write",
    stop: "write",
    resume: "write",
    retry: "write",
    "extend usd 1": "write",
    fix: "write",
  } as const;

  it("does nothing for those who may not, and says to each what it needs", async () => {
    at = await createIssueWorld(plainMind, { files: { ...FILES, ...ALWAYS_ASK } });
    await at.label();
    const lines = Object.keys(LEAST) as (keyof typeof LEAST)[];
    const people = (["none", "triage"] as const).map((role) => ({ role, login: `${role}-er` }));
    for (const { role, login } of people) {
      at.github.createAccount(login);
      if (role !== "none") at.github.setRole(REPOSITORY, login, role);
      for (const line of lines) at.github.comment(REPOSITORY, at.issue, { by: login, body: `/forge ${line}` });
    }
    await at.world.settled();
    for (const { role, login } of people) {
      // Everybody may read a public repository.
      const has = role === "none" ? "read" : role;
      const given = at.view().comments.filter(({ by }) => by === login);
      const reactions = given.map((comment) => comment.reactions.map(({ content }) => content));
      expect(Object.fromEntries(lines.map((line, index) => [line, reactions[index]]))).toEqual(
        Object.fromEntries(
          lines.map((line) => [line, ROLES.indexOf(has) >= ROLES.indexOf(LEAST[line]) ? DONE : REFUSED]),
        ),
      );
      // No question is open: that is said instead.
      const least = lines.filter((line) => line !== "answer two" && ROLES.indexOf(has) < ROLES.indexOf(LEAST[line]));
      const refused = at.said().filter((text) => text.includes(`permission here; \`${login}\` has ${has}.`));
      expect(refused).toHaveLength(least.length);
    }
    const { row, types } = await at.run();
    expect(row?.status).toBe("waiting");
    expect(types.at(-1)).toBe("gate.requested");
    expect(at.model.asked).toHaveLength(1);
  });
});
