import type { Observation, SuggestedFix } from "../../domain/findings.ts";
import { isAnchorable } from "../../domain/hunks.ts";
import type { RunReport } from "../loop/run-report.ts";
import type { AiReview, AiReviewDependencies, AiReviewTask, Rejected } from "./ai-review.ts";
import { filesToJudge, verifyTask } from "./brief.ts";
import type { Claim, Judgement } from "./claims.ts";
import { verifierAgent } from "./definitions.ts";
import { type Recheck, recheckEarlier, stillStanding } from "./earlier.ts";
import { proposeFixes } from "./fix-of-claim.ts";
import { gradeClaim } from "./grade-claim.ts";
import { locateQuote } from "./locate-quote.ts";
import type { TryFix } from "./ports.ts";
import { contentKey, readByModel } from "./read-by-model.ts";
import { showOnce } from "./show-change.ts";
import { type PlacedClaim, VOTING, type Voted, vote } from "./vote.ts";

/**
 * The third layer of a review (REV-4): read, vote, check the quotes, refute, demonstrate, try the fixes. Everything a model says goes
 * through all of it; what is left are observations like those of any analyser.
 */
export async function runAiReview(dependencies: AiReviewDependencies, task: AiReviewTask): Promise<AiReview> {
  const recheck = recheckEarlier(task.earlier, task.files);
  const reading = await readByModel(dependencies, task, recheck);
  const { kept, rejected } = placeClaims(reading.passes.flat(), task);
  const placed = reading.passes.map((claims) => kept.filter(({ claim }) => claims.includes(claim)));
  const needed = task.depth === "deep" && reading.passes.length >= VOTING.passes ? VOTING.needed : 1;
  const counted = vote(placed, needed);
  const voted = counted.filter((claim) => !isKnown(claim, recheck));
  const toVerify = [...voted, ...recheck.changed];
  const fixes = await proposeFixes(dependencies, task, voted, reading.mends);
  const verified = toVerify.length === 0 ? NOTHING : await verify(dependencies, { ...task, fixes }, toVerify);
  const fixing = { ...dependencies, tryFix: once(dependencies.tryFix) };
  const observations: Observation[] = [];
  const refuted: Rejected[] = [];
  for (const [at, claim] of voted.entries()) {
    const judgement = verified.judgements.get(at + 1);
    if (judgement?.verdict === "refuted")
      refuted.push({ claim: claim.claim, by: "verifier", reason: judgement.reason });
    else observations.push(await grade(fixing, { ...task, fixes }, claim, judgement));
  }
  return {
    observations,
    standing: await stillStanding(
      recheck,
      (index) => verified.judgements.get(voted.length + index + 1),
      dependencies.stillFails,
    ),
    rejected: [...rejected, ...outvoted(kept, counted), ...refuted],
    reports: [...reading.reports, ...verified.reports],
    gaps: [...reading.gaps, ...verified.gaps],
    unread: reading.unread,
    tooLarge: reading.tooLarge,
    ran: reading.passes.length > 0,
  };
}

/** Said on an earlier head, or dismissed there, in whatever words: it is not said twice. */
function isKnown({ claim, place }: PlacedClaim, { unchanged, changed, dismissed }: Recheck): boolean {
  const spots = [...unchanged, ...dismissed, ...changed.map((each) => ({ ...each, file: each.claim.file }))];
  return spots.some(
    ({ file, place: there }) => file === claim.file && place.line <= there.endLine && there.line <= place.endLine,
  );
}

/** One fix of several claims is tried once. */
function once(tryFix: TryFix | undefined): TryFix | undefined {
  const tried = new Map<SuggestedFix, Promise<boolean>>();
  return (
    tryFix &&
    ((fix) => {
      const trial = tried.get(fix) ?? tryFix(fix);
      tried.set(fix, trial);
      return trial;
    })
  );
}

interface Proposed {
  readonly fixes: ReadonlyMap<Claim, SuggestedFix>;
}

interface Verification {
  readonly judgements: ReadonlyMap<number, Judgement>;
  readonly reports: readonly RunReport[];
  readonly gaps: readonly string[];
}

const NOTHING: Verification = { judgements: new Map(), reports: [], gaps: [] };

