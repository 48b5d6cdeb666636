import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { type Clean, cleanTime, cleanUrl } from "./clean-text.ts";
import { shortHash } from "./fingerprint.ts";
import type { Told } from "./read-errors.ts";

const labels = z.record(z.string(), z.unknown()).catch({});
const text = z.string().optional().catch(undefined);

const Alert = z.looseObject({
  status: z.enum(["firing", "resolved"]),
  labels,
  annotations: labels,
  startsAt: text,
  fingerprint: text,
  generatorURL: text,
  dashboardURL: text,
  /** Of Grafana alone: the numbers behind the alert. */
  values: z.record(z.string(), z.unknown()).nullish().catch(null),
});

/** Alertmanager has version "4", Grafana "1"; the rest is the same. */
const Notification = z.looseObject({ groupKey: text, alerts: z.array(z.unknown()).max(5_000) });

const MOST_LABELS = 20;

/**
 * The alerts of a notification by Alertmanager or Grafana. One that is told again, in whatever notification, has the same id: group,
 * fingerprint, start and status. What is no alert is left out. One after the other, because there may be thousands.
 */
export function* readAlerts(payload: unknown, clean: Clean): Generator<Told> {
  const notification = Notification.safeParse(payload);
  if (!notification.success) return;
  const { groupKey = "", alerts } = notification.data;
  for (const written of alerts) {
    const parsed = Alert.safeParse(written);
    if (!parsed.success) continue;
    const alert = parsed.data;
    const named = cleanLabels(alert.labels, clean);
    const name = named.alertname ?? "alert";
    const fingerprint = shortHash("alert", alert.fingerprint || JSON.stringify(Object.entries(named).sort()));
    const id = shortHash("alert", groupKey, fingerprint, alert.startsAt ?? "", alert.status);
    const { summary, description } = cleanLabels(alert.annotations, clean, 500);
    const [metric, value] = Object.entries(alert.values ?? {}).find(([, number]) => typeof number === "number") ?? [];
    yield {
      project: named.forge_project ?? named.project ?? named.job ?? "",
      feedback: {
        ...{ is: "alert", id, fingerprint, name, labels: named, resolved: alert.status === "resolved" },
        summary: summary ?? description ?? "",
        ...defined({
          metric: metric && clean(metric, 100),
          current: value as number | undefined,
          startsAt: cleanTime(alert.startsAt),
          url: cleanUrl(alert.dashboardURL || alert.generatorURL, clean),
        }),
      },
    };
  }
}

/** In a record without a prototype's names: labels may be called anything. */
function cleanLabels(written: Readonly<Record<string, unknown>>, clean: Clean, most = 200): Record<string, string> {
  const read = Object.entries(written)
    .slice(0, MOST_LABELS)
    .map(([name, value]) => [clean(name, 100).replace(/\W/g, "_"), clean(value, most)] as const)
    .filter(([name, value]) => name !== "" && name !== "__proto__" && value !== "");
  return Object.assign(Object.create(null), Object.fromEntries(read)) as Record<string, string>;
}
