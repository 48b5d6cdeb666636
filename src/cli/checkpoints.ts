import {
  type CheckpointDifference,
  compareCheckpoints,
  type RunCheckpoint,
} from "../pipeline/checkpoints/run-checkpoint.ts";
import type { CheckpointProblem } from "../pipeline/checkpoints/validate-checkpoints.ts";
import { visibleText } from "../safety/visible-text.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { findRun, type RunFinder } from "./find-run.ts";
import { parseOptions } from "./parse-options.ts";

export interface CheckpointDependencies extends RunFinder {
  list(runId: string): Promise<readonly RunCheckpoint[]>;
  validate(runId: string): Promise<readonly CheckpointProblem[]>;
}

/**
 * `forge checkpoints <run>`: lists them, holds two against each other, or says whether all can be read. Reads only: the way back is a
 * command on the issue.
 */
export async function runCheckpoints(
  args: readonly string[],
  dependencies: CheckpointDependencies,
  out: { write(text: string): unknown },
): Promise<number> {
  const { run: prefix, compare, validate } = parse(args);
  const run = await findRun(dependencies, prefix);
  const write = (lines: readonly string[]) => out.write(`${lines.map((line) => visibleText(line)).join("\n")}\n`);
  if (validate) {
    const problems = await dependencies.validate(run.runId);
    write(problems.length === 0 ? ["everything can be read"] : problems.map(({ where, what }) => `${where}: ${what}`));
    return problems.length === 0 ? EXIT.ok : EXIT.failed;
  }
  const all = await dependencies.list(run.runId);
  if (compare) write(differenceLines(compareCheckpoints(named(all, compare[0]), named(all, compare[1]))));
  else write(all.map(line));
  return EXIT.ok;
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, {
    allowPositionals: true,
    options: { compare: { type: "boolean", default: false }, validate: { type: "boolean", default: false } },
  });
  const [run, first, second, ...more] = positionals;
  if (!values.compare && first !== undefined) throw new UsageError("checkpoints takes one run");
  if (!values.compare) return { run, validate: values.validate };
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError("--compare takes two checkpoints of the run");
  return { run, validate: values.validate, compare: [first, second] as const };
}

function named(all: readonly RunCheckpoint[], id: string): RunCheckpoint {
  const found = all.find((each) => each.id === id);
  if (!found) throw new UsageError(`the run has no checkpoint ${id}: see the list without --compare`);
  return found;
}

function line({ id, at, phase, reason, costUsd, tokens, bounces, notRestorable }: RunCheckpoint): string {
  const back = Object.entries(bounces).map(([cause, times]) => `${times} for ${cause}`);
  return [
    `${id.padEnd(22)} ${at.slice(11)} ${(phase ?? "").padEnd(14)} ${reason}`,
    `$${costUsd.toFixed(4)}`,
    `${tokens} tokens`,
    ...(back.length > 0 ? [`sent back ${back.join(", ")}`] : []),
    notRestorable === undefined ? `back to it: /forge retry ${id}` : `no way back: ${notRestorable}`,
  ].join("; ");
}

function differenceLines(difference: CheckpointDifference): string[] {
  const { phasesEntered, phasesCompleted, keysAdded, keysRemoved, keysChanged, costUsd, tokens } = difference;
  const list = (what: string, names: readonly string[]) => (names.length > 0 ? [`${what}: ${names.join(", ")}`] : []);
  return [
    ...list("phases entered", phasesEntered),
    ...list("phases completed", phasesCompleted),
    ...list("added", keysAdded),
    ...list("removed", keysRemoved),
    ...list("changed", keysChanged),
    `cost: ${costUsd < 0 ? "-" : "+"}$${Math.abs(costUsd).toFixed(4)}, ${tokens < 0 ? "" : "+"}${tokens} tokens`,
  ];
}
