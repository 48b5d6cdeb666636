import { secrets } from "../../analysis/analysers/secrets.ts";
import { lintFiles } from "../../analysis/lint-files.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { Observation } from "../../domain/findings.ts";
import { DEFAULT_REPO_CONFIG } from "../../domain/repo-config.ts";

/**
 * The secrets in files that are about to be committed (SEC-6).
 * @throws ForgeError `secrets_unchecked` when they could not be searched: what was not searched is not committed
 */
export async function findSecrets(
  files: ReadonlyMap<string, Buffer>,
  { scratchRoot, signal }: { readonly scratchRoot: string; readonly signal: AbortSignal },
): Promise<readonly Observation[]> {
  const configuration = DEFAULT_REPO_CONFIG;
  const { observations, failed } = await lintFiles({ files, configuration, analysers: [secrets], scratchRoot, signal });
  if (failed[0] === undefined) return observations.filter(({ secret }) => secret);
  const message = `The files could not be searched for secrets before they are committed: ${failed[0]}`;
  throw new ForgeError("secrets_unchecked", message, { source: "tool", severity: "high", recoverability: "auto" });
}
