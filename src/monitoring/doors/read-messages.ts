import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Environment } from "../../domain/deployments.ts";
import type { ProductionFeedback } from "../../domain/production-feedback.ts";
import type { Sources } from "../open-sources.ts";
import type { Clean } from "./clean-text.ts";
import { readAlerts } from "./read-alerts.ts";
import { readPlain, readSentry, type Told } from "./read-errors.ts";

/** A delivery of a door: the messages that came in about the same moment, each with an id by its bytes. */
const Batch = z.object({ door: z.string(), messages: z.array(z.object({ id: z.string(), body: z.unknown() })) });

/** What was told about one environment of one repository. */
export interface ToldOf {
  /** `owner/name` in small letters. */
  readonly repository: string;
  readonly environment: Environment;
  readonly feedback: readonly ProductionFeedback[];
}

/** Messages and alerts that are read in about 10 ms. */
const AT_ONCE = 20;

/**
 * Reads what a door stored, by environment; in the order in which it came. Messages of unknown projects, and those that tell of nothing, are
 * left out. Others have their turn between two of them (OPS-8).
 */
export async function readMessages(body: Buffer, { doors }: Pick<Sources, "doors">, clean: Clean): Promise<ToldOf[]> {
  const batch = Batch.safeParse(JSON.parse(body.toString("utf8")));
  const door = batch.success ? doors[batch.data.door] : undefined;
  if (!batch.success || door === undefined) return [];
  const told = new Map<string, { about: Omit<ToldOf, "feedback">; feedback: ProductionFeedback[] }>();
  let read = 0;
  for (const { id, body: message } of batch.data.messages) {
    for (const { project, feedback } of readOne(door.kind, message, id, clean)) {
      read += 1;
      if (read % AT_ONCE === 0) await setImmediate();
      const target = Object.hasOwn(door.projects, project) ? door.projects[project] : door.projects["*"];
      if (target === undefined) continue;
      const key = `${target.repository}:${target.environment}`;
      const of = told.get(key) ?? { about: target, feedback: [] };
      told.set(key, of);
      of.feedback.push(feedback);
    }
  }
  return [...told.values()].map(({ about, feedback }) => ({ ...about, feedback }));
}

function readOne(kind: Sources["doors"][string]["kind"], message: unknown, id: string, clean: Clean): Iterable<Told> {
  switch (kind) {
    case "alertmanager":
    case "grafana":
      return readAlerts(message, clean);
    case "sentry":
      return all(readSentry(message, id, clean));
    case "plain":
      return all(readPlain(message, id, clean));
  }
}

function all(told: Told | undefined): Told[] {
  return told ? [told] : [];
}
