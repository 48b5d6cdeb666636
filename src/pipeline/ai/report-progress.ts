import { isDeepStrictEqual } from "node:util";
import type { Clock, LoopEvent } from "../../agents/library.ts";
import type { Activity, ActivityPurpose } from "../../domain/activity.ts";
import { activityForReaders, followActivity } from "./follow-activity.ts";

/** Readers follow one change a minute. */
const EVERY_MS = 60_000;
/** A timer may end before the clock says so. */
const TIMER_EARLY_MS = 50;
/** Agents of a phase that are told apart: a review has one verifier for each claim. */
const MOST_AGENTS = 1_000;

export interface ProgressReporter {
  /** Events of a loop. @param agent which of the phase's agents */
  readonly heard: (agent: string, event: LoopEvent) => void;
  readonly say: (activity: Activity) => void;
  /** The phase is over: an activity that waits for its time is dropped. */
  readonly end: () => void;
}

export interface ProgressTold {
  /** Milliseconds until the first report: the end of a shorter phase says enough. */
  readonly firstMs: number;
  /** Has it written down. */
  readonly tell: (activity: Activity) => Promise<unknown>;
  readonly purposeOf: (agent: string) => ActivityPurpose;
  /** Takes what the job waits for at its end. */
  readonly afterwards?: ((work: Promise<unknown>) => void) | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Has the status comment, the check and the page of a run move while a phase goes on (GH-12): first after a stated time, then at most once a
 * minute, each time with what is done at that moment. It is a courtesy: no phase waits for it, and one that fails is not missed. Before
 * its time only the latest is kept, in memory: after a crash the next worker reports its own.
 */
export function reportProgress({
  firstMs,
  tell,
  purposeOf,
  afterwards,
  clock,
  signal,
}: ProgressTold): ProgressReporter {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  let next = clock.now() + firstMs;
  let latest: Activity | undefined;
  let told: Activity | undefined;
  let isAwaited = false;
  const agents = new Map<string, ReturnType<typeof followActivity>>();
  const say = (activity: Activity) => {
    latest = activityForReaders(activity);
    tellWhenDue();
  };
  const tellWhenDue = () => {
    if (until.aborted || latest === undefined || isDeepStrictEqual(latest, told)) return;
    const now = clock.now();
    if (now < next) return tellAt(next - now);
    next = now + EVERY_MS;
    told = latest;
    // The job does not end before it is written, or was not.
    const settled = tell(latest).catch(() => {});
    afterwards?.(settled);
  };
  /** Tests run for minutes without an event of a loop. */
  const tellAt = (waitMs: number) => {
    if (isAwaited) return;
    isAwaited = true;
    const again = () => {
      isAwaited = false;
      tellWhenDue();
    };
    void clock.sleep(waitMs + TIMER_EARLY_MS, until).then(again, again);
  };
  return {
    say,
    end: () => over.abort(),
    heard: (agent, event) => {
      if (agents.size >= MOST_AGENTS) agents.clear();
      const follow = agents.get(agent) ?? followActivity(purposeOf(agent));
      agents.set(agent, follow);
      const activity = follow(event);
      if (activity) say(activity);
    },
  };
}
