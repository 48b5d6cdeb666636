import type { PersonHost } from "../github/person-host.ts";
import type { Store } from "../store/store.ts";

export interface DashboardSettings {
  /** Where people reach this Forge: an origin, https, or http on this machine. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** People who see every repository, as GitHub numbers them. */
  readonly operators: readonly number[];
}

export interface DashboardDependencies {
  readonly store: Store;
  readonly host: PersonHost;
  readonly settings: DashboardSettings;
  /** Of GitHub's pages. */
  readonly origin: string;
  readonly now: () => Date;
  readonly log: { error(fields: object, message: string): void };
}
