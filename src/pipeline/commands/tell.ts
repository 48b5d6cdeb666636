import type { Answer } from "../../domain/answers.ts";
import { isAside } from "../../domain/command-source.ts";
import type { CommandOf, TellingCommand } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { MetricFacts } from "../../domain/metrics.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import { type RepositoryRef, type Subject, subjectKey } from "../../domain/subjects.ts";
import type { CostFacts, MemoriesFacts } from "../../domain/told-facts.ts";
import { findCited } from "../../memory/citations.ts";
import type { KnownMemory } from "../../memory/known-here.ts";
import type { Memory } from "../../memory/open-memory.ts";
import { listRunsOfSubject } from "../../store/runs/read-runs.ts";
import { listSpend, readUsedUsd, type SpentRow } from "../../store/spend/read-spend.ts";
import type { Store } from "../../store/store.ts";
import { findInstructions } from "../ai/find-instructions.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import type { PullRequestHost } from "../runs/ports.ts";

/** What commands that only tell may read. */
export interface TellDependencies extends ConfigurationDependencies {
  readonly host: Pick<PullRequestHost, "readFile" | "readOrganisationFile" | "listFiles">;
  /** What the log of a repository comes to, by now (MET-1). */
  readonly measure: (repositoryId: number) => Promise<MetricFacts>;
  /** USD that this Forge may spend in a day, over all repositories; untold where left out. */
  readonly dayLimitUsd?: number;
  readonly memory: Pick<Memory, "knownHere">;
  /** The same over all repositories of one installation. */
  readonly installationDayUsd?: number;
}

type Tell<Name extends TellingCommand> = (
  dependencies: TellDependencies,
  subject: Subject,
  command: CommandOf<Name>,
  signal: AbortSignal,
) => Promise<Answer>;

/** Who reads the answer of each command that only tells, the same for an issue and a pull request. */
const TELL: { readonly [Name in TellingCommand]: Tell<Name> } = {
  config: tellConfig,
  cost: tellCost,
  history: tellHistory,
  memory: tellMemories,
  metrics: async ({ measure }, { repository }) => ({ kind: "metrics", metrics: await measure(repository.id) }),
};

/**
 * The answer of a command that only tells; nothing of another one.
 * @throws ForgeError `github_unavailable`
 */
export async function readAnswer(
  dependencies: TellDependencies,
  subject: Subject,
  parsed: ParsedCommand,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (!("command" in parsed) || !Object.hasOwn(TELL, parsed.command.name)) return undefined;
  const tell = TELL[parsed.command.name as TellingCommand] as Tell<TellingCommand>;
  return await tell(dependencies, subject, parsed.command as CommandOf<TellingCommand>, signal);
}

/** `/forge config`: every setting of the repository with where it comes from, and what agents are instructed by. */
async function tellConfig(
  dependencies: ConfigurationDependencies & { readonly host: Pick<PullRequestHost, "listFiles"> },
  { repository }: Subject,
  _command: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const { settings, problems } = await loadConfiguration(dependencies, repository, signal);
  const { found, leftOut, truncated } = await findInstructions(dependencies.host, repository, signal);
  return {
    kind: "configuration",
    configuration: {
      settings: settings.map(({ path, value, origin }) => ({ name: path, value: JSON.stringify(value), from: origin })),
      problems: [...problems],
      instructions: { found: found.map(({ path }) => path), leftOut: [...leftOut], truncated },
    },
  };
}

/** Runs that `/forge history` tells of. */
const TOLD = 10;

/** `/forge history`: the latest runs of a subject, with what models cost in each. */
async function tellHistory({ store }: { readonly store: Store }, subject: Subject): Promise<Answer> {
  const [runs, spent] = await Promise.all([listRunsOfSubject(store, subject), listSpend(store, subjectKey(subject))]);
  const history = {
    runs: runs.slice(0, TOLD).map(({ traceId: runId, kind, startedAt, endedAt, status, headSha }) => ({
      runId,
      kind,
      startedAt,
      ...defined({ endedAt: endedAt || undefined }),
      status,
      headSha,
      costUsd: spent.reduce((sum, row) => (row.runId === runId ? sum + row.usd : sum), 0),
    })),
    more: Math.max(0, runs.length - TOLD),
  };
  return { kind: "history", history };
}

