import { findSecrets } from "../../src/analysis/child/find-secrets.ts";
import { classifyFile } from "../../src/analysis/classify-file.ts";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import { LOCK_FILES, lockFileOf } from "../../src/analysis/dependencies/lock-files.ts";
import { findForeignLine } from "../../src/analysis/dependencies/lock-text.ts";
import { readReport } from "../../src/analysis/reports/read-report.ts";
import { readCoverage } from "../../src/analysis/tests/read-coverage.ts";
import { readJunit } from "../../src/analysis/tests/read-junit.ts";
import { createJsonCheck } from "../../src/github/intake/json-object.ts";
import { createJsonReader } from "../../src/github/intake/json-reader.ts";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { readAlerts } from "../../src/monitoring/doors/read-alerts.ts";
import { readPlain } from "../../src/monitoring/doors/read-errors.ts";
import { dismissalReason, parseCommands } from "../../src/pipeline/commands/parse-comment.ts";
import { neutraliseText } from "../../src/safety/neutralise.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { stripHidden } from "../../src/tools/data/strip-hidden.ts";
import { changedFile } from "../../test/analysis/change-of.ts";
import { MODEL_READERS } from "./model-readers.ts";
import { PROGRAM_READERS } from "./program-readers.ts";
import { type OutsideReader, reader } from "./reader.ts";
import { REPOSITORY_READERS } from "./repository-readers.ts";

/** Words are looked for as they are, and what is random in every way in which it can be written. */
const redact = createRedactor(["a known secret value", "k9fQ2xT7LmZ4vBn8RwYc3Jd6"]);
const clean = createClean(redact);
const isJson = createJsonCheck();
const REPORT = { root: "/checkout/shop" };
const COVERAGE = { root: "/checkout/shop", only: new Set(["src/a.ts"]) };
const SARIF_HEAD = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[{"message":{"text":"';

function readLock(path: string, text: string): void {
  lockFileOf(path)?.read(text);
  findForeignLine(path, text);
}

const LOCK_NAMES = ["pnpm-lock.yaml", "yarn.lock", "Cargo.lock", "Gemfile.lock", "go.sum", "requirements.txt"];
const LOCK_HEADS = ["lockfileVersion: '9.0'\n", "# yarn lockfile v1\n", '[[package]]\nname = "a"\n', "GEM\n", " - a: "];

/** Every reader of text that users, repositories, models, tools or doors write. */
export const OUTSIDE_READERS: Readonly<Record<string, OutsideReader>> = {
  commands: reader(
    (text) => [parseCommands(text), dismissalReason(text)],
    ["/forge", "/forge help ", "/forge dismiss a ", "> ", "<!--", "```\n"],
    ["/forge\n", "/forge ", "> ", "- ", "<!--", "<pre>", "`a", "~~~"],
  ),
  redaction: reader(
    redact,
    ["/forge help ", "-----BEGIN PRIVATE KEY-----\n", `${"-----BEGIN PRIVATE KEY-----".repeat(60)}A`, "key: "],
    ["-----BEGIN PRIVATE KEY-----", "eyJa.", "://a:b@", "bearer ", "datadog_key = ", "\\n", "%41", "QUJD", "A+"],
    ["-----END PRIVATE KEY-----"],
  ),
  secrets: reader(
    (text) => findSecrets({ id: 0, text, textKind: "data" }),
    ["password = ", "kind: Secret\ndata:\n"],
    ["password: ", "token='", "key=a1b2,", "  a: b\n", "AKIA", "-----BEGIN RSA PRIVATE KEY-----\n"],
  ),
  "lock files": reader(
    (text) => LOCK_NAMES.map((name) => readLock(name, text)),
    LOCK_HEADS,
    ["a: ", "  a@1:\n", '"a", ', "[[a]]\n", "a = [", "a (", "@:", "v1 h1:"],
    [" x: y\n"],
  ),
  "lock files that are JSON": reader(
    (text) => LOCK_FILES.map(({ read }) => read(text)),
    ['{"packages":{', '{"lockfileVersion":3,"packages":{"":{}'],
    ['"a":{', '"a":{"version":"1"},', "[["],
    ["}}"],
  ),
  classification: reader(
    (text) => {
      const content = Buffer.from(text);
      for (const path of ["a.ts", "a.py", "a", "README.md", ".env"])
        classifyFile(changedFile(path, "x\n"), content, Buffer.from(`x\n${text}`));
    },
    ["#!/bin/sh\n", "// @generated\n", "/* ", '"""'],
    ["/* ", "*/", "// ", "'''", "${`"],
  ),
  Markdown: reader(
    stripHidden,
    ["<!--", "[a]: ", "<div hidden>"],
    ["<!--", "![", "<a b", '<a "', "[a](", "<p hidden>", '[a]: b "', "-->"],
    ["-->"],
  ),
  neutralizing: reader(
    (text) => neutraliseText(text, { allowedHosts: ["github.com"] }),
    ["[a](", "<a ", "```\n"],
    ["[a](", "![", "@a ", "#1 ", "<a ", "https://a.b/", "www.a.", "](", "~~~\n", "``` `"],
  ),
  configuration: reader(
    parseConfiguration,
    ["review:\n", "a: &a ", "a: |\n"],
    ["- ", "? ", "*a ", "&a ", "a: ", "{ ? "],
  ),
  JSON: reader(
    (text) => {
      const body = Buffer.from(text);
      return [isJson(body), createJsonReader(body).read(body.length)];
    },
    ['{"a":', '{"a":"'],
    ["[", '{"a":', '"a",', "1,", "\\u0041"],
    ["}"],
  ),
  alerts: reader(
    (text) => [...readAlerts({ alerts: [{ status: "firing", labels: { a: text }, annotations: { b: text } }] }, clean)],
    ["a@", "::1"],
    ["a@", "1.", "1:", "::", "a.b"],
    ["@"],
  ),
  "stack traces": reader(
    (text) => readPlain({ type: "E", message: text, stack: text }, "m", clean),
    ["Traceback (most recent call last)\n", "  at ", '  File "'],
    ["  at a (b:1:1)\n", "at ", " (", ":1", '  File "a", line 1\n', "async "],
  ),
  SARIF: reader(
    (text) => readReport("sarif", text, REPORT),
    ['{"version":"2.1.0","runs":[', SARIF_HEAD, '{"$schema":"'],
    ["{},", '{"results":[', "{0}", "](", "\\n"],
    ['"}}]}]}'],
  ),
  JUnit: reader(
    readJunit,
    ["<testsuites><testsuite>", '<testsuite><testcase name="', "<!--", "<![CDATA["],
    ["<testcase>", "<a>", '<a b="c">', "&lt;", "<!--", "]]", "<failure>"],
    ["</testsuite>"],
  ),
  coverage: reader(
    (text) => [
      readCoverage("lcov", text, COVERAGE),
      readCoverage("istanbul", text, COVERAGE),
      readCoverage("cobertura", text, COVERAGE),
    ],
    ["SF:src/a.ts\n", '{"src/a.ts":{"path":"src/a.ts","statementMap":{', "<coverage><class filename='a'>"],
    ["DA:1,1\n", "SF:a\n", '"0":{},', "<line/>", "end_of_record\n", "DA:"],
  ),
  ...REPOSITORY_READERS,
  ...MODEL_READERS,
  ...PROGRAM_READERS,
};
