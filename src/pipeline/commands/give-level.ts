import type { CommandOf } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import type { Commanded } from "../../domain/inputs.ts";
import { FIRST_LEVEL, type Standing, type StandingLevel, TASK_KINDS, UNSAID_LEVEL } from "../../domain/ladder.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RepositoryRef } from "../../domain/subjects.ts";
import { carriedBy, standingsOf, windowOf } from "../../safety/ladder.ts";
import { countActions, readBasis, readOutcomes } from "../../store/runs/level-record.ts";
import type { Store } from "../../store/store.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../runs/configuration/load-configuration.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { type Outcome, refuse } from "./command-result.ts";

/** How the records of a repository stand now: only what came of the models, prompts and analysers that work now counts (SAFE-4). */
export async function readLadder(
  dependencies: ConfigurationDependencies,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<NonNullable<Commanded["ladder"]>> {
  const { value } = await loadConfiguration(dependencies, repository, signal);
  return ladderOf(dependencies.store, repository.id, value);
}

/** The same under a configuration that is known. */
export async function ladderOf(
  store: Store,
  repositoryId: number,
  value: RepoConfig,
): Promise<NonNullable<Commanded["ladder"]>> {
  const [outcomes, basis, actions] = await Promise.all([
    readOutcomes(store, repositoryId),
    readBasis(store, { repositoryId }),
    countActions(store, repositoryId),
  ]);
  const present = { ...basis, "configured models": JSON.stringify(value.llm) };
  const window = windowOf(
    outcomes.map(({ outcome }) => outcome),
    present,
  );
  return { standings: standingsOf(window), actions, ...defined({ cap: value.safety.automation_level }) };
}

/**
 * `/forge level`: where the repository stands and what is missing to the next level; with a number it is set, up only as far as the record of
 * some kind of task carries, down at any time (SAFE-4).
 */
export function giveLevel(
  { repository }: { readonly repository: RepositoryFacts },
  { ladder, by, at }: Commanded,
  { level: wanted }: CommandOf<"level">,
): Outcome {
  const { changes, ...now } = repository.level ?? { ...UNSAID_LEVEL, changes: 0 };
  const known = ladder ?? { standings: [], actions: [] };
  if (wanted === undefined) return { answer: { kind: "level", facts: { ...known, standing: now } } };
  if (wanted > FIRST_LEVEL && wanted >= now.level) {
    if (known.cap !== undefined && wanted > known.cap) {
      return refuse({ reason: "level_capped", level: wanted, cap: known.cap });
    }
    const nearest = nearestTo(wanted, known.standings);
    if (wanted > now.level && nearest) return refuse({ reason: "level_unearned", level: wanted, record: nearest });
  }
  // What a kind of task was carried by before stays; a higher level is given by the record as it stands now alone.
  const grown = (whose: Standing["of"], before: StandingLevel["carries"]) => {
    const carried = carriedBy(known.standings, whose);
    const all = TASK_KINDS.flatMap((task) => {
      const most = Math.min(wanted, Math.max(carried[task] ?? 0, before[task] ?? 0));
      return most > FIRST_LEVEL ? [[task, most]] : [];
    });
    return Object.fromEntries(all) as StandingLevel["carries"];
  };
  const own = grown("work", now.own ?? {});
  const carried = { carries: grown("review", now.carries), ...(Object.keys(own).length > 0 ? { own } : {}) };
  const standing = { level: wanted, ...carried, by: by.login, at };
  return {
    events: [{ type: "level.set", payload: { from: now.level, level: wanted, ...carried, after: changes }, actor: by }],
    answer: { kind: "level", facts: { ...known, standing, set: { from: now.level } } },
  };
}

/** The record that lacks least for a level; undefined where one carries it. */
function nearestTo(level: number, standings: readonly Standing[]): Standing | undefined {
  const of = standings.filter((one) => one.level === level);
  if (of.some(({ holds }) => holds)) return undefined;
  return of.toSorted((a, b) => b.evidence - a.evidence || b.runs - b.failures - (a.runs - a.failures))[0];
}
