import { z } from "zod";

/** Level of a risk, mildest first; not the same scale as the severity of a finding. */
export const RISK_LEVELS = ["low", "medium", "high", "critical"] as const;
export const RiskLevel = z.enum(RISK_LEVELS);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** The five components of a risk score (RISK-1), in the order in which people see them. */
export const RISK_COMPONENTS = ["changeSize", "complexity", "criticality", "testCoverage", "authorExperience"] as const;
export type RiskComponentName = (typeof RISK_COMPONENTS)[number];

/** Most points of one component. */
export const COMPONENT_POINTS = 20;

/** One fact behind a component: "lines added" 214. Never says anything about a person, only about the code and its history. */
export const RiskFactor = z.object({
  words: z.string().min(1),
  value: z.number().finite(),
  /** "bits", "%"; left out where the words say what is counted. */
  unit: z.string().optional(),
  /** Path or glob that the fact is about: text of the repository, to be neutralised before it is shown. */
  path: z.string().optional(),
  /** The count was stopped at a limit: the value is a lower bound. */
  atLeast: z.boolean().optional(),
});
export type RiskFactor = z.infer<typeof RiskFactor>;

export const RiskComponent = z.object({
  /** 0 to 20, with two decimals. */
  points: z.number().min(0).max(COMPONENT_POINTS),
  factors: z.array(RiskFactor),
});
export type RiskComponent = z.infer<typeof RiskComponent>;

export const RISK_FLOOR_CAUSES = [
  "critical_security_finding",
  "secret",
  "migration",
  "workflow_permissions",
  "high_finding",
  "protected_path",
] as const;

/** A score below which a change cannot fall, whatever its components say. */
export const RiskFloor = z.object({
  cause: z.enum(RISK_FLOOR_CAUSES),
  score: z.number().int().min(0).max(100),
  /** Why, in words that follow "at least 76: ". */
  reason: z.string().min(1),
  /** Paths that it is about, at most ten. */
  paths: z.array(z.string()).optional(),
});
export type RiskFloor = z.infer<typeof RiskFloor>;

/** What each component counts for in a repository whose history was fitted; together five, as where each counts for one. */
export const RiskWeights = z.object({
  changeSize: z.number().min(0).max(5),
  complexity: z.number().min(0).max(5),
  criticality: z.number().min(0).max(5),
  testCoverage: z.number().min(0).max(5),
  authorExperience: z.number().min(0).max(5),
});
export type RiskWeights = z.infer<typeof RiskWeights>;

/** What became of changes like this one in the repository: a share is never said without what it is a share of. */
export const MendedShare = z.object({
  /** Changes with nearly the same score, and those of them that a fix mended. */
  alike: z.number().int().positive(),
  mended: z.number().int().nonnegative(),
  /** The same of all changes of code that were looked at. */
  all: z.number().int().positive(),
  allMended: z.number().int().nonnegative(),
  /** Within how many days. */
  days: z.number().int().positive(),
});
export type MendedShare = z.infer<typeof MendedShare>;

/** What was worked out from a repository's own history, kept beside its mirror. */
export const LearntHistory = z.object({
  version: z.literal(1),
  /** The newest commit of that history. */
  head: z.string(),
  /** ISO 8601; when that was. */
  at: z.string(),
  /** Where they do better than equal weights on the later part of it. */
  weights: RiskWeights.optional(),
  /** Of each of the newest changes, oldest first: its score by these weights, and whether it was mended. None where it could not be read. */
  past: z.array(z.tuple([z.number(), z.boolean()])).max(1_000),
});
export type LearntHistory = z.infer<typeof LearntHistory>;

/** How risky a change is (RISK-1): the sum of its components, raised to the highest of its floors. */
export const RiskReport = z.object({
  score: z.number().int().min(0).max(100),
  level: RiskLevel,
  /** The rounded sum of the components, as they count here, before any floor. */
  sum: z.number().int().min(0).max(100),
  components: z.object({
    changeSize: RiskComponent,
    complexity: RiskComponent,
    criticality: RiskComponent,
    testCoverage: RiskComponent,
    authorExperience: RiskComponent,
  }),
  /** Every floor that applies, highest first, also where the sum is above it. */
  floors: z.array(RiskFloor),
  /** Where the components do not count alike. */
  weights: RiskWeights.optional(),
  mended: MendedShare.optional(),
  /** What the plan said of it, for a change by Forge. */
  planned: RiskLevel.optional(),
});
export type RiskReport = z.infer<typeof RiskReport>;

/** Floors that come from what a review found, not from what the change is. */
export const FLOORS_FROM_FINDINGS: ReadonlySet<RiskFloor["cause"]> = new Set([
  "critical_security_finding",
  "secret",
  "high_finding",
]);

/** Whether the change asks for a person, whatever its findings (REV-3a): those are counted by themselves, and not a second time here. */
export function asksForPerson(risk: RiskReport): boolean {
  const level = ownLevel(risk);
  return level === "high" || level === "critical";
}

/** How risky the change is by itself, whatever its findings. */
export function ownLevel({ sum, floors }: Pick<RiskReport, "sum" | "floors">): RiskLevel {
  const own = floors.filter(({ cause }) => !FLOORS_FROM_FINDINGS.has(cause));
  return levelOfRisk(Math.max(sum, ...own.map(({ score }) => score)));
}

/** Low to 25, medium to 50, high to 75, critical above. */
export function levelOfRisk(score: number): RiskLevel {
  if (score <= 25) return "low";
  if (score <= 50) return "medium";
  return score <= 75 ? "high" : "critical";
}
