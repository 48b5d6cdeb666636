import type { GateRequest } from "../../domain/gates.ts";
import type { CheckName } from "../../domain/phases.ts";
import { moment } from "./status-text.ts";
import { shortSha } from "./wording.ts";
import { gateName } from "./work-gate-text.ts";

/** What a check says before the work on its head begins. */
export function queuedOutput(headSha: string, check: CheckName): { title: string; summary: string } {
  if (check === "forge/tests") {
    return {
      title: "Queued",
      summary: `The tests of \`${shortSha(headSha)}\` are run after its review. Nothing to do.`,
    };
  }
  return { title: "Queued", summary: `The review of \`${shortSha(headSha)}\` begins in a moment. Nothing to do.` };
}

/** What a check says while its head is looked at. */
export function startedOutput(headSha: string, check: CheckName): { title: string; summary: string } {
  if (check === "forge/tests") {
    return {
      title: "Testing",
      summary: `The tests that the change at \`${shortSha(headSha)}\` affects are run. Nothing to do.`,
    };
  }
  return { title: "Reviewing", summary: `\`${shortSha(headSha)}\` is being reviewed. Nothing to do.` };
}

/** What a check says while the model's provider wants to be left alone. */
export function parkedOutput(headSha: string, until: string): { title: string; summary: string } {
  const summary = `The review of \`${shortSha(headSha)}\` goes on at ${moment(until)}: the model's provider limits requests until then. Nothing to do.`;
  return { title: `Waiting for the model until ${moment(until)}`, summary };
}

/** What a check says while a person is waited for. */
export function waitingOutput({ gate, question, headSha, deadline }: GateRequest): { title: string; summary: string } {
  const what = gateName(question);
  const answers = `\`/forge approve ${gate}\` or \`/forge reject ${gate}\``;
  const until = `until ${moment(deadline)}; then the review goes on without it`;
  return {
    title: `Waiting for ${what} (${gate})`,
    summary: `The review of \`${shortSha(headSha)}\` waits for ${what}: ${answers}, ${until}. What is asked stands in the conversation.`,
  };
}
