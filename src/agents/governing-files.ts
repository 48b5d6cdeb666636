import { posix } from "node:path";
import { CONFIGURATION_PATH } from "../domain/repo-config.ts";

/** Files that decide what runs with whose rights, or who must agree: no agent writes them on its own (SEC-5). */
const GOVERNING: readonly { readonly paths: RegExp; readonly what: string }[] = [
  { paths: /^\.github\/(?:workflows|actions)\/|^action\.ya?ml$/i, what: "a workflow of GitHub Actions" },
  {
    paths:
      /^(?:\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile|\.drone\.yml)$|^\.(?:circleci|buildkite)\//i,
    what: "configuration of CI",
  },
  { paths: /^(?:\.github\/|docs\/|\.gitlab\/)?CODEOWNERS$/i, what: "who must agree to changes" },
  { paths: /^\.github\/(?:dependabot\.ya?ml|settings\.ya?ml)$/i, what: "settings of the repository" },
  { paths: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|pip\.conf)$/i, what: "where packages come from" },
  { paths: /^\.(?:gitmodules|husky\/.*|githooks\/.*)$/i, what: "what git runs or fetches" },
];

/** The kind of a governing file, in words that follow "it is "; undefined for all others. `path` is clean. */
export function governsWhat(path: string): string | undefined {
  if (path.toLowerCase() === CONFIGURATION_PATH || /^\.github\/forge\.ya?ml$/i.test(path))
    return "Forge's own settings";
  return GOVERNING.find(({ paths }) => paths.test(path))?.what;
}

const INSTRUCTIONS = new Set(["agents.md", "claude.md", "review.md", "gemini.md", ".cursorrules"]);

/** Whether a file tells agents what to do: what is written there, later runs are told. */
export function instructsAgents(path: string): boolean {
  const name = posix.basename(path).toLowerCase();
  return INSTRUCTIONS.has(name) || path.toLowerCase() === ".github/copilot-instructions.md";
}
