import { RUN_LIMITS, type RunLimit } from "../../domain/command-arguments.ts";
import { defined } from "../../domain/defined.ts";
import { parseOptions, RUN_USAGE, UsageError } from "../dispatch.ts";

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
}

export const RUN_HELP = `forge ${RUN_USAGE}

Plans the task, writes it, reviews and tests it, as on GitHub, and leaves a branch forge/<number>-<title> in the
checkout. Your files, your index and what you have not committed are not touched; it begins at the commit that is
checked out. Models are set up by the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or
OPENAI_BASE_URL for any endpoint of the same interface, and FORGE_MODEL (see .env.example).

  --repo <folder>      a folder of a git checkout; the present one
  --issue <file>       read the task from a file (- for standard input): its first line is the title
  --base <ref>         begin at this branch, tag or commit
  --number <n>         number of the branch, for example of the issue; the next free one
  --plan               make the plan only
  --yes                answer for you: yes to plans of low and medium risk and to money, both up to confirm_over_usd of
                       .github/forge.yml; never to high or critical risk, questions, failing tests or findings
  --ask                read answers from standard input although it is no terminal
  --resume <run|last>  go on with a run; a task beside it is said to whoever works next
  --extend <limit>=<n> raise a limit of that run first: usd, iterations or minutes
  --report <file>      write what was planned, done, found, tested, asked and spent, step by step, as JSON
  --record <file>      write every reply of the models, so that forge replay --recording has the run again without them
  --data <folder>      where runs are kept; $FORGE_DATA, else forge in $XDG_STATE_HOME or ~/.local/state

Questions, plans and other gates are asked on the terminal. Without one, and without --yes, the run waits: it ends with
code 2 and says how to go on. Ctrl-C stops after the step in flight and keeps everything, twice cuts that step off.

Exit codes: 0 done, 1 failed or stopped, 2 waits for a person, 64 wrong usage, 130 interrupted.
`;

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
  help: { type: "boolean", default: false },
} as const;

/** @throws UsageError */
export function readRunArguments(args: readonly string[]): RunArguments | { readonly help: true } {
  const { values, positionals } = parseOptions(args, { allowPositionals: true, options: OPTIONS });
  if (values.help) return { help: true };
  const { issue, base, resume, data, report, record, plan, yes, ask } = values;
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
    ...{ repo: values.repo, planOnly: plan, yes, ask },
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
