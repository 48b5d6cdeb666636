import { namePath } from "./name-path.ts";

/** A language that Forge tells apart by file name. */
export interface Language {
  /** As people read it. */
  readonly name: string;
  /**
   * How the analysers write and parse it: one of our own extensions, never the text of a repository's file name. Undefined where no
   * static analyser reads the language.
   */
  readonly dialect?: Dialect;
}

/** Programs in JavaScript and TypeScript; declarations are none. */
export const SCRIPTS = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"] as const;

export const DIALECTS = [...SCRIPTS, "d.ts", "json", "jsonc", "css", "yaml", "py", "sh"] as const;
export type Dialect = (typeof DIALECTS)[number];

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  js: { name: "JavaScript", dialect: "js" },
  mjs: { name: "JavaScript", dialect: "mjs" },
  cjs: { name: "JavaScript", dialect: "cjs" },
  jsx: { name: "JavaScript", dialect: "jsx" },
  es6: { name: "JavaScript", dialect: "js" },
  es: { name: "JavaScript", dialect: "js" },
  jsm: { name: "JavaScript", dialect: "mjs" },
  gs: { name: "JavaScript", dialect: "js" },
  pac: { name: "JavaScript", dialect: "js" },
  ts: { name: "TypeScript", dialect: "ts" },
  mts: { name: "TypeScript", dialect: "mts" },
  cts: { name: "TypeScript", dialect: "cts" },
  tsx: { name: "TypeScript", dialect: "tsx" },
  json: { name: "JSON", dialect: "json" },
  webmanifest: { name: "JSON", dialect: "json" },
  jsonc: { name: "JSON", dialect: "jsonc" },
  "code-workspace": { name: "JSON", dialect: "jsonc" },
  css: { name: "CSS", dialect: "css" },
  yml: { name: "YAML", dialect: "yaml" },
  yaml: { name: "YAML", dialect: "yaml" },
  py: { name: "Python", dialect: "py" },
  pyi: { name: "Python", dialect: "py" },
  pyw: { name: "Python", dialect: "py" },
  sh: { name: "Shell", dialect: "sh" },
  bash: { name: "Shell", dialect: "sh" },
};

/** Files named `.json` whose readers accept comments and trailing commas. */
const COMMENTED_JSON =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.eslintrc(?:\.json)?|\.swcrc|\.babelrc|devcontainer\.json|turbo\.json|nx\.json|deno\.json|wrangler\.json|api-extractor\.json)$|(?:^|\/)\.vscode\/[^/]+\.json$/;

/** Scripts by their names or folders: of shells and git, and of programs that build. */
const BY_NAME: readonly (readonly [path: RegExp, language: Language])[] = [
  [
    /(?:^|\/)\.(?:husky|githooks|git-hooks|hooks)\/(?:_\/)?[^/.]+$|(?:^|\/)(?:githooks|git-hooks|hooks)\/(?:(?:applypatch|commit)-msg|(?:pre|post)-[a-z-]+|prepare-commit-msg|update|fsmonitor-watchman)$/,
    { name: "Shell", dialect: "sh" },
  ],
  [
    /(?:^|\/)(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|xinitrc|xprofile|envrc)|PKGBUILD|APKBUILD|configure|gradlew|mvnw)$/,
    { name: "Shell", dialect: "sh" },
  ],
  [/(?:^|\/)\.(?:zshrc|zshenv|zprofile|zlogin|cshrc|tcshrc|kshrc)$/, { name: "Shell" }],
  [/(?:^|\/)(?:SConstruct|SConscript|wscript)$/, { name: "Python", dialect: "py" }],
];

/** The language of a path by its name alone, undefined when it is none that is known to be code or data with a grammar. */
export function languageOf(written: string): Language | undefined {
  const path = namePath(written);
  if (COMMENTED_JSON.test(path)) return { name: "JSON", dialect: "jsonc" };
  if (/\.d\.[cm]?ts$/.test(path)) return { name: "TypeScript", dialect: "d.ts" };
  const special = BY_NAME.find(([pattern]) => pattern.test(path))?.[1];
  if (special) return special;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot + 1) : "";
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  const unread = unreadLanguageOf(name, extension);
  return unread === undefined ? undefined : { name: unread };
}

/** Ends that say nothing of what a file is: an editor, a person or a template engine put them behind its own. */
const ASIDE =
  /(?:~|\.(?:txt|text|bak\d*|back|backup|old|orig(?:inal)?|prev|save?|sav|copy|tmp|temp|disabled|off|dist|samples?|examples?|templates?|tmpl|tpl|in|inc|new|rej|part|raw|local|flow|j2|jinja2?|ejs|erb|hbs|mustache|liquid|njk|\d{1,4}))$/i;

/** Jest and Vitest run these; those of other tools begin with data between lines of hyphens. */
const SNAPSHOT = /\.snap$/;

/** The language that a file is of without what was put behind its name: `hook.js.txt`, `hook.js~`, `hook.cjs.bak`. */
export function languageAside(written: string, bytes: Buffer | undefined): Language | undefined {
  let path = namePath(written);
  if (SNAPSHOT.test(path) && bytes?.toString("latin1", 0, 3) !== "---") return { name: "JavaScript", dialect: "js" };
  for (let taken = 0; taken < MOST_ASIDE; taken += 1) {
    const shorter = path.replace(ASIDE, "");
    if (shorter === path) return undefined;
    path = shorter;
    const language = languageOf(path);
    if (language !== undefined && isProgramText(language)) return language;
  }
  return undefined;
}

const MOST_ASIDE = 3;

