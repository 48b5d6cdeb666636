import { withoutExamples } from "./holds-scripts.ts";
import { namePath } from "./name-path.ts";
import type { SourceFile } from "./source-file.ts";

/** Texts for people; what they show in blocks and spans of code is an example. */
const MARKDOWN = /\.(?:md|mkd|mkdn|markdown|mdown|rst|adoc|asciidoc|org|textile|wiki|pod)$/i;

/** Values and words that programs read: lines of them look like assignments. */
const DATA =
  /\.(?:toml|ini|cfg|conf|cnf|properties|env|csv|tsv|xml|xsd|dtd|rng|plist|pot?|xlf|xliff|resx|strings|proto|graphql|gql|avsc|thrift|json5|jsonl|ndjson|geojson|map|lock|log|srt|vtt|bib|tex|sty|cls|ics|eml|pem|crt|cer|csr|pub|asc|sig|sha\d*|md5|diff|patch|editorconfig|url|less|scss|sass|styl|pcss|snap|golden|out|stderr|stdout|expected|output|pbtxt|textproto|rdf|ttl|owl|wsdl|opml|gpx|kml|dot|gv|puml|mmd|mermaid|drawio|fnt|obj|mtl|sum|mod|work|tsbuildinfo|nuspec|csproj|vbproj|fsproj|sln|props|targets|vcxproj|filters|pbxproj|xcscheme|xcconfig|entitlements|storyboard|xib|modulemap|feature|cabal|opam)$|(?:^|\/)\.(?:[\w-]*ignore|gitattributes|npmrc|yarnrc|env(?:\.[\w-]+)*|[\w-]+rc|mailmap|flake8|coveragerc|pylintrc)$|(?:^|\/)(?:CODEOWNERS|MANIFEST(?:\.in)?|PKG-INFO|METADATA|RECORD|Pipfile)$/i;

/** Names of texts for people. */
const TEXT = /\.(?:txt|text)$|(?:^|\/)[A-Z][A-Z_-]{2,}(?:[.-][\w.-]{1,20})?$/;

/** Calls that run text, load programs or start them, in any language. */
const DANGER =
  /\b(?:eval|exec|execSync|execFile|spawn|spawnSync|system|popen|passthru|shell_exec|proc_open|assert|Function|require|import|__import__|compile|atob|setTimeout|dlopen|load|loadstring|Invoke-Expression|iex|instance_eval|class_eval)\s{0,3}\(\s{0,3}[\w"'`$@[{(\\/]|\bchild_process\b|\bos\.system\b|\bsubprocess\b|\bprocess\.(?:argv|env|binding|mainModule)\b|<\?(?:php\b|=)|<script\b|\bjavascript:|\b(?:curl|wget)\b[^\n|]{0,300}\|\s{0,3}(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\/dev\/tcp\/|\bbase64\s+(?:-d|--decode)\b/;

/** A line as programs have them: it ends or begins as no sentence does. */
const CODE_LINE =
  /[;{}]\s*$|\w\([^()]{0,200}\),?\s*$|^\s*(?:import\s+[\w{*"']|from\s+[\w.]+\s+import|export\s+(?:default|const|function|class|\{)|(?:const|let|var|local|my|our|val)\s+[\w$@%{[]+|(?:async\s+)?function\b|(?:pub\s+)?fn\s+\w|func\s+\w|def\s+\w|class\s+\w+[^.]*[:{]|#\s*(?:include|define|ifdef)|if\s*[([]|(?:fi|done|esac|end)$|(?:sudo|curl|wget|chmod|mkdir|bash|python3?|npm|npx|pip3?)\s+[-\w./"'$~]|\$\w+\s*=|\w[\w.]*\s*(?::?=|\+=)\s*\S|\w[\w.]*\([^)]*\))/;

/** Of the lines that say anything; of a list or a letter it is less than a tenth. */
const MOSTLY = 0.4;
const ALL = 0.8;
/** So much of a text tells what it is. */
const CHARACTERS = 200_000;
const LINE_CHARACTERS = 500;

/** Whether a text whose name tells no language may run as a program: it begins as one, most of it is written as one, or it calls what runs programs. */
export function readsLikeCode({ path, text }: Pick<SourceFile, "path" | "text">): boolean {
  if (text.startsWith("#!")) return true;
  const name = namePath(path);
  if (MARKDOWN.test(name)) {
    const shown = withoutExamples(text);
    return PAGE_SCRIPT.test(shown) || (DANGER.test(shown) && shareOfCode(shown) >= MOSTLY);
  }
  if (DANGER.test(text)) return true;
  return !DATA.test(name) && shareOfCode(text) >= (TEXT.test(name) ? ALL : MOSTLY);
}

const ENTRY = /^\s{0,80}(?:- |[\w"'.$@/-]{1,100}\s{0,9}:)/m;

/** Whether a text that is called YAML has no entry of it, and calls what runs programs. */
export function isNoYaml(text: string): boolean {
  return DANGER.test(text) && !ENTRY.test(text);
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
