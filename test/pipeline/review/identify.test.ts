import { expect, it } from "vitest";
import { findingId } from "../../../src/domain/ids.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { identify } from "../../../src/pipeline/review/work/identify.ts";
import { finding, subject } from "./story.ts";

const observation = (name: string) => {
  const { id: _id, ...rest } = finding(name);
  return rest;
};
const short = (name: string, length = 4) => findingId(finding(name).fingerprint, subjectKey(subject), length);
const nobody = async () => new Map();

it("GH-3a: a finding of the ledger keeps its id", async () => {
  const known = { finding: finding("a", { id: "F-OLD1" }), state: "open", placement: "comment", headSha: "x" } as const;
  const named = await identify([observation("a"), observation("b")], subject, [known], nobody);
  expect(named.map(({ id }) => id)).toEqual(["F-OLD1", short("b")]);
});

it("FIND-1: an id that another pull request of the repository has is made longer", async () => {
  const taken = async (ids: readonly string[]) =>
    new Map(ids.filter((id) => id === short("a")).map((id) => [id, { fingerprint: "other", subjectNumber: 9 }]));
  const [named] = await identify([observation("a")], subject, [], taken);
  expect(named?.id).toBe(short("a", 5));
});

it("no two findings of one review share an id", async () => {
  const many = Array.from({ length: 400 }, (_, at) => observation(`n${String(at).padStart(3, "0")}`));
  const named = await identify(many, subject, [], nobody);
  expect(new Set(named.map(({ id }) => id)).size).toBe(400);
});
