import { FILE_ITSELF, failedTest, ReportBuilder, type TestReport } from "./test-results.ts";

const SECTION_LINES = 80;

/** What one test program of Cargo printed. */
interface Program {
  readonly announced: number;
  readonly failed: Set<string>;
  readonly said: Map<string, string[]>;
  /** Passed, failed, ignored; undefined while it has not come to its end. */
  result: readonly [number, number, number] | undefined;
}

/**
 * Reads what `cargo test` prints, one result for each test program; undefined where none came to its end. Stable Rust has no other form: that
 * of `--format json` is for nightly alone.
 */
export function readCargoTests(stdout: string): TestReport | undefined {
  const programs = readPrograms(stdout.split("\n"));
  if (!programs.some(({ result }) => result !== undefined)) return undefined;
  const built = new ReportBuilder();
  for (const { announced, failed, said, result } of programs) {
    if (result === undefined) {
      // A test that ends the process with 0 makes Cargo believe that all went well.
      const message = `A test program of ${announced} tests ended before its result.`;
      built.fail(failedTest(FILE_ITSELF, undefined, message));
      continue;
    }
    for (const name of failed) {
      const message = withoutTrace((said.get(name) ?? []).join("\n"));
      built.fail(failedTest(name, panickedIn(message), message));
    }
    const [passed, failures, ignored] = result;
    built.count("passed", passed);
    built.count("skipped", ignored);
    for (let unnamed = failed.size; unnamed < failures; unnamed += 1)
      built.fail(failedTest(FILE_ITSELF, undefined, "A test failed, and its name is not in what was printed."));
  }
  return built.report();
}

const AT = "panicked at ";

/** The file of a panic. Before Rust 1.73 it followed the message, which is in quotes; a path of Rust's own library begins at the root. */
function panickedIn(message: string): string | undefined {
  const lines = message.split("\n");
  const isQuoted = message.includes(`${AT}'`);
  for (const line of lines) {
    const at = isQuoted ? line.lastIndexOf("', ") + 3 : line.indexOf(AT) + AT.length;
    if (at < (isQuoted ? 3 : AT.length)) continue;
    const file = /^([^:]{1,500}\.rs):\d/.exec(line.slice(at))?.[1];
    if (file !== undefined && !(isQuoted && file.startsWith("/"))) return file;
  }
  return undefined;
}

function readPrograms(lines: readonly string[]): Program[] {
  const programs: Program[] = [];
  let section: string[] | undefined;
  /** Below the last heading `failures:`, which is followed by names alone. */
  let listing = false;
  for (const line of lines) {
    const running = /^running (\d{1,9}) tests?$/.exec(line)?.[1];
    if (running !== undefined && section === undefined) {
      programs.push({ announced: Number(running), failed: new Set(), said: new Map(), result: undefined });
      listing = false;
    }
    const program = programs.at(-1);
    if (!program) continue;
    const heading = /^---- (.{1,500}) stdout ----$/.exec(line)?.[1];
    const result = /^test result: \w+\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored/.exec(line);
    const listed = listing ? /^ {4}(\S.{0,500})$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) {
      section = [];
      program.said.set(heading, section);
      listing = false;
    } else if (line === "failures:") {
      section = undefined;
      listing = true;
      // A test may have printed such a heading, with names of its own: the last list stands before the result.
      program.failed.clear();
    } else if (result && section === undefined) {
      // The last one counts: tests may print such a line past the capture.
      program.result = [Number(result[1]), Number(result[2]), Number(result[3])];
    } else if (listed !== undefined) program.failed.add(listed);
    else if (section !== undefined && section.length < SECTION_LINES) section.push(line);
  }
  return programs;
}

function withoutTrace(message: string): string {
  return message.replace(/^stack backtrace:\n(?: .*\n?){0,80}/m, "").trim();
}
