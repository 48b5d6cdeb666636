import { shortSha } from "./wording.ts";

/** What a check says before the work on its head begins. */
export function queuedOutput(headSha: string): { title: string; summary: string } {
  return { title: "Queued", summary: `The review of \`${shortSha(headSha)}\` begins in a moment. Nothing to do.` };
}

/** What a check says while its head is looked at. */
export function startedOutput(headSha: string): { title: string; summary: string } {
  return { title: "Reviewing", summary: `\`${shortSha(headSha)}\` is being reviewed. Nothing to do.` };
}
