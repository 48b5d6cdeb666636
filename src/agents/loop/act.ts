import { defined } from "../../domain/defined.ts";
import type { ToolUseBlock } from "../../llm/ports.ts";
import type { CheckedCall } from "../../tools/tool.ts";
import { type CarriedOut, describeInput, refusedCall, skippedCall } from "./call-result.ts";
import { carryOut } from "./carry-out.ts";
import { guardOutput } from "./guard.ts";
import type { OpenReply, Wait } from "./loop-state.ts";
import { planCall } from "./plan-call.ts";
import { callsOf } from "./reply.ts";
import { change, type Run, type Turn } from "./turn.ts";

/**
 * Carries out the calls of the open reply in their order (LOOP-6). Neighbours that only read run at the same time. A call that needs a
 * person stops the turn there: what was done stays done, what follows waits with it.
 */
export async function act(turn: Turn, run: Run): Promise<Turn> {
  let now = turn;
  for (;;) {
    const { standing } = now.state;
    if (standing.is !== "acting" || run.abort.aborted) return now;
    const { open } = standing;
    const calls = callsOf(open.content).slice(open.results.length);
    if (calls.length === 0) return now;
    now = await actOnNext(now, open, calls, run);
  }
}

async function actOnNext(turn: Turn, open: OpenReply, calls: readonly ToolUseBlock[], run: Run): Promise<Turn> {
  const [next] = calls as [ToolUseBlock];
  const halt = haltReason(open, next, run);
  if (halt !== undefined) {
    return add(turn, open, [next], [skip(next, halt, turn, run)]);
  }
  const planned = planCall(next, open.approved === next.id, run);
  switch (planned.do) {
    case "refuse": {
      const shown = describeInput(next.unparsed ?? next.input, run.dependencies.redact);
      const { name } = next;
      return add(
        turn,
        open,
        [next],
        [refusedCall({ id: next.id, tool: { name } }, shown, turn.state.agent.id, planned.code, planned.message)],
      );
    }
    case "finish":
      return finish(turn, open, next, planned.output, run);
    case "wait":
      return suspend(turn, open, planned.wait, run);
    case "run": {
      const together = planned.call.tool.readOnly ? [planned.call, ...readersOf(calls.slice(1), run)] : [planned.call];
      const done = await Promise.all(together.map((call) => carryOut(call, turn.state.agent.id, run)));
      // The process goes away: what was cut off is done again on resume.
      return run.abort.aborted ? turn : add(turn, open, calls.slice(0, done.length), done);
    }
    default:
      return planned satisfies never;
  }
}

/** Why a call is not even looked at: the loop is to end after this step. A finished result is taken all the same, it is paid for. */
function haltReason(open: OpenReply, call: ToolUseBlock, run: Run): string | undefined {
  if (open.end && !(call.name === "complete" && open.end.reason !== "completed" && open.end.reason !== "guardrail")) {
    return open.end.reason === "completed" ? "the result was handed in before it." : open.end.message;
  }
  return run.stop.aborted && call.name !== "complete" ? "the run was stopped." : undefined;
}

/** The calls from here on that only read and may run, up to the first that is anything else. */
function readersOf(calls: readonly ToolUseBlock[], run: Run): CheckedCall[] {
  const readers: CheckedCall[] = [];
  for (const call of calls) {
    const plan = planCall(call, false, run);
    if (plan.do !== "run" || !plan.call.tool.readOnly) break;
    readers.push(plan.call);
  }
  return readers;
}

function skip(block: ToolUseBlock, reason: string, turn: Turn, { dependencies }: Run): CarriedOut {
  const shown = describeInput(block.unparsed ?? block.input, dependencies.redact);
  const { id, name } = block;
  return skippedCall({ id, tool: { name } }, shown, turn.state.agent.id, { do: "skip", reason });
}

/** The result, as the guardrails of words leave it: it is what people will read. */
async function finish(turn: Turn, open: OpenReply, block: ToolUseBlock, output: unknown, run: Run): Promise<Turn> {
  const guarded = await guardOutput(output, turn.state.agent.id, run);
  const guardedTurn = change(turn, {}, ...guarded.events);
  if (guarded.is === "refused") {
    const shown = describeInput(block.input, run.dependencies.redact);
    const { id, name } = block;
    const refused = refusedCall({ id, tool: { name } }, shown, turn.state.agent.id, "guardrail", guarded.reason);
    return add(guardedTurn, open, [block], [guarded.end ? { ...refused, end: guarded.end } : refused]);
  }
  const end = { reason: "completed" as const, message: "The agent handed in its result.", output: guarded.output };
  const result = { type: "tool_result" as const, toolUseId: block.id, content: "Taken.", isError: false };
  return change(guardedTurn, {
    standing: { is: "acting", open: { ...open, results: [...open.results, result], end } },
  });
}

function suspend(turn: Turn, open: OpenReply, wait: Wait, { dependencies }: Run): Turn {
  const agentId = turn.state.agent.id;
  const { approved: _used, ...rest } = open;
  const standing = { is: "waiting" as const, wait, open: rest };
  if (wait.for !== "approval") return change(turn, { standing });
  const { callId, tool, reason } = wait;
  const input = describeInput(wait.input, dependencies.redact);
  return change(
    turn,
    { standing },
    { type: "tool.approval_requested", payload: { agentId, callId, tool, input, reason } },
  );
}

/** Adds the results of the first calls that had none. */
function add(turn: Turn, open: OpenReply, calls: readonly ToolUseBlock[], done: readonly CarriedOut[]): Turn {
  const results = done.map(({ text, isError, images }, index) => ({
    type: "tool_result" as const,
    toolUseId: calls[index]!.id,
    content: text,
    isError,
    ...defined({ images: images && [...images] }),
  }));
  const end = open.end ?? done.find((each) => each.end)?.end;
  const next: OpenReply = {
    ...open,
    results: [...open.results, ...results],
    step: { ...open.step, calls: [...open.step.calls, ...done.map(({ report }) => report)] },
    ...defined({ end }),
  };
  return change(turn, { standing: { is: "acting", open: next } }, ...done.flatMap(({ events }) => events));
}
