import type { Content } from "../../../analysis/classify-file.ts";
import { parseConfiguration } from "../../../analysis/configuration/parse-configuration.ts";
import type { ChangedFile } from "../../../domain/hunks.ts";
import { CONFIGURATION_PATH } from "../../../domain/repo-config.ts";

interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly contents: ReadonlyMap<string, Content>;
}

/** A change of the configuration does nothing yet, and whoever made it should know (CONF-1); mistakes in it are findings instead. */
export function noteConfigurationChange({ files, contents }: ChangedFiles, defaultBranch: string): string | undefined {
  const file = files.find(({ path }) => path === CONFIGURATION_PATH);
  if (!file) return undefined;
  const name = `\`${CONFIGURATION_PATH}\``;
  if (file.status === "deleted")
    return `${name} is deleted here: it stays in force until \`${defaultBranch}\` has no such file.`;
  const content = contents.get(CONFIGURATION_PATH);
  if (!Buffer.isBuffer(content) || !parseConfiguration(content.toString("utf8")).ok) return undefined;
  return `${name} is changed here: it takes effect once it is on \`${defaultBranch}\`.`;
}
