import { relative } from "node:path";
import { assessRisk, reassessRisk } from "../../../analysis/risk/assess-risk.ts";
import { gatherRiskFacts } from "../../../analysis/risk/gather-risk-facts.ts";
import type { HistoryFacts, RiskFacts } from "../../../analysis/risk/risk-facts.ts";
import { defined } from "../../../domain/defined.ts";
import { ForgeError } from "../../../domain/errors.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import { type HistoryRequest, readHistory, readHistoryIn } from "../../../workspace/history.ts";
import { findLocalRepository } from "../../../workspace/local/find-repository.ts";
import { inView } from "../../../workspace/local/open-view.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import type { FolderChange } from "../../change/read-folder.ts";

/** Counts the history of paths at a commit; undefined where it cannot be read. */
export type ReadPast = (past: Pick<HistoryRequest, "commit" | "paths" | "signal">) => Promise<HistoryFacts | undefined>;

const YEAR_MS = 365 * 24 * 3_600_000;

/** Whose the change is, is not known here: the names in a checkout can be anybody's. */
const counted = (past: Parameters<ReadPast>[0]): HistoryRequest => ({
  ...past,
  author: {},
  since: new Date(Date.now() - YEAR_MS),
});

/** The past of a folder in a git checkout. */
export function pastOfFolder(folder: string): ReadPast {
  return async ({ paths, ...past }) => {
    const repository = await findLocalRepository(folder);
    if (!repository) return undefined;
    const below = relative(repository.workTree, folder);
    const whole = below === "" ? paths : paths.map((path) => `${below}/${path}`);
    const history = await inView(repository, (view) => readHistoryIn(view, counted({ ...past, paths: whole })));
    return history.ok ? history : undefined;
  };
}

/** The past of what was fetched from GitHub. */
export function pastOfMirror(mirror: Mirror): ReadPast {
  return async (past) => {
    const history = await readHistory(mirror, counted(past));
    return history.ok ? history : undefined;
  };
}

interface Request {
  readonly change: Pick<FolderChange, "files" | "contents" | "oldContents" | "base">;
  readonly configuration: RepoConfig;
  readonly openFindings: RiskFacts["openFindings"];
  readonly readPast: ReadPast;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

/** The risk of a change with its findings (RISK-1). Undefined where nothing was compared, so that there is no change. */
export async function riskOfFolder(request: Request): Promise<RiskReport | undefined> {
  const { change, configuration, openFindings, readPast, scratchRoot, signal } = request;
  const { files, contents, oldContents, base } = change;
  if (base === undefined || files.length === 0) return undefined;
  const paths = files.map(({ path, oldPath }) => oldPath ?? path);
  // Without a history the risk says that it is unknown.
  const history = await readPast({ commit: base, paths, signal }).catch((thrown: unknown) => {
    if (thrown instanceof ForgeError) return undefined;
    throw thrown;
  });
  const facts = { files, contents, oldContents, configuration, scratchRoot, signal, ...defined({ history }) };
  return reassessRisk(assessRisk(await gatherRiskFacts(facts)), openFindings);
}
