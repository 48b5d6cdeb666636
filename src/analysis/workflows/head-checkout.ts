import { shortenBlanks } from "../short-blanks.ts";
import { expressionsIn, yieldsOf } from "./expressions.ts";
import { givenTo, mapAt, span, type Text, type TextRange, textAt } from "./nodes.ts";
import type { Step } from "./read-jobs.ts";
import { isHead } from "./untrusted.ts";
import { type Values, variableKey } from "./values.ts";
import { narrow, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";

const CHECKOUT = /^actions\/checkout@/i;

/** A run with the rights of the repository that takes the code of a pull request. */
export function findHeadCheckout(
  step: Step,
  privileged: readonly string[],
  document: WorkflowDocument,
): WorkflowDanger[] {
  const event = privileged.find((name) => name !== "issues" && !name.startsWith("discussion"));
  if (event === undefined) return [];
  const place = headPlace(step, document);
  if (place === undefined) return [];
  return [
    {
      rule: "privileged-head-checkout",
      severity: "critical",
      confidence: event === "issue_comment" ? 0.72 : 0.88,
      ...span(place),
      message: `A workflow started by \`${event}\` checks out the code of the pull request.`,
      why: "Such a run has the repository's secrets and a writing token: whatever of that code is run, a build script suffices, gets them. Use `pull_request`, or keep the two apart.",
    },
  ];
}

function headPlace({ uses, run, node, values }: Step, document: WorkflowDocument): TextRange | undefined {
  if (uses !== undefined && CHECKOUT.test(uses.value)) {
    const given = givenTo(node);
    return [given.get("ref"), given.get("repository")].find((text) => text && leadsToHead(text.value, values));
  }
  if (run === undefined) return undefined;
  const command = headCommand(run, values, (name) => {
    const own = mapAt(node, "env");
    const value = own && textAt(own, name);
    return value !== undefined && !leadsToHead(value.value, values);
  });
  return command === undefined ? undefined : narrow(document, run, command);
}

/** A reference or a repository from the pull request: written out, or by an expression. */
function leadsToHead(value: string, values: Values): boolean {
  const expressions = expressionsIn(value);
  return value.includes("refs/pull/") || expressions.some((one) => yieldsOf(one, values).some(isHead));
}

const FETCH_HEAD =
  /\bgh\s{1,9}pr\s{1,9}checkout\b|\bgit\s{1,9}(?:fetch|checkout|pull|switch)\b[^\n]{0,300}?(?:refs\/pull\/|pull\/[^\n]{0,100}?\/(?:head|merge)|head\.(?:ref|sha)|(head_(?:ref|sha)))/i;

/** Brings files of a commit into the folder, unless only some are named behind `--`. */
const TAKES =
  /\bgit\s{1,9}(?:-[cC]\s{1,9}\S{1,99}\s{1,9})?(?:checkout|switch|reset|merge|pull|rebase|cherry-pick|worktree|clone)\b/;
const FETCHES = /\bgit\s{1,9}(?:-[cC]\s{1,9}\S{1,99}\s{1,9})?fetch\b/;
const VARIABLE = /\$\{(?:env:)?(\w{1,99})\}|\$(?:env:)?(\w{1,99})/gi;

/** @param isOther whether a variable is set to what is not of the pull request */
function headCommand({ value }: Text, values: Values, isOther: (name: string) => boolean): string | undefined {
  const text = shortenBlanks(value);
  const match = FETCH_HEAD.exec(text);
  if (match && !(match[1] !== undefined && isOther(nameBefore(text, match.index + match[0].length)))) return match[0];
  const commands = withMarks(text, values)
    .split(/[\n;&|]/)
    .filter((command) => !command.trimStart().startsWith("#"));
  const withHead = commands.filter(
    (command) =>
      (TAKES.test(command) || FETCHES.test(command)) && !/\s--\s/.test(command) && namesHead(command, values),
  );
  const taken = withHead.find((command) => TAKES.test(command));
  const isTaken = commands.some((command) => TAKES.test(command) && /\bFETCH_HEAD\b/.test(command));
  return (taken ?? (isTaken ? withHead[0] : undefined))?.trim();
}

const HEAD = "\0head";

/** The text with a mark in place of each expression that leads to the head, as an expression can contain what ends a command. */
function withMarks(text: string, values: Values): string {
  let marked = "";
  let from = 0;
  for (const expression of expressionsIn(text)) {
    const at = text.indexOf(expression, from);
    marked += text.slice(from, at) + (yieldsOf(expression, values).some(isHead) ? HEAD : "");
    from = at + expression.length;
  }
  return marked + text.slice(from);
}

/** The whole name that ends there, such as `PR_HEAD_SHA`. */
function nameBefore(text: string, end: number): string {
  const words = text.slice(Math.max(0, end - 99), end).split(/\W/);
  return words.at(-1) ?? "";
}

function namesHead(command: string, values: Values): boolean {
  if (command.includes(HEAD)) return true;
  const variables = [...command.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain ?? "");
  return variables.some((name) => values.get(variableKey(name))?.some(isHead));
}
