import type { IssueSnapshot } from "../../domain/implementation.ts";
import { atLeast } from "../../safety/permissions.ts";
import type { Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { showText } from "../../tools/data/show-text.ts";
import { promptInjection } from "../guardrails/prompt-injection.ts";

type Said = IssueSnapshot["body"];

/** Characters of the issue's own text, of one comment, and of all comments together: about 13,000 tokens at most. */
const BODY_CHARACTERS = 20_000;
const COMMENT_CHARACTERS = 6_000;
const COMMENTS_CHARACTERS = 30_000;

/**
 * An issue as a model reads it (PLAN-1, SEC-5): each text by itself between marks, with who wrote it and whether they may push. Of a long
 * conversation the newest comments are kept, as they correct the older ones.
 */
export function issueSections(number: number, issue: IssueSnapshot, redact: Redact): string[] {
  const { title, body, labels, comments, leftOut } = issue;
  const texts: string[] = [];
  let room = COMMENTS_CHARACTERS;
  for (const [at, comment] of [...comments.entries()].reverse()) {
    const text = show(`comment ${at + 1}`, comment, comment.text, COMMENT_CHARACTERS, redact);
    room -= text.length;
    if (room < 0) break;
    texts.unshift(text);
  }
  const missing = comments.length - texts.length + leftOut.comments;
  const titled = `title: ${title}\nlabels: ${labels.join(", ") || "none"}\n\n${body.text}`;
  return [
    `The issue, as it stood when the work was asked for:\n${show(`issue ${number}`, body, titled, BODY_CHARACTERS, redact)}`,
    ...(missing > 0 ? [`${counted(missing, "older comment")} left out.`] : []),
    ...(leftOut.characters > 0 ? [`${counted(leftOut.characters, "character")} cut off.`] : []),
    ...(texts.length === 0 ? [] : [`What was said about it, oldest first:\n${texts.join("\n")}`]),
  ];
}

function show(what: string, { by, role, at }: Said, text: string, maxCharacters: number, redact: Redact): string {
  const trusted = atLeast(role, "write");
  const who = `${by.login}${by.kind === "bot" ? ", a bot" : ""}`;
  const rights = trusted ? `may push (${role})` : `UNTRUSTED, may not push (${role})`;
  const from = visibleText(`${what} of ${who}, ${rights}, ${at.slice(0, 10)}`);
  const shown = showText({ from, text, prose: true, maxCharacters }, redact);
  const verdict = promptInjection.check({ stage: "tool_output", text });
  return verdict.pass || trusted ? shown : `[Careful: ${verdict.reason}]\n${shown}`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? " was" : "s were"}`;
}
