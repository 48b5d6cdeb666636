import { findCalls } from "../../src/analysis/child/find-calls.ts";
import { compareManifest } from "../../src/analysis/dependencies/compare-manifest.ts";
import { manifestReader } from "../../src/analysis/dependencies/read-manifests.ts";
import { isUnreadManifest } from "../../src/analysis/dependencies/unread-manifests.ts";
import { createFileFinder } from "../../src/analysis/programs/find-file.ts";
import { findSettings } from "../../src/analysis/settings/find-settings.ts";
import { unattendedKind } from "../../src/analysis/unattended/unattended-kinds.ts";
import type { Landing } from "../../src/domain/coverage.ts";
import { coverageLines } from "../../src/github/words/deploy/coverage-text.ts";
import { ruleText } from "../../src/github/words/deploy/rule-text.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { changedFile } from "../../test/analysis/change-of.ts";
import { type OutsideReader, reader } from "./reader.ts";

const PATHS = ["docs/a.txt", "docs/b.txt", "src/a.js", "bin/a", "x.sh", "lib/a/b/c.py"];
const FILES = ["package.json", "Makefile", "Dockerfile", ".github/workflows/a.yml", "src/a.py", ".npmrc"] as const;
const MANIFESTS = [
  "package.json",
  "pyproject.toml",
  "Pipfile",
  "setup.cfg",
  "constraints.txt",
  "Cargo.toml",
  "Gemfile",
  "setup.py",
];
const OTHERS = ["composer.json", "pom.xml", "a.csproj", "pubspec.yaml", "deno.json"];
const LOCKS = [{ name: "yarn.lock", text: '# yarn lockfile v1\n\na@1:\n  version "1.0.0"\n' }];
const WORDING = { allowedHosts: ["github.com"], redact: createRedactor(["a known secret value"]) };

async function readCalls(text: string): Promise<void> {
  const read = findCalls(PATHS);
  for (const path of FILES) {
    await read({ id: 0, path, text, calls: "all and named" });
    await read({ id: 0, path, text, oldText: "a\n", calls: "new" });
  }
}

function readManifests(text: string): void {
  isUnreadManifest(text);
  for (const name of [...MANIFESTS, ...OTHERS]) {
    manifestReader(name)?.(text);
    compareManifest({ name, text, oldText: "" }, LOCKS);
  }
}

async function readSettings(text: string): Promise<void> {
  const addedLines = text.split("\n").map((_, at) => at + 1);
  for (const path of ["AGENTS.md", ".mcp.json", ".vscode/settings.json", ".envrc", "pyproject.toml"])
    await findSettings({ id: 0, path, text, addedLines });
}

function sortFile(text: string): void {
  const content = Buffer.from(text);
  for (const path of ["docs/a.md", "docs/a.txt", "locales/a.json", "locales/a.yml", "src/a.ts"])
    unattendedKind({ ...changedFile(path, "a\n"), status: "modified" }, content, content);
}

function tellRule(text: string): void {
  const landing: Landing = {
    ...{ sha: "a".repeat(40), title: text, commits: 1, pull: 1, lacks: ["left_out", "other_branch"], other: text },
    waivers: [{ of: "review", how: "override", by: text, reason: text }],
  };
  const from = { sha: "b".repeat(40), by: "record" as const };
  coverageLines({ requires: ["review", "tests"], landings: [landing], beyond: 0, from }, "production", WORDING);
  const asked = { sha: "a".repeat(40), environment: text.slice(0, 255), workflowRunId: 1 };
  ruleText({ asked, answer: { is: "rejected", reasons: [{ why: "not_covered", landings: [landing] }] } }, WORDING);
}

/** Readers of what decides which programs run: calls, manifests, settings, and the texts of the rule of an environment. */
export const PROGRAM_READERS: Readonly<Record<string, OutsideReader>> = {
  calls: reader(
    readCalls,
    ['{"scripts":{"a":"', "all:\n\tsh ", "RUN ", "      - run: "],
    ["sh a; ", "docs/*", "a/", "*/", "$a/", "chmod +x ", "cat a | sh\n", '"a":"b",', "{a", "&& "],
    ['"}}'],
  ),
  "names of files": reader(
    (text) => createFileFinder(PATHS)(text.slice(0, 400), "Makefile"),
    ["./", "$A/", "docs/"],
    ["*", "?", "*a", "a/", "../", "$a", "~/"],
  ),
  manifests: reader(
    readManifests,
    [
      '{"dependencies":{',
      "[dependencies]\n",
      "[project]\ndependencies = [",
      "<project><dependencies>",
      "dependencies:\n",
      "setup(install_requires=[",
    ],
    [
      '"a":"1",',
      'a = "1"\n',
      "gem 'a', '1'\n",
      "a==1\n",
      "<dependency>",
      "<a>",
      "  a: 1\n",
      "[a]\n",
      "setup_requires=a,\n",
    ],
    ["}}", "]"],
  ),
  "settings of agents": reader(
    readSettings,
    ["---\napplyTo: ", '{"hooks":{', "[build-system]\n"],
    ["ignore ", "ignore all ", "do not report ", "approve ", '"command":"a",', "- ", "a: b\n", "without ", "send "],
    ["findings", "---\n"],
  ),
  "what waits for people": reader(
    sortFile,
    ["{", "---\n"],
    ['"a":"b",', "a: b\n", "<a ", "{{", "Three words here\n", "```\n"],
  ),
  "texts of rules": reader(tellRule, ["Fix "], ["@a ", "[a](", "`", "<!--", "#1 ", "https://a.b/"]),
};
