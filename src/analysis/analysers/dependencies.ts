import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { AdvisoryAnswer, PackageVersion } from "../dependencies/advisory-source.ts";
import { compareLocks } from "../dependencies/compare-locks.ts";
import { findSignals } from "../dependencies/dependency-signals.ts";
import { describeAdvisories } from "../dependencies/describe-advisories.ts";
import { lockFileOf } from "../dependencies/lock-files.ts";
import type { LockedPackage } from "../dependencies/locked-package.ts";
import { findDrift } from "../dependencies/manifest-drift.ts";
import { findPlace } from "../dependencies/package-place.ts";
import type { SourceFile } from "../source-file.ts";

/** Lock files compared as data, and the packages they add looked up where vulnerabilities are known. Packages as they were are no news. */
export const dependencies: Analyser = {
  name: "dependencies",
  version: "1",
  layer: "security",
  appliesTo: ({ path }) => lockFileOf(path) !== undefined || isManifest(path),
  analyse: analyseDependencies,
};

interface Suspect {
  readonly file: SourceFile;
  readonly package: LockedPackage;
}

async function analyseDependencies(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const observations: Observation[] = [];
  const problems: AnalyserProblem[] = [];
  const suspects: Suspect[] = [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const file of files) {
    const lockFile = lockFileOf(file.path);
    if (lockFile === undefined) continue;
    const now = lockFile.read(file.text);
    if ("fault" in now) {
      problems.push({ file: file.path, reason: `its packages were not compared: ${now.fault}`, gap: true });
      continue;
    }
    const old = file.oldText === undefined ? [] : lockFile.read(file.oldText);
    const change = compareLocks("fault" in old ? [] : old, now);
    const place = (of: LockedPackage) => findPlace(of, file, beside(file.path, lockFile.manifests, byPath));
    // Hashes of what was there before stand in lines that the change has to have touched.
    for (const { package: of, ...signal } of findSignals(change, file.oldText === undefined)) {
      observations.push({ ...COMMON, ...signal, rule: `dependencies/${signal.rule}`, ...place(of) });
    }
    observations.push(...driftOf(file, byPath));
    if (!lockFile.hashesOnly) {
      suspects.push(
        ...change.added
          .filter(({ package: of }) => of.source === "registry")
          .map(({ package: of }) => ({ file, package: of })),
      );
    }
  }
  const { answer, note } = await ask(suspects, context);
  for (const [file, ofFile] of Map.groupBy(suspects, ({ file }) => file)) {
    const lockFile = lockFileOf(file.path);
    for (const { package: of } of ofFile) {
      const known = answer.advisories.filter(
        ({ package: { name, version } }) => name === of.name && version === of.version,
      );
      if (known.length === 0) continue;
      const place = findPlace(of, file, beside(file.path, lockFile?.manifests ?? [], byPath));
      observations.push({ ...COMMON, ...describeAdvisories(known), ...place });
    }
  }
  if (answer.unchecked !== undefined) problems.push({ reason: `not checked: ${answer.unchecked}`, gap: true });
  return { observations, filesRead: files.length, problems, ...(note === undefined ? {} : { notes: [note] }) };
}

const COMMON = { source: "security", category: "security" } as const;

async function ask(
  suspects: readonly Suspect[],
  { advisories, signal }: AnalyserContext,
): Promise<{ answer: AdvisoryAnswer; note?: string }> {
  if (suspects.length === 0) return { answer: { advisories: [] } };
  const count = suspects.length === 1 ? "1 package" : `${suspects.length} packages`;
  if (advisories === undefined) {
    const note = `Known vulnerabilities of ${count} added or changed: not checked, as no advisory service is configured.`;
    return { answer: { advisories: [] }, note };
  }
  const asked = new Map<string, PackageVersion>();
  for (const {
    package: { ecosystem, name, version },
  } of suspects) {
    asked.set(`${ecosystem}\0${name}\0${version}`, { ecosystem, name, version });
  }
  const known = [...asked.values()].filter(({ ecosystem }) => advisories.ecosystems.includes(ecosystem));
  const answer = await advisories.query(known, signal);
  if (answer.unchecked !== undefined) {
    return { answer, note: `Known vulnerabilities of ${count} added or changed: not checked, ${answer.unchecked}.` };
  }
  if (known.length === asked.size) return { answer };
  const others = [...new Set(suspects.map(({ package: { ecosystem } }) => ecosystem))].filter(
    (one) => !advisories.ecosystems.includes(one),
  );
  return {
    answer,
    note: `Known vulnerabilities of packages of ${others.join(", ")}: not checked, as the configured service does not know them.`,
  };
}

function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pyproject\.toml|Pipfile|setup\.cfg|requirements\.in|Cargo\.toml|Gemfile)$/.test(
    path,
  );
}

/** The changed manifests in the folder of a lock file. */
function beside(path: string, names: readonly string[], files: ReadonlyMap<string, SourceFile>): SourceFile[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return names.flatMap((name) => files.get(`${folder}${name}`) ?? []);
}

/** Both sides have to be in the change: what stands elsewhere is not at hand. */
function driftOf(lock: SourceFile, files: ReadonlyMap<string, SourceFile>): Observation[] {
  const [manifest] = beside(lock.path, ["package.json"], files);
  if (manifest === undefined) return [];
  const name = lock.path.slice(lock.path.lastIndexOf("/") + 1);
  return findDrift(manifest.text, name, lock.text).map((drift) => {
    const line = findLine(manifest, drift.name);
    const has = drift.locked === undefined ? "does not have it" : `has it as ${drift.locked}`;
    return {
      ...COMMON,
      rule: "dependencies/out-of-step",
      severity: "warning",
      confidence: 0.8,
      file: manifest.path,
      line,
      endLine: line,
      message: `${drift.name} is wanted as ${drift.wanted}, and ${name} ${has}.`,
      why: "A clean installation fails or installs something else than was reviewed: install once and commit the lock file.",
    };
  });
}

function findLine({ text }: SourceFile, name: string): number {
  const at = text.split("\n").findIndex((line) => line.trimStart().startsWith(`${JSON.stringify(name)}:`));
  return Math.max(0, at) + 1;
}
