import type { Severity } from "../../domain/findings.ts";
import type { LockChange, MovedPackage } from "./compare-locks.ts";
import type { LockedPackage } from "./locked-package.ts";
import type { RegistryArchive } from "./package-address.ts";
import { hashesOf } from "./package-hashes.ts";

/** What a lock file itself says, without asking anybody. */
export interface Signal {
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: number;
  readonly package: LockedPackage;
  readonly message: string;
  readonly why: string;
}

/** More of one lock file are noise, or made to be. */
const MOST_SIGNALS = 100;

/** @param first whether there was no lock file before: then every package is new, and their scripts are no news */
export function findSignals(change: LockChange, first: boolean): Signal[] {
  return [
    ...change.rehashed.map(rehashed),
    ...change.misnamed.map(misnamed),
    ...change.moved.map(moved),
    ...change.newRegistries.map(newRegistry),
    ...change.exchanged.map(exchanged),
    ...change.weaker.map(weaker),
    ...(first ? [] : change.scripts).map(script),
    ...change.plain.map(plain),
    ...change.foreign.map(foreign),
  ].slice(0, MOST_SIGNALS);
}

function rehashed(one: LockedPackage): Signal {
  return {
    rule: "integrity-changed",
    severity: "critical",
    confidence: 0.85,
    package: one,
    message: `The hash of ${nameOf(one)} changed although its version is the same.`,
    why: "A published version does not change: either its archive was replaced, or the lock file was edited. Compare it with a fresh installation from the registry.",
  };
}

function exchanged(one: LockedPackage): Signal {
  return {
    rule: "integrity-changed",
    severity: "warning",
    confidence: 0.75,
    package: one,
    message: `Some of the hashes of ${nameOf(one)} changed although its version is the same.`,
    why: "The files of a published version do not change: one of them may have been replaced. Compare them with the hashes that the registry lists.",
  };
}

function misnamed({ package: one, archive }: { package: LockedPackage; archive: RegistryArchive }): Signal {
  const { name, version } = archive;
  return {
    rule: "other-archive",
    severity: "critical",
    confidence: 0.85,
    package: one,
    message: `The entry of ${nameOf(one)} has the address of another archive: ${version === undefined ? name : `${name} ${version}`}.`,
    why: "The archive at that address is installed, whatever the entry is called, and advisories were looked up for the name of the entry. Compare it with a fresh installation from the registry.",
  };
}

/** The same content from another place is only worth a look; other content under a known version has to be explained. */
function moved({ package: one, before, isSame }: MovedPackage): Signal {
  const severity = { true: "warning", false: "critical", undefined: "error" } as const;
  const hash = {
    true: "The hash is the same, so the content is as well for now.",
    false: "The hash changed too, so the content is not what was reviewed under this version.",
    undefined: "No hash shows that the content is the same.",
  };
  const from = one.source === before.source ? "another address than before" : `${FROM[one.source]} now`;
  return {
    rule: "source-changed",
    severity: severity[`${isSame}`],
    confidence: 0.85,
    package: one,
    message: `${nameOf(one)} comes from ${from}${one.source === before.source ? "" : `, not from ${FROM[before.source]} as before`}. Its version is the same.`,
    why: `${hash[`${isSame}`]} Keep it only if the project means to install it from there.`,
  };
}

const FROM = {
  registry: "the registry",
  git: "a git repository",
  url: "an address of its own",
  file: "a file",
  link: "a folder of the repository",
};

function newRegistry({ package: one, registry }: { package: LockedPackage; registry: string }): Signal {
  const at = registry.includes("/") ? "registry" : "host";
  return {
    rule: "registry-changed",
    severity: "warning",
    confidence: 0.8,
    package: one,
    message: `Packages come from the ${at} ${registry} now, ${nameOf(one)} first; none did before.`,
    why: `The owner of that ${at} controls the code. Keep it only if the project means to install from there.`,
  };
}

function weaker(one: LockedPackage): Signal {
  const [kind] = hashesOf(one).keys();
  return {
    rule: kind === undefined ? "integrity-missing" : "integrity-weaker",
    severity: "warning",
    confidence: 0.8,
    package: one,
    message:
      kind === undefined
        ? `${nameOf(one)} no longer has a hash.`
        : `${nameOf(one)} has only a weaker hash than before: ${kind}.`,
    why:
      kind === undefined
        ? "Without a hash, an archive that was replaced is installed without an error. Install again with an empty cache to get the hash back."
        : "An archive can be made to fit a weak hash. Install again with an empty cache to get the stronger hash back.",
  };
}

function script(one: LockedPackage): Signal {
  return {
    rule: "install-script",
    severity: "warning",
    confidence: 0.75,
    package: one,
    message: `${nameOf(one)} runs a script of its own when it is installed.`,
    why: "It runs on every machine that installs the project, before anybody calls the package: read the script, or install with scripts switched off.",
  };
}

function plain(one: LockedPackage): Signal {
  return {
    rule: "plain-http",
    severity: "warning",
    confidence: 0.8,
    package: one,
    message: `${one.name} is fetched over plain HTTP.`,
    why: "Anybody on the way can replace it. Use HTTPS.",
  };
}

function foreign(one: LockedPackage): Signal {
  return {
    rule: `${one.source}-source`,
    severity: "warning",
    confidence: 0.8,
    package: one,
    message: `${one.name} comes from ${FROM[one.source]}, not from the registry.`,
    why: "No advisory covers it, and the content at its source can change or vanish without a new version.",
  };
}

function nameOf({ name, version }: LockedPackage): string {
  return `${name} ${version}`;
}
