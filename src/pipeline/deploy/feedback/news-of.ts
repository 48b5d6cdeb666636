import { defined } from "../../../domain/defined.ts";
import { type Environment, environmentOf } from "../../../domain/deployments.ts";
import type { FeedbackStanding, ProductionFeedback } from "../../../domain/production-feedback.ts";
import type { EnvironmentSubject } from "../../../domain/subjects.ts";
import type { FeedbackCount, FeedbackFacts } from "../../../store/feedback.ts";
import { hasMore, joinFeedback } from "./join-feedback.ts";

/** In a day at most so many issues are opened about one environment; one more issue counts the rest. */
const ISSUES_A_DAY = 20;
/** An issue says what changed about it; of all issues of an environment so often a day, for some things come and go each minute. */
const CHANGES_A_DAY = 200;
/** So many new things are counted one by one in a day. Beyond it they are a number: a sender that gives each message a new name fills no table. */
const THINGS_A_DAY = 5_000;

/** Something that the pipeline does not know as it is now. */
export interface News {
  readonly standing: FeedbackStanding;
  /** Where it appears: `own` is an issue of its own, `others` the one for all of a day. `nowhere`: it was over before anything was opened. */
  readonly in: "own" | "others" | "nowhere";
  readonly known: FeedbackCount | undefined;
}

/** What a batch of messages comes to. */
export interface BatchNews {
  /** Messages that were not counted before. */
  readonly fresh: readonly ProductionFeedback[];
  /** Fingerprints that were never heard of, as far as each of them is counted. */
  readonly begun: ReadonlySet<string>;
  /** How many of these were never heard of at all. */
  readonly heard: number;
  readonly news: readonly News[];
  /** Changes for which the limit of the day is used up. They are news with the next message on another day. */
  readonly later: readonly FeedbackStanding[];
}

/** Which things of a batch are new, ten times as many, known better, over, or there again, and where each appears. Pure. @param at ISO 8601 */
export function newsOf(
  facts: FeedbackFacts,
  environment: EnvironmentSubject,
  messages: readonly ProductionFeedback[],
  at: string,
): BatchNews {
  const fresh = [...new Map(messages.map((message) => [message.id, message])).values()].filter(
    ({ id }) => !facts.counted.has(id),
  );
  const freshOf = Map.groupBy(fresh, ({ fingerprint }) => fingerprint);
  const unknown = [...freshOf.keys()].filter((fingerprint) => !facts.known.has(fingerprint));
  const begun = new Set(unknown.slice(0, Math.max(0, THINGS_A_DAY - facts.today.heard)));
  const news: News[] = [];
  const later: FeedbackStanding[] = [];
  let { issues } = facts;
  let { changes } = facts.today;
  for (const [fingerprint, all] of Map.groupBy(messages, (message) => message.fingerprint)) {
    const known = facts.known.get(fingerprint);
    const standing = standingOf(environmentOf(environment), known, all, freshOf.get(fingerprint) ?? [], at);
    if (standing === undefined || !isNews(known, standing)) continue;
    if (known?.issueAt) {
      changes += 1;
      if (changes > CHANGES_A_DAY) later.push(standing);
      else news.push({ standing, known, in: "own" });
    } else if (standing.resolved) {
      news.push({ standing, known, in: "nowhere" });
    } else {
      // One that is not counted by itself has no issue either: it could not be found again.
      const isOwn = issues < ISSUES_A_DAY && (known !== undefined || begun.has(fingerprint));
      if (isOwn) issues += 1;
      news.push({ standing, known, in: isOwn ? "own" : "others" });
    }
  }
  return { fresh, begun, heard: unknown.length, news, later };
}

/** What is known of a thing with these messages; undefined for one of which all that is known has expired. */
function standingOf(
  environment: Environment,
  known: FeedbackCount | undefined,
  all: readonly ProductionFeedback[],
  fresh: readonly ProductionFeedback[],
  at: string,
): FeedbackStanding | undefined {
  const times = (known?.count ?? 0) + fresh.length;
  const shown = known?.shown ?? undefined;
  const feedback = joinFeedback(shown?.feedback, shown ? fresh : all);
  if (times === 0 || feedback === undefined) return undefined;
  const resolved = fresh.at(-1)?.resolved ?? known?.resolved ?? false;
  const lastAt = fresh.length > 0 ? at : (known?.lastAt ?? at);
  const { suspicion, fixed } = shown ?? {};
  const backAfter = resolved ? undefined : fixed;
  return {
    environment,
    feedback,
    times,
    resolved,
    firstAt: known?.firstAt ?? at,
    lastAt,
    ...defined({ suspicion, backAfter }),
  };
}

function isNews(known: FeedbackCount | undefined, { times, resolved, feedback }: FeedbackStanding): boolean {
  if (!known || known.told === 0 || times >= known.told * 10 || resolved !== known.toldResolved) return true;
  return hasMore(known.shown?.feedback, feedback);
}
