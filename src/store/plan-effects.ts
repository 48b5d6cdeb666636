import { sql } from "drizzle-orm";
import type { Effect } from "../domain/effects.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import { portions, type Statement, statement } from "./statement.ts";

export interface PlannedEffects {
  readonly runId: string;
  readonly subject: Subject;
  readonly headSha: string;
  readonly effects: readonly Effect[];
}

/** One whose key is there already was decided before and stays as it is (GH-13). */
export function planEffects({ runId, subject, headSha, effects }: PlannedEffects, at: string): Statement[] {
  return portions(effects).map((portion) =>
    statement(sql`
      insert into effects
      (key, kind, payload, run_id, subject_key, subject, installation_id, head_sha, state, planned_at)
      values ${sql.join(
        portion.map(
          ({ key, kind, payload }) =>
            sql`(${key}, ${kind}, ${JSON.stringify(payload)}, ${runId}, ${subjectKey(subject)}, ${JSON.stringify(subject)},
              ${subject.repository.installationId}, ${headSha}, 'planned', ${at})`,
        ),
        sql`, `,
      )}
      on conflict (key) do nothing`),
  );
}
