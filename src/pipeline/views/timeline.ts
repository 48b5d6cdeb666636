import type { EventType } from "../../domain/event-catalogue.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { GateQuestion } from "../../domain/gates.ts";
import type { Phase } from "../../domain/phases.ts";

/** A stretch of a run. `to` is absent while it goes on. Moments are ISO 8601. */
export type Stretch = {
  readonly from: string;
  readonly to?: string;
} & (
  | { readonly is: "phase"; readonly phase: Phase; readonly ended?: "completed" | "failed" | "bounced" }
  | { readonly is: "gate"; readonly gate: string; readonly question: GateQuestion; readonly ended?: GateEnd }
  | { readonly is: "stopped"; readonly reason?: string }
);

const GATE_ENDS = {
  "gate.approved": "approved",
  "gate.rejected": "rejected",
  "gate.timeout": "timeout",
  "gate.voided": "voided",
} as const;
/** How a gate ended. */
export type GateEnd = (typeof GATE_ENDS)[GateEndEvent];
type GateEndEvent = keyof typeof GATE_ENDS;

export function gateEndOf(type: GateEndEvent): GateEnd {
  return GATE_ENDS[type];
}

/** Work went back. */
export interface Bounce {
  readonly at: string;
  readonly from: Phase;
  readonly to: Phase;
  readonly reason: string;
}

export interface Timeline {
  /** In the order in which they began. */
  readonly stretches: readonly Stretch[];
  readonly bounces: readonly Bounce[];
}

/** The events that a timeline is made of. */
export const TIMELINE_EVENTS = [
  ...["phase.entered", "phase.completed", "phase.failed", "phase.bounced", "run.stopped", "run.resumed"],
  ...["gate.requested", "gate.approved", "gate.rejected", "gate.timeout", "gate.voided"],
  ...["run.completed", "run.failed", "run.cancelled"],
] as const satisfies readonly EventType[];

type TimelineEvent = Extract<PlacedEvent, { readonly type: (typeof TIMELINE_EVENTS)[number] }>;

function isOfTimeline(event: PlacedEvent): event is TimelineEvent {
  return (TIMELINE_EVENTS as readonly EventType[]).includes(event.type);
}

/** What a run did when: its phases, the gates it waited at, and when it was stopped, by its events in order. */
export function timelineOf(events: readonly PlacedEvent[]): Timeline {
  const stretches: Stretch[] = [];
  const bounces: Bounce[] = [];
  const end = (at: string, which: (stretch: Stretch) => boolean, how: object = {}) => {
    const index = stretches.findLastIndex((stretch) => stretch.to === undefined && which(stretch));
    const open = stretches[index];
    if (open) stretches[index] = { ...open, to: at, ...how };
  };
  const endAll = (at: string) => {
    while (stretches.some(({ to }) => to === undefined)) end(at, () => true);
  };
  for (const event of events.filter(isOfTimeline)) {
    const { at } = event;
    switch (event.type) {
      case "phase.entered":
        // A worker that died left its phase open: it goes on in the same one.
        end(at, ({ is }) => is === "phase");
        stretches.push({ is: "phase", phase: event.payload.phase, from: at });
        break;
      case "phase.completed":
      case "phase.failed": {
        const { phase } = event.payload;
        const ended = event.type === "phase.completed" ? "completed" : "failed";
        end(at, (stretch) => stretch.is === "phase" && stretch.phase === phase, { ended });
        break;
      }
      case "phase.bounced": {
        const { from, to, reason } = event.payload;
        bounces.push({ at, from, to, reason });
        end(at, (stretch) => stretch.is === "phase" && stretch.phase === from, { ended: "bounced" });
        break;
      }
      case "gate.requested": {
        const { gate, question } = event.payload;
        stretches.push({ is: "gate", gate, question, from: at });
        break;
      }
      case "gate.approved":
      case "gate.rejected":
      case "gate.timeout":
      case "gate.voided": {
        const { gate } = event.payload;
        end(at, (stretch) => stretch.is === "gate" && stretch.gate === gate, { ended: gateEndOf(event.type) });
        break;
      }
      case "run.stopped":
        end(at, ({ is }) => is === "phase");
        stretches.push({ is: "stopped", from: at, ...(event.payload.reason ? { reason: event.payload.reason } : {}) });
        break;
      case "run.resumed":
        end(at, ({ is }) => is === "stopped");
        break;
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        endAll(at);
        break;
      default:
        event satisfies never;
    }
  }
  return { stretches, bounces };
}
