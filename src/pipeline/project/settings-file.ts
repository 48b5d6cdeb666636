import { plainLine } from "../../safety/plain-line.ts";
import type { Project } from "./read-project.ts";

/** A language of fewer files than this share of the most used one is not named to agents. */
const LEAST_SHARE = 0.1;
const MOST_LANGUAGES = 3;

type Tool = "test" | "typecheck" | "lint" | "build";
type Commands = Readonly<Record<Tool, readonly string[]>>;

/** What is usual in a language, for a tool that was not found. */
const USUAL: Readonly<Record<string, Commands>> = {
  Python: {
    test: ["python3", "-m", "pytest"],
    typecheck: ["mypy", "."],
    lint: ["ruff", "check", "."],
    build: ["make", "build"],
  },
  Go: {
    test: ["go", "test", "./..."],
    typecheck: ["go", "vet", "./..."],
    lint: ["golangci-lint", "run"],
    build: ["go", "build", "./..."],
  },
  Rust: {
    test: ["cargo", "test"],
    typecheck: ["cargo", "check"],
    lint: ["cargo", "clippy"],
    build: ["cargo", "build"],
  },
};
const SCRIPTS: Commands = {
  test: ["make", "test"],
  typecheck: ["npm", "run", "typecheck"],
  lint: ["npm", "run", "lint"],
  build: ["npm", "run", "build"],
};

/**
 * `.github/forge.yml` for a project, for people to read and change. What it sets is what was found and what is changed most often; the rest
 * are comments. A comment is `# ` and words, a setting that is switched off `#` alone, so taking away that `#` switches it on.
 */
export function settingsFile({ name, languages, tests, typeCheck, scripts, paths }: Project): string {
  const most = languages[0]?.files ?? 0;
  const written = languages.filter(({ files }) => files >= most * LEAST_SHARE).slice(0, MOST_LANGUAGES);
  const usual = USUAL[languages[0]?.name ?? ""] ?? SCRIPTS;
  const script = (known: Tool) => (scripts.has(known) ? ["npm", "run", known] : usual[known]);
  return `# Settings of Forge for this repository, read on the default branch.
# To switch on a setting that begins with "#", remove that character. A setting
# that is left out has its default. Comment /forge config to see all in force.

project:
  name: ${text(name)}
${written.length === 0 ? '  #language: "TypeScript"' : `  language: ${text(written.map((it) => it.name).join(", "))}`}

review:
  # Review pull requests without being asked. Drafts wait until they are ready.
  on_pr: true
  # When a model reads a change: auto (medium risk and above), always or never.
  # Without a model, only the layers that need none run.
  ai: auto
  # Forge recognizes most generated files. Name other paths that need no review.
  #paths: { exclude: ${list(excluded(paths))} }
  # Changes of these paths have at least a high risk.
  #protected_paths: ${list(isProtected(paths))}
  #authors: { exclude: ["renovate[bot]"] }

# Programs of this repository. Forge runs them in its sandbox, never in a shell.
#tools:
  # ${testWords(tests)}
  #test: ${list(scripts.has("test") ? ["npm", "test"] : usual.test)}
  # ${typeCheck ? `Found: ${plainLine(typeCheck.join(" "))}.` : "No program that checks types was found."}
  #typecheck: ${list(typeCheck ?? usual.typecheck)}
  # Run on what Forge writes.
  #lint: ${list(script("lint"))}
  # What has to be built before the tests can run.
  #build: ${list(script("build"))}

safety:
  # US dollars. Forge stops before it spends more.
  cost: { review: 2, implementation: 10, day: 200 }
  # A plan that may cost more waits for approval.
  confirm_over_usd: 5

# Deployments after a merge are off until they are set up here, under "deploy".
`;
}

function testWords(tests: Project["tests"]): string {
  if (tests === undefined) return "No way to run tests was found. Name one:";
  return `Found: ${plainLine(tests.runner)}. A command set here always runs all tests.`;
}

const RECORDED = /(?:^|\/)(fixtures|__fixtures__|testdata|__snapshots__|cassettes|third_party|generated)\//;

function excluded(paths: readonly string[]): string[] {
  const names = new Set(paths.flatMap((path) => RECORDED.exec(path)?.[1] ?? []));
  return names.size === 0 ? ["**/generated/**"] : [...names].sort().map((name) => `**/${name}/**`);
}

function isProtected(paths: readonly string[]): string[] {
  const migrations = paths.map((path) => /^(?:.*\/)?migrations\//.exec(path)?.[0]).find((it) => it !== undefined);
  return [
    ".github/**",
    `${migrations === undefined || /[*?[\]{}!\\]/.test(migrations) ? "migrations/" : migrations}**`,
  ];
}

/** Double quotes of JSON are double quotes of YAML. */
function text(words: string): string {
  return JSON.stringify(plainLine(words, 100));
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => text(word)).join(", ")}]`;
}
