import { isMap, isScalar, type YAMLMap } from "yaml";
import { entries, givenTo, mapAt, type Text, textAt, textOf } from "./nodes.ts";
import type { Step } from "./read-jobs.ts";

/** A text that is run as it is, or that says what is run. */
export interface CodePlace {
  readonly text: Text;
  readonly is: "script" | "shell" | "image" | "options";
}

/** Inputs of actions of others that are run as a script. */
const SCRIPT_INPUTS: readonly (readonly [action: RegExp, input: string])[] = [
  [/^actions\/github-script@/i, "script"],
  [/^azure\/(?:cli|powershell)@/i, "inlinescript"],
  [/^(?:nick-fields|nick-invision)\/retry@/i, "command"],
  [/^appleboy\/ssh-action@/i, "script"],
  [/^addnab\/docker-run-action@/i, "run"],
  [/^reactivecircus\/android-emulator-runner@/i, "script"],
  [/^(?:vmactions\/\S{1,99}|cross-platform-actions\/action)@/i, "run"],
];

export function codeOf({ run, uses, node }: Step): CodePlace[] {
  const given = uses === undefined ? undefined : givenTo(node);
  const inputs = SCRIPT_INPUTS.flatMap(([action, input]) =>
    uses !== undefined && action.test(uses.value) ? (given?.get(input) ?? []) : [],
  );
  const scripts = [...(run === undefined ? [] : [run]), ...inputs].map((text): CodePlace => ({ text, is: "script" }));
  const shell = textAt(node, "shell");
  return shell === undefined ? scripts : [...scripts, { text: shell, is: "shell" }];
}

/** The same of a job, or of what a workflow says for all its jobs. */
export function codeOfJob(node: YAMLMap): CodePlace[] {
  const defaults = mapAt(node, "defaults");
  const run = defaults && mapAt(defaults, "run");
  const shell = run && textAt(run, "shell");
  const services = mapAt(node, "services");
  const containers = [node.get("container", true), ...(services ? entries(services).map(([, each]) => each) : [])];
  return [
    ...(shell ? [{ text: shell, is: "shell" } as const] : []),
    ...containers.flatMap((container): CodePlace[] => {
      const image = textOf(
        isScalar(container) ? container : isMap(container) ? container.get("image", true) : undefined,
      );
      const options = isMap(container) ? textAt(container, "options") : undefined;
      return [
        // Behind a name that is written out only the version is chosen, among those of that image.
        ...(image?.value.trimStart().startsWith("${{") ? [{ text: image, is: "image" } as const] : []),
        ...(options ? [{ text: options, is: "options" } as const] : []),
      ];
    }),
  ];
}
