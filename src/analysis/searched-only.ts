import type { Observation } from "../domain/findings.ts";
import type { ReviewCoverage, UncoveredFile } from "../domain/review-report.ts";
import { BIOME_RULES } from "./biome-rules.ts";
import { type AnalyserRun, isUnparsed } from "./coverage.ts";
import { isDependencyFile } from "./dependencies/compare-files.ts";
import { isBuildCode } from "./dependencies/unread-manifests.ts";
import { eachInTurn } from "./each-in-turn.ts";
import { ESLINT_SECURITY_RULES } from "./eslint-security-rules.ts";
import { namePath } from "./name-path.ts";
import { RUFF_SECURITY_RULES } from "./ruff-security-rules.ts";
import { runsPrograms } from "./runs-programs.ts";
import { isFixture } from "./severity-in.ts";
import { shortenBlanks } from "./short-blanks.ts";
import type { SourceFile } from "./source-file.ts";

/** They look for something in any text, and understand none. */
const SEARCHES = new Set([
  "secrets",
  "disguises",
  "twins",
  "suppression",
  "config",
  "commands",
  "settings",
  "programs",
]);

/** Settings are looked for in them, and the commands that they hold not understood. */
const IN_PART = new Set(["Dockerfile"]);

const DATA_LANGUAGES = new Set(["JSON", "YAML", "CSS"]);
/** Languages of pages and pictures: what does not run is data. */
const MARKUP = new Set(["HTML", "SVG", "MDX", "XSLT"]);

/** In a fixture these are remarks: whether something runs it was not looked at. */
const RUNS_TEXT: ReadonlySet<string> = new Set(
  Object.entries({
    biome: BIOME_RULES,
    "eslint-security": ESLINT_SECURITY_RULES,
    "ruff-security": RUFF_SECURITY_RULES,
  }).flatMap(([analyser, rules]) =>
    [...rules.values()].flatMap(({ name, runsText }) => (runsText ? [`${analyser}/${name}`] : [])),
  ),
);

/**
 * The files that may run and that no analyser understood: somebody, or a model, has to (GH-11a). Prose, data and pages without a script
 * are none of them.
 * @param unread what analysers left out, gaps and others
 */
export async function searchedOnly(
  files: Iterable<SourceFile>,
  runs: readonly AnalyserRun[],
  reported: readonly Observation[],
  unread: readonly UncoveredFile[],
): Promise<NonNullable<ReviewCoverage["searchedOnly"]>> {
  const read = new Set(
    runs.flatMap(({ analyser, read = [] }) =>
      SEARCHES.has(analyser.name) ? [] : read.filter(isLookedAt(analyser.name)),
    ),
  );
  const unparsed = new Set(unread.flatMap((file) => (isUnparsed(file) && !file.gap ? [file.path] : [])));
  const running = new Set(reported.flatMap(({ rule, file }) => (RUNS_TEXT.has(rule) ? [file] : [])));
  const found = await eachInTurn([...files], (file) => {
    if (file.look !== "all" || file.addedLines.size === 0) return [];
    const { path, language } = file;
    if (unparsed.has(path)) return [{ path, reason: `${language?.name ?? "text"} that does not parse` }];
    if (isFixture(path) && running.has(path)) return [{ path, reason: "a fixture that runs text as code" }];
    const kind = read.has(path) && !IN_PART.has(language?.name ?? "") ? undefined : kindOf(file);
    return kind === undefined ? [] : [{ path, reason: kind }];
  });
  return found.flat();
}

/**
 * What is only named as not looked up was read by nobody, and of code that builds only the dependencies were. A list that only another one
 * makes a list may hold anything.
 */
const isLookedAt = (analyser: string) => (path: string) =>
  analyser !== "dependencies" || (isDependencyFile(path) && !isBuildCode(path));

/** What it is that runs, as people call it; undefined for what does not. */
function kindOf(file: SourceFile): string | undefined {
  const { language, claims } = file;
  if (language === undefined) {
    if (claims === "a lock file") return "a lock file of a kind that is not read";
    return readsLikeCode(file) ? "reads like code" : undefined;
  }
  if (language.name === "YAML" && isNoYaml(file.text)) return "reads like code";
  if (DATA_LANGUAGES.has(language.name)) return undefined;
  if (MARKUP.has(language.name)) return holdsScripts(file) ? `scripts in ${language.name}` : undefined;
  return language.name;
}

/** Where a page or a picture runs something: elements, handlers, addresses, and what loads another document. */
const SCRIPT =
  /<\s{0,9}\/?(?:[\w-]{1,1000}:)?(?:script|iframe|object|embed|foreignObject|meta\s[^>]{0,200}http-equiv|base\s|handler|animate\s[^>]{0,300}(?:href|on\w))|[\s"'/](?:on[a-z]{3,30}|srcdoc|formaction)\s{0,9}=|(?:j\s{0,9}a\s{0,9}v\s{0,9}a|v\s{0,9}b)\s{0,9}s\s{0,9}c\s{0,9}r\s{0,9}i\s{0,9}p\s{0,9}t\s{0,9}(?::|&colon;|&#0{0,300}58;|&#x0{0,300}3a;)|(?:href|src|action|to|values|from)\s{0,9}=\s{0,9}["']?[^"'>]{0,200}&#|data:(?:text\/html|image\/svg|text\/javascript|application\/)|<!ENTITY|<\?(?:php|xml-stylesheet|=)|expression\s{0,9}\(/i;

