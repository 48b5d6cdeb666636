import { z } from "zod";
import { readDelivery } from "../../store/inbox/read-delivery.ts";
import { takeUpDelivery } from "../../store/inbox/take-up-delivery.ts";
import type { DashboardDependencies } from "../dashboard-dependencies.ts";

const RedeliverForm = z.object({
  /** Of GitHub, or what a door for feedback made up. */
  guid: z.string().min(1).max(200),
  /** GitHub's newest attempt, sealed, for what is not here. */
  attempt: z.string().max(200).optional(),
});

/** The result. `here`: it is in the database and was not given up, so that another delivery of it would change nothing. */
export type Redelivered =
  | { readonly is: "process_again" | "redeliver" | "unreadable" | "here" }
  | { readonly is: "refused"; readonly why: string };

/**
 * Handles a delivery again that was given up here, and asks GitHub for one that is not here. The caller has asked whether this is an operator.
 * @param attemptIn the attempt that a page offered for this delivery, to this session
 */
export async function redeliver(
  { store, deliveries, now }: Pick<DashboardDependencies, "store" | "deliveries" | "now">,
  fields: Readonly<Record<string, unknown>>,
  attemptIn: (sealed: string, guid: string) => number | undefined,
): Promise<Redelivered> {
  const { data: form } = RedeliverForm.safeParse(fields);
  if (!form) return { is: "unreadable" };
  if (await takeUpDelivery(store, form.guid, now().toISOString())) return { is: "process_again" };
  if (await readDelivery(store, form.guid)) return { is: "here" };
  const attempt = attemptIn(form.attempt ?? "", form.guid);
  if (attempt === undefined) return { is: "unreadable" };
  const notDone = await deliveries.redeliver(attempt);
  return notDone ? { is: "refused", why: notDone.why } : { is: "redeliver" };
}
