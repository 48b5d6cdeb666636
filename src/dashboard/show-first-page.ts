import { atLeast } from "../domain/subjects.ts";
import { type OpenGate, readOpenGates } from "../store/runs/open-gates.ts";
import { listAtWork, listDelivered, listFailed } from "../store/runs/overview.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import type { FirstPage } from "./pages/first-page.ts";
import type { Visitor } from "./visitor.ts";

/** A page is read by people: what is not shown is counted. */
const SHOWN = 50;
const MOST_GATES = 1_000;
const FAILED_MS = 7 * 24 * 3_600_000;

/** Reads what the first page shows, of the repositories that the visitor may see. */
export async function loadFirstPage(
  { store, now, origin }: DashboardDependencies,
  visitor: Visitor,
): Promise<FirstPage> {
  const time = now();
  const listed = await visitor.repositories();
  const seen = visitor.isOperator ? {} : { repositoryIds: [...listed.keys()] };
  const since = new Date(time.getTime() - FAILED_MS).toISOString();
  const [gates, atWork, failed, delivered] = await Promise.all([
    readOpenGates(store, { ...seen, limit: MOST_GATES }),
    listAtWork(store, { ...seen, limit: SHOWN }),
    listFailed(store, { ...seen, limit: SHOWN, since }),
    listDelivered(store, { ...seen, limit: SHOWN }),
  ]);
  const mayAnswer = ({ subject, needs }: OpenGate) => {
    const permission = listed.get(subject.repository.id)?.permission ?? "none";
    return canBeAnsweredHere(subject.kind) && atLeast(permission, needs);
  };
  return {
    visitor,
    now: time,
    origin,
    seesAny: listed.size > 0,
    gates: gates.slice(0, SHOWN).map((gate) => ({ ...gate, mayAnswer: mayAnswer(gate) })),
    moreGates: Math.max(0, gates.length - SHOWN),
    atWork,
    failed,
    delivered,
  };
}

/** Elsewhere nobody can comment. */
export function canBeAnsweredHere(kind: OpenGate["subject"]["kind"]): boolean {
  return kind === "issue" || kind === "pull_request";
}
