import { and, desc, eq, sql } from "drizzle-orm";
import { Dismissal, Finding, type FindingOutcome, type FindingState } from "../../domain/findings.ts";
import { FindingClass, type Hiding, type HidingState, type PastOutcome } from "../../domain/hiding.ts";
import type { Subject } from "../../domain/subjects.ts";
import { versionConflict } from "../events/append-events.ts";
import { findings, hidings } from "../schema.ts";
import { type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** What changes about a class that learning hides. */
export type HidingChange =
  | { readonly kind: "hiding_proposed"; readonly subject: Subject; readonly class: FindingClass; readonly at: string }
  | {
      readonly kind: "hiding_set";
      readonly subject: Subject;
      readonly hidingId: string;
      readonly state: HidingState;
      readonly by: string;
      readonly at: string;
      /** Changes of it before this one: where there were others it is decided anew. */
      readonly after: number;
    }
  | {
      readonly kind: "hiding_judged";
      readonly subject: Subject;
      readonly hidingId: string;
      readonly is: "right" | "wrong";
    };

/** Whoever proposes a class that is there already, or changes one that was changed meanwhile, decides anew. */
export function changeHidings(change: HidingChange): Statement[] {
  const { id, installationId } = change.subject.repository;
  const conflict = () => versionConflict(`the classes of repository ${id}`);
  switch (change.kind) {
    case "hiding_proposed": {
      const { id: hidingId } = change.class;
      return [
        statement(
          sql`insert into guards (passed) select 0 from hidings where repository_id = ${id} and hiding_id = ${hidingId}`,
          conflict,
        ),
        statement(sql`
          insert into hidings (repository_id, installation_id, hiding_id, class, state, by, at)
          values (${id}, ${installationId}, ${hidingId}, ${JSON.stringify(change.class)}, 'proposed', 'forge', ${change.at})`),
      ];
    }
    case "hiding_set": {
      const { hidingId, state, by, at, after } = change;
      const which = sql`repository_id = ${id} and hiding_id = ${hidingId}`;
      // What was judged before somebody approved it counts no more.
      const kept = (count: string) => (state === "on" ? sql.raw("0") : sql.raw(count));
      return [
        statement(
          sql`insert into guards (passed)
              select 0 where coalesce((select changes from hidings where ${which}), -1) <> ${after}`,
          conflict,
        ),
        statement(sql`
          update hidings set state = ${state}, by = ${by}, at = ${at}, changes = changes + 1,
            probes_right = ${kept("probes_right")}, probes_wrong = ${kept("probes_wrong")}
          where ${which}`),
      ];
    }
    case "hiding_judged": {
      const count = sql.raw(change.is === "right" ? "probes_right" : "probes_wrong");
      return [
        statement(sql`
          update hidings set ${count} = ${count} + 1 where repository_id = ${id} and hiding_id = ${change.hidingId}`),
      ];
    }
  }
}

/** All classes of a repository, whatever became of them, in the order in which they were proposed. */
export async function readHidings(store: Store, repositoryId: number): Promise<Hiding[]> {
  const rows = await reading(
    store.read.select().from(hidings).where(eq(hidings.repositoryId, repositoryId)).orderBy(sql`rowid`),
  );
  return rows.map(({ class: it, state, by, at, right, wrong, changes }) => {
    return { class: FindingClass.parse(JSON.parse(it)), state, by, at, right, wrong, changes };
  });
}

/** A finding of a pull request, with what became of it and who dismissed it; `order` is that in which they were found. */
export interface KeptFinding {
  readonly finding: Finding;
  readonly pull: number;
  readonly became: PastOutcome;
  readonly order: number;
  readonly dismissal?: Dismissal;
}

/** The latest findings of one rule on the pull requests of a repository. @param most of them, the newest first */
export async function readFindingsOfRule(
  store: Store,
  repositoryId: number,
  rule: string,
  most: number,
): Promise<KeptFinding[]> {
  const { finding, state, outcome, dismissal, subjectNumber } = findings;
  const rows = await reading(
    store.read
      .select({ finding, state, outcome, dismissal, pull: subjectNumber, order: sql<number>`rowid` })
      .from(findings)
      .where(
        and(
          eq(findings.repositoryId, repositoryId),
          sql`${findings.subjectKey} like 'pull_request:%' and json_extract(${finding}, '$.rule') = ${rule}`,
        ),
      )
      .orderBy(desc(sql`rowid`))
      .limit(most),
  );
  return rows.map(({ finding: text, state: is, outcome: known, dismissal: given, ...row }) => ({
    ...row,
    finding: Finding.parse(JSON.parse(text)),
    became: becameOf(is, known),
    ...(given === null ? {} : { dismissal: Dismissal.parse(JSON.parse(given)) }),
  }));
}

/** What the text that was merged says counts before what reviews saw: nobody may have looked after the last push. */
function becameOf(state: FindingState, outcome: FindingOutcome | null): PastOutcome {
  if (outcome === "fixed" || state === "fixed") return "fixed";
  if (state === "dismissed") return "dismissed";
  return outcome === "ignored" ? "ignored" : "open";
}
