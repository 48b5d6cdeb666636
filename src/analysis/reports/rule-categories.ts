import type { Category } from "../../domain/findings.ts";

type Table = readonly (readonly [prefix: string, category: Category])[];

/** By tool, then by the beginning of the rule; the longest beginning decides, and the empty one is the tool's default. */
const BY_TOOL: Readonly<Record<string, Table>> = {
  eslint: [
    ["", "best_practice"],
    ...all("security", "no-eval", "no-implied-eval", "no-new-func", "no-script-url", "security/", "no-unsanitized/"),
    ...all("security", "no-secrets/", "xss/", "react/no-danger", "react/jsx-no-target-blank", "regexp/no-super-linear"),
    ...all("correctness", "for-direction", "getter-return", "constructor-super", "array-callback-return", "no-dupe-"),
    ...all("correctness", "no-const", "no-cond-assign", "no-compare-neg-zero", "no-class-assign", "no-func-assign"),
    ...all("correctness", "no-import-assign", "no-unsafe-", "no-unreachable", "no-undef", "no-self-", "no-sparse-"),
    ...all("correctness", "no-fallthrough", "no-invalid-", "no-loss-of-precision", "no-obj-calls", "no-redeclare"),
    ...all("correctness", "no-this-before-super", "no-async-promise-executor", "no-promise-executor-return"),
    ...all("correctness", "no-unused-private", "use-isnan", "valid-typeof", "require-atomic-updates", "parse-error"),
    ...all("correctness", "react-hooks/", "promise/", "import/no-unresolved", "import/named", "vitest/", "jest/"),
    ...all(
      "correctness",
      "@typescript-eslint/no-floating",
      "@typescript-eslint/no-misused",
      "@typescript-eslint/no-unsafe",
    ),
    ...all("correctness", "@typescript-eslint/await-thenable", "@typescript-eslint/no-base-to-string"),
    ...all(
      "maintainability",
      "complexity",
      "max-",
      "no-unused-",
      "no-useless-",
      "sonarjs/",
      "@typescript-eslint/no-unused",
    ),
    ...all("performance", "no-await-in-loop", "perf-", "react/jsx-no-bind", "react-perf/"),
    ...all("style", "prettier/", "@stylistic/", "stylistic/", "indent", "quotes", "semi", "camelcase", "eol-last"),
    ...all(
      "style",
      "no-trailing-spaces",
      "no-multiple-empty-lines",
      "comma-",
      "key-spacing",
      "object-curly-",
      "space-",
    ),
    ...all("style", "simple-import-sort/", "import/order", "sort-", "one-var", "func-style", "curly"),
  ],
  biome: [
    ["", "correctness"],
    ["lint/security", "security"],
    ["lint/performance", "performance"],
    ["lint/complexity", "maintainability"],
    ["lint/correctness/noUnused", "maintainability"],
    ["lint/style", "style"],
    ["lint/a11y", "best_practice"],
    ["lint/nursery", "best_practice"],
    ["lint/project", "best_practice"],
    ["plugin", "best_practice"],
    ["format", "style"],
    ["assist", "style"],
    ["organizeImports", "style"],
  ],
  tsc: [
    ["", "correctness"],
    ...all("maintainability", "TS6133", "TS6138", "TS6192", "TS6196", "TS6198", "TS6199", "TS6385", "TS6387", "TS7027"),
  ],
  checkstyle: [
    ["", "style"],
    ...all("best_practice", "coding", "design", "imports", "annotation", "modifier"),
    ...all("correctness", "coding.EqualsHashCode", "coding.EmptyStatement", "coding.StringLiteralEquality"),
    ...all("correctness", "coding.FallThrough", "coding.EqualsAvoidNull", "coding.CovariantEquals"),
    ...all("maintainability", "metrics", "sizes", "coding.Nested", "coding.MagicNumber", "imports.UnusedImports"),
  ],
  ruff: [
    ["", "best_practice"],
    ["S", "security"],
    ["SIM", "maintainability"],
    ...all("correctness", "F", "B", "PLE", "ASYNC", "E9"),
    ...all("maintainability", "F401", "F841", "C90", "PLR", "ERA", "SLF", "SLOT"),
    ...all("performance", "PERF"),
    ...all("style", "E", "W", "D", "I", "N", "Q", "COM", "UP", "ISC"),
  ],
  shellcheck: [["", "correctness"]],
  hadolint: [["", "best_practice"]],
  actionlint: [["", "correctness"]],
};

/** Tools that look for nothing but weaknesses. */
const SECURITY_TOOLS =
  /^(?:bandit|brakeman|checkov|codeql|detect-secrets|gitleaks|gosec|grype|kics|njsscan|osv-scanner|semgrep-secrets|snyk|terrascan|tfsec|trivy|trufflehog|zizmor)\b/;

const SECRET_TOOLS = /^(?:detect-secrets|gitleaks|trufflehog)\b/;

const BY_TAG: Readonly<Record<string, Category>> = {
  security: "security",
  vulnerability: "security",
  performance: "performance",
  efficiency: "performance",
  maintainability: "maintainability",
  complexity: "maintainability",
  correctness: "correctness",
  reliability: "correctness",
  bug: "correctness",
  style: "style",
  formatting: "style",
  convention: "style",
  "best-practice": "best_practice",
  "best-practices": "best_practice",
};

/**
 * Category of a foreign rule (FIND-1): by what the rule says of itself, then by tool and the beginning of the rule's name, then by what
 * such names usually hold. `tool` as `toolName` writes it.
 */
export function categoryOf(tool: string, rule: string, tags: readonly string[] = []): Category {
  const own = tags.map((tag) => tag.toLowerCase());
  if (own.some((tag) => tag.startsWith("external/cwe") || /^cwe\b/.test(tag))) return "security";
  // A rule may have several: "security" weighs most, and the order of the table is the order of weight.
  const tagged = Object.keys(BY_TAG).find((tag) => own.includes(tag));
  if (tagged !== undefined) return BY_TAG[tagged] ?? "correctness";
  const table = Object.hasOwn(BY_TOOL, tool) ? BY_TOOL[tool] : undefined;
  if (table !== undefined) return byLongestPrefix(table, rule);
  if (SECURITY_TOOLS.test(tool)) return "security";
  return /(?:^|[./_-])(?:security|cwe-?\d+|cve-\d+|ghsa|injection|xss|sqli|ssrf)(?:[./_-]|$)/i.test(rule)
    ? "security"
    : "best_practice";
}

/** Whether everything that the tool reports is a secret. */
export function reportsSecrets(tool: string): boolean {
  return SECRET_TOOLS.test(tool);
}

function byLongestPrefix(table: Table, rule: string): Category {
  let best = "";
  let category: Category = "best_practice";
  for (const [prefix, candidate] of table) {
    if (rule.startsWith(prefix) && prefix.length >= best.length) [best, category] = [prefix, candidate];
  }
  return category;
}

function all(category: Category, ...prefixes: string[]): Table {
  return prefixes.map((prefix) => [prefix, category] as const);
}
