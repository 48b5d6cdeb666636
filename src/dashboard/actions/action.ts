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

/** The pages that a form is on: where the person goes on. */
export const PAGES_BEHIND = ["first", "run", "repository", "memories"] as const;
export type PageBehind = (typeof PAGES_BEHIND)[number];

const finding = z.string().regex(/^F-[0-9A-Z]{4,8}$/);
const note = Note.default("");

/** Some actions, with what they take. What an action has no use for is left alone. */
function formOf<const Names extends readonly ActionName[], Fields extends z.ZodRawShape>(names: Names, fields: Fields) {
  const back = z.enum(PAGES_BEHIND).catch("first");
  return z.object({ run: z.string().max(40), back, action: z.literal(names), ...fields });
}

/** A form of a page. */
export const ActionForm = z.discriminatedUnion("action", [
  formOf(["approve", "reject"], { gate: GateId, note }),
  formOf(["stop", "review", "release"], {}),
  formOf(["resume", "promote", "rollback", "hold"], { note }),
  formOf(["retry"], { phase: z.enum(RETRIED).optional() }),
  formOf(["extend"], {
    limit: RunLimit.default("usd"),
    amount: z.coerce.number().positive().max(MOST_ADDED).default(1),
  }),
  formOf(["dismiss"], { finding, note, reach: z.enum(REACHES).default("here") }),
  formOf(["undismiss"], { finding }),
  formOf(["level"], { level: z.string().regex(/^\d$/).transform(Number).pipe(Level) }),
  formOf(["forget"], { memory: z.string().regex(/^[0-9A-Z-]{4,40}$/) }),
  // Empty: what the default branch has.
  formOf(["deploy"], {
    environment: Environment,
    commit: z.union([z.literal(""), z.hex().min(7).max(40)]).default(""),
  }),
]);
export type ActionForm = z.infer<typeof ActionForm>;
/** The fields as they are sent. */
export type GivenForm = z.input<typeof ActionForm>;

/** The words after the command. `environment`: of a deployment. */
function wordsOf(form: ActionForm, environment: string): readonly (string | undefined)[] {
  switch (form.action) {
    case "approve":
    case "reject":
      // The number alone may be that of another question in the same conversation.
      return [environment, form.gate, form.note];
    case "stop":
      return [];
    case "review":
      return ["--full"];
    case "release":
      return [environment];
    case "resume":
      return [form.note];
    case "promote":
    case "rollback":
    case "hold":
      return [environment, form.note];
    case "retry":
      return [form.phase];
    case "extend":
      return [form.limit, String(form.amount)];
    case "dismiss":
      return [form.finding, form.note, form.reach === "rule" ? "--rule" : undefined];
    case "undismiss":
      return [form.finding];
    case "level":
      return [String(form.level)];
    case "forget":
      return [form.memory];
    case "deploy":
      return [form.environment, form.commit];
    default:
      return form satisfies never;
  }
}

/**
 * The comment that does it, with the command as Forge will read it there. Undefined where that is not the one command that the form stands for: a
 * note may have words that are read as options.
 */
export function commentFor(
  form: ActionForm,
  environment: string,
): { readonly body: string; readonly command: Command } | undefined {
  const words = wordsOf(form, environment).filter((word) => word);
  const body = ["/forge", form.action, ...words].join(" ");
  const { commands } = parseCommands(body);
  const [read] = commands;
  if (commands.length !== 1 || !read || "refusal" in read || read.command.name !== form.action) return undefined;
  const { command } = read;
  return isMeantBy(command, form, environment) ? { body, command } : undefined;
}

/** Whether a command takes from its words what the form has. */
function isMeantBy(command: Command, form: ActionForm, environment: string): boolean {
  if (command.name === "approve" || command.name === "reject")
    return "gate" in form && command.gate === form.gate && (command.environment ?? "") === environment;
  // Without one the command would be about production.
  if (command.name === "deploy") return "commit" in form && command.environment === form.environment;
  return command.name !== "dismiss" || ("reach" in form && command.scope.kind === form.reach);
}
