// How often the readers of programs, settings and manifests speak up on what well-known packages have published, and why a check would ask
// for a person because of them: each package from one version to a later one as a single change, and each folder of --trees as all new.
// `npm run measure:readers [-- <package>@<from>..<to>... --trees <folder> --keep <folder> --quiet]`.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readChange, type Told } from "./readers/read-change.ts";
import { downloadVersions } from "./silence/published-versions.ts";
import { commitVersions } from "./silence/version-history.ts";

/** Some ship their settings, scripts and programs along. */
const WELL_KNOWN = [
  ...["express@4.19.2..5.1.0", "fastify@4.28.1..5.4.0", "eslint@8.57.0..9.30.0", "prettier@3.3.3..3.6.2"],
  ...["commander@11.1.0..14.0.0", "husky@8.0.3..9.1.7", "lint-staged@13.3.0..15.5.2", "axios@1.6.8..1.10.0"],
  ...["mocha@10.4.0..11.7.1", "vite@5.4.0..6.3.5", "yargs@17.6.0..17.7.2", "rollup@3.29.4..4.44.1"],
  ...["@nestjs/cli@10.4.0..11.0.7", "pino@8.21.0..9.7.0", "jest@29.7.0..30.0.4", "nodemon@2.0.22..3.1.10"],
  ...["undici@6.19.8..7.11.0", "webpack@5.89.0..5.99.9"],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { trees: { type: "string" }, keep: { type: "string" }, quiet: { type: "boolean", default: false } },
});
const downloads = values.keep ?? mkdtempSync(join(tmpdir(), "forge-packages-"));
const scratchRoot = mkdtempSync(join(tmpdir(), "forge-readers-scratch-"));
const totals = { changes: 0, findings: 0, notInfo: 0, asking: 0 };
try {
  const { trees } = values;
  for (const spec of positionals.length === 0 && trees === undefined ? WELL_KNOWN : positionals) {
    tell(spec, await published(spec));
  }
  for (const name of trees === undefined ? [] : readdirSync(trees).sort()) {
    tell(name, await readChange(join(trees!, name), undefined, scratchRoot));
  }
} finally {
  rmSync(scratchRoot, { recursive: true, force: true });
  if (values.keep === undefined) rmSync(downloads, { recursive: true, force: true });
}
const { changes, findings, notInfo, asking } = totals;
console.log(
  `${changes} changes: ${findings} findings, ${notInfo} of warning or above; ${asking} would ask for a person`,
);

async function published(spec: string): Promise<Told> {
  const [, name, from, to] = /^(@?[^@]+)@(.+?)\.\.(.+)$/.exec(spec) ?? [];
  if (name === undefined || from === undefined || to === undefined) {
    throw new Error(`"${spec}" names no package with two versions: write it like express@4.19.2..5.1.0.`);
  }
  const history = commitVersions(downloadVersions(name, [from, to], join(downloads, name.replaceAll("/", "+"))));
  try {
    const [base] = history.commits;
    return await readChange(history.folder, base, scratchRoot);
  } finally {
    history.remove();
  }
}

function tell(name: string, told: Told): void {
  totals.changes += 1;
  totals.findings += told.findings.length;
  totals.notInfo += told.findings.filter(({ severity }) => severity !== "info").length;
  totals.asking += told.asks.length > 0 ? 1 : 0;
  console.log(`${name}: ${told.findings.length} findings${told.asks.length > 0 ? ", asks for a person" : ""}`);
  if (values.quiet) return;
  for (const { rule, severity, place, message } of told.findings)
    console.log(`  ${severity} ${rule} ${place}\n    ${message}`);
  for (const reason of told.asks) console.log(`  asks: ${reason}`);
}
