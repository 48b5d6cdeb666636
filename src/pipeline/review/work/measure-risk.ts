import { readFile } from "node:fs/promises";
import { assessRisk } from "../../../analysis/risk/assess-risk.ts";
import { likeThis, weighed } from "../../../analysis/risk/fit-risk.ts";
import { gatherRiskFacts } from "../../../analysis/risk/gather-risk-facts.ts";
import { changesCode } from "../../../analysis/risk/mended-changes.ts";
import type { RiskFacts } from "../../../analysis/risk/risk-facts.ts";
import { defined } from "../../../domain/defined.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { LearntHistory, RISK_COMPONENTS, type RiskReport } from "../../../domain/risk.ts";
import { readHistory } from "../../../workspace/history.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import type { Change } from "../../change/read-change.ts";

export interface RiskRequest {
  readonly mirror: Mirror;
  readonly change: Change;
  readonly configuration: RepoConfig;
  /** Login of the pull request's author: commits can carry any name. */
  readonly author: string;
  /** ISO 8601: the history of the year before it counts. */
  readonly at: string;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

const YEAR_MS = 365 * 24 * 3_600_000;

/** The risk of a change by itself (RISK-1), without its findings. Undefined where the change was not read at all. */
export async function measureRisk(request: RiskRequest): Promise<RiskReport | undefined> {
  const { mirror, change, configuration, author, at, scratchRoot, signal } = request;
  if (change.files.length === 0) return undefined;
  const history = await readHistory(mirror, {
    commit: change.mergeBaseSha,
    paths: change.files.map(({ path, oldPath }) => oldPath ?? path),
    author: { login: author },
    since: new Date(Date.parse(at) - YEAR_MS),
    signal,
  });
  const facts = await gatherRiskFacts({
    ...{ files: change.files, contents: change.contents, oldContents: change.oldContents },
    configuration,
    ...(history.ok ? { history } : {}),
    scratchRoot,
    signal,
  });
  const learnt = await readLearnt(mirror, configuration.review.learn_risk);
  const report = assessRisk(facts, learnt?.weights);
  return learnt === undefined ? report : { ...report, ...defined({ mended: mendedLike(facts, learnt) }) };
}

/** Figures from the repository's history; undefined without any, of another kind, or where nobody wants them. */
export async function readLearnt(mirror: Pick<Mirror, "places">, isWanted = true): Promise<LearntHistory | undefined> {
  if (!isWanted) return undefined;
  const text = await readFile(mirror.places.learnt, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return LearntHistory.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The changes of the past that it is compared with are known without their parsed files and what is configured: so is it, for this. */
function mendedLike(facts: RiskFacts, learnt: LearntHistory): RiskReport["mended"] {
  if (!changesCode(facts.files)) return undefined;
  const { files, history } = facts;
  const nothing = { pathWeights: [], openFindings: [], migrations: [], workflowPermissions: [], protectedPaths: [] };
  const { components } = assessRisk({ files, ...nothing, ...defined({ history }) });
  const points = RISK_COMPONENTS.map((name) => components[name].points);
  return likeThis(learnt, weighed(points, learnt.weights));
}
