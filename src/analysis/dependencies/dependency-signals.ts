import type { Severity } from "../../domain/findings.ts";
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

interface LockChange {
  /** Packages and versions that the old file did not have, each once. */
  readonly added: readonly AddedPackage[];
  /** The same version with another hash of the same kind: what was published under it is not what was reviewed. */
  readonly rehashed: readonly LockedPackage[];
  /** The first package from each host that nothing came from before. */
  readonly newHosts: readonly { readonly package: LockedPackage; readonly host: string }[];
}

interface AddedPackage {
  readonly package: LockedPackage;
  /** Other versions of it in the old file; empty for a new dependency. */
  readonly before: readonly LockedPackage[];
}

export function compareLocks(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockChange {
  const oldByName = Map.groupBy(old, ({ name }) => name);
  const seen = new Set<string>();
  const added: AddedPackage[] = [];
  const rehashed: LockedPackage[] = [];
  for (const one of now) {
    const key = `${one.name}\0${one.version}`;
    if (one.source === "link" || seen.has(key)) continue;
    seen.add(key);
    const before = oldByName.get(one.name) ?? [];
    const same = before.filter(({ version }) => version === one.version);
    if (same.length === 0) added.push({ package: one, before });
    else if (isRehashed(one, same)) rehashed.push(one);
  }
  return { added, rehashed, newHosts: newHosts(old, now) };
}

function isRehashed(one: LockedPackage, same: readonly LockedPackage[]): boolean {
  if (one.source !== "registry") return false;
  const [kind, hash] = splitHash(one.integrity);
  const known = same.flatMap(({ integrity }) => {
    const [oldKind, oldHash] = splitHash(integrity);
    return oldKind === kind && oldHash !== undefined ? [oldHash] : [];
  });
  return hash !== undefined && known.length > 0 && !known.includes(hash);
}

/** `sha512-...`, `h1:...`, `10c0/...`: the name of the hash, and the hash. A list of several is not compared. */
function splitHash(integrity: string | undefined): readonly [kind?: string, hash?: string] {
  const match = /^([A-Za-z0-9]+)[-:/](\S+)$/.exec(integrity ?? "");
  return match ? [match[1] ?? "", match[2] ?? ""] : [];
}

function newHosts(old: readonly LockedPackage[], now: readonly LockedPackage[]): LockChange["newHosts"] {
  const known = new Set(old.flatMap((one) => hostOf(one) ?? []));
  if (known.size === 0) return [];
  return now.flatMap((one) => {
    const host = hostOf(one);
    if (host === undefined || known.has(host)) return [];
    known.add(host);
    return [{ package: one, host }];
  });
}

function hostOf({ source, address }: LockedPackage): string | undefined {
  return source === "registry" ? /^https?:\/\/([^/:@]+)/.exec(address ?? "")?.[1] : undefined;
}
