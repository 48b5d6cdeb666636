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

/** How risky a change is (RISK-1): the sum of its components, raised to the highest of its floors. */
export const RiskReport = z.object({
  score: z.number().int().min(0).max(100),
  level: RiskLevel,
  /** The rounded sum of the components, before any floor. */
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
