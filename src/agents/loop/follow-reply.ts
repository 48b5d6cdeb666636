import { classifyReply } from "./classify-reply.ts";
import type { End, OpenReply, Wait } from "./loop-state.ts";
import { change, type Run, type Turn } from "./turn.ts";

/** What a reply leads to: its calls, its answer, a person, or a word about what is wrong with it. */
export function followReply(turn: Turn, reply: OpenReply, run: Run): Turn {
  const { stopReason } = reply.step;
  const act = (patch: { end?: End; wait?: Wait }, ...notes: string[]) =>
    change(turn, {
      standing: { is: "acting", open: { ...reply, ...patch } },
      notes: [...turn.state.notes, ...notes],
      oddReplies: 0,
    });
  if (stopReason === "refusal") return act({ end: { reason: "refused", message: "The model refused to go on." } });
  const kind = classifyReply(reply.content, stopReason);
  switch (kind.is) {
    case "calls":
      return act({});
    case "paused":
      return act({}, "Go on.");
    case "question":
      return run.dependencies.someoneToAsk
        ? act({ wait: { for: "answer", question: kind.text, options: [] } })
        : odd(turn, reply, "Nobody can be asked here. Decide yourself, say what you assumed, and call `complete`.");
    case "words":
      return run.definition.output
        ? odd(turn, reply, "Your reply called no tool. Call one, or hand in your result with `complete`.")
        : act({ end: { reason: "completed", message: "The agent answered.", output: kind.text } });
    case "cut":
      return odd(
        turn,
        reply,
        "Your reply was cut off at the output limit. Go on in smaller pieces, and use the tools.",
      );
    case "empty":
      return odd(turn, reply, "Your reply was empty. Call a tool, or hand in your result with `complete`.");
    default:
      return kind satisfies never;
  }
}

/** Fed back once as an error; the second in a row ends the loop. */
function odd(turn: Turn, open: OpenReply, note: string): Turn {
  const { notes, oddReplies } = turn.state;
  if (oddReplies === 0) {
    return change(turn, { standing: { is: "acting", open }, notes: [...notes, note], oddReplies: 1 });
  }
  const end: End = { reason: "no_usable_reply", message: `The model twice gave a reply that is of no use. ${note}` };
  return change(turn, { standing: { is: "acting", open: { ...open, end } } });
}
