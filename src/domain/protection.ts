import { z } from "zod";
import { Landing } from "./coverage.ts";
import type { DeployFacts } from "./deployments.ts";
import { Sha } from "./subjects.ts";

/** GitHub asks Forge, as the rule of an environment, whether the jobs of a workflow's run may deploy there. */
export const RuleRequest = z.object({
  workflowRunId: z.number().int().positive(),
  /** As GitHub names the environment. */
  environment: z.string().min(1).max(255),
  /** The commit of the run. */
  sha: Sha,
  /** From 2 on, where a person runs it again. GitHub then asks again under the same number. */
  attempt: z.number().int().min(2).optional(),
});
export type RuleRequest = z.infer<typeof RuleRequest>;

/** What stands against a deployment, or has to come first; `pulls` are those that it is about. */
export const RuleReason = z.object({
  why: z.enum([
    "not_merged",
    "older",
    "blocking",
    "changes_requested",
    "tests_failed",
    "other_commit",
    "fork",
    "gone",
    "held",
    "not_asked",
    "run_again",
    "not_reviewed",
    "direct",
    "too_many",
    "risk",
    "asking",
    "unavailable",
    "not_covered",
    "on_its_way",
    "no_beginning",
  ]),
  /** Those that are not covered (DEP-4). */
  landings: z.array(Landing).optional(),
  pulls: z.array(z.number().int().positive()).optional(),
});
export type RuleReason = z.infer<typeof RuleReason>;

/** What Forge answers; to wait is no answer, but a report. */
export const RuleAnswer = z.object({ is: z.enum(["approved", "rejected", "waits"]), reasons: z.array(RuleReason) });
export type RuleAnswer = z.infer<typeof RuleAnswer>;

/** What a worker saw when it was asked. */
export type RuleLook =
  /**
   * An environment that Forge deploys to: whether its own step, past its gate, is what asks, who started what asks, and whether a deployment
   * of Forge is under way there.
   */
  | {
      readonly of: "own";
      readonly isStep: boolean;
      /** `again`: a person ran it again. Who started it first does not matter. */
      readonly from: "forge" | "others" | "again";
      readonly underWay: boolean;
      readonly held: boolean;
    }
  /** An environment that others deploy to. */
  | { readonly of: "others"; readonly facts: DeployFacts; readonly again?: boolean }
  /** Something about the run itself is not as it should be. */
  | { readonly of: "unfit"; readonly why: "other_commit" | "fork" | "gone" }
  /** Forge could not look. */
  | { readonly of: "nothing" };
