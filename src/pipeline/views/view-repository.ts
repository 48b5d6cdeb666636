import type { StandingDismissal } from "../../domain/findings.ts";
import { type LevelFacts, UNSAID_LEVEL } from "../../domain/ladder.ts";
import type { RepositoryRef } from "../../domain/subjects.ts";
import { findConversation, type ListedRun, listPulls } from "../../store/runs/overview.ts";
import { readRepositoryFacts } from "../../store/runs/repository-facts.ts";
import type { Store } from "../../store/store.ts";
import { ladderOf } from "../commands/give-level.ts";
import type { Setting } from "../runs/configuration/effective-configuration.ts";
import { lastSettings } from "../runs/configuration/load-configuration.ts";

/** What people want to know of one repository (OPS-2), without asking GitHub. */
export interface RepositoryReport {
  /** The newest review of each pull request, the latest first. */
  readonly pulls: readonly ListedRun[];
  readonly level: LevelFacts;
  /** As it was accepted last. */
  readonly settings: readonly Setting[];
  readonly dismissals: readonly StandingDismissal[];
  readonly pausedBy?: string;
  /** The run in whose conversation commands for the whole repository are given. */
  readonly conversation?: ListedRun;
}

const SHOWN = 30;

/** The caller has looked whether its reader may see the repository. */
export async function viewRepository(store: Store, repository: RepositoryRef): Promise<RepositoryReport> {
  const { id } = repository;
  const [pulls, configuration, facts, conversation] = await Promise.all([
    listPulls(store, id, SHOWN),
    lastSettings(store, repository),
    readRepositoryFacts(store, id),
    findConversation(store, id),
  ]);
  const { changes: _changes, ...standing } = facts.level ?? { ...UNSAID_LEVEL, changes: 0 };
  const level = { ...(await ladderOf(store, id, configuration.value)), standing };
  return {
    ...{ pulls, level, settings: configuration.settings, dismissals: facts.dismissals },
    ...(facts.pause ? { pausedBy: facts.pause.by } : {}),
    ...(conversation ? { conversation } : {}),
  };
}
