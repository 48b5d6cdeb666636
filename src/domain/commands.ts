import { z } from "zod";
import {
  checkAndReason,
  DismissalScope,
  dismissal,
  environmentAndCommit,
  environmentAndReason,
  gateAnswer,
  instructions,
  limitAndAmount,
  oneClass,
  oneFinding,
  oneLevel,
  oneMemory,
  only,
  phaseOrCheckpoint,
  RunLimit,
  severalFindings,
} from "./command-arguments.ts";
import type { Misuse, Words } from "./command-options.ts";
import { Environment } from "./deployments.ts";
import { Dismissal, Finding, FindingState } from "./findings.ts";
import { FixLeftOut } from "./fixes.ts";
import { Hiding } from "./hiding.ts";
import { Level, LevelFacts } from "./ladder.ts";
import { MetricFacts } from "./metrics.ts";
import { ModelCost } from "./model-cost.ts";
import { CheckName, Phase, WORK_PHASES, WorkPhase } from "./phases.ts";
import type { Role } from "./subjects.ts";
import { TestOutcome } from "./test-report.ts";
import { ConfigurationFacts, CostFacts, FindingMoment, HistoryFacts, MemoriesFacts } from "./told-facts.ts";
import { bare } from "./typed-words.ts";

/**
 * Where a command can be given; `work`: on an issue, and on the pull request that Forge opened for it; `environment`: on both, and it is about
 * one of the repository's environments.
 */
type Place = "pull_request" | "issue" | "work" | "both" | "environment";

/** The finding that a command is about. `guarded`: one that is dismissed one by one only, with push permission and a reason. */
interface TargetFacts {
  readonly guarded: boolean;
  /** How far its dismissal reaches, where it is dismissed. */
  readonly scope?: DismissalScope | undefined;
}

/** All that is to be said of a command before it is carried out. What it does is in `pipeline`, what people read of it in `github/words`. */
interface Row<On extends Place, Shape extends z.ZodRawShape> {
  /** After `/forge`. Options are read as they stand here. */
  readonly usage: string;
  readonly on: On;
  /** The least role that may give it. The author of a pull request is nobody special (GH-14). */
  readonly who: Role | ((command: z.infer<z.ZodObject<Shape>>, about: TargetFacts | undefined) => Role);
  readonly args: Shape;
  /** Reads the arguments; throws nothing. */
  readonly read: <N extends string>(words: Words, name: N) => z.infer<z.ZodObject<Shape>> | Misuse<N>;
  /** What follows its name is taken as it stands: dashes in it are no options. */
  readonly takesText?: true;
  /** It is about one finding, which can be left out in that finding's own thread. */
  readonly aboutFinding?: true;
  /**
   * On a pull request that Forge opened it is meant for the work on its issue, as long as that can go on; `unless_asked`: but for the review
   * of the pull request while that waits for an answer.
   */
  readonly forWork?: "always" | "unless_asked";
  /** It changes nothing: its answer is read from what is on record, before anything is decided. */
  readonly tells?: true | undefined;
  /** The facts that deciding about it takes, apart from where it was given; none are said too, so that nobody forgets to think of them. */
  readonly needs: readonly CommandNeed[];
}

/** What a command may need to be decided, by where it is read: `pipeline/commands/command-facts.ts` has a reader for each. */
export const NEEDS = {
  /** Before its place is known: it may be about the environment that it names, whose gate it answers, to which the place's work goes, or whose check it names. */
  before: ["environment", "gate", "release", "check"],
  /** The records of the repository, the highest level that the configuration allows, how deployments stand. */
  anywhere: ["ladder", "cap", "deployments"],
  /** On a pull request: the limits of a review as configured, and the branch of the head. */
  pull: ["limits", "branch"],
  /** On an issue: all that was said there, for those who may have it worked on, and the checkpoint that is named. */
  issue: ["snapshot", "restore"],
  /** On an environment: the commit that is meant. */
  environment: ["target"],
} as const;

