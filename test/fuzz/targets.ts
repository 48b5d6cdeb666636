import { generateKeyPairSync } from "node:crypto";
import { pino } from "pino";
import { hasTools, requireTool } from "../../scripts/tools.ts";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import { LOCK_FILES } from "../../src/analysis/dependencies/lock-files.ts";
import { type FileMetadata, parseDiff } from "../../src/analysis/parse-diff.ts";
import { readReport } from "../../src/analysis/reports/read-report.ts";
import { grantsMore } from "../../src/analysis/risk/risk-facts.ts";
import { readCargoTests } from "../../src/analysis/tests/read-cargo-tests.ts";
import { readCoverage } from "../../src/analysis/tests/read-coverage.ts";
import { readGoTests } from "../../src/analysis/tests/read-go-tests.ts";
import { readJunit } from "../../src/analysis/tests/read-junit.ts";
import { readPytest } from "../../src/analysis/tests/read-pytest.ts";
import { readTap } from "../../src/analysis/tests/read-tap.ts";
import { readTestJson } from "../../src/analysis/tests/read-test-json.ts";
import { readUnittest } from "../../src/analysis/tests/read-unittest.ts";
import { findDangersIn } from "../../src/analysis/workflows/find-dangers.ts";
import { compileGlob } from "../../src/domain/globs/compile-glob.ts";
import { REPORT_FORMATS } from "../../src/domain/repo-config.ts";
import { createAppClient } from "../../src/github/app-client.ts";
import { createDeliveryHandler, HANDLERS } from "../../src/github/handlers/handle-delivery.ts";
import { parseCommands } from "../../src/pipeline/commands/parse-comment.ts";
import { neutraliseText } from "../../src/safety/neutralise.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { packagePlans } from "../../src/workspace/install/package-plan.ts";
import { parseCommitLog } from "../../src/workspace/parse-commit-log.ts";
import { parseRawDiff, splitPatch } from "../../src/workspace/parse-raw-diff.ts";
import { stepsOf } from "../analysis/dependencies/steps-of.ts";
import { CARGO, GO, PYTEST, TAP, UNITTEST } from "../analysis/tests/runner-output.ts";
import {
  CHECKSTYLE,
  COBERTURA,
  COMMENTS,
  COMMIT_LOG,
  CONFIGURATIONS,
  ESLINT,
  GLOBS,
  ISTANBUL,
  JUNIT,
  LCOV,
  LOCKS,
  PATCH,
  RAW_DIFF,
  SARIF,
  TEST_JSON,
  TSC,
  WORKFLOWS,
} from "./samples.ts";

/** A parser of foreign text: how it is called, what valid text looks like, and whose coverage is told. */
export interface FuzzTarget {
  readonly parse: (text: string) => unknown;
  readonly samples: readonly string[];
  /** Below `src/`. */
  readonly files: readonly string[];
}

const REPORT = { root: "/work" } as const;
const COVERAGE = { root: "/work", only: new Set(["src/a.ts"]) };
const redact = createRedactor(["a known secret value"]);
const METADATA: readonly FileMetadata[] = ["src/a.ts", "b c.ts", "new.ts"].map((path) => ({
  path,
  ...{ status: "modified", oldMode: "100644", newMode: "100644", binary: false, addedLines: 1, deletedLines: 1 },
}));

const MARK = "\u0001commit ";

