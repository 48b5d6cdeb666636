import { defined } from "../domain/defined.ts";
import {
  FIRST_LEVEL,
  type Miss,
  type RunOutcome,
  type Standing,
  type StandingLevel,
  TASK_KINDS,
  type TaskKind,
} from "../domain/ladder.ts";
import { CONVINCING, evidenceBelow, hasDrifted } from "./always-valid.ts";

/** What a level asks of the record (SAFE-4), beside what those below it ask. */
interface Rule {
  readonly level: number;
  /** Whose outcomes show that Forge can do what the level lets it do. */
  readonly of: RunOutcome["of"];
  readonly successes: number;
  /** Share of failures that has to be ruled out. */
  readonly limit: number;
  readonly noCritical: boolean;
}

/** What levels above the first ask for. */
export const RULES: readonly Rule[] = [
  { level: 2, of: "review", successes: 50, limit: 0.2, noCritical: false },
  { level: 3, of: "review", successes: 200, limit: 0.05, noCritical: true },
  { level: 3, of: "work", successes: 200, limit: 0.05, noCritical: true },
  { level: 4, of: "review", successes: 500, limit: 0.05, noCritical: true },
  { level: 4, of: "work", successes: 500, limit: 0.05, noCritical: true },
];

const GOOD: ReadonlySet<RunOutcome["outcome"]> = new Set(["stood", "right"]);

export function isFailure({ outcome }: Pick<RunOutcome, "outcome">): boolean {
  return outcome !== "merged" && !GOOD.has(outcome);
}

/**
 * The part of a record that counts: up to the first outcome, newest first, that came of another model, prompt or analyser than what works
 * now. A name that only one of both has says nothing: not every run asks every agent.
 * @param present what works now, as far as that is known
 */
export function windowOf<T extends Pick<RunOutcome, "basis">>(
  newestFirst: readonly T[],
  present: Readonly<Record<string, string>>,
): T[] {
  const known = new Map(Object.entries(present));
  const window: T[] = [];
  for (const outcome of newestFirst) {
    for (const [name, version] of Object.entries(outcome.basis)) {
      if ((known.get(name) ?? version) !== version) return window;
      known.set(name, version);
    }
    window.push(outcome);
  }
  return window;
}

/** How the records stand against the rules of all levels that there are. @param window as `windowOf` gives it */
export function standingsOf(window: readonly RunOutcome[]): Standing[] {
  return TASK_KINDS.flatMap((task) => {
    const ofTask = window.filter((one) => one.task === task);
    const critical = ofTask.filter((one) => one.critical === true).length;
    // Reviews that are right say nothing about work that stands, nor the other way round.
    const holdsBelow = { review: true, work: true };
    return RULES.map(({ level, of, successes, limit, noCritical }): Standing => {
      const counted = ofTask.filter((one) => one.of === of);
      const known = counted.filter(({ outcome }) => outcome !== "merged");
      const failures = known.filter(isFailure).length;
      const runs = known.length;
      const evidence = Math.min(1_000, evidenceBelow(limit, { runs, failures }));
      const isEnough = runs - failures >= successes && evidence >= CONVINCING;
      holdsBelow[of] = holdsBelow[of] && isEnough && !(noCritical && critical > 0);
      const pending = counted.length - runs;
      return { task, level, of, runs, failures, pending, critical, successes, limit, evidence, holds: holdsBelow[of] };
    });
  });
}

/** For each kind of task the level that its record carries: of reviews of what people do, or of Forge's own work. */
export function carriedBy(
  standings: readonly Standing[],
  whose: RunOutcome["of"] = "review",
): StandingLevel["carries"] {
  const carries: StandingLevel["carries"] = {};
  for (const { task, level, of, holds } of standings) {
    if (holds && of === whose) carries[task] = Math.max(level, carries[task] ?? 0);
  }
  return carries;
}

/**
 * The level at which Forge may act on a task of this kind: what a person said, as far as the record of that kind carried it.
 * @param whose of what people do, or of Forge's own work
 */
export function levelFor(
  task: TaskKind,
  { level, carries, own = {} }: StandingLevel,
  cap: number | undefined,
  whose: RunOutcome["of"] = "review",
): number {
  const carried = whose === "work" ? own[task] : carries[task];
  return Math.min(level, cap ?? level, Math.max(FIRST_LEVEL, carried ?? FIRST_LEVEL));
}

type Carried = Pick<StandingLevel, "carries" | "own">;

/** What of it is left at a lower level. */
export function cappedAt(most: number, { carries, own }: Carried): Carried {
  const capped = (all: StandingLevel["carries"]) => {
    return Object.fromEntries(Object.entries(all).map(([task, its]) => [task, Math.min(its, most)]));
  };
  return { carries: capped(carries), ...(own ? { own: capped(own) } : {}) };
}

type Fall = Carried & { readonly to: number; readonly miss: Miss };

function oneDown({ level, ...carried }: Carried & Pick<StandingLevel, "level">, miss: Miss): Fall {
  const to = Math.max(FIRST_LEVEL, level - 1);
  return { to, ...cappedAt(to, carried), miss };
}

/**
 * The level to which what a deployed version came to takes a repository down at once: a rollback, or an error that the version caused. Both of
 * them may happen to one version, which counts once. Undefined where the level stands.
 */
export function fallBy(
  miss: { readonly is: "rolled_back" | "production_error"; readonly version: string },
  { level, carries, own, miss: last }: StandingLevel,
): Fall | undefined {
  if (level <= FIRST_LEVEL || last?.version === miss.version) return undefined;
  return oneDown({ level, carries, ...defined({ own }) }, miss);
}

/**
 * The level to which an outcome takes a repository down at once, and why; undefined where the level stands. What Forge did by itself and
 * had to be mended is a miss by itself, as is a critical fault that it passed; other failures count together.
 * @param newestFirst the window of the record, the outcome among it
 */
export function demotionBy(
  outcome: RunOutcome,
  { level, carries, own }: StandingLevel,
  newestFirst: readonly RunOutcome[],
): Fall | undefined {
  if (level <= FIRST_LEVEL || !isFailure(outcome)) return undefined;
  const { action, by } = outcome;
  const facts = { ...(action ? { action } : {}), ...(by ? { by } : {}) };
  if (outcome.critical) return { to: FIRST_LEVEL, carries: {}, miss: { is: "critical", ...facts } };
  const down = (is: Miss["is"]) => oneDown({ level, carries, ...defined({ own }) }, { is, ...facts });
  const { outcome: became } = outcome;
  if (action !== undefined && (became === "reverted" || became === "mended" || became === "missed"))
    return down(became);
  const drifted = RULES.filter((rule) => rule.level <= level).some(({ of, limit }) => {
    const ofKind = newestFirst.filter((one) => one.of === of && one.task === outcome.task && one.outcome !== "merged");
    return hasDrifted(limit, ofKind.map(isFailure).reverse());
  });
  return drifted ? down("drift") : undefined;
}
