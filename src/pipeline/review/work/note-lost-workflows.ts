import { ENVIRONMENTS } from "../../../domain/deployments.ts";
import type { ChangedFile } from "../../../domain/hunks.ts";
import { CONFIGURATION_PATH, type RepoConfig } from "../../../domain/repo-config.ts";

/**
 * A sentence for each workflow that deploys and that a change deletes or renames, while the settings still name it (DEP-2). A change of the
 * settings is looked at whole instead.
 * @param files of the whole change
 * @param configuration in force
 */
export function noteLostWorkflows(
  files: readonly Pick<ChangedFile, "path" | "oldPath" | "status">[],
  { deploy }: Pick<RepoConfig, "deploy">,
): string[] {
  if (files.some(({ path }) => path === CONFIGURATION_PATH)) return [];
  const there = new Set(files.flatMap(({ path, status }) => (status === "deleted" ? [] : [path])));
  const gone = new Set(
    files.flatMap(({ path, oldPath, status }) => {
      const was = status === "deleted" ? path : oldPath;
      return was === undefined || there.has(was) ? [] : [was];
    }),
  );
  return ENVIRONMENTS.flatMap((name) => {
    const settings = deploy[name];
    if (settings?.workflow === undefined || settings.way === "program" || !gone.has(settings.workflow)) return [];
    return [
      `\`${settings.workflow}\` is gone with this change, and \`deploy.${name}.workflow\` names it: once this is merged, nothing can be deployed to ${name}.`,
    ];
  });
}
