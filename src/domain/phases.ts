import { z } from "zod";

export const PHASES = [
  "planning",
  "implementation",
  "review",
  "testing",
  "verification",
  "deployment",
  "monitoring",
] as const;
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;

/** The phases of the work on an issue, in order: people see each of them, and can have it done again. */
export const WORK_PHASES = ["planning", "implementation", "review", "testing"] as const satisfies readonly Phase[];
export const WorkPhase = z.enum(WORK_PHASES);
export type WorkPhase = z.infer<typeof WorkPhase>;

export const RUN_KINDS = ["review", "implement", "deploy"] as const;
export const RunKind = z.enum(RUN_KINDS);
export type RunKind = z.infer<typeof RunKind>;

export const RUN_STATUSES = ["pending", "running", "waiting", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run in one of these states still owns its subject (PIPE-3). */
export const ACTIVE_STATUSES = ["pending", "running", "waiting"] as const satisfies readonly RunStatus[];

/** The layers of a review (REV-1). */
export const LAYERS = ["static", "security", "ai"] as const;
export const Layer = z.enum(LAYERS);
export type Layer = z.infer<typeof Layer>;

export const CHECK_NAMES = ["forge/review", "forge/tests", "forge/deploy"] as const;
export const CheckName = z.enum(CHECK_NAMES);
export type CheckName = z.infer<typeof CheckName>;

export const CONCLUSIONS = ["success", "neutral", "failure", "action_required", "skipped", "cancelled"] as const;
export const Conclusion = z.enum(CONCLUSIONS);
export type Conclusion = z.infer<typeof Conclusion>;
