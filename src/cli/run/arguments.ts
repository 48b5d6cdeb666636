import { RUN_LIMITS, type RunLimit } from "../../domain/command-arguments.ts";
import { defined } from "../../domain/defined.ts";
import { UsageError } from "../dispatch.ts";
import { parseOptions } from "../parse-options.ts";

/** Arguments of `forge run`. */
export interface RunArguments {
  readonly repo: string;
  /** The task, or what is to be different when a run is resumed. */
  readonly text?: string;
  /** File with the task. */
  readonly issue?: string;
  readonly base?: string;
  readonly number?: number;
  readonly planOnly: boolean;
  readonly yes: boolean;
  /** Read answers from standard input although that is no terminal. */
  readonly ask: boolean;
  /** Beginning of the id of a run, or `last`. */
  readonly resume?: string;
  readonly extend?: { readonly limit: RunLimit; readonly amount: number };
  readonly data?: string;
  readonly report?: string;
  readonly record?: string;
  /** Print what agents think and what their tools print. */
  readonly verbose: boolean;
}

const OPTIONS = {
  repo: { type: "string", default: "." },
  issue: { type: "string" },
  base: { type: "string" },
  number: { type: "string" },
  plan: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  ask: { type: "boolean", default: false },
  resume: { type: "string" },
  extend: { type: "string" },
  data: { type: "string" },
  report: { type: "string" },
  record: { type: "string" },
  verbose: { type: "boolean", default: false },
} as const;

/** @throws UsageError */
export function readRunArguments(args: readonly string[]): RunArguments {
  const { values, positionals } = parseOptions(args, { allowPositionals: true, options: OPTIONS });
  const { issue, base, resume, data, report, record, plan, yes, ask, verbose } = values;
  if (positionals.length > 1) throw new UsageError('run takes one task: put it in quotes, "like this"');
  const [text] = positionals;
  if (text !== undefined && issue !== undefined)
    throw new UsageError("the task is given as text or by --issue, not both");
  if (text?.trim() === "") throw new UsageError("the task is empty");
  if (resume === undefined && text === undefined && issue === undefined) {
    throw new UsageError("run takes a task, --issue <file> or --resume <run>");
  }
  if (resume !== undefined && (issue ?? base ?? values.number) !== undefined) {
    throw new UsageError("--resume goes on with a run as it was begun: --issue, --base and --number do not go with it");
  }
  if (values.extend !== undefined && resume === undefined) throw new UsageError("--extend goes with --resume");
  return {
    ...{ repo: values.repo, planOnly: plan, yes, ask, verbose },
    ...defined({ text, issue, base }),
    ...(values.number === undefined ? {} : { number: readNumber(values.number) }),
    ...defined({ resume }),
    ...(values.extend === undefined ? {} : { extend: readExtension(values.extend) }),
    ...defined({ data, report, record }),
  };
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--number is a number from 1 on, not ${JSON.stringify(text)}`);
  return Number(text);
}

function readExtension(text: string): NonNullable<RunArguments["extend"]> {
  const [name, amount] = text.split("=");
  const limit = RUN_LIMITS.find((it) => it === name);
  if (!limit || !(Number(amount) > 0)) {
    throw new UsageError(`--extend is usd=<n>, iterations=<n> or minutes=<n>, not ${JSON.stringify(text)}`);
  }
  return { limit, amount: Number(amount) };
}
