import { type CodePlace, codeOf } from "./code-places.ts";
import { expressionsIn, yieldsOf } from "./expressions.ts";
import { canHoldLines, type Step } from "./read-jobs.ts";
import { isUntrusted, pathText } from "./untrusted.ts";
import type { Values, Yielded } from "./values.ts";
import { narrow, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";

/** What strangers choose and a step runs, or hands on to later steps by a way that takes more than a value. */
export function findInjection(step: Step, document: WorkflowDocument): WorkflowDanger[] {
  return [
    ...codeOf(step).flatMap((place) => findInjectionIn(place, step.values, document)),
    ...findWrites(step, document),
  ];
}

export function findInjectionIn({ text, is }: CodePlace, values: Values, document: WorkflowDocument): WorkflowDanger[] {
  const expressions = expressionsIn(text.value).map((expression) => ({
    expression,
    yields: yieldsOf(expression, values),
  }));
  const chosen = expressions.find(({ yields }) => yields.some(isUntrusted));
  const untrusted = chosen?.yields.find(isUntrusted);
  const byInput = () => expressions.find(({ yields }) => yields.some((one) => isTextInput(one, document)));
  const expression = (chosen ?? (is === "script" ? byInput() : undefined))?.expression;
  if (expression === undefined) return [];
  return [
    {
      rule: "script-injection",
      severity: untrusted === undefined ? "info" : weight(document),
      confidence: untrusted === undefined ? 0.5 : 0.88,
      ...narrow(document, text, expression),
      message:
        untrusted === undefined
          ? `An input of the ${document.events.size === 0 ? "action" : "workflow"} becomes part of a script before the shell reads it.`
          : `\`${pathText(untrusted)}\` ${SAYS[is].what}`,
      why: SAYS[is].why,
    },
  ];
}

const SAYS = {
  script: {
    what: "becomes part of a script before it is read.",
    why: "A person who chooses that text can put commands into it, which run with the token and secrets of the job: hand it over in `env` and use the variable, in quotes.",
  },
  shell: {
    what: "becomes part of the command that runs the script.",
    why: "A person who chooses that text can put a command into it, which runs with the token and secrets of the job: choose among fixed shells.",
  },
  image: {
    what: "chooses the image in which the job runs.",
    why: "A person who chooses that text can name an image of their own, which gets the token and secrets of the job: choose among fixed images.",
  },
  options: {
    what: "becomes part of the options of a container.",
    why: "A person who chooses that text can add options that open the machine to the container, such as a mount of its disk: use fixed options.",
  },
} as const;

/** People with push may change the workflow as well. */
function weight({ events }: WorkflowDocument): "warning" | "error" {
  return events.size === 1 && events.has("push") ? "warning" : "error";
}

/** An input that can be any text. Its caller may have taken it from anywhere. */
function isTextInput({ path: [context, name = "*"], whole }: Yielded, { textInputs }: WorkflowDocument): boolean {
  if (context !== "inputs" || textInputs.size === 0) return false;
  return name === "*" ? whole : textInputs.has("*") || textInputs.has(name);
}

/** A line break in a value that is written to `GITHUB_ENV` begins another variable, and `PATH` says which programs run. */
function findWrites({ run, writes }: Step, document: WorkflowDocument): WorkflowDanger[] {
  if (run === undefined) return [];
  return writes.flatMap((write): WorkflowDanger[] => {
    const { file, yields, between, line } = write;
    const untrusted = yields.find(isUntrusted);
    const sets = file === "PATH" || (file === "ENV" && between !== "random" && canHoldLines(write));
    if (untrusted === undefined || !sets) return [];
    return [
      {
        rule: "environment-injection",
        // A mark that is written out stops most texts, and not one that was written for it.
        severity: between === "fixed" ? "warning" : weight(document),
        confidence: 0.85,
        ...narrow(document, run, line.trim()),
        message: `\`${pathText(untrusted)}\` is written to \`GITHUB_${file}\` as it is.`,
        why:
          file === "PATH"
            ? "A person who chooses that text chooses the folder from which later steps take their programs: add only fixed folders."
            : "A text with several lines sets further variables, such as `NODE_OPTIONS`, which make later steps run commands: hand it over in `env`, or put it between two lines with a random mark.",
      },
    ];
  });
}
