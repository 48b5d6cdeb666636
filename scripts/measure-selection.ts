// Whether the tests that Forge selects for a change fail where all tests would (TEST-3): small projects with real runners, and packages that
// bring their tests along, with changes of their sources, data, templates, settings, snapshots and programs. For each of these all tests are
// run, and those that are selected, in the sandbox. Ends with 1 where a failure was missed.
// `npm run measure:selection [-- <part of a name>... --keep <folder>]`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSandbox } from "../src/workspace/sandbox/open-sandbox.ts";
import type { Project } from "./selection/project.ts";
import { PROJECTS } from "./selection/projects.ts";
import { PUBLISHED, publishedSource } from "./selection/published.ts";
import { type Measured, measureProject, type Source } from "./selection/run-project.ts";
import { writeFiles } from "./selection/select.ts";

/** Of a package that others wrote. */
const MUTATIONS = 12;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "string" } } });
const sandbox = await openSandbox();
if ("unavailable" in sandbox) throw new Error(sandbox.unavailable);
const kept = values.keep ?? mkdtempSync(join(tmpdir(), "forge-selection-packages-"));
const isWanted = ({ name }: { readonly name: string }) =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));
const rows: Measured[] = [];
console.log("| Project | Runner | Changes | Fail in full | Caught | Missed | Tests run |");
console.log("|---|---|--:|--:|--:|--:|--:|");
try {
  for (const project of PROJECTS.filter(isWanted)) await measure(sourceOf(project));
  for (const each of PUBLISHED.filter(isWanted)) {
    const packages = installed(each.packages);
    await measure(publishedSource(each, { downloads: join(kept, "published"), packages, most: MUTATIONS }));
  }
} finally {
  if (values.keep === undefined) rmSync(kept, { recursive: true, force: true });
}
const sum = (of: "mutations" | "failing" | "caught" | "files" | "selected") =>
  rows.reduce((total, row) => total + row[of], 0);
const missed = rows.flatMap((row) => row.missed);
console.log(
  line([
    "All",
    "",
    sum("mutations"),
    sum("failing"),
    sum("caught"),
    missed.length,
    share(sum("selected"), sum("files")),
  ]),
);
const wrong = rows.flatMap(({ name, wrong: told }) => told.map((each) => `${name}: ${each}`));
for (const each of wrong) console.error(`not as it is written: ${each}`);
process.exitCode = missed.length + wrong.length > 0 ? 1 : 0;

async function measure(source: Source): Promise<void> {
  if (sandbox === undefined || "unavailable" in sandbox) return;
  const measured = await measureProject(source, sandbox);
  if (typeof measured === "string") {
    console.error(`${source.name} is not measured: ${measured}`);
    return;
  }
  rows.push(measured);
  const { name, runner, mutations, failing, caught, missed: left, files, selected } = measured;
  console.log(line([name, runner, mutations, failing, caught, left.length, share(selected, files)]));
  for (const each of left) console.error(`missed: ${each}`);
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "none" : `${Math.round((part / whole) * 100)} %`;
}

function sourceOf({ name, files, mutations, packages }: Project): Source {
  return {
    ...{ name, mutations, isTold: true },
    copyTo: (folder) => writeFiles(folder, files),
    packages: packages === undefined ? undefined : installed(packages),
    paths: new Set(Object.keys(files)),
  };
}

/** A folder with these packages, installed without running anything of them. */
function installed(packages: readonly string[]): string {
  const folder = join(kept, packages.join("+").replaceAll("/", "_").slice(0, 200));
  if (existsSync(join(folder, "node_modules"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const how = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  execFileSync("npm", ["install", ...how, ...packages], { cwd: folder, stdio: "ignore" });
  return folder;
}