/** A second look with fresh context. Claims that were not looked at again stay doubtful (`gradeClaim`), and the review says so. */
async function verify(
  { run, tools, redact }: AiReviewDependencies,
  { files, others, testing, fixes }: AiReviewTask & Proposed,
  claims: readonly PlacedClaim[],
): Promise<Verification> {
  const shown = filesToJudge(claims, files).map(({ file, shown: { path, text } }) => ({
    ...{ path, text, lines: file.lines },
  }));
  const agent = verifierAgent(showOnce(tools, shown));
  const brief = { files, others, testing, fixes, redact, steps: agent.iterationLimit };
  const text = await verifyTask(claims, brief);
  // Judgements are of these claims by their numbers: another list is another verifier's work, also after a restart.
  const outcome = await run(agent, { key: `verifier/${contentKey(text)}`, task: text });
  if (!outcome.ok)
    return { ...NOTHING, reports: [outcome.report], gaps: [`findings were not verified: ${outcome.reason}`] };
  const judgements = new Map(outcome.output.judgements.map((judgement) => [judgement.claim, judgement]));
  const left = claims.filter((_, at) => !judgements.has(at + 1)).length;
  const gaps = left === 0 ? [] : [`${left} of ${claims.length} claims were not verified`];
  return { judgements, reports: [outcome.report], gaps };
}

async function grade(
  dependencies: AiReviewDependencies,
  task: AiReviewTask & Proposed,
  claim: Voted,
  judgement: Judgement | undefined,
): Promise<Observation> {
  const { prove, tryFix } = dependencies;
  const stands = judgement?.verdict === "stands";
  const proposed = stands && judgement.fix_ok !== false ? task.fixes.get(claim.claim) : undefined;
  const tried = proposed && tryFix && (await tryFix(proposed)) ? proposed : undefined;
  const demonstration = stands ? judgement.demonstration : undefined;
  const own = tried || !demonstration ? undefined : await verifiersFix(dependencies, task, claim, judgement);
  const proof = demonstration && prove ? await prove(demonstration, tried ?? own, claim.claim.file) : undefined;
  // Only the programs that ran with the verifier's edits have judged them.
  const fix = tried ?? (proof && "passesWith" in proof && proof.passesWith === "fix" ? own : undefined);
  return gradeClaim({ claim, judgement, proof, fix, demonstration });
}

/** The verifier's own edits, to show a fault in code that was not there before; undefined where it fails its trial. */
async function verifiersFix(
  { readHead, tryFix }: AiReviewDependencies,
  task: AiReviewTask,
  voted: Voted,
  judgement: Judgement | undefined,
): Promise<SuggestedFix | undefined> {
  if (!judgement?.fix || !tryFix) return undefined;
  const claim = { ...voted.claim, fix: judgement.fix };
  const fix = (await proposeFixes({ readHead }, task, [{ ...voted, claim }], new Map())).get(claim);
  return fix && (await tryFix(fix)) ? fix : undefined;
}

/** The rule that a claim rests on, where the repository's instructions have these very words, whatever their white space and emphasis (GH-15a). */
function quotedRule({ rule }: Claim, instructions: AiReviewTask["instructions"]): Claim["rule"] {
  if (rule === undefined) return undefined;
  const words = (text: string) => text.replace(/[\s*_`>]+/g, "");
  const wanted = words(rule.quote);
  return instructions.some(({ path, text }) => path === rule.file && words(text).includes(wanted)) ? rule : undefined;
}

/** The claims whose quoted code stands on lines of the change, where it stands; the others with the reason (REV-4). */
function placeClaims(
  claims: readonly Claim[],
  { files, instructions }: AiReviewTask,
): { kept: PlacedClaim[]; rejected: Rejected[] } {
  const kept: PlacedClaim[] = [];
  const rejected: Rejected[] = [];
  for (const claim of claims) {
    const file = files.find(({ changed }) => changed.path === claim.file);
    const place = file && locateQuote(file.lines, claim);
    if (!file) rejected.push({ claim, by: "place", reason: "the change has no such file" });
    else if (!place) rejected.push({ claim, by: "quote", reason: "the quoted code does not stand there" });
    else if (!isAnchorable(file.changed.hunks, place.line, place.endLine)) {
      rejected.push({ claim, by: "place", reason: "the lines are not part of the change" });
    } else {
      const rule = quotedRule(claim, instructions);
      if (claim.kind !== "repository-rule" || rule) kept.push({ claim, place, rule });
      else rejected.push({ claim, by: "quote", reason: "no instruction of the repository says so" });
    }
  }
  return { kept, rejected };
}

/** The claims that too few readers made. */
function outvoted(kept: readonly PlacedClaim[], voted: readonly Voted[]): Rejected[] {
  const covered = ({ claim, place }: PlacedClaim) =>
    voted.some(
      (other) =>
        other.claim.file === claim.file &&
        other.claim.kind === claim.kind &&
        other.place.line <= place.endLine &&
        place.line <= other.place.endLine,
    );
  return kept
    .filter((each) => !covered(each))
    .map(({ claim }) => ({
      claim,
      by: "vote",
      reason: `fewer than ${VOTING.needed} of ${VOTING.passes} readers saw it`,
    }));
}
