import { expect, it } from "vitest";
import { categoryOf } from "../../../src/analysis/reports/rule-categories.ts";

it.each([
  ["eslint", "no-eval", "security"],
  ["eslint", "security/detect-child-process", "security"],
  ["eslint", "no-unsafe-finally", "correctness"],
  ["eslint", "no-unused-vars", "maintainability"],
  ["eslint", "no-unused-private-class-members", "correctness"],
  ["eslint", "prettier/prettier", "style"],
  ["eslint", "react-hooks/rules-of-hooks", "correctness"],
  ["eslint", "eqeqeq", "best_practice"],
  ["biome", "lint/security/noGlobalEval", "security"],
  ["biome", "lint/correctness/noUnusedImports", "maintainability"],
  ["biome", "lint/suspicious/noDoubleEquals", "correctness"],
  ["biome", "parse", "correctness"],
  ["tsc", "TS2322", "correctness"],
  ["tsc", "TS6133", "maintainability"],
  ["ruff", "S608", "security"],
  ["ruff", "SIM102", "maintainability"],
  ["ruff", "E501", "style"],
  ["ruff", "E999", "correctness"],
  ["ruff", "F401", "maintainability"],
  ["checkstyle", "coding.EqualsHashCode", "correctness"],
  ["checkstyle", "whitespace.FileTabCharacter", "style"],
  ["shellcheck", "SC2086", "correctness"],
  ["gosec", "G204", "security"],
  ["osv-scanner", "GHSA-xxxx", "security"],
  ["semgrep", "javascript.express.security.audit.xss", "security"],
  ["semgrep", "javascript.lang.best-practice.leftover", "best_practice"],
  ["trivyesque", "anything", "best_practice"],
  ["constructor", "anything", "best_practice"],
])("FIND-1: %s %s is %s", (tool, rule, category) => {
  expect(categoryOf(tool, rule)).toBe(category);
});

it.each([
  [["Security", "style"], "security"],
  [["external/cwe/cwe-079"], "security"],
  [["CWE-79: Cross-site Scripting"], "security"],
  [["style", "performance"], "performance"],
  [["reliability"], "correctness"],
  [["toString", "experimental"], "best_practice"],
])("FIND-1: the tags %j make %s", (tags, category) => {
  expect(categoryOf("sniff", "R1", tags)).toBe(category);
});
