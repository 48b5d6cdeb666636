import { createHash } from "node:crypto";
import { parseAllDocuments } from "yaml";
import { compareLockFile } from "../../src/analysis/child/compare-lock-file.ts";
import { median, type Result } from "../report.ts";

export const LOCKS_TITLE =
  "A long lock file and its old text, compared in the child. Baseline: one parse of the new text by the package for its format";

const ROUNDS = 7;
const PACKAGES = 7_000;
const MANIFEST = '{"dependencies":{"package-1":"1.1.0"}}';

/** Processor time of a comparison of two lock files of some 2 MB each, with one package in a hundred changed. Takes some seconds. */
export function measureLocks(): Result[] {
  const yaml = (text: string) => parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false });
  return [
    compared("pnpm-lock.yaml", pnpmLock, yaml, 0.5),
    compared("package-lock.json", packageLock, (text) => JSON.parse(text), 15),
  ];
}

function compared(
  name: string,
  make: (release: number) => string,
  parse: (text: string) => unknown,
  most: number,
): Result {
  const oldText = make(0);
  const spent = { reading: [] as number[], parsing: [] as number[] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const text = make(round);
    const lock = { name, steps: { manifests: [{ folder: "", text: MANIFEST }], place: {} } };
    spent.reading.push(processorMs(() => compareLockFile({ id: 0, text, oldText, lock })));
    spent.parsing.push(processorMs(() => parse(text)));
  }
  const [value, baseline] = [median(spent.reading), median(spent.parsing)];
  const megabytes = (oldText.length / 1e6).toFixed(1);
  return {
    ...{ name: `${name}, ${megabytes} MB twice`, value, unit: "ms", baseline },
    ...{ goal: `ratio at most ${most}`, met: value <= most * baseline },
  };
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  /** Names of the packages that it asks for. */
  readonly wants: readonly string[];
}

/** @param release every hundredth package has a version of its own in each */
function entries(release: number): Entry[] {
  return Array.from({ length: PACKAGES }, (_, at) => {
    const version = `${at % 9}.${at % 13}.${at % 100 === 0 ? release : 0}`;
    const hash = createHash("sha512").update(`${at} ${version}`).digest("base64");
    const wants = [1, 2, 3, 4].map((step) => `package-${(at + step * 17) % PACKAGES}`);
    return { name: `package-${at}`, version, hash: `sha512-${hash}`, wants };
  });
}

function pnpmLock(release: number): string {
  const all = entries(release);
  const packages = all.map(
    ({ name, version, hash }) =>
      `  ${name}@${version}:\n    resolution: {integrity: ${hash}}\n    engines: {node: '>=18'}\n\n`,
  );
  const snapshots = all.map(
    ({ name, version, wants }) =>
      `  ${name}@${version}:\n    dependencies:\n${wants.map((want) => `      ${want}: 1.0.0\n`).join("")}\n`,
  );
  const root =
    "importers:\n\n  .:\n    dependencies:\n      package-1:\n        specifier: 1.1.0\n        version: 1.1.0\n";
  return `lockfileVersion: '9.0'\n\n${root}\npackages:\n\n${packages.join("")}snapshots:\n\n${snapshots.join("")}`;
}

function packageLock(release: number): string {
  const packages = entries(release).map(({ name, version, hash, wants }) => {
    const resolved = `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`;
    const dependencies = Object.fromEntries(wants.map((want) => [want, "^1.0.0"]));
    return [`node_modules/${name}`, { version, resolved, integrity: hash, dependencies }];
  });
  const root = { "": { name: "shop", dependencies: { "package-1": "1.1.0" } } };
  return JSON.stringify({ lockfileVersion: 3, packages: { ...root, ...Object.fromEntries(packages) } }, null, 2);
}
