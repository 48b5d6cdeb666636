import { sourceKey } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { isOpenGate } from "../../../domain/gates.ts";
import type { CommentGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { react } from "../../runs/commands/acknowledge.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../../runs/decision.ts";
import type { IssueView } from "../view.ts";

/** A comment with commands was seen on an issue, or words while a question is open: it is taken once, whichever events it causes (GH-4). */
export function takeIssueComment(view: IssueView, input: CommentGiven): Decision {
  const { subject, source, by, deliveryId, at, bodyHash, press, talk = false } = input;
  if (view.facts.taken.has(sourceKey(source))) return ignore("this comment was taken before");
  if (by.kind !== "user") return ignore("bots start nothing");
  const asks = view.gates.some((gate) => gate.question.type === "question" && isOpenGate(gate));
  if (talk && !asks) return ignore("no question is open");
  const runId = subjectKey(subject);
  const taken: NewEvent = { type: "comment.taken", payload: { subject, source, deliveryId }, actor: by };
  // Words that may answer a question are not acknowledged before it is known that they do.
  const effects = talk ? [] : react(input, "eyes");
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: view.facts.version, events: [taken] }],
    effects: effects.length > 0 ? [{ runId, headSha: "", effects }] : [],
    jobs: [
      {
        kind: "command",
        key: `command:${runId}`,
        payload: {
          subject,
          source,
          plain: false,
          ...(talk ? { talk } : {}),
          ...(bodyHash ? { bodyHash } : {}),
          ...(press ? { press } : {}),
        },
        runAt: at,
        priority: 0,
      },
      ...(effects.length > 0 ? [applyEffects(subject, at)] : []),
    ],
  };
}
