import type { Content } from "../../../analysis/classify-file.ts";
import { type GivenSettings, parseConfiguration } from "../../../analysis/configuration/parse-configuration.ts";
import { ENVIRONMENTS } from "../../../domain/deployments.ts";
import type { ChangedFile } from "../../../domain/hunks.ts";
import { CONFIGURATION_PATH, type RepoConfig } from "../../../domain/repo-config.ts";
import { codeSpan } from "../../../safety/code-text.ts";

/** A change, and the settings that it meets. */
export interface ChangedSettings {
  /** All that are changed, and the new contents of those that could be read. */
  readonly change: {
    readonly files: readonly Pick<ChangedFile, "path" | "oldPath" | "status">[];
    readonly contents: ReadonlyMap<string, Content>;
  };
  /** The branch that the change is to be merged into. */
  readonly baseRef: string;
  readonly defaultBranch: string;
  /** In force. */
  readonly configuration: Pick<RepoConfig, "deploy">;
  /** What settings come to once they are merged; undefined where they are not a repository's own. */
  readonly settle: (given: GivenSettings) => Pick<RepoConfig, "deploy"> | undefined;
}

/** What the author of a change should know of the settings: that a change of them does nothing yet, and what it breaks (CONF-1, DEP-2). */
export function noteConfiguration(changed: ChangedSettings): string[] {
  const { change, baseRef, defaultBranch, configuration, settle } = changed;
  const file = change.files.find(({ path }) => path === CONFIGURATION_PATH);
  const intoDefault = baseRef === defaultBranch;
  if (!file) return intoDefault ? lostWorkflows(change.files, configuration) : [];
  const name = codeSpan(CONFIGURATION_PATH);
  const branch = codeSpan(defaultBranch);
  if (file.status === "deleted")
    return [`${name} is deleted here: it stays in force until ${branch} has no such file.`];
  const content = change.contents.get(CONFIGURATION_PATH);
  // A mistake in it is a finding instead.
  const parsed = Buffer.isBuffer(content) ? parseConfiguration(content.toString("utf8")) : undefined;
  if (!parsed?.ok) return [];
  const proposed = settle(parsed.given);
  const lost = intoDefault && proposed ? lostWorkflows(change.files, proposed) : [];
  return [`${name} is changed here: it takes effect once it is on ${branch}.`, ...lost];
}

/** A sentence for each workflow that deploys and that the change takes away, while the settings still name it. */
function lostWorkflows(files: ChangedSettings["change"]["files"], { deploy }: Pick<RepoConfig, "deploy">): string[] {
  const there = new Set(files.flatMap(({ path, status }) => (status === "deleted" ? [] : [path])));
  const gone = new Set(
    files.flatMap(({ path, oldPath, status }) => {
      const was = status === "deleted" ? path : status === "renamed" ? oldPath : undefined;
      return was === undefined || there.has(was) ? [] : [was];
    }),
  );
  return ENVIRONMENTS.flatMap((name) => {
    const settings = deploy[name];
    if (settings?.workflow === undefined || settings.way === "program" || !gone.has(settings.workflow)) return [];
    const setting = codeSpan(`deploy.${name}.workflow`);
    return [
      `${codeSpan(settings.workflow)} is gone with this change, and ${setting} names it: once this is merged, nothing can be deployed to ${name}.`,
    ];
  });
}
