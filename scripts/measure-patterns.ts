// What the analyser of insecure code finds of an annotated folder, by CWE. `npm run measure:patterns [-- <folder> --missed --flagged]`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCorpus, sharesOf } from "./patterns/measure-corpus.ts";

const OWN = join(import.meta.dirname, "..", "test", "analysis", "patterns", "corpus");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { missed: { type: "boolean", default: false }, flagged: { type: "boolean", default: false } },
});
const lines = measureCorpus(positionals[0] ?? OWN);
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