/** Memories that are shown at once. */
const SHOWN_MEMORIES = 10;

/** `/forge memory`. */
async function tellMemories(
  dependencies: TellDependencies,
  { repository }: Subject,
  { query }: CommandOf<"memory">,
  signal: AbortSignal,
): Promise<Answer> {
  return { kind: "memories", memories: await readMemories(dependencies, repository, query, signal) };
}

/** What is known in a repository, with whether the code that it rests on is on the default branch now (MEM-6). */
export async function readMemories(
  {
    memory,
    host,
    now,
  }: Pick<TellDependencies, "memory" | "now"> & { readonly host: Pick<PullRequestHost, "readFile"> },
  repository: RepositoryRef,
  query: string | undefined,
  signal: AbortSignal,
): Promise<MemoriesFacts> {
  const { installationId, id: repositoryId } = repository;
  const found = await memory.knownHere({ scope: { installationId, repositoryId }, query, limit: SHOWN_MEMORIES });
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (path: string) => {
    const text = texts.get(path) ?? host.readFile(repository, path, signal);
    texts.set(path, text);
    return text;
  };
  const facts = async ({
    memory: known,
    confidence,
    contradicts,
  }: KnownMemory): Promise<MemoriesFacts["items"][number]> => {
    const { id, content, origin, createdAt: at, taughtBy, expiresAt, archived } = known;
    const cites = known.cites.map(async (cited) => ({
      path: cited.path,
      is: findCited(cited, await textOf(cited.path)),
    }));
    const expired = expiresAt !== undefined && expiresAt <= now();
    return {
      ...{ id, content, origin, at, confidence, contradicts: [...contradicts], cites: await Promise.all(cites) },
      ...defined({ by: taughtBy?.login, expiresAt, expired: expired || undefined, archived: archived || undefined }),
    };
  };
  const items = await Promise.all(found.items.map(facts));
  return { ...defined({ query }), items, more: found.more };
}

/** USD that this Forge may spend in a day, over all repositories and over those of one installation; left out where it is not told here. */
type DayLimits = { readonly [Limit in "dayLimitUsd" | "installationDayUsd"]?: number | undefined };

/** `/forge cost`: everything that counts against the limits of a subject's next call. */
export async function tellCost(
  dependencies: ConfigurationDependencies & DayLimits,
  subject: Subject,
  _command: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const { store, now, dayLimitUsd, installationDayUsd } = dependencies;
  const { cost } = (await loadConfiguration(dependencies, subject.repository, signal)).value.safety;
  const { installationId, id: repositoryId } = subject.repository;
  const key = subjectKey(subject);
  const rows = await listSpend(store, key);
  const newest = rows.findLast(({ runId }) => !isAside(runId));
  const spender = { installationId, repositoryId, subjectKey: key, runId: newest?.runId ?? "", phase: "review" };
  const used = await readUsedUsd(store, spender, now());
  const of = (scope: CostFacts["limits"][number]["scope"], limitUsd: number) => {
    return { scope, usedUsd: used[scope], limitUsd };
  };
  const facts = {
    spent: rows.map(spentFacts),
    limits: [
      ...(newest ? [of("phase", cost.review)] : []),
      of("subject", cost.subject),
      of("repository", cost.day),
      ...(installationDayUsd === undefined ? [] : [of("installation", installationDayUsd)]),
      ...(dayLimitUsd === undefined ? [] : [of("day", dayLimitUsd)]),
    ],
  };
  return { kind: "cost", cost: facts };
}

function spentFacts({ runId, phase, model, usd, ...tokens }: SpentRow): CostFacts["spent"][number] {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = tokens;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cachedShare = input === 0 ? 0 : cacheReadTokens / input;
  return { runId, phase, model, usd, tokens: input + outputTokens, cachedShare };
}
