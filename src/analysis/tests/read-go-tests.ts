import { z } from "zod";
import { FILE_ITSELF, failedTest, ReportBuilder, type TestReport } from "./test-results.ts";

const Line = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

const OUTPUT_CHARACTERS = 8_000;

type Outcome = "pass" | "fail" | "skip";

/** What is known of a test, or of a package as a whole, by the name "". */
interface Known {
  readonly name: string;
  said: string;
  started: boolean;
  outcome: Outcome | undefined;
}

/** By import path. */
type Packages = Map<string, Map<string, Known>>;

/**
 * Reads `go test -json`: one object a line. Undefined where no package came to an end.
 * @param module the module path of `go.mod`, in front of every package of the repository
 * @param stderr where Go before 1.24 prints why a package does not build
 */
export function readGoTests(stdout: string, module: string, stderr = ""): TestReport | undefined {
  const packages = readPackages(stdout);
  const built = new ReportBuilder();
  let ended = false;
  for (const [path, tests] of packages) {
    const folder = folderOf(path, module);
    const whole = tests.get("");
    if (whole?.outcome !== undefined) ended = true;
    const before = built.failed;
    const lost = resultsAmid(tests);
    for (const test of tests.values()) if (test.name !== "") test.outcome ??= lost.get(test.name);
    const within = failedWithin(tests.values());
    for (const test of tests.values())
      if (test.name !== "" && test.started) readTest(test, { folder, failedWithin: within, built });
    // Where a test failed, the failure of its package says nothing more.
    if (whole?.outcome === "fail" && built.failed === before) {
      const said = [whole.said, compilerSaid(stderr, path)].filter((each) => each !== "").join("\n");
      built.fail(failedTest(FILE_ITSELF, folder === "" ? undefined : folder, said));
    }
  }
  return ended ? built.report() : undefined;
}

function readPackages(stdout: string): Packages {
  const packages: Packages = new Map();
  const knownOf = (path: string, name: string): Known => {
    const tests = packages.get(path) ?? new Map<string, Known>();
    packages.set(path, tests);
    const known = tests.get(name) ?? { name, said: "", started: false, outcome: undefined };
    tests.set(name, known);
    return known;
  };
  for (const text of stdout.split("\n")) {
    const line = Line.safeParse(parseJson(text)).data;
    // Before 1.24 a package that does not build has this line alone.
    const broken = line === undefined ? /^FAIL\t(\S{1,500}) \[[\w ]{1,40}\]$/.exec(text)?.[1] : undefined;
    if (broken !== undefined) {
      const known = knownOf(broken, "");
      known.said += text;
      known.outcome = "fail";
    }
    if (line === undefined) continue;
    const { Action, Package, ImportPath, Test = "", Output } = line;
    const known = knownOf((ImportPath ?? Package ?? "").split(" ")[0] ?? "", Test);
    if (Output !== undefined) known.said = (known.said + Output).slice(-OUTPUT_CHARACTERS);
    if (Action === "run") known.started = true;
    if (Action === "pass" || Action === "fail" || Action === "skip") known.outcome = Action;
  }
  return packages;
}

interface Place {
  readonly folder: string;
  /** Names of tests of which a subtest failed. */
  readonly failedWithin: ReadonlySet<string>;
  readonly built: ReportBuilder;
}

function failedWithin(tests: Iterable<Known>): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const { name, outcome } of tests) {
    if (outcome !== "fail") continue;
    let at = name.lastIndexOf("/");
    while (at > 0 && !parents.has(name.slice(0, at))) {
      parents.add(name.slice(0, at));
      at = name.lastIndexOf("/", at - 1);
    }
  }
  return parents;
}

function readTest(test: Known, { folder, failedWithin, built }: Place): void {
  const { outcome } = test;
  if (outcome === "pass" || outcome === "skip") {
    built.count(outcome === "pass" ? "passed" : "skipped");
    return;
  }
  // A test with subtests that failed fails for them.
  if (outcome === "fail" && failedWithin.has(test.name)) return;
  const file = /(?:^[ \t]{0,80}| {4})([\w.-]{1,200}_test\.go):\d+:/m.exec(test.said)?.[1];
  const path = file === undefined ? undefined : folder === "" ? file : `${folder}/${file}`;
  const said = withoutFrames(test.said);
  const message = outcome === "fail" ? said : `It started and has no result.\n${said}`.trim();
  built.fail(failedTest(test.name, path, message));
}

/**
 * Before 1.20 a result behind what a test printed without a line break is not seen for one, and is in the output of the test that
 * printed. Of several the worst counts.
 */
function resultsAmid(tests: ReadonlyMap<string, Known>): ReadonlyMap<string, Outcome> {
  const found = new Map<string, Outcome>();
  const waiting = new Set([...tests.values()].filter(({ started, outcome }) => started && outcome === undefined));
  if (waiting.size === 0) return found;
  for (const { said } of tests.values())
    for (const [, word, name = ""] of said.matchAll(/--- (PASS|FAIL|SKIP): (\S{1,500}) \(/g)) {
      const outcome = word === "FAIL" ? "fail" : word === "SKIP" ? "skip" : "pass";
      const known = found.get(name);
      if (known === undefined || outcome === "fail") found.set(name, outcome);
    }
  return found;
}

/** The lines below the heading `# package`. */
function compilerSaid(stderr: string, path: string): string {
  const lines = stderr.split("\n");
  const start = lines.findIndex((line) => line === `# ${path}` || line.startsWith(`# ${path} [`));
  if (start === -1) return "";
  const end = lines.findIndex((line, at) => at > start && line.startsWith("# "));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .join("\n")
    .slice(0, OUTPUT_CHARACTERS)
    .trim();
}

function folderOf(name: string, module: string): string {
  if (name === module) return "";
  return name.startsWith(`${module}/`) ? name.slice(module.length + 1) : name;
}

function withoutFrames(output: string): string {
  return output
    .split("\n")
    .filter((line) => !/^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS))/.test(line))
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

function parseJson(text: string): unknown {
  try {
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
