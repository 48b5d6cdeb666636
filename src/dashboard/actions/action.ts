import { z } from "zod";
import { RunLimit } from "../../domain/command-arguments.ts";
import type { Command } from "../../domain/commands.ts";
import { Environment } from "../../domain/deployments.ts";
import { GateId } from "../../domain/gates.ts";
import { Level } from "../../domain/ladder.ts";
import { WORK_PHASES } from "../../domain/phases.ts";
import { parseCommands } from "../../pipeline/commands/parse-comment.ts";

/** What a page offers to do: each is the command of its name. */
export const ACTION_NAMES = [
  ...(["approve", "reject"] as const),
  ...(["stop", "resume", "retry", "extend", "review"] as const),
  ...(["dismiss", "undismiss"] as const),
  ...(["promote", "rollback", "hold", "release"] as const),
  ...(["level", "forget", "deploy"] as const),
] as const;
/** Those that the state of a run does not matter to: of a gate, of a finding, of the repository. */
export const AT_ANY_STATE: ReadonlySet<string> = new Set([
  "approve",
  "reject",
  "dismiss",
  "undismiss",
  "level",
  "forget",
  "deploy",
]);
export const ActionName = z.enum(ACTION_NAMES);
export type ActionName = z.infer<typeof ActionName>;

/** How far a dismissal from a page reaches. For a glob of paths, people write the command themselves. */
export const REACHES = ["here", "rule"] as const;

/** What a limit can be raised by at once: the command takes four digits. */
export const MOST_ADDED = 9_999;

/** From where work is retried; empty: where it stopped, as the command has it without a phase. */
export const RETRIED = ["", ...WORK_PHASES] as const;

/** A comment has a command in each of its lines: this is one. */
const Note = z
  .string()
  .max(500)
  .transform((note) => note.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim());

/** A form of a page. What an action has no use for is left alone. */
export const ActionForm = z.object({
  run: z.string().max(40),
  action: ActionName,
  gate: GateId.optional(),
  finding: z
    .string()
    .regex(/^F-[0-9A-Z]{4,8}$/)
    .optional(),
  note: Note.default(""),
  reach: z.enum(REACHES).default("here"),
  limit: RunLimit.default("usd"),
  amount: z.coerce.number().positive().max(MOST_ADDED).default(1),
  phase: z.enum(RETRIED).optional(),
  level: z.string().regex(/^\d$/).transform(Number).pipe(Level).optional(),
  memory: z
    .string()
    .regex(/^[0-9A-Z-]{4,40}$/)
    .optional(),
  environment: Environment.optional(),
  /** What is deployed; empty: what the default branch has. */
  commit: z.union([z.literal(""), z.hex().min(7).max(40)]).default(""),
});
export type ActionForm = z.infer<typeof ActionForm>;
/** The fields as they are sent. */
export type GivenForm = z.input<typeof ActionForm>;

/** The words after `/forge`. `environment`: of a deployment. */
const WORDS: Readonly<Record<ActionName, (form: ActionForm, environment: string) => readonly (string | undefined)[]>> =
  {
    // The number alone may be that of another question in the same conversation.
    approve: ({ gate, note }, environment) => [environment, gate, note],
    reject: ({ gate, note }, environment) => [environment, gate, note],
    stop: () => [],
    resume: ({ note }) => [note],
    retry: ({ phase }) => [phase],
    extend: ({ limit, amount }) => [limit, String(amount)],
    review: () => ["--full"],
    dismiss: ({ finding, note, reach }) => [finding, note, reach === "rule" ? "--rule" : undefined],
    undismiss: ({ finding }) => [finding],
    promote: ({ note }, environment) => [environment, note],
    rollback: ({ note }, environment) => [environment, note],
    hold: ({ note }, environment) => [environment, note],
    release: (_form, environment) => [environment],
    level: ({ level }) => [level === undefined ? undefined : String(level)],
    forget: ({ memory }) => [memory],
    deploy: (form) => [form.environment, form.commit],
  };

/**
 * The comment that does it, with the command as Forge will read it there. Undefined where that is not the one command that the form stands for: a
 * note may have words that are read as options.
 */
export function commentFor(
  form: ActionForm,
  environment: string,
): { readonly body: string; readonly command: Command } | undefined {
  const words = WORDS[form.action](form, environment).filter((word) => word);
  const body = ["/forge", form.action, ...words].join(" ");
  const { commands } = parseCommands(body);
  const [read] = commands;
  if (commands.length !== 1 || !read || "refusal" in read || read.command.name !== form.action) return undefined;
  const { command } = read;
  const isAnswer = command.name === "approve" || command.name === "reject";
  if (isAnswer && (command.gate !== form.gate || (command.environment ?? "") !== environment)) return undefined;
  // Without one the command would be about production.
  if (command.name === "deploy" && (!form.environment || command.environment !== form.environment)) return undefined;
  if (command.name === "dismiss" && command.scope.kind !== form.reach) return undefined;
  return { body, command };
}
