import { shortenBlanks } from "../short-blanks.ts";
import { type Environment, expressionsIn, type Yielded, yieldsOf } from "./expressions.ts";
import { isHead, isUntrusted, pathText } from "./untrusted.ts";
import {
  entries,
  mapAt,
  narrow,
  type Step,
  span,
  type Text,
  type TextRange,
  textAt,
  textOf,
  type WorkflowDanger,
  type WorkflowDocument,
} from "./workflow-document.ts";

const DOWNLOAD_AND_RUN =
  /\b(?:curl|wget)\b[^\n|;&]{0,500}\|\s{0,9}(?:sudo\s{1,9}(?:-\S{1,60}\s{1,9}){0,9})?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da)?sh\s{1,9}(?:-c\s{1,9})?["']?(?:<\(|\$\()\s{0,9}(?:curl|wget)\b|\b(?:curl|wget)\b[^\n|;&]{0,500}\|\s{0,9}(?:sudo\s{1,9})?(?:python3?|node|perl|ruby)\b/;

const CHECKOUT = /^actions\/checkout@/i;

export function findHeadCheckout(
  { uses, run, node, environment }: Step,
  privileged: readonly string[],
  document: WorkflowDocument,
): WorkflowDanger[] {
  const event = privileged.find((name) => name !== "issues" && !name.startsWith("discussion"));
  if (event === undefined) return [];
  const danger = (place: TextRange): WorkflowDanger => ({
    rule: "privileged-head-checkout",
    severity: "critical",
    confidence: event === "issue_comment" ? 0.72 : 0.88,
    ...span(place),
    message: `A workflow started by \`${event}\` checks out the code of the pull request.`,
    why: "Such a run has the repository's secrets and a writing token: whatever of that code is run, a build script suffices, gets them. Use `pull_request`, or keep the two apart.",
  });
  if (uses !== undefined && CHECKOUT.test(uses.value)) {
    const given = mapAt(node, "with");
    const reference = given && (textAt(given, "ref") ?? textAt(given, "repository"));
    const values = given ? entries(given).filter(([key]) => key === "ref" || key === "repository") : [];
    const fromHead = values
      .map(([, value]) => textOf(value))
      .find((text) => text && leadsToHead(text.value, environment));
    return reference && fromHead ? [danger(fromHead)] : [];
  }
  if (run === undefined) return [];
  const match = FETCH_HEAD.exec(shortenBlanks(run.value));
  return match ? [danger(narrow(document, run, match[0]))] : [];
}

/** A reference or a repository from the pull request: written out, or by an expression. */
function leadsToHead(value: string, environment: Environment): boolean {
  const expressions = expressionsIn(value);
  return value.includes("refs/pull/") || expressions.some((one) => yieldsOf(one, environment).some(isHead));
}

const FETCH_HEAD =
  /\bgh\s{1,9}pr\s{1,9}checkout\b|\bgit\s{1,9}(?:fetch|checkout|pull|switch)\b[^\n]{0,300}?(?:refs\/pull\/|pull\/[^\n]{0,100}?\/(?:head|merge)|head[._](?:ref|sha)|HEAD_REF|HEAD_SHA)/i;

export function findInjection({ uses, run, node, environment }: Step, document: WorkflowDocument): WorkflowDanger[] {
  const given = mapAt(node, "with");
  const script = uses && /^actions\/github-script@/i.test(uses.value) && given ? textAt(given, "script") : undefined;
  const text = run ?? script;
  if (text === undefined) return [];
  const expressions = expressionsIn(text.value).map((expression) => ({
    expression,
    yields: yieldsOf(expression, environment),
  }));
  const chosen = expressions.find(({ yields }) => yields.some(isUntrusted));
  const untrusted = chosen?.yields.find(isUntrusted);
  const expression = (chosen ?? expressions.find(({ yields }) => yields.some((one) => isTextInput(one, document))))
    ?.expression;
  if (expression === undefined) return [];
  // People with push may change the workflow as well.
  const fromPush = document.events.size === 1 && document.events.has("push");
  return [
    {
      rule: "script-injection",
      severity: untrusted === undefined ? "info" : fromPush ? "warning" : "error",
      confidence: untrusted === undefined ? 0.5 : 0.88,
      ...narrow(document, text, expression),
      message:
        untrusted === undefined
          ? `An input of the ${document.events.size === 0 ? "action" : "workflow"} becomes part of a script before the shell reads it.`
          : `\`${pathText(untrusted)}\` becomes part of a script before it is read.`,
      why: "A person who chooses that text can put commands into it, which run with the token and secrets of the job: hand it over in `env` and use the variable, in quotes.",
    },
  ];
}

/** An input that can be any text. Its caller may have taken it from anywhere. */
function isTextInput({ path: [context, name = "*"], whole }: Yielded, { textInputs }: WorkflowDocument): boolean {
  if (context !== "inputs" || textInputs.size === 0) return false;
  return name === "*" ? whole : textInputs.has("*") || textInputs.has(name);
}

export function findDownloadAndRun({ run }: Step, document: WorkflowDocument): WorkflowDanger[] {
  const match = run && DOWNLOAD_AND_RUN.exec(shortenBlanks(run.value));
  if (!match) return [];
  return [
    {
      rule: "download-and-run",
      severity: "warning",
      confidence: 0.72,
      ...narrow(document, run, match[0]),
      message: "A script is downloaded and run in one go.",
      why: "Whoever controls that address, or the way to it, runs commands in this job: pin a version and compare its checksum.",
    },
  ];
}

export function findUnpinned(uses: Text | undefined): WorkflowDanger[] {
  if (uses === undefined || uses.value.startsWith("./") || uses.value.startsWith("docker://")) return [];
  const [, name = "", reference = ""] = /^([^@]+)@(.+)$/.exec(uses.value) ?? [];
  if (name === "" || /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(reference)) return [];
  const official = /^(?:actions|github)\//i.test(name);
  const branch = /^(?:main|master|develop|trunk|HEAD|latest)$/.test(reference);
  return [
    {
      rule: "unpinned-action",
      severity: official || !branch ? "info" : "warning",
      confidence: branch ? 0.8 : 0.7,
      ...span(uses),
      message: `\`${name}\` is used by ${branch ? "branch" : "tag"} (\`${reference}\`) and not by commit.`,
      why: "Whoever can move it changes what runs here, with the job's token and secrets: use the full SHA and name the version in a comment.",
    },
  ];
}
