import type { AdvisoryAnswer, AdvisorySource, PackageVersion } from "./advisory-source.ts";
import { createNpmBulkSource } from "./npm-bulk-source.ts";
import { createOsvSource } from "./osv-source.ts";
import { createRegistrySource, type RegistryAddresses } from "./registry-source.ts";

/** Addresses of the services that may be asked; with neither, none is. */
export interface AdvisoryAddresses {
  readonly osvUrl?: string;
  readonly npmRegistryUrl?: string;
  /** Registries that are asked whether a package exists, where one of the others is asked as well. */
  readonly registries?: RegistryAddresses;
}

/** The source for these addresses: OSV, the registry, or OSV with the registry for npm where OSV gives no answer. */
export function chooseAdvisories(addresses: AdvisoryAddresses): AdvisorySource | undefined {
  const { osvUrl, npmRegistryUrl, registries = {} } = addresses;
  const osv = osvUrl === undefined ? undefined : createOsvSource(osvUrl);
  const registry = npmRegistryUrl === undefined ? undefined : createNpmBulkSource(npmRegistryUrl);
  const source = osv !== undefined && registry !== undefined ? withFallback(osv, registry) : (osv ?? registry);
  const isAsked = source !== undefined && Object.keys(registries).length > 0;
  return isAsked ? { ...source, registries: createRegistrySource(registries) } : source;
}

export function withFallback(first: AdvisorySource, second: AdvisorySource): AdvisorySource {
  const asksSecond = ({ ecosystem }: PackageVersion) => second.ecosystems.includes(ecosystem);
  return {
    ecosystems: first.ecosystems,
    async query(packages, signal): Promise<AdvisoryAnswer> {
      const answer = await first.query(packages, signal);
      if (answer.unchecked === undefined) return answer;
      const other = await second.query(packages.filter(asksSecond), signal);
      if (other.unchecked !== undefined) return answer;
      const kept = answer.advisories.filter((advisory) => !asksSecond(advisory.package));
      const advisories = [...kept, ...other.advisories];
      if (packages.every(asksSecond)) return { advisories };
      const unanswered = (answer.unanswered ?? []).filter((one) => !asksSecond(one));
      return { advisories, unchecked: answer.unchecked, unanswered };
    },
  };
}
