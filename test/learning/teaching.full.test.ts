import { expect, it } from "vitest";
import type { CommandGiven } from "../../src/domain/inputs.ts";
import { type Actor, type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { learnReactions } from "../../src/learning/learn-from-people.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { handleInput } from "../../src/pipeline/runs/handle-input.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listMemories } from "../../src/store/memories/read-memories.ts";
import {
  A,
  ana,
  command,
  finding,
  finished,
  headChanged,
  minute,
  observed,
  subject,
} from "../pipeline/review/story.ts";
import { deskForEach } from "./desk.ts";

const desk = deskForEach(() => minute(9));

const memoryNow = () =>
  openMemory({
    ...{ store: desk.store(), redact: createRedactor([]), estimateTokens: estimateTextTokens, now: () => minute(0) },
  });
const scopeOf = ({ repository }: Subject) => ({
  installationId: repository.installationId,
  repositoryId: repository.id,
});
const known = async (of = subject) =>
  (await listMemories(desk.store(), [scopeOf(of)], 10)).map(({ id, content, confidence }) => ({
    id,
    content,
    confidence,
  }));

/** As a worker makes it. */
async function remembering(text: string, of: Subject, by: Actor = ana): Promise<CommandGiven> {
  const prepared = await memoryNow().prepare({
    ...{ scope: scopeOf(of), type: "semantic", origin: "person", taughtBy: by, content: text },
  });
  const given = command({ name: "remember", text }, { at: minute(5), by, role: "write" });
  return { ...given, subject: of, teaches: { ...prepared, opposed: [] } };
}

it("MEM-3: a dismissal by somebody with push doubts the memories that led to the finding, once for each finding", async () => {
  const { id } = await memoryNow().remember({
    ...{ scope: scopeOf(subject), type: "semantic", origin: "model", content: "Sums are of integers." },
  });
  const rests = { memories: [id] };
  const found = [
    finding("one", { id: "F-AAA2", ...rests }),
    finding("two", { id: "F-BBB2", file: "src/b.ts", ...rests }),
  ];
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", found));
  const dismiss = (name: string, index: number, role: "triage" | "write") => {
    const said = { name: "dismiss", finding: name, reason: "", scope: { kind: "here" } } as const;
    return command(said, { at: minute(5), role, index });
  };
  const undismiss = (name: string, index: number) =>
    command({ name: "undismiss", finding: name }, { at: minute(6), index });
  await desk.tell(dismiss("F-AAA2", 0, "triage"), undismiss("F-AAA2", 1));
  expect(await known()).toMatchObject([{ confidence: 0.5 }]);
  await desk.tell(dismiss("F-AAA2", 2, "write"), undismiss("F-AAA2", 3), dismiss("F-AAA2", 4, "write"));
  expect(await known()).toMatchObject([{ confidence: 0.3 }]);
  await desk.tell(dismiss("F-BBB2", 5, "write"));
  expect(await known()).toMatchObject([{ confidence: 0.1 }]);
});

it("MEM-3: a 👍 by somebody with push confirms the memories that led to the finding, once for each person, and not one's own", async () => {
  const about = { scope: scopeOf(subject), type: "semantic" } as const;
  const { id } = await memoryNow().remember({ ...about, origin: "model", content: "Sums are of integers." });
  const own = await memoryNow().remember({ ...about, origin: "person", taughtBy: ana, content: "Sums are of floats." });
  const memories = [id, own.id];
  const found = [finding("one", { id: "F-AAA2", memories }), finding("two", { id: "F-BBB2", memories })];
  const placed = found.map(({ id: findingId }, at) => ({
    findingId,
    placement: "comment" as const,
    commentId: at + 1,
  }));
  await desk.tell(headChanged(A), observed("run-a", A), finished("run-a", found));
  await desk.tell({ type: "findings.posted", subject, at: minute(3), newRunId: "x", runId: "run-a", placed });
  await desk.tell(headChanged("b".repeat(40)));
  const comments = {
    readVotes: async () => [1, 2].map((commentId) => ({ commentId, by: ana, is: "up" as const })),
    readRole: async () => "write" as const,
  };
  await desk.work((payload, { fence, signal }) =>
    learnReactions(
      { store: desk.store(), makeId: desk.makeId, now: desk.now, comments },
      { ...payload, fence, signal },
    ),
  );
  expect(await desk.feedback(subject)).toHaveLength(2);
  const believed = Object.fromEntries((await known()).map((memory) => [memory.id, memory.confidence]));
  expect(believed).toEqual({ [id]: 0.7, [own.id]: 0.7 });
});

it("MEM-6: a command and what it teaches are written together, or neither, however often its job runs", async () => {
  const input = await remembering("Amounts are integer cents.", subject);
  const { makeId } = desk;
  const lost = handleInput({ store: desk.store(), makeId }, input, { jobId: 99, token: "nobody's" } as never);
  await expect(lost).rejects.toThrow();
  expect(await known()).toEqual([]);
  expect(await readEvents(desk.store(), subjectKey(subject))).toEqual([]);
  await desk.die();
  await desk.tell(input, input);
  await desk.die();
  await desk.tell(input);
  expect(await known()).toHaveLength(1);
  const events = await readEvents(desk.store(), subjectKey(subject));
  expect(events.map(({ type }) => type)).toEqual(["command.received", "memory.stored"]);
  expect(JSON.stringify(events)).not.toContain("integer cents");
});

it("100 repositories of one organisation that teach at once have each their own memory", async () => {
  const subjects = Array.from({ length: 100 }, (_, at): Subject => {
    return { ...subject, repository: { ...subject.repository, id: 1_000 + at, name: `shop-${at}` } };
  });
  const inputs = await Promise.all(subjects.map((of, at) => remembering(`Repository ${at} is its own.`, of)));
  // Each is told twice at the same time, as by a worker that lost its lease and the one that took over.
  await Promise.all([...inputs, ...inputs].map((input) => desk.tell(input)));
  for (const [at, of] of subjects.entries()) {
    expect(await known(of)).toMatchObject([{ content: `Repository ${at} is its own.`, confidence: 0.7 }]);
  }
});
