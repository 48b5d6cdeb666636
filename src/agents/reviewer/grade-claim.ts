import { defined } from "../../domain/defined.ts";
import type { Observation, SuggestedFix } from "../../domain/findings.ts";
import { CLAIM_KINDS, type Demonstration, type Judgement } from "./claims.ts";
import type { Voted } from "./vote.ts";

/** A test that was run to show a claim, and its outcome. */
export interface Proof {
  /** Fails on the head because of the fault, and passes where the fault is not: with the fix, or before the change. */
  readonly passesWith: "fix" | "base";
  /** The test and the last lines of its output: text of the repository and of a model. */
  readonly evidence: string;
}

/** Why a claim was not shown, in words that follow "unproven: ". They may be those of a program of the repository. */
export interface Unproven {
  readonly unproven: string;
}

export interface Graded {
  readonly claim: Voted;
  readonly judgement: Judgement | undefined;
  readonly proof?: Proof | Unproven | undefined;
  /** A fix that parsed, type-checked and left the affected tests green. */
  readonly fix?: SuggestedFix | undefined;
  /** The test of the proof. */
  readonly demonstration?: Demonstration | undefined;
}

/** The confidence with which an unproven claim stands at most: below what blocks (REV-3a). */
const UNPROVEN_CONFIDENCE = 0.69;
const PROVEN_CONFIDENCE = 0.95;

/**
 * A claim that stood, as an observation (REV-4). Its severity is that of its consequence; whether it blocks hangs on an executed proof
 * alone, however convinced a model is: a model that agrees with a model proves nothing.
 */
export function gradeClaim({ claim: voted, judgement, proof: tried, fix, demonstration }: Graded): Observation {
  const { claim, place, rule } = voted;
  const proof = tried && "passesWith" in tried ? tried : undefined;
  const severity = judgement?.severity ?? claim.severity;
  const isMild = severity === "warning" || severity === "info";
  const unproven =
    proof || isMild ? undefined : whyUnproven(judgement, tried && "unproven" in tried ? tried : undefined);
  return {
    source: "ai",
    rule: `ai/${claim.kind}`,
    severity,
    category: CLAIM_KINDS[claim.kind],
    file: claim.file,
    line: place.line,
    endLine: place.endLine,
    message: claim.claim,
    why: rule ? `${claim.scenario} (${rule.file}: “${rule.quote}”)` : claim.scenario,
    confidence: proof ? PROVEN_CONFIDENCE : Math.min(UNPROVEN_CONFIDENCE, weigh(claim.confidence, judgement)),
    ...defined({ fix, unproven, memories: claim.memories?.length ? claim.memories : undefined }),
    ...(proof ? { evidence: proof.evidence, verified: proof.passesWith } : {}),
    ...(proof && demonstration ? { demonstration } : {}),
  };
}

function whyUnproven(judgement: Judgement | undefined, tried: Unproven | undefined): string {
  if (judgement === undefined) return "it was not verified";
  if (judgement.verdict !== "stands") return "the verifier could not decide";
  if (tried) return tried.unproven;
  return judgement.demonstration === undefined ? "the verifier gave no test that shows it" : "its test was not run";
}

/** A verifier that cannot decide makes a claim weaker; one that fails to refute it leaves it as it is. */
function weigh(confidence: number, judgement: Judgement | undefined): number {
  return judgement?.verdict === "stands" ? confidence : confidence / 2;
}
