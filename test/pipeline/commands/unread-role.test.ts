import { expect, it } from "vitest";
import { ForgeError, RetryLater } from "../../../src/domain/errors.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { JobPayload } from "../../../src/domain/jobs.ts";
import type { Role } from "../../../src/domain/subjects.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { bodyHash } from "../../../src/pipeline/commands/parse-comment.ts";
import { type CommandDependencies, giveUpCommands, runCommands } from "../../../src/pipeline/commands/run-commands.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { workshop } from "../../queue/workshop.ts";
import { HEAD, pullRequest } from "../../store/fixtures.ts";

const open = workshop();
const subject = pullRequest();
const COMMANDS = "/forge pause\n/forge dimiss";

/** A comment with two commands, the second of which is none, whose author's role is read by `readRole`. */
async function given(readRole: (time: number) => Promise<Role>) {
  const { store, clock, start, add, dead } = await open();
  let times = 0;
  const ends = { headSha: HEAD, headRef: "change", headRepositoryId: 100, baseSha: HEAD, baseRef: "main" };
  const dependencies = {
    ...{ store, makeId: createIdMaker(), now: () => clock.now().toISOString(), redact: (text: string) => text },
    comments: {
      readComment: async () => ({ body: COMMANDS, author: { login: "ana", id: 5, kind: "user" } }),
      readRole: () => readRole(++times),
    },
    host: { readPullRequest: async () => ({ open: true, ends, title: "", defaultBranch: "main" }) },
  } as unknown as CommandDependencies;
  const payload: JobPayload<"command"> = {
    subject,
    source: { kind: "issue_comment", id: "9" },
    bodyHash: bodyHash(COMMANDS),
    plain: false,
  };
  start({
    handlers: { command: (job, context) => runCommands(dependencies, job, context) },
    giveUp: async (_kind, job) => {
      dead.push({ kind: "command", ...job });
      await giveUpCommands(dependencies, payload, job);
    },
  });
  await add({ kind: "command", key: "c", payload, runAt: clock.iso() });
  const said = async () => {
    const events = await readEvents(store, subjectKey(subject));
    return events.flatMap((event): unknown[] => {
      if (event.type === "command.refused") return [event.payload.refusal];
      return event.type === "command.received" ? [event.payload.command.name] : [];
    });
  };
  return { clock, dead, said, times: () => times };
}

const tooEarly = () =>
  new RetryLater("github_unavailable", "GitHub gave no answer.", { source: "network", afterMs: 2_000 });

it("GH-14: a role that GitHub does not tell now is asked for again when the queue says so", async () => {
  const { clock, dead, said } = await given(async (time) => {
    if (time < 3) throw tooEarly();
    return "write";
  });
  await clock.advance(3);
  expect(await said()).toEqual([]);
  await clock.advance(2);
  expect(await said()).toEqual(["pause", expect.objectContaining({ reason: "unknown_command" })]);
  expect(dead).toEqual([]);
});

it("GH-14: commands that the queue gives up because nobody told the role are refused for that, each by itself", async () => {
  const { clock, dead, said, times } = await given(() => Promise.reject(tooEarly()));
  await clock.advance(60);
  expect(times()).toBe(3);
  expect(dead).toMatchObject([{ attempts: 3, error: { code: "role_unread" } }]);
  expect(await said()).toEqual([
    { reason: "role_unknown", name: "pause" },
    expect.objectContaining({ reason: "unknown_command" }),
  ]);
});

it("GH-14: a role that GitHub refuses to tell is not asked for again", async () => {
  const options = { source: "permission", recoverability: "none" } as const;
  const { dead, said, times, clock } = await given(() =>
    Promise.reject(new ForgeError("github_forbidden", "No.", options)),
  );
  await clock.advance(1);
  expect([times(), dead]).toEqual([1, []]);
  expect(await said()).toContainEqual({ reason: "role_unknown", name: "pause" });
});