/** The facts that are read at a place. */
export type NeedAt<P extends keyof typeof NEEDS> = (typeof NEEDS)[P][number];

export type CommandNeed = NeedAt<keyof typeof NEEDS>;

/** @param row `answer` are the facts of an answer that has a form of its own; `github/words` turns them into sentences */
function command<
  const On extends Place,
  Shape extends z.ZodRawShape,
  const Tells extends true | undefined = undefined,
  Facts extends z.ZodObject<{ kind: z.ZodLiteral<string> }> | undefined = undefined,
>(row: Row<On, Shape> & { readonly tells?: Tells; readonly answer?: Facts }) {
  return row as Row<On, Shape> & { readonly tells: Tells; readonly answer: Facts };
}

/** Nothing but the name. */
const NO_ARGUMENTS = {
  args: {},
  read: <N extends string>({ plain }: Words, name: N) => only(name, plain, {}),
} as const;

/** A finding as a person wrote it; absent where the thread says which one is meant. */
const finding = z.string().optional();
const text = z.string().optional();
const forRepository = {
  args: { repository: z.boolean() },
  who: ({ repository }: { repository: boolean }) => (repository ? "maintain" : "triage"),
  read: <N extends string>({ plain, options }: Words, name: N) =>
    only(name, plain, { repository: options.has("repository") }),
} as const;