function readPatches(text: string): void {
  const bytes = Buffer.from(text, "latin1");
  const raw = parseRawDiff(bytes, 1_000);
  splitPatch(bytes.subarray(raw.patchStart ?? 0), raw.entries, text.length % 2 === 0);
  parseCommitLog(bytes, MARK, text.length % 2 === 0);
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

/** Handlers without a world: what is handed in is counted and forgotten. */
function webhookReader(): (text: string) => Promise<unknown> {
  const { probot } = createAppClient({
    ...{ appId: 77, privateKey, webhookSecret: "unused", apiUrl: "http://127.0.0.1:1" },
    log: pino({ level: "silent" }),
  });
  const handle = createDeliveryHandler(probot, {
    submit: async () => ({}),
    implementationOf: async () => undefined,
    deploymentOf: async () => undefined,
    awaitsAnswer: async () => false,
    openGates: async () => [],
    createLabels: async () => {},
    takeDispatched: async () => ({}),
    askRule: async () => {},
    knownHeads: async () => [],
    activeSubjects: async () => [],
    forgetInstallation: async () => {},
    signOut: async () => {},
    accessChanged: async () => {},
    isHeadOfFix: async () => false,
    isSelf: async (login) => login === "forge[bot]",
    appId: 77,
    apiUrl: "https://api.github.com",
    now: () => "2026-11-20T10:00:00.000Z",
    makeId: () => "01JD2C3V4B5N6M7Q8W9E0R1T2Y",
    debounceMs: 0,
  });
  return async (text) => {
    const [event = "", ...body] = text.split("\n");
    try {
      return await handle({ guid: "d-1", event, body: Buffer.from(body.join("\n")) });
    } catch (error) {
      // A payload that is not as GitHub sends it is refused; the queue gives it up and says so.
      if ((error as { code?: string }).code === "payload_invalid") return undefined;
      throw error;
    }
  };
}

const UV_LOCK = `version = 1
[[package]]
name = "shop"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "flask", marker = "python_version > '3.8'", extra = ["async"] }]
[package.dev-dependencies]
dev = [{ name = "flask" }]
[[package]]
name = "flask"
version = "3.0.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "https://a.example/f.whl", hash = "sha256:${"0".repeat(64)}" }]
[package.optional-dependencies]
async = [{ name = "flask" }]
`;
const POETRY_LOCK = `[[package]]
name = "flask"
version = "3.0.0"
optional = false
python-versions = ">=3.8"
files = [{ file = "flask-3.0.0-py3-none-any.whl", hash = "sha256:${"0".repeat(64)}" }]
[package.dependencies]
click = { version = ">=8", markers = "extra == 'a'", python = "^3.8 || ~4" }
[package.extras]
a = ["click (>=8)"]
[metadata]
lock-version = "2.0"
[tool.poetry.dependencies]
flask = "^3.0"
`;

/** One delivery for each event that is handled, as GitHub sends it, with what has it be about Forge. */
function webhookSamples(): string[] {
  // Where tools/ is not installed, the tests of these parsers are left out by name.
  if (!hasTools()) return [];
  const known = requireTool("@octokit/webhooks-examples") as readonly {
    readonly name: string;
    readonly examples: readonly Delivery[];
  }[];
  return Object.keys(HANDLERS).flatMap((handled) => {
    const [name = "", action] = handled.split(".");
    const all = known.find((each) => each.name === name)?.examples ?? [];
    const payload = all.find((each) => each.action === action) ?? all[0];
    if (payload === undefined) return [];
    return [`${name}\n${JSON.stringify(aboutForge(action === undefined ? payload : { ...payload, action }))}`];
  });
}

type Delivery = { readonly [member: string]: unknown };

/** A label, a comment, a check and an installation of Forge's in place of what the example has. */
function aboutForge(payload: Delivery): Delivery {
  const within = (member: string, changes: Delivery) =>
    payload[member] ? { [member]: { ...(payload[member] as Delivery), ...changes } } : {};
  return {
    ...payload,
    installation: { id: 1, node_id: "MDIz", ...(payload.installation as Delivery | undefined) },
    ...within("label", { name: "forge:implement" }),
    ...within("comment", { body: "/forge dismiss f-1 it is tested" }),
    ...within("review", { body: "/forge approve", state: "changes_requested" }),
    ...within("check_run", { name: "forge/review", external_id: "1", app: { id: 77, slug: "forge" } }),
    ...within("check_suite", { app: { id: 77, slug: "forge" } }),
    ...(payload.action === "requested_action" ? { requested_action: { identifier: "review" } } : {}),
    ...(payload.action === "edited"
      ? { changes: { base: { ref: { from: "main" }, sha: { from: "0".repeat(40) } } } }
      : {}),
  };
}

/** The parsers that read what others wrote, in the process that serves (SARIF, JUnit and the like in a child of it). */
export const TARGETS: Readonly<Record<string, FuzzTarget>> = {
  diff: {
    parse: (text) => parseDiff(text, METADATA),
    samples: [PATCH],
    files: ["analysis/parse-diff.ts"],
  },
  patch: {
    parse: readPatches,
    samples: [RAW_DIFF, `${RAW_DIFF}\0${PATCH}`, COMMIT_LOG],
    files: ["workspace/parse-raw-diff.ts", "workspace/parse-commit-log.ts"],
  },
  reports: {
    parse: (text) => {
      for (const format of REPORT_FORMATS) readReport(format, text, REPORT);
    },
    samples: [SARIF, ESLINT, CHECKSTYLE, TSC],
    files: [
      ...["read-sarif", "read-eslint", "read-checkstyle", "read-tsc", "tool-report", "reported-path", "safe-xml"].map(
        (name) => `analysis/reports/${name}.ts`,
      ),
    ],
  },
  locks: {
    parse: (text) => {
      for (const { read } of LOCK_FILES) read(text);
      stepsOf(text, "yarn.lock", text);
    },
    samples: LOCKS,
    files: [
      ...[
        "read-package-lock",
        "read-pnpm-lock",
        "read-yarn-lock",
        "read-bun-lock",
        "read-gemfile-lock",
        "read-go-locks",
      ],
      ...["read-pipfile-lock", "read-listed-locks", "read-requirements", "requirement", "read-toml-lock", "npm-words"],
      ...["formats/yaml-tree", "formats/printed-yaml", "formats/printed-words", "formats/yarn-one", "formats/bun-text"],
      ...["drift/manifest-drift", "drift/npm-steps", "drift/yarn-steps", "drift/pnpm-steps"],
    ].map((name) => `analysis/dependencies/${name}.ts`),
  },
  plans: {
    parse: (text) => {
      for (const [lock, beside] of [
        ["uv.lock", "pyproject.toml"],
        ["poetry.lock", "pyproject.toml"],
        ["yarn.lock", ".yarnrc.yml"],
      ] as const) {
        const texts = new Map([
          ["package.json", '{ "dependencies": { "a": "1" } }'],
          [lock, text],
          [beside, text],
        ]);
        packagePlans(texts, "2026-01-31", ["pypi.org"]);
      }
    },
    samples: [UV_LOCK, POETRY_LOCK],
    files: ["package-plan", "pip-plan", "python-lock", "uv-lock", "poetry-lock"].map(
      (name) => `workspace/install/${name}.ts`,
    ),
  },
  tests: {
    parse: (text) => {
      for (const read of [readJunit, readTap, readTestJson, readCargoTests, readPytest, readUnittest]) read(text);
      readGoTests(text, "example.com/shop");
    },
    samples: [JUNIT, TAP, TEST_JSON, CARGO, PYTEST, UNITTEST, GO],
    files: [
      "read-junit",
      "read-tap",
      "read-test-json",
      "read-cargo-tests",
      "read-pytest",
      "read-unittest",
      "read-go-tests",
    ].map((name) => `analysis/tests/${name}.ts`),
  },
  coverage: {
    parse: (text) => {
      for (const format of ["lcov", "istanbul", "cobertura"] as const) readCoverage(format, text, COVERAGE);
    },
    samples: [LCOV, ISTANBUL, COBERTURA],
    files: ["analysis/tests/read-coverage.ts", "analysis/tests/coverage-report.ts"],
  },
  configuration: {
    parse: parseConfiguration,
    samples: CONFIGURATIONS,
    files: ["parse-configuration", "complaints"].map((name) => `analysis/configuration/${name}.ts`),
  },
  comments: {
    parse: (text) => {
      parseCommands(text);
      neutraliseText(text, { allowedHosts: ["github.com"] });
      redact(text);
    },
    samples: COMMENTS,
    files: [
      ...["parse-comment", "command-lines"].map((name) => `pipeline/commands/${name}.ts`),
      "domain/command-arguments.ts",
      "safety/neutralise.ts",
      "safety/redact.ts",
    ],
  },
  webhooks: {
    parse: webhookReader(),
    samples: webhookSamples(),
    files: ["handle-delivery", "payloads", "pull-request", "comment", "issue", "check", "installation"].map(
      (name) => `github/handlers/${name}.ts`,
    ),
  },
  workflows: {
    parse: (text) => {
      // YAML's parser makes an error for each of thousands of mistakes: half of the time went into their stacks.
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      try {
        findDangersIn([])({ text });
      } catch (error) {
        // Too deep: it ends the process of its own that reads it, and the file counts as not looked at.
        if (!(error instanceof RangeError)) throw error;
      } finally {
        Error.stackTraceLimit = limit;
      }
      grantsMore(text, `${text}\n`);
    },
    samples: WORKFLOWS,
    files: [
      "find-dangers",
      "step-dangers",
      "workflow-document",
      "environment",
      "expressions",
      "untrusted",
      "resolve-aliases",
    ].map((name) => `analysis/workflows/${name}.ts`),
  },
  globs: {
    parse: (text) => {
      const [glob = "", path = ""] = text.split("\n");
      const compiled = compileGlob(glob);
      if ("matches" in compiled) for (const below of [true, false]) compiled.matches(path, { below });
    },
    samples: GLOBS,
    files: ["parse-glob", "compile-glob"].map((name) => `domain/globs/${name}.ts`),
  },
};
