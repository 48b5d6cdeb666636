// What the analyser of insecure code finds of an annotated folder, by CWE, or what it says of packages that are fine.
// `npm run measure:patterns [-- <folder> --missed --flagged]`, `npm run measure:patterns -- --packages <package>... [--flagged]`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCorpus, measurePackage, sharesOf } from "./patterns/measure-corpus.ts";
import { downloadVersions, publishedVersions } from "./silence/published-versions.ts";

const OWN = join(import.meta.dirname, "..", "test", "analysis", "patterns", "corpus");

/** Frameworks, databases, schemas and tools that many projects use. docs/silence.md judges what blocks in them. */
const WELL_KEPT =
  "express fastify koa hono h3 @nestjs/core next @trpc/server zod valibot yup @prisma/client drizzle-orm knex sequelize typeorm mongoose pg mysql2 i18next react vue svelte @angular/core lodash axios got undici ws socket.io graphql-yoga @apollo/server commander yargs pino winston vite eslint prettier p-limit".split(
    " ",
  );
/** Findings above a remark in a thousand lines. */
const MOST = 0.3;

const flag = { type: "boolean", default: false } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { missed: flag, flagged: flag, packages: flag },
});
if (values.packages) measurePackages(positionals.length > 0 ? positionals : WELL_KEPT);
else measureFolder(positionals[0] ?? OWN);

function measurePackages(names: readonly string[]): void {
  const downloads = mkdtempSync(join(tmpdir(), "forge-packages-"));
  try {
    for (const name of names) {
      const [folder = ""] = downloadVersions(
        name,
        publishedVersions(name, 1),
        join(downloads, name.replaceAll("/", "+")),
      );
      const { lines, blocking, loud, quiet } = measurePackage(folder);
      const share = (1_000 * loud.length) / Math.max(1, lines);
      if (share > MOST) process.exitCode = 1;
      console.log(
        `${name.padEnd(12)} ${String(lines).padStart(7)} lines, ${String(blocking.length).padStart(3)} blocking, ${String(loud.length).padStart(3)} above a remark, ${share.toFixed(2)} in 1,000 (at most ${MOST}); ${quiet.length} remarks`,
      );
      for (const each of values.flagged ? [...loud, ...quiet] : loud) console.log(`  ${each}`);
    }
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

function measureFolder(folder: string): void {
  const lines = measureCorpus(folder);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(8);
  const row = (name: string, some: typeof lines) => {
    const { wrong, found, right, flagged, foundShare, flaggedShare } = sharesOf(some);
    console.log(
      `${name.padEnd(10)} found ${String(found).padStart(4)} of ${String(wrong).padStart(4)} ${percent(foundShare)}   flagged ${String(flagged).padStart(4)} of ${String(right).padStart(4)} ${percent(flaggedShare)}`,
    );
  };
  for (const [cwe, some] of [...Map.groupBy(lines, ({ cwe }) => cwe)].toSorted(([a], [b]) =>
    a.localeCompare(b, "en", { numeric: true }),
  ))
    row(cwe, some);
  row("all", lines);
  for (const { file, line, code, expected, rules, cwe } of lines) {
    if (values.missed && expected === "wrong" && rules.length === 0)
      console.log(`missed  ${cwe} ${file}:${line}  ${code}`);
    if (values.flagged && expected === "right" && rules.length > 0)
      console.log(`flagged ${cwe} ${file}:${line}  ${code}  (${rules.join(", ")})`);
  }
}