/** What people can ask for in a comment, in the order of `/forge help all`. */
export const COMMANDS = {
  review: command({
    usage: "review [--full]",
    on: "pull_request",
    who: "triage",
    args: { full: z.boolean() },
    read: ({ plain, options }, name) => only(name, plain, { full: options.has("full") }),
    needs: [],
  }),
  dismiss: command({
    usage: "dismiss <finding> [reason] [--here | --path <glob> | --rule]",
    on: "pull_request",
    who: ({ scope }, about) => (scope.kind !== "here" || about?.guarded ? "write" : "triage"),
    aboutFinding: true,
    args: { finding, reason: z.string(), scope: DismissalScope },
    read: dismissal,
    needs: [],
    /** To a reply in plain words. */
    answer: z.object({ kind: z.literal("dismissed"), findingId: z.string(), login: z.string() }),
  }),
  implement: command({
    usage: "implement [instructions]",
    on: "issue",
    who: "write",
    takesText: true,
    args: { instructions: text },
    read: (words) => instructions(words.text),
    needs: ["snapshot"],
  }),
  explain: command({
    usage: "explain <finding>",
    on: "pull_request",
    who: "read",
    aboutFinding: true,
    args: { finding },
    read: oneFinding,
    needs: [],
    answer: z.object({
      kind: z.literal("explained"),
      finding: Finding,
      state: FindingState,
      headSha: z.string(),
      dismissal: Dismissal.optional(),
      /** The analyser that reported it, as far as the last review tells. */
      tool: z.object({ name: z.string(), version: z.string() }).optional(),
      history: z.array(FindingMoment),
    }),
  }),
  status: command({ usage: "status", on: "both", who: "read", ...NO_ARGUMENTS, needs: ["deployments"] }),
  stop: command({ usage: "stop", on: "both", who: "write", forWork: "always", ...NO_ARGUMENTS, needs: ["release"] }),
  resume: command({
    usage: "resume [instructions]",
    on: "both",
    who: "write",
    forWork: "always",
    args: { instructions: text },
    read: ({ plain }) => instructions(plain.join(" ")),
    needs: ["release"],
  }),
  approve: command({
    usage: "approve [gate] [note]",
    on: "both",
    who: "write",
    forWork: "unless_asked",
    args: { environment: Environment.optional(), gate: text, note: text },
    read: gateAnswer,
    needs: ["gate"],
  }),
  override: command({
    usage: "override <check> <reason>",
    on: "pull_request",
    who: "maintain",
    args: { check: CheckName, reason: z.string() },
    read: checkAndReason,
    needs: ["check"],
  }),
  help: command({
    usage: "help [all | command]",
    on: "both",
    who: "read",
    /** A command's name, or `all`. */
    args: { topic: text },
    read: ({ plain: [topic, ...more] }, name) => only(name, more, topic ? { topic: bare(topic).toLowerCase() } : {}),
    needs: [],
  }),
  plan: command({
    usage: "plan [instructions]",
    on: "issue",
    who: "write",
    takesText: true,
    args: { instructions: text },
    read: (words) => instructions(words.text),
    needs: ["snapshot"],
  }),
  fix: command({
    usage: "fix [finding…]",
    on: "both",
    who: "write",
    forWork: "always",
    /** None named: all that can be fixed. */
    args: { findings: z.array(z.string()) },
    read: severalFindings,
    needs: ["cap", "branch"],
    /** What is in the commit `headSha`, of which there is none where nothing could be applied. */
    answer: z.object({
      kind: z.literal("fixed"),
      headSha: z.string().optional(),
      applied: z.array(z.string()),
      left: z.array(FixLeftOut),
    }),
  }),
  test: command({
    usage: "test",
    on: "both",
    who: "triage",
    forWork: "always",
    ...NO_ARGUMENTS,
    needs: [],
    /** On a pull request of people. */
    answer: z.object({ kind: z.literal("tested"), outcome: TestOutcome }),
  }),
  answer: command({
    usage: "answer <text>",
    on: "work",
    // Push, or whoever was asked: only whoever knows the question can tell who that was.
    who: "read",
    forWork: "always",
    takesText: true,
    args: { text: z.string().min(1) },
    read: (words) => (words.text === "" ? { refusal: { reason: "answer_missing" } } : { text: words.text }),
    needs: [],
  }),
  reject: command({
    usage: "reject [gate] [reason]",
    on: "both",
    who: "write",
    forWork: "unless_asked",
    args: { environment: Environment.optional(), gate: text, note: text },
    read: gateAnswer,
    needs: ["gate"],
  }),
  retry: command({
    usage: `retry [${[...WORK_PHASES, "v12"].join(" | ")}]`,
    on: "work",
    who: "write",
    forWork: "always",
    /** `checkpoint` is the number in `v12`. */
    args: { phase: WorkPhase.optional(), checkpoint: z.number().int().positive().optional() },
    read: phaseOrCheckpoint,
    needs: ["restore"],
    /** Of one with a checkpoint: the phase that goes on, and what was done since and stays. */
    answer: z.object({
      kind: z.literal("restored"),
      version: z.number().int(),
      phase: Phase,
      lasting: z.array(z.string()),
    }),
  }),
  pause: command({ usage: "pause [--repository]", on: "both", ...forRepository, needs: [] }),
  ask: command({
    usage: "ask <question>",
    on: "pull_request",
    who: "triage",
    takesText: true,
    /** As it was written on the line of the command. */
    args: { question: z.string().min(1) },
    read: (words) => (words.text === "" ? { refusal: { reason: "question_missing" } } : { question: words.text }),
    needs: [],
    /** By a model, of the code on `headSha`; `by` is the login of who asked. */
    answer: z.object({
      kind: z.literal("asked"),
      by: z.string(),
      headSha: z.string(),
      answer: z.string(),
      cost: ModelCost,
    }),
  }),
  trust: command({
    usage: "trust",
    on: "pull_request",
    who: "triage",
    ...NO_ARGUMENTS,
    needs: [],
    /** Why the trust that was given starts no review. */
    answer: z.object({
      kind: z.literal("trusted"),
      because: z.enum(["not_waiting", "at_work", "paused", "limit", "closed"]),
    }),
  }),
  undismiss: command({
    usage: "undismiss <finding>",
    on: "pull_request",
    who: (_command, about) => ((about?.scope && about.scope.kind !== "here") || about?.guarded ? "write" : "triage"),
    aboutFinding: true,
    args: { finding },
    read: oneFinding,
    needs: [],
  }),
  unpause: command({ usage: "unpause [--repository]", on: "both", ...forRepository, needs: [] }),
  extend: command({
    usage: "extend <usd | iterations | minutes> <n>",
    on: "both",
    who: "write",
    forWork: "unless_asked",
    args: { limit: RunLimit, amount: z.number().positive() },
    read: limitAndAmount,
    needs: ["limits"],
    /** `total` is the limit as it is now. `at_work`: the review may have read the old one before. */
    answer: z.object({
      kind: z.literal("extended"),
      limit: RunLimit,
      total: z.number(),
      run: z.enum(["resumed", "stopped", "at_work", "ended"]),
    }),
  }),
  cost: command({
    usage: "cost",
    on: "both",
    who: "triage",
    tells: true,
    ...NO_ARGUMENTS,
    needs: [],
    answer: z.object({ kind: z.literal("cost"), cost: CostFacts }),
  }),
  config: command({
    usage: "config",
    on: "both",
    who: "triage",
    tells: true,
    ...NO_ARGUMENTS,
    needs: [],
    answer: z.object({ kind: z.literal("configuration"), configuration: ConfigurationFacts }),
  }),
  untrust: command({ usage: "untrust", on: "pull_request", who: "triage", ...NO_ARGUMENTS, needs: [] }),
  level: command({
    usage: "level [0 | 1 | 2 | 3 | 4]",
    on: "both",
    who: ({ level }) => (level === undefined ? "triage" : "maintain"),
    /** None: what there is to say of it. */
    args: { level: Level.optional() },
    read: oneLevel,
    needs: ["ladder"],
    answer: z.object({ kind: z.literal("level"), facts: LevelFacts }),
  }),
  hide: command({
    usage: "hide [class]",
    on: "both",
    // What one says here nobody else sees any more: as with a pause of the whole repository.
    who: ({ hiding }) => (hiding === undefined ? "triage" : "maintain"),
    /** None: all that there are. */
    args: { hiding: text },
    read: oneClass,
    needs: [],
    /** `changed`: the first was approved or withdrawn just now. */
    answer: z.object({ kind: z.literal("hidings"), hidings: z.array(Hiding), changed: z.boolean().optional() }),
  }),
  unhide: command({
    usage: "unhide <class>",
    on: "both",
    // It only brings back what can be seen by everybody.
    who: "write",
    args: { hiding: text },
    read: oneClass,
    needs: [],
  }),
  hold: command({
    usage: "hold [staging | production] [reason]",
    on: "pull_request",
    // Without an environment it is about merging this pull request; for staging it is also how to object to what Forge has announced. To hold
    // an environment takes maintain, which only who decides knows.
    who: ({ environment }) => (environment === "production" ? "maintain" : "write"),
    args: { environment: Environment.optional(), reason: text },
    read: environmentAndReason,
    needs: ["environment"],
  }),
  unhold: command({ usage: "unhold", on: "pull_request", who: "write", ...NO_ARGUMENTS, needs: [] }),
  deploy: command({
    usage: "deploy [staging | production] [commit] [--from <commit>]",
    on: "environment",
    who: "maintain",
    /** Without a commit: what the default branch has. `from`: what runs there, where Forge does not know it. */
    args: { environment: Environment.optional(), sha: text, from: text },
    read: environmentAndCommit,
    needs: ["target"],
  }),
  rollback: command({
    usage: "rollback [staging | production] [reason]",
    on: "environment",
    who: "maintain",
    args: { environment: Environment.optional(), reason: text },
    read: environmentAndReason,
    needs: [],
  }),
  release: command({
    usage: "release [staging | production]",
    on: "environment",
    who: "maintain",
    args: { environment: Environment.optional(), reason: text },
    read: environmentAndReason,
    needs: [],
  }),
  promote: command({
    usage: "promote [staging | production] [reason]",
    on: "environment",
    who: "maintain",
    args: { environment: Environment.optional(), reason: text },
    read: environmentAndReason,
    needs: [],
  }),
  history: command({
    usage: "history",
    on: "both",
    who: "triage",
    tells: true,
    ...NO_ARGUMENTS,
    needs: [],
    answer: z.object({ kind: z.literal("history"), history: HistoryFacts }),
  }),
  remember: command({
    usage: "remember <text>",
    on: "both",
    who: "write",
    takesText: true,
    /** Absent in the log: what is forgotten is to stand nowhere. */
    args: { text },
    read: (words) => (words.text === "" ? { refusal: { reason: "nothing_to_remember" } } : { text: words.text }),
    needs: [],
    answer: z.object({
      kind: z.literal("remembered"),
      memoryId: z.string(),
      /** `known`: the same person taught it before; `confirmed`: somebody else did, and it is believed more now. */
      is: z.enum(["new", "known", "confirmed"]),
      /** Paths of the code that it rests on. */
      cites: z.array(z.string()),
      opposed: z.array(z.string()),
    }),
  }),
  forget: command({
    usage: "forget <memory>",
    on: "both",
    // Whoever taught it, or maintain: only whoever knows the memory can tell who that was.
    who: "triage",
    args: { memory: z.string() },
    read: oneMemory,
    needs: [],
    answer: z.object({ kind: z.literal("forgotten"), memoryId: z.string() }),
  }),
  memory: command({
    usage: "memory [query]",
    on: "both",
    who: "triage",
    tells: true,
    takesText: true,
    args: { query: text },
    read: (words) => (words.text === "" ? {} : { query: words.text }),
    needs: [],
    answer: z.object({ kind: z.literal("memories"), memories: MemoriesFacts }),
  }),
  metrics: command({
    usage: "metrics",
    on: "both",
    who: "triage",
    tells: true,
    ...NO_ARGUMENTS,
    needs: [],
    /** Of the repository. */
    answer: z.object({ kind: z.literal("metrics"), metrics: MetricFacts }),
  }),
} as const;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as [CommandName, ...CommandName[]];
export const CommandName = z.enum(COMMAND_NAMES);

