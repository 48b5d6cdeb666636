import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import type { DeployStanding } from "../../domain/deployments.ts";
import {
  EFFECT_CATALOGUE,
  type Effect,
  type EffectKind,
  EffectResult,
  type HostEffect,
  isOnHost,
} from "../../domain/effects.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { FeedbackStanding } from "../../domain/production-feedback.ts";
import { numberOf, Subject, subjectKey } from "../../domain/subjects.ts";
import { type EFFECT_STATES, effects } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

export type EffectState = (typeof EFFECT_STATES)[number];

/** An effect with its place in the order of all effects, and how far it got. */
export type StoredEffect<E extends Effect = Effect> = E & {
  readonly sequence: number;
  readonly runId: string;
  readonly subject: Subject;
  readonly headSha: string;
  readonly state: EffectState;
  readonly sendingSince?: string;
  /** How often it was about to be sent. */
  readonly attempts: number;
  readonly result?: EffectResult;
  readonly error?: string;
};

/** The effects of a subject on the git host that are not settled, in the order in which they were decided. */
export async function nextEffects(store: Store, subject: Subject): Promise<StoredEffect<HostEffect>[]> {
  const rows = await reading(
    store.read
      .select()
      .from(effects)
      .where(and(eq(effects.subjectKey, subjectKey(subject)), inArray(effects.state, ["planned", "sending"])))
      .orderBy(asc(effects.sequence)),
  );
  return rows.map(toEffect).filter(isOnHost);
}

export async function readEffect(store: Store, key: string): Promise<StoredEffect | undefined> {
  const [row] = await reading(store.read.select().from(effects).where(eq(effects.key, key)));
  return row && toEffect(row);
}

export async function listEffectsOfRun(store: Store, runId: string): Promise<StoredEffect[]> {
  const rows = await reading(
    store.read.select().from(effects).where(eq(effects.runId, runId)).orderBy(asc(effects.sequence)),
  );
  return rows.map(toEffect);
}

function toEffect(row: typeof effects.$inferSelect): StoredEffect {
  return {
    ...parseEffect(row),
    sequence: row.sequence,
    runId: row.runId,
    subject: Subject.parse(JSON.parse(row.subject)),
    headSha: row.headSha,
    state: row.state,
    attempts: row.attempts,
    ...defined({ sendingSince: row.sendingSince ?? undefined }),
    ...(row.result === null ? {} : { result: EffectResult.parse(JSON.parse(row.result)) }),
    ...defined({ error: row.error ?? undefined }),
  };
}

function parseEffect({ key, kind, payload }: { key: string; kind: string; payload: string }): Effect {
  if (!Object.hasOwn(EFFECT_CATALOGUE, kind)) {
    throw new ForgeError("effect_invalid", `The effect ${key} is of the unknown kind ${kind}.`, {
      source: "validation",
      severity: "high",
      recoverability: "manual",
      context: { key, kind },
    });
  }
  // The schema is chosen by the kind, which the compiler cannot follow.
  return { key, kind, payload: EFFECT_CATALOGUE[kind as EffectKind].parse(JSON.parse(payload)) } as Effect;
}

/** Whether a commit of a repository is one of suggested fixes, which Forge pushed or is about to push. Such a push is to a branch of people. */
export async function isHeadOfFix(store: Store, repositoryId: number, headSha: string): Promise<boolean> {
  const found = await reading(
    store.read.all(sql`
      select 1 from effects where head_sha = ${headSha} and kind = 'branch.push' and json_extract(payload, '$.theirs') = 1
        and json_extract(subject, '$.repository.id') = ${repositoryId} limit 1`),
  );
  return found.length > 0;
}

/**
 * What an issue that Forge opened about production is about, as it was told there last; undefined for issues of others. The record says it,
 * not the text of the issue, which others may edit.
 */
export async function readEvidence(
  store: Store,
  subject: Subject,
): Promise<
  | { readonly of: "feedback"; readonly standing: FeedbackStanding }
  | { readonly of: "rollback"; readonly standing: DeployStanding }
  | undefined
> {
  const { repository } = subject;
  const [row] = await reading(
    store.read
      .select()
      .from(effects)
      .where(
        sql`installation_id = ${repository.installationId} and kind in ('feedback.show', 'issue.open')
          and json_extract(result, '$.issueNumber') = ${numberOf(subject)} and json_extract(subject, '$.repository.id') = ${repository.id}`,
      )
      .orderBy(desc(effects.sequence))
      .limit(1),
  );
  const effect = row && toEffect(row);
  if (effect?.kind === "feedback.show") return { of: "feedback", standing: effect.payload.standing };
  return effect?.kind === "issue.open" ? effect.payload.evidence : undefined;
}
