import { lockFileOf } from "../../dependencies/lock-files.ts";
import { languageOfCode } from "../test-names.ts";

/** Manifests, settings of compilers and runners, and what every test loads: no import says whom their change affects. */
const CONFIGURATION =
  /(?:^|\/)(?:package\.json|(?:ts|js)config[^/]{0,200}\.json|pnpm-workspace\.yaml|\.npmrc|\.nvmrc|\.node-version|\.swcrc|\.babelrc(?:\.[a-z]{1,20})?|\.mocharc\.[a-z]{1,20}|(?:vite|vitest|jest|babel|rollup|webpack|playwright|cypress)(?:[.-][\w-]{1,200})?\.(?:config|setup|workspace)\.[cm]?[jt]s(?:on)?|(?:vitest|jest|test)[.-]?setup\.[cm]?[jt]s|setup-?tests?\.[cm]?[jt]s|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|\.?pytest\.(?:ini|toml)|conftest\.py|Pipfile|requirements[^/]{0,200}\.txt|\.python-version|go\.(?:mod|work)|Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml)$/i;

/** Files in these folders are material of some tests, and not settings of all. */
const FIXTURE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

const IN_TESTS = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|fixtures?|__fixtures__|testdata|snapshots?|__snapshots__)\//i;

const names = (text: string) => new Set(text.split(" "));
/** The same by their whole names, and by the word before `.config.`. */
const SETTINGS = names(
  "lerna.json nx.json turbo.json .yarnrc .yarnrc.yml .taprc .gitattributes .gitmodules noxfile.py sitecustomize.py .tool-versions",
);
const CONFIGURED = names("ava karma wdio nyc tsup esbuild postcss tailwind svelte next nuxt astro");

/** Prose for people, and what hosts and editors read. Words for programs in the same languages have other endings or folders. */
const PROSE = /\.(?:md|markdown|rst|adoc|asciidoc)$/i;
const PROSE_NAMES = names(
  "license licence copying notice authors contributors changelog changes history readme codeowners dockerfile jenkinsfile compose docker-compose",
);
const PROSE_ENDINGS = names("txt yml yaml prod dev test");
const HOST_NAMES = names(
  "funding.yml .gitlab-ci.yml .travis.yml azure-pipelines.yml appveyor.yml .editorconfig .gitignore .dockerignore .git-blame-ignore-revs .mailmap",
);
const HOST_FOLDERS = names(".github .gitlab .circleci .vscode .idea .devcontainer");

/** Files that are shown with data, and are called by their names without endings. */
export const TEMPLATE =
  /\.(?:hbs|handlebars|mustache|ejs|pug|jade|njk|nunjucks|liquid|eta|twig|j2|jinja2?|haml|erb|slim|tmpl|gohtml|html?)$/i;

/** Whether a change of it may affect every test. */
export function isSettings(path: string): boolean {
  if (FIXTURE.test(path)) return false;
  if (CONFIGURATION.test(path) || lockFileOf(path) !== undefined) return true;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [first = "", second] = name.split(".", 2);
  return (
    SETTINGS.has(name) || name === ".env" || name.startsWith(".env.") || (second === "config" && CONFIGURED.has(first))
  );
}

/** Whether a file is for people, as far as its name says: no test reads it unless one mentions it. */
export function isDocumentation(path: string): boolean {
  if (languageOfCode(path) !== undefined || !isProse(path) || FIXTURE.test(path)) return false;
  return !IN_TESTS.test(path) || /(?:^|\/)README\.md$/i.test(path);
}

/** Documents for people, which programs name with their ending, or by their folder. */
export function isDocument(path: string): boolean {
  return PROSE.test(path) && isDocumentation(path);
}

function isProse(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [first = "", ...endings] = name.split(".");
  const isNamed = PROSE_NAMES.has(first) && endings.every((each) => PROSE_ENDINGS.has(each));
  return PROSE.test(name) || isNamed || HOST_NAMES.has(name) || HOST_FOLDERS.has(path.split("/", 1)[0] ?? "");
}

/** Whether a file lies in a folder of samples. */
export function isFixture(path: string): boolean {
  return FIXTURE.test(path);
}

/** Whether a file is material of tests. */
export function isTestMaterial(path: string): boolean {
  return IN_TESTS.test(path);
}
