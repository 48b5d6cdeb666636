// Finds phrases in comments, messages and docs that plain American English avoids. docs/plain-english.md says what to write instead.
//   node scripts/plain-english.ts [--hints] [--count] [<file or folder> ...]   lists the suspect lines, of the whole repository by default
//   node scripts/plain-english.ts [--hints] [--count] --change [<base>]        only lines added since <base>, by default since main
//   node scripts/plain-english.ts --check                                      fails if a folder has more than its ceiling
//   node scripts/plain-english.ts --lower                                      lowers the ceilings to what is left, then checks
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countByFolder, lowered, readCeilings } from "./plain-english/ceilings.ts";
import { checkCeilings, suspectsAmong } from "./plain-english/check.ts";
import { HINTED_PHRASES, SUSPECT_PHRASES } from "./plain-english/phrases.ts";
import { addedSince, baseOfBranch, filesAt, filesOfRepository } from "./plain-english/repository.ts";
import { type Suspect, suspectLine, suspectsOf } from "./plain-english/suspects.ts";

const CEILINGS = "scripts/plain-english/ceilings.json";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hints: { type: "boolean" },
    count: { type: "boolean" },
    change: { type: "boolean" },
    check: { type: "boolean" },
    lower: { type: "boolean" },
  },
});

const repository = process.cwd();
if (values.check || values.lower) check(values.lower === true);
else list(values.change ? suspectsOfChange(positionals[0]) : suspectsIn(positionals.flatMap(filesAt)));

function check(lower: boolean): void {
  const suspects = find(filesOfRepository(repository), SUSPECT_PHRASES);
  const ceilings = readCeilings(readFileSync(join(repository, CEILINGS), "utf8"));
  const now = lower ? lowered(ceilings, countByFolder(suspects.map(({ path }) => path))) : ceilings;
  if (lower) writeFileSync(join(repository, CEILINGS), `${JSON.stringify(now, null, 2)}\n`);
  const report = checkCeilings(suspects, now, () => {
    const base = baseOfBranch(repository);
    return base === undefined ? new Map() : addedSince(repository, base);
  });
  for (const line of report.lines) console.log(line);
  if (!report.passed) process.exitCode = 1;
}

function suspectsOfChange(base = baseOfBranch(repository)): Suspect[] {
  if (base === undefined) throw new Error("There is no branch main here. Name the commit to compare with.");
  const added = addedSince(repository, base);
  return suspectsAmong(suspectsIn([...added.keys()]), added);
}

function suspectsIn(paths: readonly string[]): Suspect[] {
  const phrases = values.hints ? [...SUSPECT_PHRASES, ...HINTED_PHRASES] : SUSPECT_PHRASES;
  return find(paths.length > 0 || values.change ? paths : filesOfRepository(repository), phrases);
}

function find(paths: readonly string[], phrases: readonly RegExp[]): Suspect[] {
  return paths.flatMap((path) => suspectsOf(path, () => readFileSync(path, "utf8"), phrases));
}

function list(suspects: readonly Suspect[]): void {
  if (!values.count) for (const suspect of suspects) console.log(suspectLine(suspect));
  console.log(`${suspects.length} suspect ${suspects.length === 1 ? "line" : "lines"}`);
  if (suspects.length > 0) process.exitCode = 1;
}
