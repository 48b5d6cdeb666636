import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { type Fold, readFolded } from "../../store/events/read-folded.ts";
import type { Store } from "../../store/store.ts";
import { evolveSubject, NO_FACTS, type SubjectFacts } from "../runs/subject-facts.ts";
import { type EnvironmentFacts, evolveEnvironment } from "./evolve.ts";

/** What the own log of an environment comes to. */
export interface EnvironmentLog {
  readonly facts: SubjectFacts;
  readonly environment: EnvironmentFacts;
}

/** Sets of a subject's facts, which JSON does not know. */
const SETS = ["taken", "settled", "answered", "causes"] as const;

/** Its number is raised when `evolveSubject` or `evolveEnvironment` make something else of the same events. */
export const ENVIRONMENT_LOG: Fold<EnvironmentLog> = {
  name: "environment 1",
  empty: { facts: NO_FACTS, environment: {} },
  evolve: ({ facts, environment }, event) => ({
    facts: evolveSubject(facts, event),
    environment: evolveEnvironment(environment, event),
  }),
  write: ({ facts, environment }) => {
    const lists = Object.fromEntries(SETS.map((name) => [name, [...facts[name]]]));
    return JSON.stringify({ facts: { ...facts, ...lists }, environment });
  },
  read: (written) => {
    const { facts, environment } = JSON.parse(written);
    const sets = Object.fromEntries(SETS.map((name) => [name, new Set(facts[name])]));
    return { facts: { ...facts, ...sets }, environment };
  },
};

/** What is of an environment and of no run: the same cost however long its log is. */
export function readEnvironmentLog(store: Store, environment: Subject): Promise<EnvironmentLog> {
  return readFolded(store, subjectKey(environment), ENVIRONMENT_LOG);
}
