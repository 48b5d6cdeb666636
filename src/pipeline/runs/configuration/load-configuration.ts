import { deployFaults, queryFaults } from "../../../analysis/configuration/deploy-faults.ts";
import type { GivenSettings } from "../../../analysis/configuration/parse-configuration.ts";
import { defined } from "../../../domain/defined.ts";
import { CONFIGURATION_PATH, type RepoConfig } from "../../../domain/repo-config.ts";
import type { RepositoryRef } from "../../../domain/subjects.ts";
import {
  type ConfigurationKey,
  keepConfiguration,
  readKeptConfiguration,
} from "../../../store/runs/kept-configuration.ts";
import type { Store } from "../../../store/store.ts";
import { ORGANISATION_REPOSITORY, type PullRequestHost } from "../ports.ts";
import {
  type EffectiveConfiguration,
  effectiveConfiguration,
  type FoundConfiguration,
  type SettledConfiguration,
  settleConfiguration,
} from "./effective-configuration.ts";

export interface Configuration extends EffectiveConfiguration {
  /** Faults of the files, each in one sentence for the summary. */
  readonly problems: readonly string[];
  /** What the organization's file sets, which the repository's own settings are laid over. */
  readonly organisation?: GivenSettings;
}

export interface ConfigurationDependencies {
  readonly store: Store;
  readonly host: Pick<PullRequestHost, "readFile" | "readOrganisationFile">;
  readonly now: () => string;
}

/**
 * The configuration of a repository now (CONF-1): its default branch over its organisation's `.github` over the defaults. A file with a
 * mistake counts as it was when it was last right.
 * @throws ForgeError `github_unavailable` when GitHub does not answer now
 */
export async function loadConfiguration(
  dependencies: ConfigurationDependencies,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<Configuration> {
  const { host } = dependencies;
  const { owner, name, installationId, id: repositoryId } = repository;
  const text = await host.readFile(repository, CONFIGURATION_PATH, signal);
  const own = await settle(dependencies, { installationId, repositoryId }, { text, where: "on the default branch" });
  if (name.toLowerCase() === ORGANISATION_REPOSITORY) return combine({ own, isShared: true });
  const shared = await host.readOrganisationFile(repository, CONFIGURATION_PATH, signal);
  const where = `of \`${owner}/${ORGANISATION_REPOSITORY}\``;
  return combine({
    own,
    shared: await settle(dependencies, { installationId }, { text: shared, where }),
    isShared: false,
  });
}

/** As it was accepted last, without asking GitHub: for what nobody waits for. */
export async function lastConfiguration(
  store: Store,
  repository: Pick<RepositoryRef, "installationId" | "id">,
): Promise<RepoConfig> {
  return (await lastSettings(store, repository)).value;
}

/** The same with where each setting comes from. */
export async function lastSettings(
  store: Store,
  { installationId, id: repositoryId }: Pick<RepositoryRef, "installationId" | "id">,
): Promise<EffectiveConfiguration> {
  const givenAt = async (key: ConfigurationKey) =>
    settleConfiguration({ text: await readKeptConfiguration(store, key), lastGood: undefined, where: "as it was" })
      .given;
  const [repository, organisation] = await Promise.all([
    givenAt({ installationId, repositoryId }),
    givenAt({ installationId }),
  ]);
  return effectiveConfiguration({ organisation, repository });
}

interface Layers {
  readonly own: SettledConfiguration;
  readonly shared?: SettledConfiguration;
  /** Its own file is the organization's. */
  readonly isShared: boolean;
}

function combine({ own, shared, isShared }: Layers): Configuration {
  const effective = effectiveConfiguration({ organisation: shared?.given, repository: own.given });
  // What an organization's file leaves out, a repository may add.
  const faults = isShared ? [] : deployFaults(effective.value).filter(({ severity }) => severity === "error");
  const cannot = [...faults, ...queryFaults(own.given)].map(
    ({ message }) => `\`${CONFIGURATION_PATH}\` cannot work as it is: ${message}`,
  );
  const problems = [own.problem, shared?.problem, ...cannot].filter((problem) => problem !== undefined);
  return { ...effective, problems, ...defined({ organisation: shared?.given }) };
}

/** What a repository's settings come to once they are merged; undefined for an organization's, which repositories add to. */
export function proposedConfiguration(
  { organisation }: Pick<Configuration, "organisation">,
  { name }: Pick<RepositoryRef, "name">,
  given: GivenSettings,
): RepoConfig | undefined {
  if (name.toLowerCase() === ORGANISATION_REPOSITORY) return undefined;
  return effectiveConfiguration({ organisation, repository: given }).value;
}

async function settle(
  { store, now }: ConfigurationDependencies,
  key: ConfigurationKey,
  { text, where }: Pick<FoundConfiguration, "text" | "where">,
): Promise<SettledConfiguration> {
  const lastGood = await readKeptConfiguration(store, key);
  const settled = settleConfiguration({ text, lastGood, where });
  const isNews = (text ?? "") !== (lastGood ?? "");
  if (settled.problem === undefined && isNews) await keepConfiguration(store, key, { text: text ?? "", at: now() });
  return settled;
}
