import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { PlannedStep, StepOutcome } from "../domain/deployments.ts";
import { ForgeError } from "../domain/errors.ts";
import type { Redact } from "../safety/redact.ts";
import { redactBeginning } from "../safety/redact-beginning.ts";
import { runProgram } from "./run-program.ts";

/** Looking is quick; deploying may take as long as an installation does. Milliseconds. */
const TIME_MS = { look: 60_000, deploy: 30 * 60_000 } as const;
const OUTPUT_BYTES = 64 * 1024;
const DETAIL = 200;

/** What the program writes to its standard output, as one line of JSON. */
const Said = z.object({
  state: z.enum(["absent", "running", "done", "failed"]),
  detail: z.string().optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
});

const IS = { absent: "waiting", running: "running", done: "done", failed: "failed" } as const;

/**
 * The operator's program that deploys (DEP-2): it gets one line of JSON, with `action` ("look" or "deploy") and the step, whose marker names it
 * for good; it says `{"state": "absent" | "running" | "done" | "failed"}`. It runs on the worker with its network, and of the environment gets
 * the variables that begin with `DEPLOY_` alone: no secret of Forge.
 */
export function createDeployProgram(
  command: string,
  redact: Redact,
  variables: Readonly<Record<string, string | undefined>>,
) {
  const env = Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith("DEPLOY_"))) as Record<
    string,
    string
  >;
  return async (
    action: "look" | "deploy",
    step: PlannedStep & { readonly repository: string },
    signal: AbortSignal,
  ): Promise<StepOutcome> => {
    const limits = { timeoutMs: TIME_MS[action], maxOutputBytes: OUTPUT_BYTES };
    const ended = await runProgram({
      command,
      args: [],
      input: `${JSON.stringify({ action, ...step })}\n`,
      env,
      ...limits,
      signal,
    });
    signal.throwIfAborted();
    const clean = (text: string) => redactBeginning(text, redact).replace(/\s+/g, " ").trim().slice(0, DETAIL);
    if (!ended.ok) {
      const why = ended.timedOut
        ? "it took too long"
        : clean(ended.stderr.toString("utf8")) || `it ended with ${ended.code}`;
      // What looking could not tell is not known: nothing is deployed on a guess.
      if (action === "look")
        throw new ForgeError("deploy_program", `The program that deploys could not look: ${why}.`, {
          source: "resource",
        });
      return { is: "failed", detail: why };
    }
    const said = Said.safeParse(parsed(ended.stdout.toString("utf8")));
    if (!said.success) {
      throw new ForgeError(
        "deploy_program",
        "The program that deploys did not answer with one line of JSON as it should.",
        { source: "validation" },
      );
    }
    const { state, detail, url } = said.data;
    return { is: IS[state], ...defined({ url, detail: detail === undefined ? undefined : clean(detail) }) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
