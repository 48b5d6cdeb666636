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

export const DIALECTS = [
  "js",
  "mjs",
  "cjs",
  "jsx",
  "ts",
  "mts",
  "cts",
  "tsx",
  "d.ts",
  "json",
  "jsonc",
  "css",
  "yaml",
  "py",
  "sh",
] as const;
export type Dialect = (typeof DIALECTS)[number];

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  js: { name: "JavaScript", dialect: "js" },
  mjs: { name: "JavaScript", dialect: "mjs" },
  cjs: { name: "JavaScript", dialect: "cjs" },
  jsx: { name: "JavaScript", dialect: "jsx" },
  es6: { name: "JavaScript", dialect: "js" },
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
  ...named("Batch", "bat", "cmd"),
  ...named("C", "c", "h"),
  ...named("C#", "cs"),
  ...named("C++", "cc", "cpp", "cxx", "hpp"),
  ...named("Dart", "dart"),
  ...named("Elixir", "ex", "exs"),
  ...named("Go", "go"),
  ...named("Groovy", "groovy", "gradle"),
  ...named("HTML", "html", "htm", "xhtml"),
  ...named("Java", "java"),
  ...named("Kotlin", "kt", "kts"),
  ...named("Lua", "lua"),
  ...named("PHP", "php"),
  ...named("Perl", "pl", "pm"),
  ...named("PowerShell", "ps1", "psm1"),
  py: { name: "Python", dialect: "py" },
  pyi: { name: "Python", dialect: "py" },
  pyw: { name: "Python", dialect: "py" },
  ...named("Ruby", "rb"),
  ...named("Rust", "rs"),
  ...named("SQL", "sql"),
  ...named("Scala", "scala"),
  sh: { name: "Shell", dialect: "sh" },
  bash: { name: "Shell", dialect: "sh" },
  ...named("Shell", "zsh"),
  ...named("Svelte", "svelte"),
  ...named("Swift", "swift"),
  ...named("Terraform", "tf"),
  ...named("Vue", "vue"),
};

/** Files named `.json` whose readers accept comments and trailing commas. */
const COMMENTED_JSON =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.eslintrc(?:\.json)?|\.swcrc|\.babelrc|devcontainer\.json|turbo\.json|nx\.json|deno\.json|wrangler\.json|api-extractor\.json)$|(?:^|\/)\.vscode\/[^/]+\.json$/;

function named(name: string, ...extensions: string[]): Record<string, Language> {
  return Object.fromEntries(extensions.map((extension) => [extension, { name }]));
}

/** The language of a path by its name alone, undefined when it is none that is known to be code or data with a grammar. */
export function languageOf(written: string): Language | undefined {
  const path = namePath(written);
  if (COMMENTED_JSON.test(path)) return { name: "JSON", dialect: "jsonc" };
  if (/\.d\.[cm]?ts$/.test(path)) return { name: "TypeScript", dialect: "d.ts" };
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (/^(?:docker|container)file(?:\.|$)/.test(name)) return { name: "Dockerfile" };
  if (name === "makefile") return { name: "Make" };
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot + 1) : "";
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

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
