import type { CommonInput, IssueInput } from "../../domain/inputs.ts";
import type { Store } from "../../store/store.ts";
import { PIPELINES } from "../runs/definition.ts";
import { readGates } from "../runs/gates/read-gates.ts";
import { loadSubject } from "../runs/subject.ts";
import { replayImplementation } from "./evolve.ts";
import type { IssueView } from "./view.ts";

/** All that deciding about an issue may know of it. */
export async function loadIssueView(store: Store, input: IssueInput | CommonInput): Promise<IssueView> {
  const [known, gates] = await Promise.all([
    loadSubject(store, input, "implement", replayImplementation, true),
    readGates(store, input.subject),
  ]);
  return { ...known, gates, pipeline: PIPELINES.implement };
}
