import type { FaultQuiet } from "../../../domain/inputs.ts";
import type { FeedbackStanding } from "../../../domain/production-feedback.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import type { FeedbackFacts } from "../../../store/feedback.ts";
import { type Decision, ignore, NOTHING } from "../../runs/decision.ts";
import { showing, shownOwn } from "./show-feedback.ts";

/** Closes the issue about a fault after the release of its fix (PROD-1), unless a message about it came meanwhile. */
export function decideQuiet(
  facts: FeedbackFacts,
  version: number,
  { subject, fingerprint, fix, heardAt, at }: FaultQuiet,
): Decision {
  const known = facts.known.get(fingerprint);
  if (!known?.shown || known.issueAt === null) return ignore("it has no issue of its own");
  if (known.lastAt !== heardAt) return ignore("a message about it came");
  if (known.resolved && known.shown.fixed) return ignore("its issue says so already");
  const { count: times, firstAt, lastAt, issueAt } = known;
  const standing: FeedbackStanding = { ...known.shown, times, firstAt, lastAt, resolved: true, fixed: fix };
  return {
    ...{ ...NOTHING, ...showing(subject, version, [shownOwn(subjectKey(subject), standing)], at) },
    feedback: {
      ...{ environment: subject, heard: [], counted: [], quiet: [fingerprint] },
      told: [{ fingerprint, told: times, toldResolved: true, issueAt, shown: standing }],
      today: { heard: 0, others: 0, othersTold: 0, changes: 0 },
    },
  };
}
