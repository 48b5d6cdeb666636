import { assessRisk } from "../../../analysis/risk/assess-risk.ts";
import { gatherRiskFacts } from "../../../analysis/risk/gather-risk-facts.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { RiskReport } from "../../../domain/risk.ts";
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
  return assessRisk(facts);
}
