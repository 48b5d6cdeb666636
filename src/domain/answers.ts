import { z } from "zod";
import { type AnswerOf, COMMAND_NAMES, COMMANDS, type CommandName } from "./commands.ts";
import { DeployStanding } from "./deployments.ts";
import { FindingCounts, PauseScope } from "./event-catalogue.ts";
import { FindingClass, HidingReplay } from "./hiding.ts";
import { ImplementationStatus } from "./implementation-status.ts";
import { Level, Miss } from "./ladder.ts";
import { ModelCost } from "./model-cost.ts";
import { Conclusion } from "./phases.ts";
import { Refusal } from "./refusals.ts";

export const Pause = z.object({ scope: PauseScope, by: z.string(), at: z.string() });
export type Pause = z.infer<typeof Pause>;

/** What is going on at a pull request. */
export const StatusFacts = z.object({
  headSha: z.string(),
  /** The run at work, if any. */
  active: z.object({ headSha: z.string(), status: z.enum(["pending", "running"]), since: z.string() }).optional(),
  /** What the run at work waits for a person with. */
  gates: z.array(z.object({ gate: z.string(), deadline: z.string() })).optional(),
  /** The latest run that ended. */
  last: z
    .object({ headSha: z.string(), conclusion: Conclusion.optional(), at: z.string(), runId: z.string() })
    .optional(),
  /** The review that was stopped and not resumed. */
  stopped: z.object({ headSha: z.string(), by: z.string(), at: z.string() }).optional(),
  open: FindingCounts,
  blocking: z.number().int(),
  dismissed: z.number().int(),
  fixed: z.number().int(),
  pauses: z.array(Pause),
  override: z.object({ by: z.string(), reason: z.string() }).optional(),
  runs: z.object({
    hour: z.number().int(),
    perHour: z.number().int(),
    day: z.number().int(),
    perDay: z.number().int(),
  }),
  /** The latest first. */
  refusals: z.array(z.object({ login: z.string(), refusal: Refusal })),
});
export type StatusFacts = z.infer<typeof StatusFacts>;

/** Answers that belong to no single command, or that tell of refusals. */
const OTHERS = [
  z.object({ kind: z.literal("refused"), login: z.string(), refusal: Refusal }),
  /** Forge ended twice while it wrote something here: `what` is a kind of effect. */
  z.object({ kind: z.literal("unwritten"), what: z.string() }),
  z.object({ kind: z.literal("help"), topic: z.string().optional() }),
  z.object({ kind: z.literal("status"), status: StatusFacts, deployments: z.array(DeployStanding).optional() }),
  /** Said where a miss took the level of the repository down. */
  z.object({ kind: z.literal("demoted"), from: Level, to: Level, miss: Miss }),
  /** Said where the last dismissal taught it. */
  z.object({ kind: z.literal("hiding_proposed"), class: FindingClass, replay: HidingReplay }),
  /** Said where the probe was wrong that ended it. */
  z.object({ kind: z.literal("hiding_ended"), hidingId: z.string(), wrong: z.number().int().positive() }),
  /** To a reply in the thread of a finding, by a model; `by` is a login. */
  z.object({
    kind: z.literal("replied"),
    findingId: z.string(),
    by: z.string(),
    /** `kept`: the model would withdraw it, but a word does not undo what a program or a test showed, or what `by` may not dismiss. */
    outcome: z.enum(["withdrawn", "stands", "kept"]),
    answer: z.string(),
    cost: ModelCost,
  }),
  /** On an issue; without a status no work was ever begun here. */
  z.object({
    kind: z.literal("implementation_status"),
    status: ImplementationStatus.optional(),
    deployments: z.array(DeployStanding).optional(),
  }),
  /** In the thread of a person's review comment, or to their review as a whole: what the implementer did about it. */
  z.object({
    kind: z.literal("worked_on"),
    answers: z.array(z.object({ asked: z.string().optional(), done: z.boolean(), answer: z.string() })),
    headSha: z.string(),
    /** Whether the commits changed anything. */
    changed: z.boolean(),
  }),
] as const;

/** What an answer in the conversation says, as facts; `github/words` turns them into sentences. Those of one command stand in its row. */
export type Answer = z.infer<(typeof OTHERS)[number]> | AnswerOf<CommandName>;
const ofCommands = COMMAND_NAMES.flatMap((name) => COMMANDS[name].answer ?? []);
export const Answer = z.discriminatedUnion("kind", [...OTHERS, ...ofCommands]) as unknown as z.ZodType<Answer>;
