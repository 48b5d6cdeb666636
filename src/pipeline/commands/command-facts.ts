import { COMMANDS, type Command, type CommandNeed, NEEDS, type NeedAt } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import {
  type DeployStanding,
  ENVIRONMENTS,
  type Environment,
  environmentOf,
  environmentSubject,
} from "../../domain/deployments.ts";
import type { CommandGiven, DeployCommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { CheckName } from "../../domain/phases.ts";
import type { ParsedCommand, Refusal } from "../../domain/refusals.ts";
import { atLeast, type EnvironmentSubject, numberOf, type Subject } from "../../domain/subjects.ts";
import { findActiveRun, findLatestRun } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { readRestorePoint } from "../checkpoints/read-restore-point.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import { readOpenGates } from "../runs/gates/read-gates.ts";
import { implementationOf } from "../runs/implementation-of.ts";
import type { IssueHost, PullRequestHost } from "../runs/ports.ts";
import { gateMeant } from "./gate-meant.ts";
import { readLadder } from "./give-level.ts";
import { checkMeant, releaseMeant } from "./release-meant.ts";

/** Where a command is carried out, as that stands now. */
export type CommandTarget =
  | {
      readonly kind: "pull";
      readonly subject: Subject;
      readonly pull: CommandGiven["pull"];
      readonly defaultBranch: string;
    }
  | { readonly kind: "environment"; readonly subject: EnvironmentSubject; readonly givenOn: Subject }
  | ({ readonly kind: "issue"; readonly subject: Subject; readonly issue: { readonly open: boolean } } & Pick<
      IssueCommandGiven,
      "pull" | "givenOn"
    >);

export interface FactsDependencies extends ConfigurationDependencies {
  readonly host: ConfigurationDependencies["host"] & Pick<PullRequestHost, "readPullRequest">;
  readonly issues: Pick<IssueHost, "readIssue" | "readSnapshot" | "readPull" | "readBranchHead">;
  readonly readCommit: ReadCommit;
  /** How the deployments stand that an issue or a pull request has to do with. */
  readonly readStandings: (about: Subject) => Promise<readonly DeployStanding[]>;
}

/** The whole SHA of a commit of which the beginning is given; undefined where there is none, or several. */
type ReadCommit = (
  repository: Subject["repository"],
  written: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

type TargetDependencies = Pick<FactsDependencies, "store"> & {
  readonly host: Pick<PullRequestHost, "readPullRequest">;
  readonly issues: Pick<IssueHost, "readIssue" | "readPull">;
};

/** Undefined when the issue or the pull request is gone. */
export async function readCommandTarget(
  dependencies: TargetDependencies,
  subject: Subject,
  signal: AbortSignal,
): Promise<CommandTarget | undefined> {
  if (subject.kind !== "issue") {
    const pull = await dependencies.host.readPullRequest(subject, signal);
    if (!pull) return undefined;
    const { open, ends, title, defaultBranch } = pull;
    return { kind: "pull", subject, pull: { open, ends, title }, defaultBranch };
  }
  const issue = await dependencies.issues.readIssue(subject, signal);
  if (!issue || issue.isPull) return undefined;
  const number = (await findLatestRun(dependencies.store, subject))?.pullNumber;
  const pull =
    number === undefined ? undefined : await dependencies.issues.readPull(subject.repository, number, signal);
  const known =
    number !== undefined && pull ? { pull: { number, open: pull.open, ends: pull.ends, title: pull.title } } : {};
  return { kind: "issue", subject, issue: { open: issue.open }, ...known };
}

/**
 * On a pull request that Forge opened, commands about the work are meant for the work on its issue as long as that can go on. While the
 * pull request's own review waits for an answer, an answer is for the review. An answer to a deployment carries the gate that was found: another
 * one may be open there by the time the answer is carried out.
 */
export async function redirectTarget(
  dependencies: TargetDependencies,
  place: CommandTarget,
  parsed: ParsedCommand,
  signal: AbortSignal,
): Promise<CommandTarget & { readonly refusal?: Refusal; readonly gate?: string }> {
  const meant = "command" in parsed ? await environmentMeant(dependencies.store, place.subject, parsed.command) : {};
  const { environment, refusal, gate } = meant;
  if (refusal) return { ...place, refusal };
  if (environment) {
    const { repository } = place.subject;
    const subject = environmentSubject(repository, environment);
    return { kind: "environment", subject, givenOn: place.subject, ...defined({ gate }) };
  }
  const forWork = "command" in parsed ? COMMANDS[parsed.command.name].forWork : undefined;
  if (place.kind !== "pull" || forWork === undefined) return place;
  const { subject, pull } = place;
  const number = numberOf(subject);
  const work = await implementationOf(dependencies.store, subject.repository.id, { pull: number });
  if (!work || work.over) return place;
  if (forWork === "unless_asked" && (await readOpenGates(dependencies.store, subject)).length > 0) return place;
  const issue = await dependencies.issues.readIssue(work.subject, signal);
  if (!issue) return place;
  return {
    kind: "issue",
    subject: work.subject,
    issue: { open: issue.open },
    pull: { number, ...pull },
    givenOn: subject,
  };
}

interface EnvironmentMeant {
  readonly environment?: Environment;
  readonly refusal?: Refusal;
  readonly gate?: string;
}

/** The environment that a command is about, by the fact that it needs for that. */
const MEANT_BY: {
  readonly [N in NeedAt<"before">]: (store: Store, place: Subject, command: Command) => Promise<EnvironmentMeant>;
} = {
  environment: async (_store, _place, command) => defined({ environment: environmentNamed(command) }),
  gate: async (store, place, command) => {
    const meant = await gateMeant(
      store,
      place,
      "gate" in command ? command.gate : undefined,
      environmentNamed(command),
    );
    return meant.is === "own" ? {} : meant;
  },
  release: releaseMeant,
  check: async (store, place, command) => {
    return "check" in command && command.check === DEPLOY ? checkMeant(store, place) : {};
  },
};

const DEPLOY: CheckName = "forge/deploy";

function environmentNamed(command: Command): Environment | undefined {
  return "environment" in command ? command.environment : undefined;
}

/**
 * The environment that a command is about: the one that it names, whose gate it answers, or to which the work goes; else the one that is
 * being deployed to, users first; else production. Nothing for a command about the issue or the pull request itself, and a refusal where it is not clear which gate is meant.
 */
async function environmentMeant(store: Store, place: Subject, command: Command): Promise<EnvironmentMeant> {
  for (const fact of NEEDS.before) if (needs(command, fact)) return MEANT_BY[fact](store, place, command);
  const named = environmentNamed(command);
  if (COMMANDS[command.name].on !== "environment") return {};
  if (named !== undefined) return { environment: named };
  for (const environment of ENVIRONMENTS.toReversed()) {
    if (await findActiveRun(store, environmentSubject(place.repository, environment))) return { environment };
  }
  return { environment: "production" };
}

/** What is the same of a command wherever it is carried out. */
export type CommonGiven = Omit<CommandGiven, "pull" | "branch" | "limits">;

function needs(command: Command, fact: CommandNeed): boolean {
  const needed: readonly CommandNeed[] = COMMANDS[command.name].needs;
  return needed.includes(fact);
}

/** A reader for each fact of a place: the compiler asks for one that is missing. */
type Readers<P extends keyof typeof NEEDS> = { readonly [N in NeedAt<P>]: (command: Command) => Promise<unknown> };

/** Reads those of a place's facts that the command needs. */
async function gather<P extends keyof typeof NEEDS, R extends Readers<P>>(
  at: P,
  { parsed }: Pick<CommonGiven, "parsed">,
  readers: R,
): Promise<{ [N in keyof R]?: NonNullable<R[N] extends (command: Command) => Promise<infer F> ? F : never> }> {
  if (!("command" in parsed)) return {};
  const { command } = parsed;
  const wanted = (NEEDS[at] as readonly NeedAt<P>[]).filter((name) => needs(command, name));
  const read = await Promise.all(wanted.map(async (name) => [name, await readers[name](command)] as const));
  // The members are those of the readers, which the compiler does not follow through their names.
  return Object.fromEntries(read.filter(([, fact]) => fact !== undefined)) as Awaited<ReturnType<typeof gather<P, R>>>;
}

/** The command as an input, with what deciding about it has to know of its place. */
export async function withFacts(
  dependencies: FactsDependencies,
  given: CommonGiven,
  place: CommandTarget,
  signal: AbortSignal,
): Promise<CommandGiven | IssueCommandGiven | DeployCommandGiven> {
  if (place.kind === "environment") {
    const { subject, givenOn } = place;
    const target = (command: Command) => readDeployTarget(dependencies, { subject, command }, signal);
    return { ...given, subject, givenOn, ...(await gather("environment", given, { target })) };
  }
  const { subject } = given;
  const anywhere = await gather("anywhere", given, {
    ladder: () => readLadder(dependencies, subject.repository, signal),
    cap: () => readCap(dependencies, subject.repository, signal),
    deployments: async () => {
      const standings = await dependencies.readStandings(subject);
      return standings.length > 0 ? standings : undefined;
    },
  });
  const known = { ...given, ...anywhere };
  return place.kind === "pull"
    ? onPull(dependencies, known, place, signal)
    : onIssue(dependencies, known, place, signal);
}

async function onPull(
  dependencies: FactsDependencies,
  given: CommonGiven,
  { pull, defaultBranch }: Extract<CommandTarget, { kind: "pull" }>,
  signal: AbortSignal,
): Promise<CommandGiven> {
  const { subject } = given;
  const facts = await gather("pull", given, {
    limits: () => readLimits(dependencies, subject, signal),
    branch: () => readBranch(dependencies, subject, { pull, defaultBranch }, signal),
  });
  return { ...given, pull, ...facts };
}

/** The issue is read with all that was said only for somebody who may have it worked on. */
async function onIssue(
  { issues, store }: FactsDependencies,
  given: CommonGiven,
  { issue, pull, givenOn }: Extract<CommandTarget, { kind: "issue" }>,
  signal: AbortSignal,
): Promise<IssueCommandGiven> {
  const { role = "none", subject, writtenAt } = given;
  const { snapshot, ...facts } = await gather("issue", given, {
    snapshot: async () => (atLeast(role, "write") ? issues.readSnapshot(subject, signal, writtenAt) : undefined),
    restore: async (command) => {
      const version = "checkpoint" in command ? command.checkpoint : undefined;
      return version === undefined ? undefined : readRestorePoint(store, subject, version);
    },
  });
  return { ...given, issue: { ...issue, ...defined({ snapshot }) }, ...facts, ...defined({ pull, givenOn }) };
}

/** The commit that a command means to have deployed: the one that it names, else what the default branch has. */
async function readDeployTarget(
  dependencies: FactsDependencies,
  { subject, command }: { readonly subject: EnvironmentSubject; readonly command: Command },
  signal: AbortSignal,
): Promise<DeployCommandGiven["target"]> {
  const { repository } = subject;
  const { value } = await loadConfiguration(dependencies, repository, signal);
  if (!value.deploy[environmentOf(subject)]) return { refusal: "not_configured" };
  const written = "sha" in command ? command.sha : undefined;
  const begun = "from" in command ? command.from : undefined;
  const sha =
    written === undefined
      ? (await dependencies.issues.readBranchHead(repository, undefined, signal))?.sha
      : await dependencies.readCommit(repository, written, signal);
  if (sha === undefined) return { refusal: "gone" };
  if (begun === undefined) return { sha };
  const from = await dependencies.readCommit(repository, begun, signal);
  return from === undefined ? { refusal: "no_such_beginning" } : { sha, from };
}

/** The level that the configuration allows at most. */
async function readCap(dependencies: FactsDependencies, repository: Subject["repository"], signal: AbortSignal) {
  return (await loadConfiguration(dependencies, repository, signal)).value.safety.automation_level;
}

/** The limits of a review as configured. */
async function readLimits(dependencies: FactsDependencies, { repository }: Subject, signal: AbortSignal) {
  const { value } = await loadConfiguration(dependencies, repository, signal);
  const { cost, iterations, time } = value.safety;
  return { usd: cost.review, iterations: iterations.review, minutes: time.review };
}

/** The head's branch, where it is in this repository and still there. */
async function readBranch(
  { issues }: FactsDependencies,
  { repository }: Subject,
  { pull: { ends }, defaultBranch }: Pick<Extract<CommandTarget, { kind: "pull" }>, "pull" | "defaultBranch">,
  signal: AbortSignal,
): Promise<CommandGiven["branch"]> {
  if (ends.headRepositoryId !== repository.id) return undefined;
  const branch = await issues.readBranchHead(repository, ends.headRef, signal);
  return branch && { isDefault: defaultBranch === ends.headRef, isProtected: branch.isProtected ?? false };
}
