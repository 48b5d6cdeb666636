import { posix } from "node:path";
import { yieldsOfText } from "./environment.ts";
import { findInjection } from "./injection.ts";
import { givenTo, span, type Text, textAt } from "./nodes.ts";
import { isUntrusted, pathText } from "./untrusted.ts";
import type { NamedValue } from "./values.ts";
import { readWorkflow, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";
import { ACTION, type BesideWorkflow } from "./workflow-files.ts";

/** A call of a workflow or an action of the same repository that hands over what strangers choose. */
interface LocalCall {
  /** As it is written, without `./`. */
  readonly called: string;
  readonly given: readonly { readonly text: Text; readonly value: NamedValue }[];
}

/** So many calls of one file are followed. Each means that another file is read. */
const MOST_FOLLOWED = 20;

/** Readers of how workflows and actions of one repository call each other. */
export interface Calls {
  /** What those that call this file hand over to it, where strangers choose it. */
  inputsOf(path: string): NamedValue[];
  /** Values that a file hands over to an unchanged one, which makes them part of a script. */
  dangersOf(document: WorkflowDocument): WorkflowDanger[];
}

export function createCalls(beside: readonly BesideWorkflow[]): Calls {
  const byName = new Map(beside.map((one) => [calledAs(one.path), one]));
  let calls: LocalCall[] | undefined;
  const all = () => {
    calls ??= beside.flatMap(({ text }) => {
      const document = text.includes("./") ? readWorkflow(text) : undefined;
      return document === undefined || isOfPush(document) ? [] : localCalls(document);
    });
    return calls;
  };
  return {
    inputsOf: (path) => {
      const calling = all().filter(({ called }) => called === calledAs(path));
      const values = calling.flatMap(({ given }) => given.map(({ value }) => value));
      const byInput = Map.groupBy(values, ([[, name = ""]]) => name);
      return [...byInput].map(([name, each]) => [["inputs", name], each.flatMap(([, yields]) => yields)]);
    },
    dangersOf: (document) =>
      localCalls(document)
        .slice(0, MOST_FOLLOWED)
        .flatMap((call) => {
          const target = byName.get(call.called);
          // Of a changed file it is said there.
          return target === undefined || target.changed ? [] : dangersBy(call, target, document);
        }),
  };
}

/** People with push may change the workflow as well. */
function isOfPush({ events }: WorkflowDocument): boolean {
  return events.size === 1 && events.has("push");
}

/** Said where the values are handed over, and weighed by the events of that file. */
function dangersBy({ given }: LocalCall, target: BesideWorkflow, caller: WorkflowDocument): WorkflowDanger[] {
  const read = readWorkflow(
    target.text,
    given.map(({ value }) => value),
  );
  if (read === undefined) return [];
  const found = read.jobs
    .flatMap(({ steps }) => steps)
    .flatMap((step) => findInjection(step, { ...read, events: caller.events }))
    .filter(({ rule, severity }) => rule === "script-injection" && severity !== "info");
  return given.flatMap(({ text, value: [[, name], yields] }): WorkflowDanger[] => {
    const chosen = yields.map(pathText).find((path) => found.some(({ message }) => message.includes(`\`${path}\``)));
    const [danger] = found;
    if (chosen === undefined || danger === undefined) return [];
    const message = `\`${chosen}\` becomes part of a script in \`${target.path}\`, as its input \`${name}\`.`;
    return [{ ...danger, ...span(text), message }];
  });
}

/** An action is named by its folder, a workflow by its file. */
function calledAs(path: string): string {
  return ACTION.test(path) ? posix.dirname(path) : path;
}

function localCalls({ jobs }: WorkflowDocument): LocalCall[] {
  return jobs.flatMap((job) =>
    [job, ...job.steps].flatMap(({ node, values }) => {
      const uses = textAt(node, "uses")?.value;
      if (!uses?.startsWith("./")) return [];
      const given = [...givenTo(node)].flatMap(([name, text]) => {
        const yields = yieldsOfText(text.value, values).filter(isUntrusted);
        return yields.length === 0 ? [] : [{ text, value: [["inputs", name], yields] as const }];
      });
      return given.length === 0 ? [] : [{ called: posix.normalize(uses).replace(/\/$/, ""), given }];
    }),
  );
}
