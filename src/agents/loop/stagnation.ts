import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import { defined } from "../../domain/defined.ts";
import type { Message, ToolResultBlock, ToolUseBlock } from "../../llm/ports.ts";
import type { LoopState, OpenReply } from "./loop-state.ts";
import { callsOf } from "./reply.ts";

type Stagnation = LoopState["stagnation"];

export interface Stuck {
  readonly pattern: "same_messages" | "same_failure";
  readonly times: number;
}

const REMEMBERED_FAILURES = 20;
const LAST_MESSAGES = 3;

/** Repetition up to this step, and whether it is too much (LOOP-11). @param limit so often the same is too much */
export function watchForCircles(
  before: Stagnation,
  messages: readonly Message[],
  open: OpenReply,
  limit: number,
): { readonly stagnation: Stagnation; readonly stuck?: Stuck; readonly freshFailure: boolean } {
  const hash = hashMessages(messages.slice(-LAST_MESSAGES));
  const repeats = hash === before.hash ? before.repeats + 1 : 1;
  const failed = failureKeys(callsOf(open.content), open.results);
  const failures = failed.reduce(countFailure, before.failures);
  const most = Math.max(0, ...failures.filter(({ key }) => failed.includes(key)).map(({ count }) => count));
  const stuck: Stuck | undefined =
    most >= limit
      ? { pattern: "same_failure", times: most }
      : repeats >= limit
        ? { pattern: "same_messages", times: repeats }
        : undefined;
  const known = before.failures.map(({ key }) => key);
  return {
    stagnation: { hash, repeats, failures },
    freshFailure: failed.some((key) => !known.includes(key)),
    ...defined({ stuck }),
  };
}

/** Equal for messages that say and do the same, whatever ids their calls have. */
function hashMessages(messages: readonly Message[]): string {
  const told = messages.map(({ role, content }) => [
    role,
    content.map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "thinking") return "";
      if (block.type === "tool_use") return [block.name, block.unparsed ?? block.input];
      return [block.isError, block.content];
    }),
  ]);
  return digest(canonicalJson(told));
}

function failureKeys(calls: readonly ToolUseBlock[], results: readonly ToolResultBlock[]): string[] {
  const keys = calls.flatMap(({ name, input, unparsed }, index) => {
    const result = results[index];
    return result?.isError ? [digest(canonicalJson([name, unparsed ?? input, result.content]))] : [];
  });
  return [...new Set(keys)];
}

function countFailure(failures: Stagnation["failures"], key: string): Stagnation["failures"] {
  const count = (failures.find((each) => each.key === key)?.count ?? 0) + 1;
  return [...failures.filter((each) => each.key !== key), { key, count }].slice(-REMEMBERED_FAILURES);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
