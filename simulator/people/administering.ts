// What owners do with installations and whole repositories.
import { revoke } from "../actions/authorizations.ts";
import { acceptAll, addTo, install, uninstall as removeInstallation, setSuspended } from "../actions/installations.ts";
import {
  removeFrom,
  deleteRepository as removeRepository,
  renameRepository as rename,
  transferRepository as transfer,
} from "../actions/repositories.ts";
import type { App, Installation } from "../records.ts";
import { requireAccount, requireRepository, type World } from "../world.ts";

export function administering(world: World) {
  const named = (installation: Installation, names: readonly string[]) =>
    names.map((name) => requireRepository(world, name.includes("/") ? name : `${installation.account.login}/${name}`));

  /** On the named repositories of the account ("name" or "owner/name"), or on all of them, now and later. */
  function installApp(
    app: App,
    accountLogin: string,
    options: {
      readonly repositories?: readonly string[];
      /** What the account agreed to, where the App asks for more by now; see `acceptPermissions`. */
      readonly accepted?: Readonly<Record<string, string>>;
    } = {},
  ): Installation {
    const account = requireAccount(world, accountLogin);
    const { repositories, accepted } = options;
    const chosen = repositories?.map((name) =>
      requireRepository(world, name.includes("/") ? name : `${accountLogin}/${name}`),
    );
    return install(world, app, account, chosen ?? null, accepted);
  }

  /** Agrees to all that the App asks for. */
  function acceptPermissions(installation: Installation): void {
    acceptAll(world, installation);
  }

  /** Where an App is installed already. Throws when it is not. */
  function installationOf(slug: string, accountLogin: string): Installation {
    const found = world.installations.find(({ app, account }) => app.slug === slug && account.login === accountLogin);
    if (!found) throw new Error(`the App ${slug} is not installed on ${accountLogin} in the simulator`);
    return found;
  }

  function suspendInstallation(installation: Installation): void {
    setSuspended(world, installation, true);
  }

  function unsuspendInstallation(installation: Installation): void {
    setSuspended(world, installation, false);
  }

  function uninstall(installation: Installation): void {
    removeInstallation(world, installation);
  }

  function addRepositories(installation: Installation, names: readonly string[]): void {
    addTo(world, installation, named(installation, names));
  }

  function removeRepositories(installation: Installation, names: readonly string[]): void {
    removeFrom(world, installation, named(installation, names));
  }

  /** Ends what a person let the App do for them: https://docs.github.com/en/webhooks/webhook-events-and-payloads#github_app_authorization */
  function revokeAuthorization(app: App, login: string): void {
    revoke(world, app, requireAccount(world, login));
  }

  function transferRepository(ownerRepo: string, to: string): void {
    transfer(world, requireRepository(world, ownerRepo), requireAccount(world, to));
  }

  function renameRepository(ownerRepo: string, name: string): void {
    rename(world, requireRepository(world, ownerRepo), name);
  }

  function deleteRepository(ownerRepo: string): void {
    removeRepository(world, requireRepository(world, ownerRepo));
  }

  return {
    installApp,
    acceptPermissions,
    installationOf,
    suspendInstallation,
    unsuspendInstallation,
    uninstall,
    addRepositories,
    removeRepositories,
    revokeAuthorization,
    transferRepository,
    renameRepository,
    deleteRepository,
  };
}
