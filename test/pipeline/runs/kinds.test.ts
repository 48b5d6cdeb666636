import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { environmentSubject } from "../../../src/domain/deployments.ts";
import type { Input } from "../../../src/domain/inputs.ts";
import { RUN_KINDS } from "../../../src/domain/phases.ts";
import type { Subject } from "../../../src/domain/subjects.ts";
import { KINDS, ownerOf } from "../../../src/pipeline/kinds.ts";

const repository = { id: 7, owner: "acme", name: "shop", installationId: 1 };
const gone = (subject: Subject) =>
  ({
    type: "subject.gone",
    reason: "repository_gone",
    subject,
    at: "2026-01-01T00:00:00.000Z",
    newRunId: "R",
  }) as const;

const SUBJECTS: readonly Subject[] = [
  ...(["pull_request", "merge_group", "issue"] as const).map((kind) => ({ kind, repository, number: 3 })),
  environmentSubject(repository, "production"),
];

it("PIPE-1: each kind of run that is stored has one row, under its own name", () => {
  expect(Object.entries(KINDS).map(([name, row]) => [name, row.name])).toEqual(RUN_KINDS.map((name) => [name, name]));
});

it("PIPE-1: an input is for one kind, by its subject", () => {
  expect(SUBJECTS.map((subject) => ownerOf(gone(subject)).name)).toEqual(["review", "review", "implement", "deploy"]);
});

/** The types of all inputs, as their interfaces say them. */
const TYPES = [...readFileSync("src/domain/inputs.ts", "utf8").matchAll(/^ {2}readonly type: ("[^;]+");$/gm)]
  .flatMap(([, types = ""]) => types.split(" | "))
  .map((quoted) => JSON.parse(quoted) as Input["type"]);

it("PIPE-1: no input of any type has two owners, whatever subject it comes with", () => {
  expect(TYPES).toEqual(expect.arrayContaining(["head.changed", "subject.gone", "rule.observed"]));
  for (const subject of SUBJECTS) {
    for (const type of new Set(TYPES)) {
      const input = { ...gone(subject), type } as unknown as Input;
      expect(
        Object.values(KINDS).filter(({ owns }) => owns(input)),
        `${type} of ${subject.kind}`,
      ).toHaveLength(1);
    }
  }
});

it("PIPE-1: an input that two kinds claim is an error, whichever of them is listed first", () => {
  const greedy = { ...KINDS, implement: { ...KINDS.implement, owns: () => true } };
  const pull = gone({ kind: "pull_request", repository, number: 3 });
  expect(() => ownerOf(pull, greedy)).toThrow(
    "The input subject.gone for a subject of the kind pull_request is claimed by review and implement",
  );
});

it("PIPE-1: an input that no kind takes says so, and no kind decides about one of another", async () => {
  const strange = { kind: "planet", repository, number: 3 } as unknown as Subject;
  expect(() => ownerOf(gone(strange))).toThrow("The input subject.gone is not for a subject of the kind planet.");
  const pull = gone({ kind: "pull_request", repository, number: 3 });
  await expect(KINDS.deploy.handle({} as never, pull)).rejects.toThrow("not for a subject of the kind pull_request");
});
