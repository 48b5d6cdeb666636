import { namePath } from "../name-path.ts";

/** Names of files that say which programs run on the machines of developers, of CI or of users. */
const CALLING: readonly RegExp[] = [
  /(?:^|\/)(?:package|composer|deno|turbo|project|nx)\.jsonc?$/i,
  /(?:^|\/)(?:gnu|bsd)?makefile(?:\.[\w-]+)?$|\.(?:mk|mak|make)$|(?:^|\/)\.?justfile$|(?:^|\/)procfile(?:\.[\w-]+)?$|(?:^|\/)crontab$/i,
  /(?:^|\/)(?:docker|container)file(?:\.[\w-]+)?$|\.(?:docker|container)file$|(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/i,
  /^\.github\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$/i,
  /(?:^|\/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec|taskfile|\.?lefthook|\.pre-commit-(?:config|hooks)|serverless|app|render|fly|netlify|vercel)\.(?:ya?ml|toml|json)$/i,
  /(?:^|\/)\.(?:circleci|buildkite|husky|githooks|git-hooks|hooks|devcontainer|vscode|claude|cursor|gemini|codex|zed|idea)\//i,
  /(?:^|\/)(?:jenkinsfile|vagrantfile|rakefile|tiltfile)(?:\.[\w-]+)?$/i,
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|bunfig\.toml|\.pnpmfile\.c?js|\.mcp\.json|\.?devcontainer\.json|\.envrc|\.?mise\.toml)$/i,
  /(?:^|\/)(?:pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|noxfile\.py|cargo\.toml|build\.rs)$/i,
  /(?:^|\/)\.?[\w.-]{1,60}\.(?:config|conf|setup|workspace)\.(?:[cm]?[jt]s|json)$|(?:^|\/)\.[\w-]{1,40}rc(?:\.(?:[cm]?js|json|ya?ml))?$/i,
  /(?:^|\/)(?:gulp|grunt|jake|cake)file(?:\.[\w.]+)?$/i,
];

/** Whether a file of this name says what is to be run. */
export function isCallingFile(path: string): boolean {
  const name = namePath(path);
  return CALLING.some((pattern) => pattern.test(name));
}