/** Programs that a first line names, and what they run. */
const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/^(?:node|nodejs|zx)[\d.]*$/, { name: "JavaScript", dialect: "js" }],
  [/^(?:bun|deno|tsx|ts-node)$/, { name: "TypeScript", dialect: "ts" }],
  [/^(?:python|pypy)[\d.]*$/, { name: "Python", dialect: "py" }],
  [/^(?:ba|da|k|a)?sh$/, { name: "Shell", dialect: "sh" }],
  [/^(?:zsh|fish|csh|tcsh)$/, { name: "Shell" }],
  [/^ruby[\d.]*$/, { name: "Ruby" }],
  [/^perl[\d.]*$/, { name: "Perl" }],
  [/^php[\d.]*$/, { name: "PHP" }],
  [/^lua[\d.]*$/, { name: "Lua" }],
];

/** The language of a text whose name says nothing, by the program that its first line asks for. */
export function languageOfText(bytes: Buffer): Language | undefined {
  const first =
    bytes
      .toString("latin1", 0, 200)
      .replace(/^\xef\xbb\xbf/, "")
      .split("\n", 1)[0] ?? "";
  if (!first.startsWith("#!")) return undefined;
  // `env` passes options and variables by.
  const words = first
    .slice(2)
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf("/") + 1));
  const program = words[0] === "env" ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0];
  return BY_PROGRAM.find(([name]) => name.test(program ?? ""))?.[1];
}

/** Whether people write it by hand as program text, so that leaving it out is a gap and not a matter of course. */
export function isProgramText(language: Language | undefined): boolean {
  return language !== undefined && language.name !== "JSON";
}

/** Languages that no analyser reads, by the ends of file names: told so that a review says what it did not understand. */
const UNREAD_EXTENSIONS: Readonly<Record<string, string>> = {
  Ada: "adb ads",
  AppleScript: "applescript scpt",
  Assembly: "asm s nasm",
  Astro: "astro",
  AutoHotkey: "ahk au3",
  AWK: "awk",
  Batch: "bat cmd btm",
  C: "c h",
  "C#": "cs csx cshtml razor",
  "C++": "cc cpp cxx c++ hpp hh hxx ino",
  Clojure: "clj cljs cljc",
  CMake: "cmake",
  CoffeeScript: "coffee litcoffee",
  Crystal: "cr",
  CUDA: "cu cuh",
  D: "d",
  Dart: "dart",
  Delphi: "pas dpr",
  Elixir: "ex exs heex leex",
  Elm: "elm",
  Erlang: "erl hrl escript",
  "F#": "fs fsx fsi",
  Fish: "fish",
  Fortran: "f90 f95 f03 for",
  GDScript: "gd",
  Go: "go",
  Groovy: "groovy gradle jenkinsfile",
  Haskell: "hs lhs",
  HCL: "hcl nomad",
  HTML: "html htm xhtml hta",
  Java: "java jsp jspx",
  Julia: "jl",
  Jupyter: "ipynb",
  Just: "just",
  Kotlin: "kt kts",
  Lisp: "el lisp cl scm rkt ss",
  Lua: "lua luau",
  Make: "mk mak",
  MDX: "mdx",
  Nim: "nim nims",
  Nix: "nix",
  "Objective-C": "m mm",
  OCaml: "ml mli",
  Perl: "pl pm t psgi",
  PHP: "php php3 php4 php5 phtml phar inc",
  PowerShell: "ps1 psm1 psd1",
  R: "r rmd qmd",
  Ruby: "rb rake gemspec podspec ru rbw",
  Rust: "rs",
  Scala: "scala sc sbt",
  Shell: "zsh csh tcsh ksh bats command",
  Solidity: "sol vy",
  SQL: "sql psql",
  Starlark: "bzl bazel star",
  Svelte: "svelte",
  Swift: "swift",
  systemd: "service timer desktop",
  SVG: "svg svgz",
  Tcl: "tcl",
  Terraform: "tf tofu",
  "Visual Basic": "vb vbs vba wsf",
  Verilog: "sv vhd vhdl",
  Vim: "vim",
  Vue: "vue",
  WebAssembly: "wat wast",
  XSLT: "xsl xslt",
  Zig: "zig",
  "a template": "ejs erb pug jade hbs handlebars mustache njk twig liquid jinja jinja2 j2 haml slim ftl vm",
};

const UNREAD_NAMES: readonly (readonly [name: RegExp, language: string])[] = [
  [/^(?:docker|container)file(?:\.|$)|\.(?:docker|container)file$/, "Dockerfile"],
  [/^(?:gnu|bsd)?makefile(?:\.|$)|^kbuild$/, "Make"],
  [/^jenkinsfile(?:\.|$)/, "Groovy"],
  [
    /^(?:rake|gem|pod|vagrant|fast|brew|guard|danger|cap|berks|thor|dead|app|match|snap)file$|^\.(?:irbrc|pryrc)$/,
    "Ruby",
  ],
  [/^\.?justfile$/, "Just"],
  [/^procfile(?:\.|$)/, "Procfile"],
  [/^(?:build|workspace|module)(?:\.bazel)?$|^tiltfile$/, "Starlark"],
  [/^cmakelists\.txt$/, "CMake"],
  [/^meson(?:\.build|_options\.txt)$/, "Meson"],
  [/^crontab$/, "crontab"],
];

const UNREAD_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(UNREAD_EXTENSIONS).flatMap(([name, ends]) => ends.split(" ").map((end) => [end, name] as const)),
);

/** @param name of a file without its folder, in lower case; @param extension of it, without the dot */
function unreadLanguageOf(name: string, extension: string): string | undefined {
  return UNREAD_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? UNREAD_BY_EXTENSION.get(extension);
}
