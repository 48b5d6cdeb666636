import type { Gate } from "../../domain/gates.ts";
import type { DeployInput, EffectFailed, SubjectGone } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import type { Store } from "../../store/store.ts";
import type { RunView } from "../runs/decision.ts";
import { readGates } from "../runs/gates/read-gates.ts";
import { loadSubject } from "../runs/subject.ts";
import type { Deployment } from "./deployment.ts";
import { type EnvironmentFacts, evolveEnvironment, replayDeployment } from "./evolve.ts";
import { type FeedbackFacts, feedbackOf } from "./feedback/decide-feedback.ts";

/** What can happen to an environment: its own inputs, and those that every subject has. */
export type EnvironmentInput = DeployInput | SubjectGone | EffectFailed;

/** All that deciding about an environment may know of it. */
export interface EnvironmentView extends RunView<Deployment> {
  readonly environment: EnvironmentFacts;
  /** What production told of it. */
  readonly feedback?: FeedbackFacts;
  /** Of all runs of the environment and of the conversation in which it is told of them: ids differ there. */
  readonly gates: readonly Gate[];
}

/** Loads what is known of an environment. */
export async function loadEnvironment(store: Store, input: EnvironmentInput): Promise<EnvironmentView> {
  const { subject } = input;
  const [known, gates] = await Promise.all([
    loadSubject(store, input, "deploy", replayDeployment, true),
    readGates(store, subject),
  ]);
  // Its own log was just read, and is kept.
  const own = await readEvents(store, subjectKey(subject));
  const about = (known.addressed ?? known.active)?.deploy.about;
  const there = about ? await readGates(store, about) : [];
  return {
    ...known,
    environment: own.reduce(evolveEnvironment, {}),
    feedback: feedbackOf(own),
    gates: [...gates, ...there],
  };
}
