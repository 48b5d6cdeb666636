import { sql } from "drizzle-orm";
import { z } from "zod";
import { EVENT_CATALOGUE, ReviewEntered, ReviewStarted } from "../../domain/event-catalogue.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** A review of the subject that was finished, by its events. */
export interface EarlierReview {
  readonly runId: string;
  readonly started: z.infer<typeof ReviewStarted>;
  readonly entered: z.infer<typeof ReviewEntered>;
  readonly completed: z.infer<(typeof EVENT_CATALOGUE)["review.completed"]>;
}

/** What is asked about earlier reviews is answered by the latest of them. */
const MOST = 30;

const Row = z.object({ run: z.string(), started: z.string(), entered: z.string(), completed: z.string() });

/** The finished reviews of a subject, newest first. */
export async function readReviews(store: Store, subject: Subject): Promise<EarlierReview[]> {
  const rows = await reading(
    store.read.all(sql`
      select runs.trace_id as run, started.payload as started, entered.payload as entered, completed.payload as completed
      from runs
      join events completed on completed.trace_id = runs.trace_id and completed.type = 'review.completed'
      join events started on started.trace_id = runs.trace_id and started.type = 'run.started'
      join events entered on entered.trace_id = runs.trace_id and entered.version = (
        select max(version) from events
        where trace_id = runs.trace_id and type = 'phase.entered' and version < completed.version)
      where runs.subject_key = ${subjectKey(subject)}
      order by runs.started_at desc, runs.trace_id desc, completed.version desc
      limit ${MOST}`),
  );
  return z
    .array(Row)
    .parse(rows)
    .map(({ run, started, entered, completed }) => ({
      runId: run,
      started: ReviewStarted.parse(JSON.parse(started)),
      entered: ReviewEntered.parse(JSON.parse(entered)),
      completed: EVENT_CATALOGUE["review.completed"].parse(JSON.parse(completed)),
    }));
}
