import { lockFileOf } from "../../dependencies/lock-files.ts";

/** Manifests, settings of compilers and runners, and what every test loads: no import says whom their change affects. */
const CONFIGURATION =
  /(?:^|\/)(?:package\.json|(?:ts|js)config[^/]{0,200}\.json|pnpm-workspace\.yaml|lerna\.json|nx\.json|turbo\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.nvmrc|\.node-version|\.swcrc|\.babelrc(?:\.[a-z]{1,20})?|\.mocharc\.[a-z]{1,20}|\.taprc|\.env(?:\.[\w.-]{1,200})?|\.gitattributes|\.gitmodules|(?:vite|vitest|jest|babel|rollup|webpack|playwright|cypress|ava|karma|wdio|nyc|tsup|esbuild|postcss|tailwind|svelte|next|nuxt|astro)(?:[.-][\w-]{1,200})?\.(?:config|setup|workspace)\.[cm]?[jt]s(?:on)?|(?:vitest|jest|test)[.-]?setup\.[cm]?[jt]s|setup-?tests?\.[cm]?[jt]s|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|noxfile\.py|pytest\.ini|conftest\.py|sitecustomize\.py|Pipfile|requirements[^/]{0,200}\.txt|\.python-version|\.tool-versions|go\.(?:mod|work)|Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml)$/i;

/** What lies there is the material of some tests, and not the settings of all. */
const FIXTURE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

const IN_TESTS = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|fixtures?|__fixtures__|testdata|snapshots?|__snapshots__)\//i;

/** Prose for people, and what hosts and editors read. Words for programs in the same languages have other endings or folders. */
const DOCUMENTATION =
  /\.(?:md|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|HISTORY|README|CODEOWNERS|FUNDING\.yml)(?:[.-][\w.-]{1,40})?$|^\.(?:github|gitlab|circleci|vscode|idea|devcontainer)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|appveyor\.yml|Jenkinsfile|Dockerfile(?:\.[\w.-]{1,40})?|(?:docker-)?compose(?:\.[\w.-]{1,40})?\.ya?ml|\.editorconfig|\.gitignore|\.dockerignore|\.git-blame-ignore-revs|\.mailmap)$/i;

/** Files that are shown with data, and are called by their names without endings. */
export const TEMPLATE =
  /\.(?:hbs|handlebars|mustache|ejs|pug|jade|njk|nunjucks|liquid|eta|twig|j2|jinja2?|haml|erb|slim|tmpl|gohtml|html?)$/i;

/** Whether a change of it may affect every test. */
export function isSettings(path: string): boolean {
  return !FIXTURE.test(path) && (CONFIGURATION.test(path) || lockFileOf(path) !== undefined);
}

/** Whether a file is for people, as far as its name says: no test reads it unless one mentions it. */
export function isDocumentation(path: string): boolean {
  if (!DOCUMENTATION.test(path) || FIXTURE.test(path)) return false;
  return !IN_TESTS.test(path) || /(?:^|\/)README\.md$/i.test(path);
}

/** Whether what lies in a folder with a manifest is material of tests. */
export function isTestMaterial(path: string): boolean {
  return IN_TESTS.test(path);
}
