import { z } from "zod";
import { declaresEntities, decodeEntities, parseXml } from "../reports/safe-xml.ts";
import { type FailedTest, failedTest, MOST_FAILURES, pathInBox, type TestReport } from "./test-results.ts";

const LISTS = new Set(["testsuites", "testsuite", "testcase", "failure", "error", "skipped"]);

/** Suites in suites: writers nest two or three. */
const DEEPEST = 20;

const text = z.string().optional().catch(undefined);
const Trouble = z.union([z.string(), z.object({ "@message": text, "#text": text, "@type": text })]);
const Case = z.object({
  "@name": z.string().catch("?"),
  "@classname": text,
  "@file": text,
  failure: z.array(Trouble).optional().catch([]),
  error: z.array(Trouble).optional().catch([]),
  skipped: z.array(z.unknown()).optional().catch([]),
});
const Suite = z.object({
  "@file": text,
  testsuite: z.array(z.unknown()).optional().catch([]),
  testcase: z.array(z.unknown()).optional().catch([]),
});
const Root = z.object({
  testsuites: z.array(z.unknown()).optional().catch([]),
  testsuite: z.array(z.unknown()).optional().catch([]),
});

/** Reads JUnit's XML, which nearly every runner can write; undefined where it is none or is cut off. */
export function readJunit(xml: string): TestReport | undefined {
  if (declaresEntities(xml) || !/<testsuites?[\s>/]/.test(xml.slice(0, 10_000))) return undefined;
  // The parser takes an end that is missing for one that is there.
  if (!/<\/testsuites?\s*>\s*$|<testsuites?[^<>]*\/>\s*$/.test(xml.slice(-1_000))) return undefined;
  const root = Root.safeParse(parseXml(xml, LISTS));
  if (!root.success) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: FailedTest[] = [];
  for (const each of [...(root.data.testsuites ?? []), ...(root.data.testsuite ?? [])])
    readSuite(each, { counts, failures, file: undefined, depth: 0 });
  return { ...counts, failures };
}

interface Reading {
  readonly counts: { passed: number; failed: number; skipped: number };
  readonly failures: FailedTest[];
  readonly file: string | undefined;
  readonly depth: number;
}

function readSuite(given: unknown, reading: Reading): void {
  const suite = Suite.safeParse(given).data;
  if (suite === undefined || reading.depth > DEEPEST) return;
  const file = suite["@file"] ?? reading.file;
  for (const each of suite.testsuite ?? []) readSuite(each, { ...reading, file, depth: reading.depth + 1 });
  for (const each of suite.testcase ?? []) readCase(each, { ...reading, file });
}

function readCase(given: unknown, { counts, failures, file }: Reading): void {
  const one = Case.safeParse(given).data;
  if (one === undefined) return;
  const troubles = [...(one.failure ?? []), ...(one.error ?? [])];
  if (troubles.length === 0) {
    if ((one.skipped?.length ?? 0) > 0) counts.skipped += 1;
    else counts.passed += 1;
    return;
  }
  counts.failed += 1;
  if (failures.length >= MOST_FAILURES) return;
  const where = one["@file"] ?? file;
  const owner = one["@classname"];
  const name = decodeEntities(owner === undefined || owner === "" ? one["@name"] : `${owner} > ${one["@name"]}`);
  failures.push(
    failedTest(name, where === undefined ? undefined : pathInBox(decodeEntities(where)), messageOf(troubles)),
  );
}

function messageOf(troubles: readonly z.infer<typeof Trouble>[]): string {
  return troubles
    .map((trouble) => {
      if (typeof trouble === "string") return trouble;
      const { "@message": message = "", "#text": body = "" } = trouble;
      return body.includes(message) ? body : `${message}\n${body}`;
    })
    .map((each) => decodeEntities(each.trim()))
    .join("\n");
}
