import { ECOSYSTEMS, type Ecosystem } from "./advisory-source.ts";
import { REGISTRY_QUESTIONS } from "./registry-questions.ts";
import type { RegistryAddresses } from "./registry-source.ts";

/** The public registries, as they are written in the environment. */
export const PUBLIC_ADDRESSES = [
  ...["npm=https://registry.npmjs.org", "PyPI=https://pypi.org", "crates.io=https://index.crates.io"],
  ...["RubyGems=https://rubygems.org", "Packagist=https://repo.packagist.org", "NuGet=https://api.nuget.org"],
  "Pub=https://pub.dev",
].join(" ");

const ASKED = ECOSYSTEMS.filter((one) => REGISTRY_QUESTIONS[one] !== undefined);

/** What is said of anything else. */
export const REGISTRIES_FORM = `must be a list such as "npm=https://registry.npmjs.org PyPI=https://pypi.org"; it may name ${ASKED.join(", ")}`;

/** @returns undefined for a text that is no list of `ecosystem=address`, with blanks between them */
export function readRegistryAddresses(written: string): RegistryAddresses | undefined {
  const addresses: Partial<Record<Ecosystem, string>> = {};
  for (const part of written.split(" ").filter((one) => one !== "")) {
    const at = part.indexOf("=");
    const ecosystem = ASKED.find((one) => one === part.slice(0, at));
    const address = part.slice(at + 1);
    if (ecosystem === undefined || !URL.canParse(address)) return undefined;
    if (!["http:", "https:"].includes(new URL(address).protocol)) return undefined;
    addresses[ecosystem] = address;
  }
  return addresses;
}