/** One command by name, with its arguments as a person gave it. */
export type CommandOf<N extends CommandName> = {
  [Name in N]: (typeof COMMANDS)[Name] extends { args: infer Shape extends z.ZodRawShape }
    ? z.infer<z.ZodObject<{ name: z.ZodLiteral<Name> } & Shape>>
    : never;
}[N];
export type Command = CommandOf<CommandName>;

const rows = COMMAND_NAMES.map((name) => z.object({ name: z.literal(name), ...COMMANDS[name].args }));
export const Command = z.discriminatedUnion("name", rows as [(typeof rows)[number]]) as unknown as z.ZodType<Command>;

/** The answer of a command whose answer has a form of its own. */
export type AnswerOf<N extends CommandName> = {
  [Name in N]: (typeof COMMANDS)[Name] extends { answer: infer Facts extends z.ZodType } ? z.infer<Facts> : never;
}[N];

type IsOn<Row, Where> = Row extends { on: "both" | Where }
  ? true
  : Row extends { on: "work" }
    ? Where extends "issue"
      ? true
      : false
    : false;

/** Commands that are carried out there, and do more than tell. */
export type CommandOn<Where extends "pull_request" | "issue"> = {
  [Name in CommandName]: (typeof COMMANDS)[Name]["tells"] extends true
    ? never
    : IsOn<(typeof COMMANDS)[Name], Where> extends true
      ? Name
      : never;
}[CommandName];

/** Commands that only tell. */
export type TellingCommand = {
  [Name in CommandName]: (typeof COMMANDS)[Name]["tells"] extends true ? Name : never;
}[CommandName];

/** Commands about one finding, which may be left out. */
export type AboutFinding = Extract<Command, { finding?: string | undefined }>;

/** The least role that a command asks for. */
export function neededRole(command: Command, about?: TargetFacts): Role {
  const { who }: { readonly who: unknown } = COMMANDS[command.name];
  return typeof who === "function" ? who(command, about) : (who as Role);
}
