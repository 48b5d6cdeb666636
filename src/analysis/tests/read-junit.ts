import { z } from "zod";
import { declaresEntities, decodeEntities, parseXml } from "../reports/safe-xml.ts";
import { junitOutcome, OUTCOME_LISTS } from "./junit-outcome.ts";
import { FILE_ITSELF, failedTest, pathInBox, ReportBuilder, type TestReport, unknownOutcome } from "./test-results.ts";

const LISTS = new Set(["testsuites", "testsuite", "testcase", ...OUTCOME_LISTS]);

/** Suites in suites: writers nest two or three. */
const DEEPEST = 20;

const text = z.string().optional().catch(undefined);
const element = z.record(z.string(), z.unknown());
const elements = z.array(z.union([element, z.string().transform(() => ({}))])).catch([]);

/** Reads JUnit's XML, which nearly every runner can write; undefined where it is none or is cut off. */
export function readJunit(xml: string): TestReport | undefined {
  const outermost = declaresEntities(xml) ? undefined : /<(testsuites?)[\s>/]/.exec(xml.slice(0, 10_000))?.[1];
  if (outermost === undefined) return undefined;
  // The parser takes an end that is missing for one that is there.
  const end = /<(?:\/(testsuites?)\s*|(testsuites?)(?:\s[^<>]*)?\/)>$/.exec(withoutLastComments(xml).slice(-1_000));
  if (outermost !== (end?.[1] ?? end?.[2])) return undefined;
  const root = element.safeParse(parseXml(xml, LISTS));
  if (!root.success) return undefined;
  const built = new ReportBuilder();
  readSuites(root.data, { built, file: undefined, depth: 0 });
  return built.report();
}

/** Comments may follow the report. */
function withoutLastComments(xml: string): string {
  let rest = xml.trimEnd();
  while (rest.endsWith("-->")) {
    const start = rest.lastIndexOf("<!--");
    if (start === -1) return "";
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}

interface Reading {
  readonly built: ReportBuilder;
  readonly file: string | undefined;
  readonly depth: number;
}

function readSuites(given: Readonly<Record<string, unknown>>, reading: Reading): void {
  const suites = [...elements.parse(given.testsuites ?? []), ...elements.parse(given.testsuite ?? [])];
  for (const suite of suites) readSuite(suite, reading);
}

function readSuite(suite: Readonly<Record<string, unknown>>, { built, file: outer, depth }: Reading): void {
  const name = decodeEntities(text.parse(suite["@name"]) ?? "");
  const file = text.parse(suite["@file"]) ?? outer;
  const fail = (message: string) => built.fail(failedTest(name === "" ? FILE_ITSELF : name, pathOf(file), message));
  if (depth > DEEPEST) {
    fail("Its suites are nested too deeply to be read.");
    return;
  }
  const before = built.failed;
  readSuites(suite, { built, file, depth: depth + 1 });
  for (const each of elements.parse(suite.testcase ?? [])) readCase(each, { built, file, depth });
  // The elements of a suite alone say that all of it failed; its attributes are those of no test.
  const own = junitOutcome(
    Object.fromEntries(OUTCOME_LISTS.flatMap((key) => (key in suite ? [[key, suite[key]]] : []))),
  );
  if (own.kind === "failed") fail(own.message);
  const counted = ["@failures", "@errors"].reduce((sum, key) => sum + (Number(suite[key]) || 0), 0);
  if (counted > 0 && built.failed === before) fail(`The runner counts ${counted} failed here, and names none of them.`);
}

function readCase(given: Readonly<Record<string, unknown>>, { built, file: outer }: Reading): void {
  const outcome = junitOutcome(given);
  if (outcome.kind === "passed" || outcome.kind === "skipped") {
    built.count(outcome.kind);
    return;
  }
  const file = pathOf(text.parse(given["@file"]) ?? outer);
  const name = nameOf(decodeEntities(text.parse(given["@name"]) ?? "?"), text.parse(given["@classname"]), file);
  if (outcome.kind === "failed") built.fail(failedTest(name, file, outcome.message));
  else built.fail(unknownOutcome(name, file, outcome.said));
}

function pathOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : pathInBox(decodeEntities(file)).replace(/^\.\//, "");
}

/** pytest writes the module and the classes with dots between them; a module that cannot be loaded has no class. */
function nameOf(name: string, classname: string | undefined, file: string | undefined): string {
  const owner = decodeEntities(classname ?? "");
  const module = file?.endsWith(".py") ? file.slice(0, -".py".length).replaceAll("/", ".") : undefined;
  if (module !== undefined && owner === "" && name === module) return FILE_ITSELF;
  if (module !== undefined && (owner === module || owner.startsWith(`${module}.`)))
    return [...owner.slice(module.length + 1).split("."), name].filter((part) => part !== "").join("::");
  // Surefire gives no name to a class that fails before its first test.
  return [owner, name].filter((part) => part !== "").join(" > ");
}