/** An expression or a module in Markdown with components. */
const MDX = /^(?:import|export)\b|\{(?!\/\*)/m;

/** Whether a page, a picture or a text with components holds anything that runs. */
export function holdsScripts({ language, text }: Pick<SourceFile, "language" | "text">): boolean {
  if (language?.name === "XSLT") return true;
  return SCRIPT.test(shortenBlanks(text)) || (language?.name === "MDX" && MDX.test(withoutExamples(text)));
}

/** Without blocks and spans of code, which are shown and not run. */
function withoutExamples(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:(?! {0,3}\1)[^\n]*(?:\n|$))*(?: {0,3}\1[^\n]*)?/gm, "")
    .replace(/`[^`\n]{1,300}`/g, "");
}

/** Texts for people; what they show in blocks and spans of code is an example. */
const MARKDOWN = /\.(?:md|mkd|mkdn|markdown|mdown|rst|adoc|asciidoc|org|textile|wiki|pod)$/i;

/** Values and words that programs read: lines of them look like assignments. */
const PLAIN_DATA =
  /\.(?:toml|ini|cfg|conf|cnf|properties|env|csv|tsv|xml|xsd|dtd|rng|plist|pot?|xlf|xliff|resx|strings|proto|graphql|gql|avsc|thrift|json5|jsonl|ndjson|geojson|map|lock|log|srt|vtt|bib|tex|sty|cls|ics|eml|pem|crt|cer|csr|pub|asc|sig|sha\d*|md5|diff|patch|editorconfig|url|less|scss|sass|styl|pcss|snap|golden|out|stderr|stdout|expected|output|pbtxt|textproto|rdf|ttl|owl|wsdl|opml|gpx|kml|dot|gv|puml|mmd|mermaid|drawio|fnt|obj|mtl|sum|mod|work|tsbuildinfo|nuspec|csproj|vbproj|fsproj|sln|props|targets|vcxproj|filters|pbxproj|xcscheme|xcconfig|entitlements|storyboard|xib|modulemap|feature|cabal|opam)$|(?:^|\/)\.(?:[\w-]*ignore|gitattributes|npmrc|yarnrc|env(?:\.[\w-]+)*|[\w-]+rc|mailmap|flake8|coveragerc|pylintrc)$|(?:^|\/)(?:CODEOWNERS|MANIFEST(?:\.in)?|PKG-INFO|METADATA|RECORD|Pipfile)$/i;

/** Names of texts for people. */
const TEXT = /\.(?:txt|text)$|(?:^|\/)[A-Z][A-Z_-]{2,}(?:[.-][\w.-]{1,20})?$/;

/** A line as programs have them: it ends or begins as no sentence does. */
const CODE_LINE =
  /[;{}]\s*$|\w\([^()]{0,200}\),?\s*$|^\s*(?:import\s+[\w{*"']|from\s+[\w.]+\s+import|export\s+(?:default|const|function|class|\{)|(?:const|let|var|local|my|our|val)\s+[\w$@%{[]+|(?:async\s+)?function\b|(?:pub\s+)?fn\s+\w|func\s+\w|def\s+\w|class\s+\w+[^.]*[:{]|#\s*(?:include|define|ifdef)|if\s*[([]|(?:fi|done|esac|end)$|(?:sudo|curl|wget|chmod|mkdir|bash|python3?|npm|npx|pip3?)\s+[-\w./"'$~]|\$\w+\s*=|\w[\w.]*\s*(?::?=|\+=)\s*\S|\w[\w.]*\([^)]*\))/;

/** Of the lines that say anything; of a list or a letter it is less than a tenth. */
const MOSTLY = 0.4;
const ALL = 0.8;
/** So much of a text tells what it is. */
const CHARACTERS = 200_000;
const LINE_CHARACTERS = 500;
/** At the end of a path: a name has at most 255 bytes. */
const NAME_CHARACTERS = 300;

/** Whether a text whose name tells no language may run as a program: it begins as one, most of it is written as one, or it calls what runs programs. */
export function readsLikeCode({ path, text }: Pick<SourceFile, "path" | "text">): boolean {
  if (text.startsWith("#!")) return true;
  const end = namePath(path).slice(-NAME_CHARACTERS);
  if (MARKDOWN.test(end)) {
    const shown = withoutExamples(text);
    return PAGE_SCRIPT.test(shown) || (runsPrograms(shown) && shareOfCode(shown) >= MOSTLY);
  }
  if (runsPrograms(text)) return true;
  return !PLAIN_DATA.test(end) && shareOfCode(text) >= (TEXT.test(end) ? ALL : MOSTLY);
}

const ENTRY = /^[^\S\r\n\u2028\u2029]{0,80}(?:- |[\w"'.$@/-]{1,100}\s{0,9}:)/m;

/** Whether a text that is called YAML has no entry of it, and calls what runs programs. */
function isNoYaml(text: string): boolean {
  return runsPrograms(text) && !ENTRY.test(text);
}

/** Programs that make pages of texts leave these as they are. */
const PAGE_SCRIPT = /<script\b|<\?(?:php\b|=)/i;

function shareOfCode(text: string): number {
  const lines = text
    .slice(0, CHARACTERS)
    .split("\n")
    .filter((line) => /\S/.test(line));
  const code = lines.filter((line) => CODE_LINE.test(line.slice(0, LINE_CHARACTERS))).length;
  return lines.length === 0 ? 0 : code / lines.length;
}
