import type { PackageLookups, RegistryLookups, Unasked, Unsought } from "../../../domain/review-report.ts";
import { count } from "../wording.ts";

/**
 * What became of the packages that a change adds or updates: "looked up 12 packages that this change adds or updates. Not looked up: 2 from
 * git repositories." All of it is Forge's own text.
 */
export function packageLookups({ registries, ...known }: PackageLookups): string {
  return registries === undefined ? knownLookups(known) : `${knownLookups(known)} ${registryLookups(registries)}`;
}

function knownLookups({ asked, mirrored = 0, unasked }: PackageLookups): string {
  const what = asked === 0 ? "no package" : count(asked, "package");
  const of =
    mirrored === 0
      ? ""
      : ` (${mirrored === asked ? "all" : `${mirrored.toLocaleString("en-US")} of them`} ${MIRRORED})`;
  const done = `looked up ${what} that this change adds or updates${of}.`;
  if (unasked.length === 0) return done;
  const left = unasked.map(({ why, count: number, detail }) => REASONS[why](number, detail ?? ""));
  return `${done} Not looked up: ${left.join("; ")}.`;
}

const MIRRORED = "by name: from a registry that is not public";

type Reason = (number: number, detail: string) => string;

const REASONS: Readonly<Record<Unasked, Reason>> = {
  git: (number) => `${count(number, "package")} from git, which no advisory names`,
  url: (number) =>
    `${count(number, "package")} from ${number === 1 ? "an address of its own" : "addresses of their own"}`,
  file: (number) => `${count(number, "package")} from ${number === 1 ? "a file" : "files"}`,
  link: (number) => `${count(number, "package")} of this repository itself`,
  range: (number) => `${count(number, "version range")} without a lock file that Forge reads`,
  unsaid: (number) => `${count(number, "package")} whose version the manifest does not say`,
  limit: (number) => `${count(number, "package")} above the limit of one review`,
  ecosystem: (number, detail) => `${count(number, "package")} of ${detail}, which the advisory service does not cover`,
  unanswered: (number, detail) => `${count(number, "package")}: ${detail}`,
  unconfigured: (number) => `${count(number, "package")}: no advisory service is configured`,
  lines: (number) => `what ${count(number, "file")} ${number === 1 ? "says" : "say"} in lines that Forge cannot read`,
  files: (number) => `what ${count(number, "file")} ${number === 1 ? "names" : "name"} that Forge cannot read`,
};

/** "Registries were asked whether 12 packages exist: 1 does not. Not asked about: 2 that may come from a private registry." */
function registryLookups({ asked, missing, unasked }: RegistryLookups): string {
  const found = missing === 0 ? "all do" : `${missing.toLocaleString("en-US")} ${missing === 1 ? "does" : "do"} not`;
  const said =
    asked === 0
      ? "Registries were not asked whether any package exists."
      : `Registries were asked whether ${count(asked, "package")} ${asked === 1 ? "exists" : "exist"}: ${asked === 1 && missing === 0 ? "it does" : found}.`;
  if (unasked.length === 0) return said;
  const left = unasked.map(({ why, count: number, detail }) => UNSOUGHT[why](number, detail ?? ""));
  return `${said} Not asked about: ${left.join("; ")}.`;
}

const UNSOUGHT: Readonly<Record<Unsought, Reason>> = {
  private: (number) => `${count(number, "package")} that may come from a private registry or another place`,
  scope: (number) => `${count(number, "package")} with a scope, whose registry no file names`,
  ecosystem: (number, detail) => `${count(number, "package")} of ${detail}, whose registries are not asked`,
  limit: (number) => `${count(number, "package")} above the limit of one review`,
  unanswered: (number, detail) => `${count(number, "package")}: ${detail}`,
};
