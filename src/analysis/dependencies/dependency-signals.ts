import type { Severity } from "../../domain/findings.ts";
import type { AddedPackage, LockChange } from "./compare-locks.ts";
import type { LockedPackage } from "./locked-package.ts";

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
export function findSignals({ added, rehashed, newHosts }: LockChange, first: boolean): Signal[] {
  const signals = [
    ...rehashed.map((one): Signal => {
      return {
        rule: "integrity-changed",
        severity: "critical",
        confidence: 0.85,
        package: one,
        message: `The hash of ${nameOf(one)} changed although its version is the same.`,
        why: "A published version does not change: either its archive was replaced, or the lock file was edited. Compare it with a fresh installation from the registry.",
      };
    }),
    ...newHosts.map(({ package: one, host }): Signal => {
      return {
        rule: "registry-changed",
        severity: "warning",
        confidence: 0.8,
        package: one,
        message: `Packages come from the host ${host} now, ${nameOf(one)} first; none did before.`,
        why: "Whoever controls that host controls the code. Keep it only if the project means to install from there.",
      };
    }),
    ...added.flatMap(signalsOfAdded).filter(({ rule }) => !first || rule !== "install-script"),
  ];
  return signals.slice(0, MOST_SIGNALS);
}

function signalsOfAdded({ package: one, before }: AddedPackage): Signal[] {
  const signals: Signal[] = [];
  if (one.installScript && !before.some(({ installScript }) => installScript)) {
    signals.push({
      rule: "install-script",
      severity: "warning",
      confidence: 0.75,
      package: one,
      message: `${nameOf(one)} runs a script of its own when it is installed.`,
      why: "It runs on every machine that installs the project, before anybody calls the package: read the script, or install with scripts switched off.",
    });
  }
  const plain = /^http:/.test(one.address ?? "");
  const foreign = one.source !== "registry" && !before.some(({ source }) => source === one.source);
  if (plain || foreign) signals.push(foreignSource(one, plain));
  return signals;
}

function foreignSource(one: LockedPackage, plain: boolean): Signal {
  const from = {
    git: "from a git repository",
    url: "from an address of its own",
    file: "from a file",
    link: "",
    registry: "",
  };
  return {
    rule: plain ? "plain-http" : `${one.source}-source`,
    severity: "warning",
    confidence: 0.8,
    package: one,
    message: plain
      ? `${one.name} is fetched over plain HTTP.`
      : `${one.name} comes ${from[one.source]}, not from the registry.`,
    why: plain
      ? "Anybody on the way can replace it. Use HTTPS."
      : "No advisory covers it, and what stands there can change or vanish without a new version.",
  };
}

function nameOf({ name, version }: LockedPackage): string {
  return `${name} ${version}`;
}
