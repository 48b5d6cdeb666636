import { defined } from "../../domain/defined.ts";
import { ENVIRONMENTS, environmentSubject } from "../../domain/deployments.ts";
import type { Gate } from "../../domain/gates.ts";
import type { CommonInput, DeployInput, RuleObserved } from "../../domain/inputs.ts";
import { type EnvironmentSubject, subjectKey } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { type FeedbackFacts, readFeedback, thing } from "../../store/feedback.ts";
import type { Store } from "../../store/store.ts";
import type { RunView } from "../runs/decision.ts";
import { readGates } from "../runs/gates/read-gates.ts";
import { isStopped } from "../runs/implementation-of.ts";
import { loadSubject } from "../runs/subject.ts";
import type { Deployment } from "./deployment.ts";
import { readEnvironmentLog } from "./environment-log.ts";
import { type EnvironmentFacts, replayDeployment } from "./evolve.ts";
import { type Answered, answeredIn } from "./rule/decide-rule.ts";

/** What can happen to an environment: its own inputs, and those that every subject has. */
export type EnvironmentInput = (DeployInput | RuleObserved | CommonInput) & { readonly subject: EnvironmentSubject };

/** All that deciding about an environment may know of it. */
export interface EnvironmentView extends RunView<Deployment> {
  readonly environment: EnvironmentFacts;
  /** What is known of the things that an input is about; there for one that brings messages, or says that it is quiet. */
  readonly feedback?: FeedbackFacts;
  /** Of all runs of the environments and of the conversation that shows their comments: ids differ there. */
  readonly gates: readonly Gate[];
  /** What was answered before; there for an input about what asks Forge as the rule of an environment. */
  readonly answered?: Answered;
  /** A person or a limit stopped the work on the issue that the version comes from; there for the request to deploy it. */
  readonly workStopped?: boolean;
}

/** Loads what is known of an environment. */
export async function loadEnvironment(store: Store, input: EnvironmentInput): Promise<EnvironmentView> {
  const { subject } = input;
  if (input.type === "rule.observed") return loadRule(store, input);
  const own = await readEnvironmentLog(store, subject);
  const [known, gates, feedback, workStopped] = await Promise.all([
    loadSubject(store, input, "deploy", replayDeployment, true, async () => own.facts),
    Promise.all(ENVIRONMENTS.map((each) => readGates(store, environmentSubject(subject.repository, each)))),
    readThings(store, input),
    input.type === "deploy.requested" ? isStopped(store, input.deploy.implements) : undefined,
  ]);
  const about = (known.addressed ?? known.active)?.deploy.about;
  const there = about ? await readGates(store, about) : [];
  return {
    ...known,
    environment: own.environment,
    ...defined({ feedback, workStopped }),
    gates: [...gates.flat(), ...there],
  };
}

/** What is known of the things that an input is about. */
async function readThings(store: Store, input: EnvironmentInput): Promise<FeedbackFacts | undefined> {
  const { subject, at } = input;
  if (input.type === "feedback.received") return readFeedback(store, subject, input.messages, at);
  return input.type === "fault.quiet" ? readFeedback(store, subject, [thing(input.fingerprint)], at) : undefined;
}

/** Only what was answered is asked for: a rule stops no deployment of Forge and begins none. */
async function loadRule(store: Store, input: RuleObserved): Promise<EnvironmentView> {
  const [known, own] = await Promise.all([
    loadSubject(store, input, "deploy", replayDeployment, false),
    readEvents(store, subjectKey(input.subject)),
  ]);
  return { ...known, environment: {}, gates: [], answered: answeredIn(own, input.asked) };
}
